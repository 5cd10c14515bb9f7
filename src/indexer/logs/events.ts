/**
 * The events that say which wallet may hold which token. They are told apart as the decoder does: by topic, number of
 * topics and length of the data. A log that fits no layout exactly is left out.
 */
import { numberAt, wordWidth } from '../../abi/word.js';
import { addressWidth, compareBytes, decodeDigits, decodeHex } from '../../bytes.js';
import { dataBytes } from '../../foreign/values.js';
import type { Standard } from '../layout/layout.js';

/** The content of a log. Addresses have 20 bytes, ids and amounts 32; they are valid until the next log is read. */
export type TokenEvent =
  | {
      readonly kind: 'transfer';
      readonly standard: Standard;
      readonly from: Uint8Array;
      readonly to: Uint8Array;
      /** None for ERC-20. */
      readonly ids: readonly Uint8Array[];
      /** One for ERC-20, one for each id of ERC-1155, none for ERC-721. */
      readonly amounts: readonly Uint8Array[];
      /** Whether it is no transfer's event, but that of a wrapped native token that is made or given back. */
      readonly isWrapping: boolean;
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

/** The parts of a log that are read; texts with 0x. */
interface LogParts {
  /** Each of 32 bytes. */
  readonly topics: readonly string[];
  /** A whole number of bytes. */
  readonly data: string;
}

/** The digits before an address in a word: no compiler leaves anything there. */
const beforeAddress = `0x${'00'.repeat(wordWidth - addressWidth)}`;
const zeroAddress = new Uint8Array(addressWidth);

/** The addresses and ids of the log that is read. */
const [address1, address2] = [new Uint8Array(addressWidth), new Uint8Array(addressWidth)];
const [id1, id2] = [new Uint8Array(wordWidth), new Uint8Array(wordWidth)];
const amount1 = new Uint8Array(wordWidth);

/** Reads an address of a whole word with 0x. @returns false if the word holds no address */
const readAddress = (word: string | undefined, out: Uint8Array): boolean =>
  word?.startsWith(beforeAddress) === true &&
  decodeDigits(word, beforeAddress.length, { width: addressWidth, out });

/** Reads two of them. */
const readAddresses = (word1: string | undefined, word2: string | undefined): boolean =>
  readAddress(word1, address1) && readAddress(word2, address2);

const readId = (word: string | undefined, out: Uint8Array): boolean =>
  word !== undefined && decodeHex(word, wordWidth, out);

/** A word of data, with 0x. */
const wordOf = (data: string, index: number): string =>
  `0x${data.slice(2 + 2 * wordWidth * index, 2 + 2 * wordWidth * (index + 1))}`;

const none: readonly Uint8Array[] = [];
const amount: readonly Uint8Array[] = [amount1];

/** An ERC-20 transfer of the amount that was read last. */
const fungible = (from: Uint8Array, to: Uint8Array, isWrapping: boolean): TokenEvent => ({
  // Written out: a spread costs more than all the rest of a log.
  kind: 'transfer',
  standard: 'erc20',
  from,
  to,
  ids: none,
  amounts: amount,
  isWrapping,
});

/** Transfer of tokens with ids, between the addresses that were read last. */
const transfer = (
  standard: Standard,
  ids: readonly Uint8Array[],
  amounts: readonly Uint8Array[],
): TokenEvent => ({
  kind: 'transfer',
  standard,
  from: address1,
  to: address2,
  ids,
  amounts,
  isWrapping: false,
});

/** Reads a log of a layout; its topics follow that of the event. */
type Reader = (log: LogParts) => TokenEvent | undefined;

const erc20: Reader = ({ topics, data }) =>
  readAddresses(topics[1], topics[2]) && readId(data, amount1)
    ? fungible(address1, address2, false)
    : undefined;

const erc721: Reader = ({ topics: [, from, to, id] }) =>
  readAddresses(from, to) && readId(id, id1) ? transfer('erc721', [id1], none) : undefined;

const allowance =
  (form: 'amount' | 'all'): Reader =>
  ({ topics: [, owner, spender] }) =>
    readAddresses(owner, spender)
      ? { kind: 'allowance', form, owner: address1, spender: address2 }
      : undefined;

const approval: Reader = ({ topics: [, owner, spender, id] }) =>
  readAddresses(owner, spender) && readId(id, id1)
    ? { kind: 'approval', owner: address1, spender: address2, id: id1 }
    : undefined;

/** An old token, which indexes nothing: two words of its data stand for topics. The third one is taken for an amount. */
const unindexed =
  (reader: Reader): Reader =>
  ({ topics: [topic = ''], data }) =>
    reader({ topics: [topic, wordOf(data, 0), wordOf(data, 1)], data: wordOf(data, 2) });

/** A wrapped native token that is made or given back. */
const wrapped =
  (isMade: boolean): Reader =>
  ({ topics: [, wallet], data }) => {
    if (!readAddress(wallet, address1) || !readId(data, amount1)) return undefined;
    return isMade ? fungible(zeroAddress, address1, true) : fungible(address1, zeroAddress, true);
  };

/** A word as a length or an offset of data; NaN if it could be neither. */
const lengthAt = (bytes: Uint8Array, index: number): number =>
  numberAt(bytes, wordWidth * index) ?? Number.NaN;

/** Ids and amounts: two lists of one length, encoded as every compiler does: nothing between, nothing behind. */
function listsOf(data: string): { ids: Uint8Array[]; amounts: Uint8Array[] } | undefined {
  const bytes = dataBytes(data, Number.MAX_SAFE_INTEGER);
  if (bytes === undefined) return undefined;
  const count = lengthAt(bytes, 2);
  const isPlain =
    bytes.length === (4 + 2 * count) * wordWidth &&
    lengthAt(bytes, 0) === 2 * wordWidth &&
    lengthAt(bytes, 1) === (3 + count) * wordWidth &&
    lengthAt(bytes, 3 + count) === count;
  if (!isPlain) return undefined;
  const words = (first: number) =>
    Array.from({ length: count }, (_, i) =>
      bytes.subarray(wordWidth * (first + i), wordWidth * (first + i + 1)),
    );
  return { ids: words(3), amounts: words(4 + count) };
}

const batch: Reader = ({ topics: [, , from, to], data }) => {
  const lists = readAddresses(from, to) ? listsOf(data) : undefined;
  return lists && transfer('erc1155', lists.ids, lists.amounts);
};

const single: Reader = ({ topics: [, , from, to], data }) =>
  readAddresses(from, to) && readId(wordOf(data, 0), id1) && readId(wordOf(data, 1), amount1)
    ? transfer('erc1155', [id1], [amount1])
    : undefined;

const consecutive: Reader = ({ topics: [, first, from, to], data }) => {
  if (!readAddresses(from, to) || !readId(first, id1) || !readId(data, id2)) return undefined;
  // Numbers of one width sort as their bytes do.
  if (compareBytes(id1, id2) > 0) return undefined;
  return { kind: 'run', from: address1, to: address2, first: id1, last: id2 };
};

/** Topic -> number of other topics and bytes of data, or only the former -> what the log says. */
const layouts: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  [topics.transfer]: { '2 32': erc20, '3 0': erc721, '0 96': unindexed(erc20) },
  [topics.approval]: {
    '2 32': allowance('amount'),
    '3 0': approval,
    '0 96': unindexed(allowance('amount')),
  },
  [topics.approvalForAll]: { '2 32': allowance('all') },
  [topics.transferSingle]: { '3 64': single },
  [topics.transferBatch]: { '3': batch },
  [topics.consecutiveTransfer]: { '3 32': consecutive },
  [topics.deposit]: { '1 32': wrapped(true) },
  [topics.withdrawal]: { '1 32': wrapped(false) },
};

/** Added to the number of topics in the key of a layout with data of any length; no log has so many topics. */
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

/** The content of a log about tokens; undefined if it is about something else. */
export function parseTokenEvent(log: LogParts): TokenEvent | undefined {
  const { topics: list, data } = log;
  const [topic] = list;
  if (topic === undefined) return undefined;
  // First looked up as it is: nearly all nodes write lower case.
  const byLayout = readers.get(topic) ?? readers.get(topic.toLowerCase());
  if (byLayout === undefined) return undefined;
  const others = list.length - 1;
  const width = (data.length - 2) / 2;
  const reader = byLayout.get(others + 100 * width) ?? byLayout.get(others + anyData);
  return reader?.(log);
}
