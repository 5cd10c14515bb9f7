/** Which logs are asked for, by address and topics, as `eth_getLogs` takes it. */
import { encodeHex, type Hex } from '../../bytes.js';
import { shown, wrongRange, wrongType } from '../../errors.js';
import { checkHex, ownMembers } from '../../foreign/argument.js';
import { ownElements } from '../../foreign/members.js';
import { bitsOf, mayHave } from '../../mpt/bloom.js';

/** The conditions on a log. */
export interface LogFilter {
  /** The contract, 20 bytes, or several; default any. */
  readonly address?: Hex | readonly Hex[] | undefined;
  /**
   * For each topic, in order, the one or several that it may be, 32 bytes each, or null for any; at most four. A log must
   * have as many topics.
   */
  readonly topics?: readonly (Hex | readonly Hex[] | null)[] | undefined;
}

/** Of a log, what a filter looks at. */
export interface FilteredLog {
  /** The contract, 20 bytes. */
  readonly address: Hex;
  /** Up to four, 32 bytes each. */
  readonly topics: readonly Hex[];
}

/** The same, checked: each list holds what one of them must be; an empty one allows any. */
export interface CheckedFilter {
  readonly addresses: readonly Hex[];
  readonly topics: readonly (readonly Hex[])[];
}

/** Most topics that a log has. */
const maxTopics = 4;

/** Most addresses, or topics at one place: a bound on the work for each log. */
const maxAlternatives = 1000;

/** @throws TypeError or RangeError that names the fault */
function checkAlternatives(value: unknown, width: number, name: string): Hex[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [encodeHex(checkHex(value, width, name))];
  if (value.length > maxAlternatives) {
    throw wrongRange(name, `expected at most ${maxAlternatives}, got ${value.length}`);
  }
  return ownElements(value).map((one, i) => encodeHex(checkHex(one, width, `${name}[${i}]`)));
}

export const filterNames = ['address', 'topics'] as const;

/** @throws TypeError or RangeError that names the member */
export function checkFilter({ address, topics = [] }: LogFilter): CheckedFilter {
  if (!Array.isArray(topics)) throw wrongType('topics', `expected an array, got ${shown(topics)}`);
  if (topics.length > maxTopics) {
    throw wrongRange('topics', `expected at most ${maxTopics}, got ${topics.length}`);
  }
  return {
    addresses: checkAlternatives(address, 20, 'address'),
    topics: ownElements(topics).map((one, i) => checkAlternatives(one, 32, `topics[${i}]`)),
  };
}

/** Whether a log is one that the filter asks for. */
export const isMatch = ({ addresses, topics }: CheckedFilter, log: FilteredLog): boolean =>
  (addresses.length === 0 || addresses.includes(log.address)) &&
  topics.length <= log.topics.length &&
  topics.every((known, i) => known.length === 0 || known.includes(log.topics[i] as Hex));

/** Bits in a bloom, for each condition of a filter those of each alternative. */
type FilterBits = readonly (readonly (readonly number[])[])[];

/** Hashes what is asked for, once for all blocks. */
export const toFilterBits = ({ addresses, topics }: CheckedFilter): FilterBits =>
  [addresses, ...topics]
    .filter((known) => known.length > 0)
    .map((known) => known.map((one) => bitsOf(checkHex(one, (one.length - 2) / 2, 'filter'))));

/** Whether a block of this bloom may have such a log. */
export const mayMatch = (bits: FilterBits, bloom: Uint8Array): boolean =>
  bits.every((known) => known.some((one) => mayHave(bloom, one)));

/**
 * The logs that a filter asks for.
 *
 * @param logs proven: those of receipts that `verifyReceipts` gave
 * @throws TypeError or RangeError for a wrong filter
 *
 * @example
 * ```ts
 * import { matchLogs } from 'l2proof/history';
 *
 * const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
 * const to = '0x00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8';
 * const from = '0x000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266';
 * const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
 * const logs = [{ address, topics: [transfer, from, to] }] as const; // of verifyReceipts
 * console.log(matchLogs(logs, { address, topics: [transfer, null, to] }).length); // 1
 * console.log(matchLogs(logs, { address, topics: [transfer, to] }).length); // 0
 * ```
 */
export function matchLogs<L extends FilteredLog>(logs: readonly L[], filter: LogFilter): L[] {
  const checked = checkFilter(ownMembers(filter, filterNames, 'filter'));
  return logs.filter((log) => isMatch(checked, log));
}
