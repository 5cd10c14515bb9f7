/** The changes of one transaction: a result of the `prestateTracer` in diff mode, parsed. */
import type { Hex } from '../../bytes.js';
import type { Source } from '../../foreign/members.js';
import { optional, type ValueReader } from '../../foreign/reader.js';
import { RpcError } from '../../rpc/index.js';
import { visible } from '../../visible.js';
import {
  asList,
  FormatError,
  read,
  readAddress,
  readAmount,
  readData,
  readMember,
  readNames,
  readNonce,
  readObject,
  readStorage,
  readWord,
} from './read.js';

/** A trace's values of an account before or after the transaction. */
export interface AccountPart {
  readonly nonce: bigint | undefined;
  readonly balance: bigint | undefined;
  readonly code: Hex | undefined;
  readonly storage: ReadonlyMap<Hex, Hex>;
}

/**
 * One account. `pre` is the account before the transaction; its storage lists only the slots that the transaction
 * changed and that were not zero. Without `pre` there was no account. `post` holds the fields and slots that differ
 * now; a slot that is zero now is missing from it. Without `post` the account was destroyed.
 */
interface AccountDiff {
  readonly address: Hex;
  readonly pre: AccountPart | undefined;
  readonly post: AccountPart | undefined;
}

/** A transaction's changes. */
export interface TransactionDiff {
  /** 32 bytes, if the node says it. */
  readonly transaction: Hex | undefined;
  readonly accounts: readonly AccountDiff[];
}

/** The members that a part may lack. */
const [readSomeNonce, readSomeAmount] = [optional(readNonce), optional(readAmount)];
const [readSomeData, readSomeWord] = [optional(readData), optional(readWord)];

function parsePart(value: unknown, path: string): AccountPart {
  const part = readObject(value, path);
  return {
    nonce: read(part, 'nonce', readSomeNonce),
    balance: read(part, 'balance', readSomeAmount),
    code: read(part, 'code', readSomeData),
    storage: read(part, 'storage', readStorage),
  };
}

const parseSide: ValueReader<Map<Hex, AccountPart>> = (value, path) =>
  new Map(
    readNames(value, path, readAddress).map(([address, part, at]) => [
      address,
      parsePart(part, at),
    ]),
  );

/** Most characters of a node's own words that are shown. */
const shownLength = 300;

/** A transaction that the node could not trace, in its own words. It may do so when it is asked again. */
function traceError(error: unknown, path: string): RpcError {
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  const words = visible(JSON.stringify(text.slice(0, shownLength)));
  const reason = `"${path}.result" expected a trace, but the node says ${words}`;
  return new RpcError('SERVER_ERROR', 'debug_traceBlockByNumber', reason);
}

const fitAdvice = 'take a node whose prestateTracer has a diff mode';

/** What a result without both sides is instead. @throws FormatError */
function refuseOther(result: Source, path: string): void {
  const names = Object.keys(result.target);
  if (names.includes('pre') && names.includes('post')) return;
  const hasAny = (...of: string[]) => of.some((name) => names.includes(name));
  if (hasAny('structLogs', 'calls', 'type', 'gas', 'gasUsed', 'from')) {
    const what = names.includes('structLogs') ? 'the steps of the EVM' : 'calls';
    throw new FormatError(path, `holds ${what}: the node ignores "tracer"; ${fitAdvice}`);
  }
  if (names.length > 0 && names.every((name) => /^0x[0-9a-f]{40}$/i.test(name))) {
    const text = `holds accounts without "pre" and "post": the node ignores "diffMode"; ${fitAdvice}`;
    throw new FormatError(path, text);
  }
}

function parseDiff(value: unknown, path: string): TransactionDiff {
  const members = readObject(value, path);
  const error = readMember(members, 'error');
  if (error !== undefined && error !== null) throw traceError(error, path);
  const given = readMember(members, 'result');
  if (given === undefined) refuseOther(members, path);
  if (Array.isArray(given)) {
    throw new FormatError(`${path}.result`, `is a list: the node ignores "tracer"; ${fitAdvice}`);
  }
  const result = readObject(given, `${path}.result`);
  refuseOther(result, `${path}.result`);
  const pre = read(result, 'pre', parseSide);
  const post = read(result, 'post', parseSide);
  return {
    transaction: read(members, 'txHash', readSomeWord),
    accounts: [...new Set([...pre.keys(), ...post.keys()])].map((address) => ({
      address,
      pre: pre.get(address),
      post: post.get(address),
    })),
  };
}

/**
 * Parses the answer of `debug_traceBlockByNumber`.
 *
 * @param transactions hashes of the block's transactions, in order
 * @throws FormatError also if the traces are not those of these transactions
 */
export function parseTransactionDiffs(
  value: unknown,
  transactions: readonly Hex[],
): TransactionDiff[] {
  const diffs = asList(parseDiff)(value, 'result');
  if (diffs.length !== transactions.length) {
    throw new FormatError(
      'result',
      `expected one trace for each of ${transactions.length} transactions`,
    );
  }
  for (const [i, { transaction }] of diffs.entries()) {
    if (transaction !== undefined && transaction !== transactions[i]) {
      throw new FormatError(`result[${i}].txHash`, `expected ${transactions[i]}`);
    }
  }
  return diffs;
}
