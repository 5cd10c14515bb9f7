/** Text from outside for a terminal: nothing in it moves the cursor, reorders its neighbours or hides. */

/**
 * Controls (C0, DEL and C1), format characters (marks of writing direction, joiners, tags), characters without a shape
 * of their own, halves of surrogate pairs, separators of lines and paragraphs.
 */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** What most texts are made of. The classes of characters above take longer to compile than a short command's answer to print. */
const plain = /^[ -~]*$/;

/** One line, with `\uXXXX` in the place of what cannot be seen. JSON keeps its value. */
export const visible = (text: string): string =>
  plain.test(text) ? text : text.replace(unseen, escaped);

/** The same for several lines: newlines stay. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n');
