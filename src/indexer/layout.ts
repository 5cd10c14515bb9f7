/**
 * How an index lies in a store. All that is indexed is there to find out whom to ask: which contracts, which tokens, which
 * spenders. What the answer is, the contract says, at the block that the reader wants.
 *
 * Contracts are numbered in the order of their first event, so that a wallet, a contract and a token fit into one key, and
 * a wallet's holdings lie in the order in which their contracts came: what comes later is found at the end.
 *
 * Entries that events leave:
 *
 * - `contract` address -> number
 * - `address` number -> address
 * - `holding` wallet, standard, contract -> block of its last transfer; stays if all was sent away, for a contract may give
 *   without an event
 * - `token` wallet, standard, contract, id -> block of the last transfer to the wallet; for ERC-721 it is gone once the
 *   token was sent away
 * - `sent` wallet, block, contract, id -> nothing; an ERC-721 token that the wallet sent away, which it still held before
 * - `run` wallet, contract, first id -> last id, block; tokens that came together (ERC-2309)
 * - `allowance` owner, form, contract, spender -> block of its last approval
 * - `approval` owner, contract, id -> spender, block; of one ERC-721 token
 * - `time` block -> its time in seconds, for blocks with an indexed event
 *
 * Entries about the index itself:
 *
 * - `block` block -> its hash, time; for the newest final one, and all after it
 * - `final` -> the newest final block
 * - `undo` block -> what stood at the keys that the block wrote, for blocks that are not final
 * - `format` -> version, chain
 *
 * A route that needs more (transfers, holders, logs) adds a kind of entry here and a view in views.ts, and a version in
 * format.ts. Numbers are big-endian: contracts in five bytes, blocks and times in six.
 *
 * Keys are put together as hex: the node's words are hex, and a batch is a map by key.
 */
import { decodeHex, encodeHex, type Hex } from '../bytes.js';
import { IndexError } from './errors.js';

/** First byte of a key, in hex. */
export const kinds = {
  address: '41',
  block: '42',
  contract: '43',
  final: '46',
  holding: '48',
  allowance: '4c',
  format: '4d',
  token: '4e',
  approval: '50',
  run: '52',
  sent: '53',
  time: '54',
  undo: '55',
} as const;

/** Token standards by their byte in a key. */
export const standards = { erc20: '01', erc721: '02', erc1155: '03' } as const;
export type Standard = keyof typeof standards;

/** Forms of an allowance by their byte in a key: an amount, or all tokens. */
export const allowanceForms = { amount: '01', all: '02' } as const;

export const contractDigits = 10;
export const blockDigits = 12;

/** Greatest number of contracts. */
export const maxContracts: number = 2 ** 40 - 1;

/** Greatest number of a block: the next one still fits. */
export const maxBlock: number = 2 ** 48 - 2;

export const digitsOf = (value: number, digits: number): string =>
  value.toString(16).padStart(digits, '0');

export const contractText = (number: number): string => digitsOf(number, contractDigits);
export const blockText = (block: number): string => digitsOf(block, blockDigits);

/** Bytes of digits that this folder put together. */
export function bytesOf(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length / 2);
  if (!decodeHex(`0x${digits}`, bytes.length, bytes)) throw new TypeError('expected hex digits');
  return bytes;
}

/** Digits of bytes, without 0x. */
export const textOf = (bytes: Uint8Array): string => encodeHex(bytes).slice(2);

/** Digits of an address. @throws RangeError */
export function addressDigits(address: Hex): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) {
    throw new RangeError('"address" expected 0x and 40 hex digits');
  }
  return address.slice(2).toLowerCase();
}

/** The number in big-endian bytes. */
export function numberIn(bytes: Uint8Array, from = 0, to: number = bytes.length): number {
  let value = 0;
  for (let i = from; i < to; i++) value = value * 256 + (bytes[i] as number);
  return value;
}

/** Refuses what no version of this library wrote. */
export function checkWidth(bytes: Uint8Array | undefined, width: number, what: string): Uint8Array {
  if (bytes?.length === width) return bytes;
  const found = bytes === undefined ? 'nothing' : `${bytes.length} bytes`;
  throw new IndexError('DAMAGED', `the index holds ${found} as ${what}; feed a new one`);
}

/** A block's hash and time, as its entry has them. */
export interface BlockMark {
  readonly hash: Hex;
  /** Seconds. */
  readonly time: number;
}

const hashWidth = 32;

export const encodeMark = ({ hash, time }: BlockMark): Uint8Array =>
  bytesOf(hash.slice(2) + digitsOf(time, blockDigits));

export function decodeMark(value: Uint8Array): BlockMark {
  const bytes = checkWidth(value, hashWidth + blockDigits / 2, 'a block');
  return { hash: encodeHex(bytes.subarray(0, hashWidth)), time: numberIn(bytes, hashWidth) };
}
