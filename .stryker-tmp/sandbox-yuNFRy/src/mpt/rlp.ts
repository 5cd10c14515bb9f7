/**
 * RLP, read. The package that decodes refuses every second way to write one thing, so that equal values have equal
 * bytes.
 */
// @ts-nocheck

import { decode } from '@ethereumjs/rlp';
import { ShapeError } from '../errors.js';
import { type Item, isList } from './encode.js';

/**
 * Decodes one item that takes up all of `bytes`. The nesting is not bounded: the caller bounds the bytes.
 *
 * @throws ShapeError for anything but the one canonical encoding
 */
export function decodeRlp(bytes: Uint8Array, at: string): Item {
  // The package takes no bytes for an empty byte string, which is 0x80.
  if (bytes.length === 0) throw new ShapeError(at, 'expected RLP, got no bytes');
  try {
    return decode(bytes) as Item;
  } catch (cause) {
    throw new ShapeError(at, 'expected canonical RLP', { cause });
  }
}

/** An unsigned integer of at most `width` bytes, without leading zeros. @throws ShapeError for anything else */
export function checkInteger(item: Item, width: number, at: string, what: string): Uint8Array {
  if (isList(item) || item.length > width || item[0] === 0) {
    throw new ShapeError(at, `expected ${what} as an integer of up to ${width} bytes`);
  }
  return item;
}
