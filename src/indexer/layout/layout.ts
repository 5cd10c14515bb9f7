/**
 * The layout of an index in a store. The index only tells which contracts, tokens and spenders to ask about. The
 * answers come from the contracts, at the block that the reader wants.
 *
 * Contracts are numbered in the order of their first event, so that a wallet, a contract and a token fit into one key.
 * A wallet's holdings thus lie in the order in which their contracts came, and later ones are at the end.
 *
 * Records that events leave:
 *
 * - `holding` wallet, standard, contract -> block of its last transfer; stays if all was sent away, for a contract may give
 *   without an event
 * - `token` wallet, standard, contract, id -> block of the last transfer to the wallet; for ERC-721 it is gone once the
 *   token was sent away
 * - `sent` wallet, block, contract, id -> block; an ERC-721 token that the wallet sent away, which it still held before
 * - `run` wallet, contract, first id -> block, last id; tokens that came together (ERC-2309)
 * - `allowance` owner, form, contract, spender -> block of its last approval
 * - `approval` owner, contract, id -> block, spender; of one ERC-721 token
 * - `time` block -> block, its time in seconds; for blocks with an indexed event
 *
 * A record's value begins with whether it is there or gone, and the block that wrote it (record.ts). Records of
 * a few blocks are entries of their own, which a reorg can take back. Once many of them are final, they are moved
 * into a segment: a list of records in the order of their keys, cut into pages (segments.ts). A long range of final blocks
 * is written as a segment at once. Entries of records are newer than all segments.
 *
 * Entries about the index itself:
 *
 * - `head`, `headCopy` -> how far the index has come, and its segments (head.ts)
 * - `contract` address -> number
 * - `address` number -> address
 * - `page` level, sequence, beginning of its first key, number -> records
 * - `block` block -> its hash, time; for the newest final one, and all after it
 * - `undo` block -> what stood at the keys that the block wrote, for blocks that are not final
 * - `recordSum`, `contractSum` group of keys -> how many records or contracts stand in it (sums.ts)
 * - `format` -> version, chain
 *
 * A checksum of key and value stands behind each value (seal.ts), and each list that is read is known to be whole: by the
 * head, by the numbers of pages, or by the sum of its group. Damaged files thus give an error, and no other answer.
 *
 * A route that needs more (transfers, holders, logs) adds a kind of record here and a view in views.ts, and a version in
 * format.ts. Numbers are big-endian: contracts in five bytes, blocks and times in six.
 */
import { addressWidth, concatBytes, decodeHex, encodeHex, type Hex } from '../../bytes.js';
import { readNumber, writeNumber } from '../../tree/store/numbers.js';
import { endOf } from '../../tree/store/scan.js';
import { IndexError } from './errors.js';

/** First byte of a record's key. These bytes are consecutive, and no other key begins with one of them. */
export const recordKinds = {
  allowance: 0x61,
  holding: 0x68,
  approval: 0x70,
  run: 0x72,
  sent: 0x73,
  token: 0x74,
  time: 0x77,
} as const;
export type RecordKind = keyof typeof recordKinds;

/** First byte of a key. */
export const kinds = {
  ...recordKinds,
  address: 0x41,
  block: 0x42,
  contract: 0x43,
  recordSum: 0x4b,
  format: 0x4d,
  page: 0x50,
  undo: 0x55,
  head: 0x60,
  contractSum: 0x7d,
  headCopy: 0x7f,
} as const;
export type KeyKind = keyof typeof kinds;

/** Bounds of all records' keys. */
export const allRecords = { from: Uint8Array.of(0x61), to: Uint8Array.of(0x7b) } as const;

/** Token standards by their byte in a key. */
export const standards = { erc20: 1, erc721: 2, erc1155: 3 } as const;
export type Standard = keyof typeof standards;

/** Forms of an allowance by their byte in a key: an amount, or all tokens. */
export const allowanceForms = { amount: 1, all: 2 } as const;

/** Bytes of a contract's number, and of a block's number or a time. */
export const contractWidth = 5;
export const blockNumberWidth = 6;
export const idWidth = 32;
const hashWidth = 32;
/** Bytes of a block's hash and time. */
export const markWidth: number = hashWidth + blockNumberWidth;

/** Greatest number of contracts. */
export const maxContracts: number = 2 ** 40 - 1;

function numberBytes(value: number, width: number): Uint8Array {
  const bytes = new Uint8Array(width);
  writeNumber(bytes, 0, value, width);
  return bytes;
}

export const contractBytes = (number: number): Uint8Array => numberBytes(number, contractWidth);
export const blockBytes = (block: number): Uint8Array => numberBytes(block, blockNumberWidth);

/** Keys from one on to below another. */
export interface KeyBounds {
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** A key, or the beginning of one. */
export const keyOf = (kind: KeyKind, ...parts: readonly Uint8Array[]): Uint8Array =>
  concatBytes(Uint8Array.of(kinds[kind]), ...parts);

/** Bytes of an address. @throws RangeError */
export function addressBytes(address: Hex): Uint8Array {
  const bytes = new Uint8Array(addressWidth);
  if (decodeHex(address, addressWidth, bytes)) return bytes;
  throw new RangeError('"address" expected 0x and 40 hex digits');
}

/** The big-endian number in bytes. */
export const numberIn = (bytes: Uint8Array): number => readNumber(bytes, 0, bytes.length);

/** Bounds of all keys that begin with these parts. */
export function within(kind: KeyKind, ...parts: readonly Uint8Array[]): KeyBounds {
  const from = keyOf(kind, ...parts);
  return { from, to: endOf(from) };
}

/** Order of two keys of any widths: below, equal or above 0. */
export const compareKeys: (a: Uint8Array, b: Uint8Array) => number = Buffer.compare;

/** Refuses what no version of this library wrote. */
export function checkWidth(bytes: Uint8Array | undefined, width: number, what: string): Uint8Array {
  if (bytes?.length === width) return bytes;
  const found = bytes === undefined ? 'nothing' : `${bytes.length} bytes`;
  throw new IndexError('DAMAGED', `the index holds ${found} as ${what}`);
}

/** A block's hash and time, as its entry has them. */
export interface BlockMark {
  readonly hash: Hex;
  /** Seconds. */
  readonly time: number;
}

export function encodeMark({ hash, time }: BlockMark): Uint8Array {
  const bytes = new Uint8Array(markWidth);
  if (!decodeHex(hash, hashWidth, bytes)) throw new RangeError('"hash" expected 32 bytes of hex');
  writeNumber(bytes, hashWidth, time, blockNumberWidth);
  return bytes;
}

export function decodeMark(value: Uint8Array): BlockMark {
  const bytes = checkWidth(value, markWidth, 'a block');
  return {
    hash: encodeHex(bytes.subarray(0, hashWidth)),
    time: numberIn(bytes.subarray(hashWidth)),
  };
}
