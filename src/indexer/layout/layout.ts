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
 * - `allowance` owner, form, contract, spender -> block, transaction and log of its last approval
 * - `approval` owner, contract, id -> block, spender, transaction, log; of one ERC-721 token
 * - `permit` owner, token, spender -> block, transaction, log of the last change of what Permit2 lets the spender take
 * - `time` block -> block, its time in seconds; for blocks with an indexed event, and by receipts for all blocks
 *
 * Records that only a feed by receipts leaves (an index says which feed it has):
 *
 * - `touched` wallet, block, transaction -> block, flags; transactions that a wallet has a part in
 * - `total` wallet -> block, transactions, those that it sent, fees in wei; adds
 * - `moved` wallet, contract, ~block, ~log, part -> block, standard and direction, the other side, transaction, id, amount
 * - `item` contract, id, ~block, ~log -> block, from, to, transaction; moves of one ERC-721 or ERC-1155 token
 * - `batch` contract, first id -> block, last id, to, transaction; beside `run`
 * - `sum` contract, standard, [id,] wallet -> block, what transfers add up to, signed; adds. A sum of 0 stays, so that all
 *   who ever had some can be asked what they held at an older block
 * - `emitted` contract, block -> block, number of its logs in the block
 * - `topic` topic, block -> block, number of logs whose first topic it is
 * - `sale` contract, ~block, ~log -> block, id, transaction, currency, price; trades of Seaport. A bundle has no price
 *
 * `~x` is the greatest number of that width less x, so that the newest comes first. A kind that adds holds differences:
 * what is read is what all records of one key add up to (combine.ts).
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
 * - `topicNumber` topic -> number; topics are numbered as contracts are
 * - `page` level, sequence, beginning of its first key, number -> records
 * - `block` block -> its hash, time; for the newest final one, and all after it
 * - `undo` block -> what stood at the keys that the block wrote, for blocks that are not final
 * - `recordSum`, `numberSum` group of keys -> how many records or numbers stand in it (sums.ts)
 * - `format` -> version, chain
 *
 * A checksum of key and value stands behind each value (seal.ts), and each list that is read is known to be whole: by the
 * head, by the numbers of pages, or by the sum of its group. Damaged files thus give an error, and no other answer.
 *
 * A route that needs more adds a kind of record here and what writes it in views.ts or receipts, and a version in format.ts.
 * Numbers are big-endian: contracts and topics in five bytes, blocks and times in six, transactions, logs and parts in three.
 */
import {
  addressWidth,
  concatBytes,
  decodeHex,
  encodeHex,
  type Hex,
  integerToBytes,
} from '../../bytes.js';
import { readNumber, writeNumber } from '../../tree/store/numbers.js';
import { endOf } from '../../tree/store/scan.js';
import { IndexError } from './errors.js';

/** First byte of a record's key. They lie next to each other: no other key begins with a byte between two of them. */
export const recordKinds = {
  allowance: 0x61,
  emitted: 0x65,
  holding: 0x68,
  item: 0x69,
  topic: 0x6c,
  moved: 0x6d,
  sum: 0x6e,
  total: 0x6f,
  approval: 0x70,
  batch: 0x71,
  run: 0x72,
  sent: 0x73,
  token: 0x74,
  touched: 0x75,
  time: 0x77,
  sale: 0x78,
  permit: 0x7a,
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
  topicNumber: 0x54,
  undo: 0x55,
  head: 0x60,
  numberSum: 0x7d,
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

/** Which sides of a transfer a wallet is on. */
export const directions = { in: 1, out: 2, both: 3 } as const;

/** Names by their numbers: a list of records looks up one for each of them. */
function namesOf<Name extends string>(numbers: Readonly<Record<Name, number>>): readonly Name[] {
  const names: Name[] = [];
  for (const name of Object.keys(numbers) as Name[]) names[numbers[name]] = name;
  return names;
}

export const standardNames: readonly Standard[] = namesOf(standards);
export const directionNames: readonly (keyof typeof directions)[] = namesOf(directions);

/** The parts that a wallet has in a transaction, as bits. */
export const touches = { sent: 1, received: 2, created: 4, moved: 8, approved: 16 } as const;

/** Bytes of a contract's or a topic's number, of a block's number or a time, and of a place inside a block. */
export const contractWidth = 5;
export const blockNumberWidth = 6;
export const placeWidth = 3;
export const idWidth = 32;
const hashWidth = 32;
/** Bytes of a block's hash and time. */
export const markWidth: number = hashWidth + blockNumberWidth;

/** Greatest number of a contract or a topic. */
export const maxContracts: number = 2 ** 40 - 1;

/** A number as keys have it. */
export function numberBytes(value: number, width: number): Uint8Array {
  const bytes = new Uint8Array(width);
  writeNumber(bytes, 0, value, width);
  return bytes;
}

export const contractBytes = (number: number): Uint8Array => numberBytes(number, contractWidth);
export const blockBytes = (block: number): Uint8Array => numberBytes(block, blockNumberWidth);
export const placeBytes = (place: number): Uint8Array => numberBytes(place, placeWidth);

/** @param id below 2^256 */
export const idBytes = (id: bigint): Uint8Array => integerToBytes(id, idWidth);

/** Writes the places of a transaction and of a log side by side. */
export function writePlaces(bytes: Uint8Array, transaction: number, log: number): void {
  writeNumber(bytes, 0, transaction, placeWidth);
  writeNumber(bytes, placeWidth, log, placeWidth);
}

/** Greatest place inside a block. */
export const maxPlace: number = 2 ** 24 - 1;
const maxNumber = 2 ** 48 - 1;

/** A block and a place so that the newest comes first. */
export const newestBlockBytes = (block: number): Uint8Array => blockBytes(maxNumber - block);
export const newestPlaceBytes = (place: number): Uint8Array => placeBytes(maxPlace - place);
/** What these stand for, at an offset of a key. */
export const newestBlockAt = (bytes: Uint8Array, at: number): number =>
  maxNumber - readNumber(bytes, at, blockNumberWidth);
export const newestPlaceAt = (bytes: Uint8Array, at: number): number =>
  maxPlace - readNumber(bytes, at, placeWidth);

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

/** Bytes of a topic. @throws RangeError */
export function topicBytes(topic: Hex): Uint8Array {
  const bytes = new Uint8Array(hashWidth);
  if (decodeHex(topic, hashWidth, bytes)) return bytes;
  throw new RangeError('"topic" expected 0x and 64 hex digits');
}

/** The big-endian number in bytes. */
export const numberIn = (bytes: Uint8Array): number => readNumber(bytes, 0, bytes.length);

/** Bounds of all keys that begin with these parts. */
export function within(kind: KeyKind, ...parts: readonly Uint8Array[]): KeyBounds {
  const from = keyOf(kind, ...parts);
  return { from, to: endOf(from) };
}

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
