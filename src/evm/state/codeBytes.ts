/** Code as bytes. */
import type { Hex } from '../../bytes.js';
import { hexToBytes } from '../../foreign/argument.js';

/** Bytes of code that are kept. Each engine that runs them has jump tables, which take some twenty times as much. */
const mostBytes = 256 * 1024;

/** The last codes that were asked for, the newest at the end. By the code itself: no hash has to be believed. */
const kept = new Map<Hex, Uint8Array>();
let size = 0;

/** The same bytes for the same code, as far as they are kept; nobody may change them. */
export function codeBytes(code: Hex): Uint8Array {
  const known = kept.get(code);
  const bytes = known ?? hexToBytes(code);
  if (known === undefined) size += bytes.length;
  kept.delete(code);
  kept.set(code, bytes);
  for (const [oldest, { length }] of kept) {
    if (size <= mostBytes) break;
    kept.delete(oldest);
    size -= length;
  }
  return bytes;
}
