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
import type { Hex } from '../bytes.js';
import type { Source } from '../foreign/members.js';
import type { AccountChange, AccountState, Block } from '../tree/index.js';
import { FollowError } from './errors.js';
import { isGethGenesis, readGethGenesis } from './gethGenesis.js';
import { parseLines } from './jsonLines.js';
import {
  FormatError,
  member,
  readArray,
  readBoolean,
  readData,
  readEntries,
  readExact,
  readHex,
  readNumber,
  readQuantity,
  readStorage,
  zeroWord,
} from './read.js';

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
function optional<N extends string, T>(
  members: Source,
  name: N,
  path: string,
  read: (value: unknown, path: string) => T,
): { [name in N]?: T } {
  const value = member(members, name);
  return value === undefined
    ? {}
    : ({ [name]: read(value, `${path}.${name}`) } as { [name in N]?: T });
}

const readNonce = (value: unknown, path: string) => readQuantity(value, 64, path);
const readBalance = (value: unknown, path: string) => readQuantity(value, 256, path);
const readWord = (value: unknown, path: string): Hex => readHex(value, 32, path);

/** Slots as the tree takes them. @param keepsZero whether a zero stays, which deletes a slot that is there */
function readSlots(value: unknown, path: string, keepsZero: boolean) {
  const storage = [...readStorage(value, path)]
    .filter(([, word]) => keepsZero || word !== zeroWord)
    .map(([key, word]) => ({ key, value: word }));
  return storage.length > 0 ? { storage } : {};
}

function readAlloc(value: unknown, path: string): AccountChange[] {
  return readEntries(value, 20, path).map(([address, entry, at]) => {
    const members = readExact(entry, at, ['nonce', 'balance', 'code', 'storage']);
    const account: AccountState = {
      nonce: 0n,
      balance: 0n,
      ...optional(members, 'nonce', at, readNonce),
      ...optional(members, 'balance', at, readBalance),
      ...optional(members, 'code', at, readData),
    };
    const storage = readSlots(member(members, 'storage'), `${at}.storage`, false);
    return { address, account, ...storage };
  });
}

function readAccount(value: unknown, path: string): AccountState | null {
  if (value === null) return null;
  const members = readExact(value, path, ['nonce', 'balance', 'code']);
  return {
    nonce: readNonce(member(members, 'nonce'), `${path}.nonce`),
    balance: readBalance(member(members, 'balance'), `${path}.balance`),
    ...optional(members, 'code', path, readData),
  };
}

function readChange(value: unknown, path: string): AccountChange {
  const members = readExact(value, path, ['address', 'account', 'recreated', 'storage']);
  const account = readAccount(member(members, 'account'), `${path}.account`);
  const change = {
    address: readHex(member(members, 'address'), 20, `${path}.address`),
    account,
    ...optional(members, 'recreated', path, readBoolean),
    ...readSlots(member(members, 'storage'), `${path}.storage`, true),
  };
  if (account === null && (change.recreated || change.storage)) {
    throw new FormatError(path, 'expected nothing but the address of an account that is destroyed');
  }
  return change;
}

/** What genesis and block have in common. */
const readSummary = (members: Source, path: string) => ({
  number: readNumber(member(members, 'number'), `${path}.number`),
  ...optional(members, 'hash', path, readWord),
  ...optional(members, 'stateRoot', path, readWord),
});

function readGenesis(value: unknown): StateBlock {
  const members = readExact(value, 'genesis', ['number', 'hash', 'stateRoot', 'alloc']);
  const alloc = readAlloc(member(members, 'alloc'), 'genesis.alloc');
  return { ...readSummary(members, 'genesis'), changes: alloc };
}

function readBlock(value: unknown, number: number): StateBlock {
  const names = ['number', 'hash', 'stateRoot', 'final', 'changes'];
  const members = readExact(value, 'block', names);
  const summary = readSummary(members, 'block');
  if (summary.number !== number) throw new FormatError('block.number', `expected ${number}`);
  return {
    ...summary,
    ...optional(members, 'final', 'block', readBoolean),
    changes: readArray(member(members, 'changes'), 'block.changes').map((change, i) =>
      readChange(change, `block.changes[${i}]`),
    ),
  };
}

/** The one member of a line's object. */
function readLine(value: unknown, names: readonly string[]): [name: string, value: unknown] {
  const source = readExact(value, 'line', names);
  const [name, ...more] = Object.keys(source.target);
  if (name === undefined || more.length > 0) {
    throw new FormatError('line', `expected one of ${names.join(', ')}`);
  }
  return [name, member(source, name)];
}

/** Characters of code that take as much memory as a leaf does. */
const codeLength = 2048;

/** What accounts take: a leaf each and for each slot, about as much for a storage tree, and what their code takes. */
const leavesOf = (changes: readonly AccountChange[]): number =>
  changes.reduce((sum, { account, storage = [] }) => {
    const trees = storage.length > 0 ? 2 : 1;
    return sum + trees + storage.length + Math.floor((account?.code?.length ?? 0) / codeLength);
  }, 0);

/**
 * Reads a state file, a block at a time: the genesis with all of its allocation, then block after block.
 *
 * @param lines without their ends; an empty one counts, and says nothing
 * @param options.maxLeaves most leaves of the genesis, which is kept whole; default no bound. Accounts and slots count
 *   one each, an account with storage one more, and so does each KiB of code
 * @throws FollowError `BAD_FILE` or `GENESIS_TOO_LARGE` with the line
 */
export async function* parseStateFile(
  lines: AsyncIterable<string> | Iterable<string>,
  options: { maxLeaves?: number } = {},
): AsyncGenerator<StateFileBlock> {
  const { maxLeaves = Infinity } = options;
  let line = 0;
  let number: number | undefined;
  let genesis:
    | { line: number; block: StateBlock & { changes: AccountChange[] }; config?: unknown }
    | undefined;
  const allocated = new Set<Hex>();
  let leaves = 0;

  function take(whole: unknown): StateBlock | undefined {
    if (number === undefined && isGethGenesis(whole)) {
      const { config, changes } = readGethGenesis(whole);
      number = 0;
      genesis = { line, block: { number, changes }, config };
      for (const { address } of changes) allocated.add(address);
      return undefined;
    }
    const names = number === undefined ? ['genesis'] : genesis ? ['alloc', 'block'] : ['block'];
    const [name, value] = readLine(whole, names);
    if (name === 'block') return readBlock(value, (number as number) + 1);
    const more = name === 'genesis' ? readGenesis(value) : undefined;
    const changes = more?.changes ?? readAlloc(value, 'alloc');
    leaves += leavesOf(changes);
    if (leaves > maxLeaves) {
      const text = `the genesis has more accounts and slots than fit, ${maxLeaves} (an account with storage counts twice): it is one block, which is held in memory whole`;
      throw new FollowError('GENESIS_TOO_LARGE', `line ${line}: ${text}`, { line });
    }
    for (const { address } of changes) {
      if (allocated.has(address))
        throw new FormatError(`alloc.${address}`, 'expected each address once');
      allocated.add(address);
    }
    if (more) {
      genesis = { line, block: { ...more, changes: [...changes] } };
      number = more.number;
    } else for (const change of changes) genesis?.block.changes.push(change);
    return undefined;
  }

  for await (const { line: at, value } of parseLines(lines)) {
    line = at;
    let block: StateBlock | undefined;
    try {
      block = take(value);
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause;
      throw new FollowError('BAD_FILE', `line ${line}: ${cause.message}`, { cause, line });
    }
    if (block === undefined) continue;
    if (genesis) {
      yield genesis;
      genesis = undefined;
      allocated.clear();
    }
    number = block.number;
    yield { line, block };
  }
  if (genesis) yield genesis;
  if (number === undefined) throw new FollowError('BAD_FILE', 'the state file has no genesis');
}

const quantityText = (value: bigint | number): string => `0x${value.toString(16)}`;

const storageText = (storage: AccountChange['storage'] = []) =>
  storage.length > 0
    ? { storage: Object.fromEntries(storage.map(({ key, value }) => [key, value])) }
    : {};

const accountText = ({ nonce, balance, code }: AccountState) => ({
  nonce: quantityText(nonce),
  balance: quantityText(balance),
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
        if (account === null) throw new TypeError('a genesis has no accounts that are not there');
        return [address, { ...accountText(account), ...storageText(storage) }];
      }),
    );
    yield JSON.stringify(from === 0 ? { genesis: { ...summary, alloc } } : { alloc });
  }
}
