/** How Solidity's ABI lays values side by side: words that stand for themselves, and offsets of those of any length. */
import { concatBytes, joinBytes } from '../bytes.js';
import { encodeWord, wordWidth } from './word.js';

/** A part of an encoding: a word that stands for itself, or bytes of any length. */
export interface Part {
  readonly isWord: boolean;
  readonly bytes: Uint8Array;
}

export const wordPart = (bytes: Uint8Array): Part => ({ isWord: true, bytes });
export const longPart = (bytes: Uint8Array): Part => ({ isWord: false, bytes });

/** The length, then the bytes, with zeros up to a whole word. */
export function encodeBytes(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / wordWidth) * wordWidth);
  padded.set(bytes);
  return concatBytes(encodeWord(bytes.length), padded);
}

/** A word for each part, which is the offset if the part is long; then the long parts. */
export function encodeParts(parts: readonly Part[]): Uint8Array {
  let offset = wordWidth * parts.length;
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  for (const { isWord, bytes } of parts) {
    heads.push(isWord ? bytes : encodeWord(offset));
    if (isWord) continue;
    tails.push(bytes);
    offset += bytes.length;
  }
  return joinBytes([...heads, ...tails]);
}

/** An array of elements of any length. */
export const encodeArray = (elements: readonly Uint8Array[]): Uint8Array =>
  concatBytes(encodeWord(elements.length), encodeParts(elements.map(longPart)));
