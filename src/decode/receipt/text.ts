/** Text that a contract's author wrote, and may have written to deceive. */
import { maxNameLength, maxTextLength } from './limits.js';

/**
 * Characters that change how their neighbours look or cannot be seen themselves: controls, marks of writing direction,
 * joiners and other format characters, line separators, halves of surrogate pairs.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function clean(text: string, maxLength: number): string {
  // Cut first, so that a long text costs no more; a character is at most two code units.
  const characters = [
    ...text
      .slice(0, 8 * maxLength)
      .replace(invisible, '')
      .trim(),
  ];
  if (characters.length <= maxLength) return characters.join('');
  return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** A name or symbol; undefined if nothing of it can be seen. */
export function cleanName(text: unknown): string | undefined {
  return typeof text === 'string' ? clean(text, maxNameLength) || undefined : undefined;
}

/** Any other text. */
export const cleanText = (text: string, maxLength = maxTextLength): string =>
  clean(text, maxLength);

/** A URL that may be shown as a picture; undefined for all else. */
export function cleanUrl(text: unknown): string | undefined {
  const isUrl = typeof text === 'string' && /^(https?|ipfs):\/\/[\x21-\x7e]{1,2000}$/.test(text);
  return isUrl ? text : undefined;
}

/** A name of code as words: `UserEModeSet` is `User E Mode Set`. */
export function splitName(name: string): string {
  const words = name
    .replace(/^_+|_+$/g, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
