/** Parameters of questions about blocks, transactions, receipts and logs. */
import type { Hex } from '../../bytes.js';
import { ownMembers } from '../../foreign/argument.js';
import { parseQuantity } from '../../foreign/values.js';
import {
  checkBlock,
  checkHash,
  checkNumbered,
  type ReadBlock,
} from '../../history/client/blockRef.js';
import { type CheckedFilter, checkFilter, filterNames } from '../../history/verify/filter.js';
import { invalidParams } from './errors.js';

/** Runs a check of the library's own arguments. @throws ProviderError in place of its TypeError or RangeError */
function checked<T>(check: () => T): T {
  try {
    return check();
  } catch (cause) {
    throw invalidParams((cause as Error).message);
  }
}

function refusePending(block: unknown, at: string): void {
  if (block === 'pending') {
    throw invalidParams(`${at}: the pending block cannot be proven; name latest or a number`);
  }
}

/** A block by its number or a tag; undefined is the newest. @throws ProviderError */
export function readNumbered(block: unknown, at: string): number | undefined {
  refusePending(block, at);
  if (block === undefined || block === null) return undefined;
  return checked(() => checkNumbered(block, at));
}

/** A block by its number, a tag or its hash, also in an object of EIP-1898. @throws ProviderError */
export function readBlockRef(given: unknown, at: string): ReadBlock {
  let block = given;
  if (typeof given === 'object' && given !== null) {
    const names = ['blockNumber', 'blockHash', 'requireCanonical'] as const;
    const { blockNumber, blockHash } = checked(() =>
      ownMembers(given as Partial<Record<(typeof names)[number], unknown>>, names, at),
    );
    block = blockHash ?? blockNumber;
  }
  refusePending(block, at);
  return checked(() => checkBlock(block, at));
}

/** @throws ProviderError */
export const readHashParam = (hash: unknown, at: string): Hex => checked(() => checkHash(hash, at));

/** Place of a transaction in its block. @throws ProviderError */
export function readIndex(index: unknown, at: string): number {
  const number = typeof index === 'string' ? parseQuantity(index, 53) : undefined;
  if (number === undefined) throw invalidParams(`${at} expected an index in hex`);
  return Number(number);
}

/** @throws ProviderError */
export function readFlag(flag: unknown, at: string): boolean {
  if (flag === undefined || flag === null) return false;
  if (typeof flag !== 'boolean') throw invalidParams(`${at} expected true or false`);
  return flag;
}

/** Logs that are asked for. */
export interface ReadLogQuestion {
  readonly filter: CheckedFilter;
  /** Undefined is the newest block. */
  readonly range:
    | { readonly from: number | undefined; readonly to: number | undefined }
    | { readonly hash: Hex };
}

const rangeNames = ['fromBlock', 'toBlock', 'blockHash'] as const;

/** Reads what `eth_getLogs` takes; a misspelt member would find other logs. @throws ProviderError */
export function readLogQuestion(given: unknown, at: string): ReadLogQuestion {
  if (typeof given !== 'object' || given === null) throw invalidParams(`${at} expected a filter`);
  const members: Partial<Record<string, unknown>> = checked(() =>
    ownMembers(given as Record<string, unknown>, [...filterNames, ...rangeNames], at),
  );
  const { address, topics, blockHash, fromBlock, toBlock } = members;
  const filter = checked(() =>
    checkFilter({ address: (address ?? undefined) as Hex, topics: (topics ?? undefined) as Hex[] }),
  );
  if (blockHash === undefined || blockHash === null) {
    const from = readNumbered(fromBlock, `${at}.fromBlock`);
    return { filter, range: { from, to: readNumbered(toBlock, `${at}.toBlock`) } };
  }
  if ((fromBlock ?? toBlock ?? undefined) !== undefined) {
    throw invalidParams(`${at} expected "blockHash", or "fromBlock" and "toBlock", not both`);
  }
  return { filter, range: { hash: readHashParam(blockHash, `${at}.blockHash`) } };
}
