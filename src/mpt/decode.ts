/** Transactions and receipts, read from the bytes that the roots of their block cover. */
import { ShapeError } from '../errors.js';
import { type Item, isList } from './encode.js';
import { toReceipt } from './receipt.js';
import { decodeRlp } from './rlp.js';
import { type RlpTransaction, toTransaction } from './transaction.js';
import { isKnownType, type TransactionType, unknownType } from './type.js';

/** From there on the first byte of RLP says that a list follows: of the first type, which has nothing in front. */
const firstList = 0xc0;
/** Below, the first byte is a type (EIP-2718). */
const firstString = 0x80;

/** The items behind their type. @throws ShapeError; UnknownTypeError */
function decodeTyped(bytes: Uint8Array, at: string): { type: TransactionType; items: Item } {
  const [type = firstString] = bytes;
  if (type >= firstList) return { type: 0, items: decodeRlp(bytes, at) };
  // The first type is never written in front.
  if (type === 0 || type >= firstString) throw new ShapeError(at, 'expected a type, or a list');
  if (!isKnownType(type)) throw unknownType(at, type);
  return { type, items: decodeRlp(bytes.subarray(1), at) };
}

/**
 * Reads an encoded transaction: of all ways to write it the one that is hashed.
 *
 * @param bytes are kept
 * @throws ShapeError; UnknownTypeError
 */
export function decodeTransaction(bytes: Uint8Array, at: string): RlpTransaction {
  const { type, items } = decodeTyped(bytes, at);
  // As Anvil's blocks hold it: with its blobs, which are not looked at.
  const [own] = type === 3 && isList(items) ? items : [];
  const isWithBlobs = own !== undefined && isList(own);
  return toTransaction(type, isWithBlobs ? own : items, { covered: bytes, at });
}

/** The same of a receipt, with its bloom. @throws ShapeError; UnknownTypeError */
export function decodeReceipt(bytes: Uint8Array, at: string): ReturnType<typeof toReceipt> {
  const { type, items } = decodeTyped(bytes, at);
  return toReceipt(type, items, at);
}
