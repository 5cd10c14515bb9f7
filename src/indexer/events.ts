/**
 * The events that say who may hold what, told apart as the decoder does: by topic, number of topics and length of the data.
 * A log that fits no layout exactly is nobody's word about a token, and is left out.
 */
import type { Standard } from './layout.js';

/** A log as the node gives it; all texts are hex digits in lower case, without 0x. */
export interface Log {
  readonly block: number;
  /** Seconds; undefined if the node does not say it. */
  readonly time: number | undefined;
  readonly contract: string;
  /** From 1 to 4. */
  readonly topics: readonly string[];
  readonly data: string;
}

/** What a log says; addresses have 40 digits and ids 64. */
export type TokenEvent =
  | {
      readonly kind: 'transfer';
      readonly standard: Standard;
      readonly from: string;
      readonly to: string;
      /** None for ERC-20. */
      readonly ids: readonly string[];
    }
  | {
      readonly kind: 'run';
      readonly from: string;
      readonly to: string;
      readonly first: string;
      readonly last: string;
    }
  | {
      readonly kind: 'allowance';
      readonly form: 'amount' | 'all';
      readonly owner: string;
      readonly spender: string;
    }
  | {
      readonly kind: 'approval';
      readonly owner: string;
      readonly spender: string;
      readonly id: string;
    };

/** Hashes of the events' signatures. */
export const topics = {
  /** `Transfer(address,address,uint256)` */
  transfer: 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  /** `Approval(address,address,uint256)` */
  approval: '8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  /** `ApprovalForAll(address,address,bool)` */
  approvalForAll: '17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  /** `TransferSingle(address,address,address,uint256,uint256)` */
  transferSingle: 'c3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  /** `TransferBatch(address,address,address,uint256[],uint256[])` */
  transferBatch: '4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  /** `ConsecutiveTransfer(uint256,uint256,address,address)` */
  consecutiveTransfer: 'deaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
  /** `Deposit(address,uint256)`, of wrapped native tokens, which emit no transfer with it */
  deposit: 'e1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  /** `Withdrawal(address,uint256)` */
  withdrawal: '7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
} as const;

const zeroAddress = '0'.repeat(40);
const wordDigits = 64;
const padding = '0'.repeat(wordDigits - 40);

/** The address in a word; undefined if its upper bytes are not zero, which no compiler emits. */
const addressIn = (word: string): string | undefined =>
  word.startsWith(padding) ? word.slice(padding.length) : undefined;

const wordAt = (data: string, index: number): string =>
  data.slice(wordDigits * index, wordDigits * (index + 1));

/** A word as a number, if it could be a length or an offset of data; else NaN. */
function lengthIn(word: string): number {
  return word.startsWith('0'.repeat(wordDigits - 8)) ? Number.parseInt(word, 16) : Number.NaN;
}

/** The ids of two lists of one length, encoded as every compiler does: nothing between, nothing behind. */
function idsOf(data: string): readonly string[] | undefined {
  const words = data.length / wordDigits;
  const count = lengthIn(wordAt(data, 2));
  const isPlain =
    words === 4 + 2 * count &&
    lengthIn(wordAt(data, 0)) === 2 * 32 &&
    lengthIn(wordAt(data, 1)) === (3 + count) * 32 &&
    lengthIn(wordAt(data, 3 + count)) === count;
  return isPlain ? Array.from({ length: count }, (_, i) => wordAt(data, 3 + i)) : undefined;
}

function transfer(
  standard: Standard,
  parties: readonly [string, string],
  ids: readonly string[] | undefined,
): TokenEvent | undefined {
  const [from, to] = [addressIn(parties[0]), addressIn(parties[1])];
  if (from === undefined || to === undefined || ids === undefined) return undefined;
  return { kind: 'transfer', standard, from, to, ids };
}

function allowance(
  form: 'amount' | 'all',
  parties: readonly [string, string],
): TokenEvent | undefined {
  const [owner, spender] = [addressIn(parties[0]), addressIn(parties[1])];
  if (owner === undefined || spender === undefined) return undefined;
  return { kind: 'allowance', form, owner, spender };
}

function approval(parties: readonly [string, string], id: string): TokenEvent | undefined {
  const [owner, spender] = [addressIn(parties[0]), addressIn(parties[1])];
  if (owner === undefined || spender === undefined) return undefined;
  return { kind: 'approval', owner, spender, id };
}

function run(
  parties: readonly [string, string],
  first: string,
  last: string,
): TokenEvent | undefined {
  const [from, to] = [addressIn(parties[0]), addressIn(parties[1])];
  // Digits of one length sort as their numbers do.
  if (from === undefined || to === undefined || last < first) return undefined;
  return { kind: 'run', from, to, first, last };
}

/** Indexed words after the first topic, and words of data, as one number: `33` is three and three. */
const layoutOf = ({ topics: { length }, data }: Log): number =>
  (length - 1) * 10 + Math.min(data.length / wordDigits, 9);

type Words = readonly [string, string, string];
type Reader = (words: Words, data: string) => TokenEvent | undefined;

const zeroWord = '0'.repeat(wordDigits);

/** Topic -> layout -> what it says. Layouts of arrays are open: `wide` stands for any length from nine words on. */
const readers: ReadonlyMap<string, ReadonlyMap<number | 'any', Reader>> = new Map([
  [
    topics.transfer,
    new Map<number, Reader>([
      [21, ([from, to]) => transfer('erc20', [from, to], [])],
      [30, ([from, to, id]) => transfer('erc721', [from, to], [id])],
      // An old token that indexes nothing: the third word may be an amount or an id, so only the contract is known.
      [3, (_, data) => transfer('erc20', [wordAt(data, 0), wordAt(data, 1)], [])],
    ]),
  ],
  [
    topics.approval,
    new Map<number, Reader>([
      [21, ([owner, spender]) => allowance('amount', [owner, spender])],
      [30, ([owner, spender, id]) => approval([owner, spender], id)],
      [3, (_, data) => allowance('amount', [wordAt(data, 0), wordAt(data, 1)])],
    ]),
  ],
  [
    topics.approvalForAll,
    new Map<number, Reader>([[21, ([owner, spender]) => allowance('all', [owner, spender])]]),
  ],
  [
    topics.transferSingle,
    new Map<number, Reader>([
      [32, ([, from, to], data) => transfer('erc1155', [from, to], [wordAt(data, 0)])],
    ]),
  ],
  [
    topics.transferBatch,
    new Map<number | 'any', Reader>([
      ['any', ([, from, to], data) => transfer('erc1155', [from, to], idsOf(data))],
    ]),
  ],
  [
    topics.consecutiveTransfer,
    new Map<number, Reader>([[31, ([first, from, to], data) => run([from, to], first, data)]]),
  ],
  [
    topics.deposit,
    new Map<number, Reader>([[11, ([to]) => transfer('erc20', [zeroWord, to], [])]]),
  ],
  [
    topics.withdrawal,
    new Map<number, Reader>([[11, ([from]) => transfer('erc20', [from, zeroWord], [])]]),
  ],
] as const);

/** What a log says of tokens; undefined if it says nothing of them. */
export function eventOf(log: Log): TokenEvent | undefined {
  const [topic, first = '', second = '', third = ''] = log.topics;
  const byLayout = readers.get(topic as string);
  if (byLayout === undefined) return undefined;
  const isOpen = byLayout.has('any') && log.topics.length === 4;
  const reader = byLayout.get(isOpen ? 'any' : layoutOf(log));
  return reader?.([first, second, third], log.data);
}

/** Whether an address is nobody's: tokens come from it when they are made, and go to it when they are burnt. */
export const isNobody = (address: string): boolean => address === zeroAddress;
