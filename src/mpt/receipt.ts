/** Receipts, written as the root of a block covers them. */
import { integerToBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import type { Source } from '../foreign/members.js';
import type { Steps } from '../steps.js';
import { addToBloom, bloomWidth } from './bloom.js';
import { type Item, trim } from './encode.js';
import {
  addressForm,
  asList,
  bitForm,
  bloomForm,
  dataForm,
  fitMembers,
  hashForm,
  integer64Form,
  listOf,
  type Member,
  openArray,
  read,
  readMember,
  readObject,
  recordOf,
} from './forms.js';
import { toInteger } from './text.js';
import { encodeTyped, parseType, type TransactionType } from './type.js';

/** A log. */
interface RlpLog {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** 32 bytes each. */
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/** A receipt, read whole. */
export interface RlpReceipt {
  readonly type: TransactionType;
  /** Whether the transaction succeeded; before Byzantium the state root after it, 32 bytes. */
  readonly outcome: boolean | Uint8Array;
  /** Of the block up to this transaction. */
  readonly cumulativeGasUsed: bigint;
  readonly logs: readonly RlpLog[];
}

const readTopics = asList(hashForm.parse);
const readLog = (value: unknown, at: string): RlpLog => {
  const source = readObject(value, at);
  return {
    address: read(source, 'address', addressForm.parse),
    topics: read(source, 'topics', readTopics),
    data: read(source, 'data', dataForm.parse),
  };
};

function parseOutcome(source: Source): RlpReceipt['outcome'] {
  const status = readMember(source, 'status');
  const isOlder = status === undefined || status === null;
  if (isOlder) return read(source, 'root', hashForm.parse);
  return read(source, 'status', bitForm.parse).length > 0;
}

/**
 * Reads a receipt as JSON-RPC answers it. Only what the root of its block covers is read.
 *
 * @throws ShapeError; UnknownTypeError
 */
export function* parseReceipt(value: unknown, at: string): Steps<RlpReceipt> {
  const source = readObject(value, at);
  const head = {
    type: parseType(source),
    outcome: parseOutcome(source),
    cumulativeGasUsed: toInteger(read(source, 'cumulativeGasUsed', integer64Form.parse)),
  };
  const list = read(source, 'logs', openArray);
  const logs: RlpLog[] = [];
  for (let i = 0; i < list.length; i++) {
    logs.push(read(list, i, readLog));
    yield;
  }
  return { ...head, logs };
}

/** The bloom of logs, 256 bytes: it follows from them. */
export function* toBloom(logs: readonly RlpLog[]): Steps<Uint8Array> {
  const bloom = new Uint8Array(bloomWidth);
  for (const { address, topics } of logs) {
    addToBloom(bloom, address);
    for (const topic of topics) addToBloom(bloom, topic);
    yield;
  }
  return bloom;
}

const outcomeItem = (outcome: RlpReceipt['outcome']): Item =>
  typeof outcome === 'boolean' ? Uint8Array.from(outcome ? [1] : []) : outcome;

/** The encoding that the root of a block covers. @param bloom of its logs */
export const encodeReceipt = (
  { type, outcome, cumulativeGasUsed, logs }: RlpReceipt,
  bloom: Uint8Array,
): Uint8Array =>
  encodeTyped(type, [
    outcomeItem(outcome),
    trim(integerToBytes(cumulativeGasUsed, 8)),
    bloom,
    logs.map(({ address, topics, data }) => [address, topics, data]),
  ]);

/** The members in their order. */
const members: readonly Member[] = [
  ['outcome', { ...bitForm, fits: (item) => bitForm.fits(item) || hashForm.fits(item) }],
  ['cumulativeGasUsed', integer64Form],
  ['logsBloom', bloomForm],
  [
    'logs',
    listOf(
      recordOf([
        ['address', addressForm],
        ['topics', listOf(hashForm)],
        ['data', dataForm],
      ]),
    ),
  ],
];

/** The same of items that came as RLP, with its bloom. @throws ShapeError */
export function toReceipt(
  type: TransactionType,
  items: Item,
  at: string,
): RlpReceipt & { readonly bloom: Uint8Array } {
  if (!fitMembers(items, members)) throw new ShapeError(at, `expected a receipt of type ${type}`);
  const [outcome, gas, bloom, logs] = items as readonly [
    ...[outcome: Uint8Array, gas: Uint8Array, bloom: Uint8Array],
    logs: readonly (readonly [Uint8Array, readonly Uint8Array[], Uint8Array])[],
  ];
  return {
    type,
    outcome: outcome.length > 1 ? outcome : outcome.length === 1,
    cumulativeGasUsed: toInteger(gas),
    bloom,
    logs: logs.map(([address, topics, data]) => ({ address, topics, data })),
  };
}
