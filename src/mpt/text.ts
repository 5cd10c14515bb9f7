/** Single byte strings of headers, transactions and receipts: as JSON-RPC writes them, and as RLP holds them. */
import { encodeHex, type Hex, integerToBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { nameOf } from '../foreign/shape.js';
import { dataBytes, hexBytes, parseQuantity } from '../foreign/values.js';
import { type Item, isList, trim } from './encode.js';

/** How one is written: exactly so many bytes, an integer of up to so many, or any bytes up to so many. */
export type Text = readonly [kind: 'exact' | 'integer' | 'data', width: number];

export const hashString: Text = ['exact', 32];
export const addressString: Text = ['exact', 20];
export const integer64String: Text = ['integer', 8];
export const integer256String: Text = ['integer', 32];

function textBytes(value: string, [kind, width]: Text): Uint8Array | undefined {
  if (kind === 'exact') return hexBytes(value, width);
  if (kind === 'data') return dataBytes(value, width);
  const number = parseQuantity(value, 8 * width);
  return number === undefined ? undefined : trim(integerToBytes(number, width));
}

/** The bytes as RLP holds them: an integer without leading zeros, however many the server wrote. @throws ShapeError */
export function parseText(text: Text, value: unknown, at: string): Uint8Array {
  const bytes = typeof value === 'string' ? textBytes(value, text) : undefined;
  if (bytes) return bytes;
  const digits = `${text[0] === 'exact' ? '' : 'up to '}${2 * text[1]} hex digits`;
  throw new ShapeError(at, `expected 0x and ${digits}, got ${nameOf(value, at)}`);
}

/** Whether an item that came as RLP is written so. */
export function fitsText([kind, width]: Text, item: Item): item is Uint8Array {
  if (isList(item)) return false;
  if (kind === 'exact') return item.length === width;
  return item.length <= width && (kind === 'data' || item[0] !== 0);
}

/** The integer of an item. */
export const toInteger = (bytes: Uint8Array): bigint => BigInt(`0x0${encodeHex(bytes).slice(2)}`);

/** The text as nodes write it. */
export function textToJson([kind]: Text, bytes: Uint8Array): Hex {
  const text = encodeHex(bytes);
  if (kind !== 'integer') return text;
  if (bytes.length === 0) return '0x0';
  return text[2] === '0' ? `0x${text.slice(3)}` : text;
}
