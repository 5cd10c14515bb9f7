/** The types of transactions (EIP-2718), which their receipts share. */
import { concatBytes } from '../bytes.js';
import type { Source } from '../foreign/members.js';
import { parseQuantity } from '../foreign/values.js';
import { encodeRlp, type Item } from './encode.js';
import { UnknownTypeError } from './errors.js';
import { as, read } from './forms.js';

/** Legacy (0), EIP-2930, EIP-1559, EIP-4844 and EIP-7702. */
export type TransactionType = 0 | 1 | 2 | 3 | 4;

const readType = as((value) => parseQuantity(value ?? 0, 8), 'a type, 0x and up to two hex digits');

export const isKnownType = (type: number): type is TransactionType => type <= 4;

export const unknownType = (at: string, type: number): UnknownTypeError =>
  new UnknownTypeError(at, `is of type 0x${type.toString(16)}, which is not known`);

/** Older servers name no type, and have none but the first. @throws ShapeError, UnknownTypeError */
export function parseType(source: Source): TransactionType {
  const type = Number(read(source, 'type', readType));
  if (isKnownType(type)) return type;
  throw unknownType(source.at, type);
}

/** The items behind their type; the first type has none in front. */
export function encodeTyped(type: TransactionType, items: readonly Item[]): Uint8Array {
  const encoded = encodeRlp(items);
  return type === 0 ? encoded : concatBytes(Uint8Array.of(type), encoded);
}
