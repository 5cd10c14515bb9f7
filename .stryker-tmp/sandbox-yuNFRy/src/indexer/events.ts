/**
 * The events that say who may hold what, told apart as the decoder does: by topic, number of topics and length of the data.
 * A log that fits no layout exactly is nobody's word about a token, and is left out.
 */
// @ts-nocheck

import { decodeHex, isZero } from '../bytes.js';
import { dataBytes } from '../foreign/values.js';
import type { Standard } from './layout.js';

/** What a log says. Addresses have 20 bytes and ids 32; they are valid until the next log is read. */
export type TokenEvent =
  | {
      readonly kind: 'transfer';
      readonly standard: Standard;
      readonly from: Uint8Array;
      readonly to: Uint8Array;
      /** None for ERC-20. */
      readonly ids: readonly Uint8Array[];
    }
  | {
      /** Tokens of ids next to each other. */
      readonly kind: 'run';
      readonly from: Uint8Array;
      readonly to: Uint8Array;
      readonly first: Uint8Array;
      readonly last: Uint8Array;
    }
  | {
      readonly kind: 'allowance';
      readonly form: 'amount' | 'all';
      readonly owner: Uint8Array;
      readonly spender: Uint8Array;
    }
  | {
      /** Of one ERC-721 token. */
      readonly kind: 'approval';
      readonly owner: Uint8Array;
      readonly spender: Uint8Array;
      readonly id: Uint8Array;
    };

/** Hashes of the events' signatures. */
export const topics = {
  /** `Transfer(address,address,uint256)` */
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  /** `Approval(address,address,uint256)` */
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  /** `ApprovalForAll(address,address,bool)` */
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  /** `TransferSingle(address,address,address,uint256,uint256)` */
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  /** `TransferBatch(address,address,address,uint256[],uint256[])` */
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
  /** `ConsecutiveTransfer(uint256,uint256,address,address)` */
  consecutiveTransfer: '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d',
  /** `Deposit(address,uint256)`, of wrapped native tokens, which emit no transfer with it */
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  /** `Withdrawal(address,uint256)` */
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
} as const;

/** A log, as far as it is looked at; texts with 0x. */
export interface LogParts {
  /** Each of 32 bytes. */
  readonly topics: readonly string[];
  /** A whole number of bytes. */
  readonly data: string;
}

const wordWidth = 32;
const padding = 12;

/** Words of the log that is read: up to three topics, or as many words of data. */
const words = new Uint8Array(3 * wordWidth);
const wordAt = [0, 1, 2].map((i) => words.subarray(wordWidth * i, wordWidth * (i + 1)));
const addressAt = wordAt.map((word) => word.subarray(padding));
const [first, , third] = wordAt as [Uint8Array, Uint8Array, Uint8Array];
const [address1, address2, address3] = addressAt as [Uint8Array, Uint8Array, Uint8Array];
const zeroAddress = new Uint8Array(wordWidth - padding);

/** Whether the words are addresses: no compiler leaves anything in their upper bytes. */
function areAddresses(...indices: readonly number[]): boolean {
  for (const index of indices) {
    for (let i = 0; i < padding; i++) if (words[wordWidth * index + i] !== 0) return false;
  }
  return true;
}

const noIds: readonly Uint8Array[] = [];
const transfer = (
  standard: Standard,
  from: Uint8Array,
  to: Uint8Array,
  ids: readonly Uint8Array[] = noIds,
): TokenEvent => ({ kind: 'transfer', standard, from, to, ids });

type Reader = (data: string) => TokenEvent | undefined;

const erc20: Reader = () =>
  areAddresses(0, 1) ? transfer('erc20', address1, address2) : undefined;

const allowance =
  (form: 'amount' | 'all'): Reader =>
  () =>
    areAddresses(0, 1)
      ? { kind: 'allowance', form, owner: address1, spender: address2 }
      : undefined;

/** A word as a length or an offset of data; NaN if it could be neither. */
function lengthAt(bytes: Uint8Array, index: number): number {
  const word = bytes.subarray(wordWidth * index, wordWidth * (index + 1));
  const isShort = word.length === wordWidth && isZero(word.subarray(0, wordWidth - 4));
  return isShort ? new DataView(word.buffer, word.byteOffset).getUint32(wordWidth - 4) : Number.NaN;
}

/** The ids of two lists of one length, encoded as every compiler does: nothing between, nothing behind. */
function idsOf(data: string): readonly Uint8Array[] | undefined {
  const bytes = dataBytes(data, Number.MAX_SAFE_INTEGER);
  if (bytes === undefined) return undefined;
  const count = lengthAt(bytes, 2);
  const isPlain =
    bytes.length === (4 + 2 * count) * wordWidth &&
    lengthAt(bytes, 0) === 2 * wordWidth &&
    lengthAt(bytes, 1) === (3 + count) * wordWidth &&
    lengthAt(bytes, 3 + count) === count;
  if (!isPlain) return undefined;
  return Array.from({ length: count }, (_, i) =>
    bytes.subarray(wordWidth * (3 + i), wordWidth * (4 + i)),
  );
}

function batch(data: string): TokenEvent | undefined {
  const ids = areAddresses(1, 2) ? idsOf(data) : undefined;
  return ids && transfer('erc1155', address2, address3, ids);
}

function single(data: string): TokenEvent | undefined {
  const id = dataBytes(data.slice(0, 2 + 2 * wordWidth), wordWidth);
  if (id === undefined || !areAddresses(1, 2)) return undefined;
  return transfer('erc1155', address2, address3, [id]);
}

function consecutive(data: string): TokenEvent | undefined {
  const last = dataBytes(data, wordWidth);
  if (last === undefined || !areAddresses(1, 2)) return undefined;
  // Numbers of one width sort as their bytes do.
  const at = first.findIndex((byte, i) => byte !== last[i]);
  if (at >= 0 && (first[at] as number) > (last[at] as number)) return undefined;
  return { kind: 'run', from: address2, to: address3, first, last };
}

/** Topic -> number of other topics and bytes of data, or only the former -> what the log says. */
const layouts: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  [topics.transfer]: {
    '2 32': erc20,
    '3 0': () => (areAddresses(0, 1) ? transfer('erc721', address1, address2, [third]) : undefined),
    // An old token that indexes nothing: the third word may be an amount or an id, so only the contract is known.
    '0 96': erc20,
  },
  [topics.approval]: {
    '2 32': allowance('amount'),
    '3 0': () =>
      areAddresses(0, 1)
        ? { kind: 'approval', owner: address1, spender: address2, id: third }
        : undefined,
    '0 96': allowance('amount'),
  },
  [topics.approvalForAll]: { '2 32': allowance('all') },
  [topics.transferSingle]: { '3 64': single },
  [topics.transferBatch]: { '3': batch },
  [topics.consecutiveTransfer]: { '3 32': consecutive },
  [topics.deposit]: {
    '1 32': () => (areAddresses(0) ? transfer('erc20', zeroAddress, address1) : undefined),
  },
  [topics.withdrawal]: {
    '1 32': () => (areAddresses(0) ? transfer('erc20', address1, zeroAddress) : undefined),
  },
};

/** A layout in numbers: four more topics than a log may have stand for data of any length. */
const anyData = 10;
const readers = new Map(
  Object.entries(layouts).map(([topic, byLayout]) => {
    const entries = Object.entries(byLayout).map(([layout, reader]): [number, Reader] => {
      const [count, width] = layout.split(' ').map(Number) as [number, number | undefined];
      return [width === undefined ? count + anyData : count + 100 * width, reader];
    });
    return [topic, new Map(entries)] as const;
  }),
);

/** What a log says of tokens; undefined if it says nothing of them. */
export function eventOf({ topics: list, data }: LogParts): TokenEvent | undefined {
  const [topic] = list;
  if (topic === undefined) return undefined;
  // As it is first: nearly all nodes write lower case.
  const byLayout = readers.get(topic) ?? readers.get(topic.toLowerCase());
  if (byLayout === undefined) return undefined;
  const others = list.length - 1;
  const width = (data.length - 2) / 2;
  const reader = byLayout.get(others + 100 * width) ?? byLayout.get(others + anyData);
  if (reader === undefined) return undefined;
  for (let i = 0; i < others; i++) {
    if (!decodeHex(list[i + 1] as string, wordWidth, words, wordWidth * i)) return undefined;
  }
  if (others === 0 && !decodeHex(data, words.length, words)) return undefined;
  return reader(data);
}
