/**
 * State files: JSON, one object a line; or geth's genesis.json, on one line or on many.
 *
 * - `{"genesis": {"number", "hash"?, "stateRoot"?, "alloc": {address: {"nonce"?, "balance"?, "code"?, "storage"?: {key: value}}}}}`
 *   the first line, and the state after that block;
 * - `{"alloc": {...}}` any number of lines after it: more of the allocation, if one line would be too long;
 * - `{"block": {"number", "hash"?, "stateRoot"?, "final"?, "changes": [{"address", "account", "recreated"?, "storage"?}]}}`
 *   the blocks after it, none left out: their net changes, as `StateTree.applyBlock` takes them. `account` is
 *   `{"nonce", "balance", "code"?}` or null.
 *
 * Numbers are JSON numbers below 2^53 or hex with `0x`. With `stateRoot`, the root is held against the tree's; `hash` is
 * the block's own. Without `"final": false` a block is final.
 */
import type { Hex } from '../../bytes.js';
import type { Source } from '../../foreign/members.js';
import { optional, type ValueReader } from '../../foreign/reader.js';
import { toQuantity } from '../../foreign/values.js';
import type { AccountChange, AccountState, Block } from '../../tree/index.js';
import { isGethGenesis, readGethGenesis } from '../genesis/gethGenesis.js';
import { FollowError } from '../node/errors.js';
import {
  asList,
  FormatError,
  read,
  readAddress,
  readAmount,
  readBoolean,
  readData,
  readExact,
  readMember,
  readNames,
  readNonce,
  readSafeNumber,
  readStorage,
  readWord,
  zeroWord,
} from '../node/read.js';
import { parseLines } from './jsonLines.js';

/** One block of a state file. */
export interface StateBlock extends Omit<Block, 'headerRoot'> {
  number: number;
  /** Root after the block, to be held against the tree's. */
  stateRoot?: Hex;
  /** Whether nothing takes the block back; default true. */
  final?: boolean;
}

/** A block, and the line on which it begins, from 1. */
export interface StateFileBlock {
  /** Line of the file, from 1. */
  readonly line: number;
  /** The block, or the genesis with all of its allocation. */
  readonly block: StateBlock;
  /** The chain's configuration in geth's form, if the file begins with a genesis.json; not looked at. */
  readonly config?: unknown;
}

/** An optional member as it is read; nothing if it is missing. */
function readGiven<N extends string, T>(members: Source, name: N, reading: ValueReader<T>) {
  const value = read(members, name, optional(reading));
  return (value === undefined ? {} : { [name]: value }) as { [name in N]?: T };
}

/** Slots as the tree takes them. @param keepsZero whether to keep slots of value zero, which delete a slot of the tree */
function readSlots(members: Source, keepsZero: boolean) {
  const storage = [...read(members, 'storage', readStorage)]
    .filter(([, word]) => keepsZero || word !== zeroWord)
    .map(([key, word]) => ({ key, value: word }));
  return storage.length > 0 ? { storage } : {};
}

function readAlloc(value: unknown, path: string): AccountChange[] {
  return readNames(value, path, readAddress).map(([address, entry, at]) => {
    const members = readExact(entry, at, ['nonce', 'balance', 'code', 'storage']);
    const account: AccountState = {
      nonce: 0n,
      balance: 0n,
      ...readGiven(members, 'nonce', readNonce),
      ...readGiven(members, 'balance', readAmount),
      ...readGiven(members, 'code', readData),
    };
    return { address, account, ...readSlots(members, false) };
  });
}

function readAccount(value: unknown, path: string): AccountState | null {
  if (value === null) return null;
  const members = readExact(value, path, ['nonce', 'balance', 'code']);
  return {
    nonce: read(members, 'nonce', readNonce),
    balance: read(members, 'balance', readAmount),
    ...readGiven(members, 'code', readData),
  };
}

function readChange(value: unknown, path: string): AccountChange {
  const members = readExact(value, path, ['address', 'account', 'recreated', 'storage']);
  const account = read(members, 'account', readAccount);
  const change = {
    address: read(members, 'address', readAddress),
    account,
    ...readGiven(members, 'recreated', readBoolean),
    ...readSlots(members, true),
  };
  if (account === null && (change.recreated || change.storage)) {
    throw new FormatError(path, 'expected nothing but the address of an account that is destroyed');
  }
  return change;
}

/** The members of both genesis and block. */
const readSummary = (members: Source) => ({
  number: read(members, 'number', readSafeNumber),
  ...readGiven(members, 'hash', readWord),
  ...readGiven(members, 'stateRoot', readWord),
});

function readGenesis(value: unknown): StateBlock {
  const members = readExact(value, 'genesis', ['number', 'hash', 'stateRoot', 'alloc']);
  const changes = read(members, 'alloc', readAlloc);
  return { ...readSummary(members), changes };
}

function readBlock(value: unknown, number: number): StateBlock {
  const names = ['number', 'hash', 'stateRoot', 'final', 'changes'];
  const members = readExact(value, 'block', names);
  const summary = readSummary(members);
  if (summary.number !== number) throw new FormatError('block.number', `expected ${number}`);
  return {
    ...summary,
    ...readGiven(members, 'final', readBoolean),
    changes: read(members, 'changes', asList(readChange)),
  };
}

/** The one member of a line's object. */
function readLine(value: unknown, names: readonly string[]): [name: string, value: unknown] {
  const source = readExact(value, 'line', names);
  const [name, ...more] = Object.keys(source.target);
  if (name === undefined || more.length > 0) {
    throw new FormatError('line', `expected one of ${names.join(', ')}`);
  }
  return [name, readMember(source, name)];
}

/** A line of the allocation; a genesis.json is one. */
export interface AllocPart {
  /** The line on which the genesis begins, and the one on which these accounts do. */
  readonly begin: number;
  readonly line: number;
  /** The genesis without its accounts. */
  readonly genesis: Omit<StateBlock, 'changes'>;
  readonly changes: readonly AccountChange[];
  readonly config?: unknown;
}

/** A part of a state file: accounts of the genesis, or a block after it. */
export type StateFilePart = AllocPart | { readonly line: number; readonly block: StateBlock };

/**
 * Reads a state file, a line at a time: the genesis in as many parts as it has lines, then block after block. Does not
 * notice an address that stands on two lines of the allocation: the caller must.
 *
 * @throws FollowError `BAD_FILE` with the line
 */
export async function* parseParts(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<StateFilePart> {
  let number: number | undefined;
  let genesis: Pick<AllocPart, 'begin' | 'genesis' | 'config'> | undefined;

  function take(line: number, whole: unknown): StateFilePart {
    if (number === undefined && isGethGenesis(whole)) {
      const { config, changes } = readGethGenesis(whole);
      number = 0;
      genesis = { begin: line, genesis: { number }, config };
      return { ...genesis, line, changes };
    }
    const names = number === undefined ? ['genesis'] : genesis ? ['alloc', 'block'] : ['block'];
    const [name, value] = readLine(whole, names);
    if (name === 'block') {
      const block = readBlock(value, (number as number) + 1);
      number = block.number;
      genesis = undefined;
      return { line, block };
    }
    if (genesis) return { ...genesis, line, changes: readAlloc(value, 'alloc') };
    const { changes, ...head } = readGenesis(value);
    number = head.number;
    genesis = { begin: line, genesis: head };
    return { ...genesis, line, changes };
  }

  for await (const { line, value } of parseLines(lines)) {
    try {
      yield take(line, value);
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause;
      throw new FollowError('BAD_FILE', `line ${line}: ${cause.message}`, { cause, line });
    }
  }
  if (number === undefined) throw new FollowError('BAD_FILE', 'the state file has no genesis');
}

/**
 * Reads a state file, a block at a time: the genesis with all of its allocation, then block after block.
 *
 * @param lines without their ends; empty lines are counted and otherwise ignored
 * @throws FollowError `BAD_FILE` with the line
 */
export async function* parseStateFile(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<StateFileBlock> {
  let genesis: StateFileBlock | undefined;
  const all: AccountChange[] = [];
  const allocated = new Set<Hex>();
  for await (const part of parseParts(lines)) {
    if ('block' in part) {
      if (genesis) yield genesis;
      genesis = undefined;
      yield part;
      continue;
    }
    const { begin, line, changes, genesis: head, ...more } = part;
    for (const { address } of changes) {
      if (allocated.has(address)) {
        const text = `line ${line}: "alloc.${address}" expected each address once`;
        throw new FollowError('BAD_FILE', text, { line });
      }
      allocated.add(address);
    }
    genesis ??= { ...more, line: begin, block: { ...head, changes: all } };
    for (const change of changes) all.push(change);
  }
  if (genesis) yield genesis;
}

const storageText = (storage: AccountChange['storage'] = []) =>
  storage.length > 0
    ? { storage: Object.fromEntries(storage.map(({ key, value }) => [key, value])) }
    : {};

const accountText = ({ nonce, balance, code }: AccountState) => ({
  nonce: toQuantity(nonce),
  balance: toQuantity(balance),
  ...(code === undefined ? {} : { code }),
});

/** The line of a block, without its end. */
export function blockLine({ changes, ...summary }: StateBlock): string {
  return JSON.stringify({
    block: {
      ...summary,
      changes: changes.map(({ address, account, recreated, storage }) => ({
        address,
        account: account && accountText(account),
        ...(recreated ? { recreated } : {}),
        ...storageText(storage),
      })),
    },
  });
}

/** Accounts on one line of an allocation. */
const lineAccounts = 1000;

/** The lines of a genesis, without their ends. @throws TypeError if the genesis destroys an account */
export function* genesisLines({ changes, ...summary }: Omit<StateBlock, 'final'>) {
  for (let from = 0; from === 0 || from < changes.length; from += lineAccounts) {
    const alloc = Object.fromEntries(
      changes.slice(from, from + lineAccounts).map(({ address, account, storage }) => {
        if (account === null) throw new TypeError('an account of a genesis cannot be null');
        return [address, { ...accountText(account), ...storageText(storage) }];
      }),
    );
    yield JSON.stringify(from === 0 ? { genesis: { ...summary, alloc } } : { alloc });
  }
}
