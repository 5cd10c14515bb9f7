/** What one transaction changed: a result of the `prestateTracer` in diff mode, parsed. */
import type { Hex } from '../bytes.js';
import {
  FormatError,
  member,
  readArray,
  readData,
  readEntries,
  readHex,
  readObject,
  readQuantity,
  readStorage,
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
export interface AccountDiff {
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

function parsePart(value: unknown, path: string): AccountPart {
  const members = readObject(value, path);
  const nonce = member(members, 'nonce');
  const balance = member(members, 'balance');
  const code = member(members, 'code');
  return {
    nonce: nonce === undefined ? undefined : readQuantity(nonce, 64, `${path}.nonce`),
    balance: balance === undefined ? undefined : readQuantity(balance, 256, `${path}.balance`),
    code: code === undefined ? undefined : readData(code, `${path}.code`),
    storage: readStorage(member(members, 'storage'), `${path}.storage`),
  };
}

const parseSide = (value: unknown, path: string): Map<Hex, AccountPart> =>
  new Map(
    readEntries(value, 20, path).map(([address, part, at]) => [address, parsePart(part, at)]),
  );

function parseDiff(value: unknown, path: string): TransactionDiff {
  const members = readObject(value, path);
  const hash = member(members, 'txHash');
  // A transaction that could not be traced has an error in place of its result.
  const result = readObject(member(members, 'result'), `${path}.result`);
  const pre = parseSide(member(result, 'pre'), `${path}.result.pre`);
  const post = parseSide(member(result, 'post'), `${path}.result.post`);
  return {
    transaction: hash === undefined ? undefined : readHex(hash, 32, `${path}.txHash`),
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
export function parseTraces(value: unknown, transactions: readonly Hex[]): TransactionDiff[] {
  const diffs = readArray(value, 'result').map((diff, i) => parseDiff(diff, `result[${i}]`));
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
