/**
 * The changes of a block as callers give them, and the same changes checked and in the order in which they are applied.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { addressWidth, compareBytes, type Hex, integerToBytes, isZero } from '../../bytes.js';
import type { AccountValue } from '../../codec/account.js';
import { checkHex, ownMembers } from '../../codec/argument.js';
import { hashCode } from '../../codec/code.js';
import type { TreeSpec } from '../../codec/spec.js';
import { shown, wrongRange, wrongType } from '../../errors.js';
import { blockWidth } from '../../hash/family.js';
import { maxBlock } from '../store/numbers.js';

/** A block number; a bigint may hold what a number does. */
export type BlockNumber = number | bigint;

/** An account after a block. */
export interface AccountState {
  /** Below 2^64. */
  nonce: bigint | number;
  /** In wei, below 2^256 (under MiMC below the order of its field). */
  balance: bigint | number;
  /** The code, of any length; absent: as before, and none for an account that is new or `recreated`. */
  code?: Hex;
}

/** An account before a block, as the caller knows it. */
export interface AccountBefore {
  /** Below 2^64. */
  nonce: bigint | number;
  /** In wei, below 2^256. */
  balance: bigint | number;
  /** keccak-256 of the code, 32 bytes; absent: not compared. */
  codeHash?: Hex;
}

/** All changes of one account in a block: one entry an account, one value a slot. */
export interface AccountChange {
  /** 20 bytes. */
  address: Hex;
  /** The account after the block; null: it is destroyed, which does nothing if there was no account. */
  account: AccountState | null;
  /** Destroyed and created again in this block: it gets a new leaf and a new, empty storage tree first. */
  recreated?: boolean;
  /** Slots that the block sets, each once. */
  storage?: readonly {
    /** Key of the slot, 32 bytes. */
    key: Hex;
    /** Value after the block, 32 bytes; zero deletes, which does nothing to a slot without a leaf. */
    value: Hex;
    /** Value that the tree must hold before the block, zero for a slot without a leaf; absent: not compared. */
    before?: Hex;
  }[];
  /**
   * The account that the tree must hold before the block; null: none, or one without nonce, balance
   * and code (EIP-161). Absent: not compared.
   */
  before?: AccountBefore | null;
}

/** The net changes of one block. */
export interface Block {
  /** Greater than the newest block's; at most 2^48 - 2. */
  number: number | bigint;
  /** In any order. */
  changes: readonly AccountChange[];
  /** The block's own hash, 32 bytes: kept beside its root, and no part of the state. */
  hash?: Hex;
  /** The Merkle-Patricia root of the same state, 32 bytes, as the block's header has it: kept like the hash. */
  headerRoot?: Hex;
  /**
   * A block to finalize in the same write, with the effect of `StateTree.finalize`: this block, or
   * one that is held already.
   */
  finalBlock?: number | bigint;
}

/** A slot to be written; null deletes. */
export interface SlotWrite {
  readonly hKey: Uint8Array;
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
  /** Undefined: not compared. */
  readonly before: Uint8Array | undefined;
}

/** One account's part of a checked block. */
export interface CheckedChange {
  readonly hKey: Uint8Array;
  readonly address: Uint8Array;
  /** Null: none. Undefined: not compared. */
  readonly before:
    | { nonce: bigint; balance: bigint; codeHash: Uint8Array | undefined }
    | null
    | undefined;
  readonly account: { nonce: bigint; balance: bigint; code: Uint8Array | undefined } | null;
  readonly isRecreated: boolean;
  /** By ascending hKey. */
  readonly slots: readonly SlotWrite[];
}

/** A block number as callers may give it. @throws RangeError */
export function checkBlockNumber(value: unknown, name: string): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (!Number.isSafeInteger(number) || (number as number) < 0 || (number as number) > maxBlock) {
    throw wrongRange(name, `expected a block number from 0 to 2^48 - 2, got ${shown(value)}`);
  }
  return number as number;
}

function checkInteger(value: unknown, bits: number, name: string): bigint {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value)) {
    throw wrongType(name, `expected a bigint or a whole number below 2^53, got ${shown(value)}`);
  }
  const integer = BigInt(value as bigint | number);
  // A negative one stays below zero, however far it is shifted.
  if (integer >> BigInt(bits) !== 0n) {
    throw wrongRange(name, `expected from 0 to below 2^${bits}, got ${integer}`);
  }
  return integer;
}

function checkCode(value: unknown, name: string): Uint8Array | undefined {
  if (value === undefined) return undefined;
  const width = typeof value === 'string' ? Math.max(0, Math.ceil(value.length / 2) - 1) : 0;
  return checkHex(value, width, name);
}

function checkArray<T>(value: readonly T[], name: string): readonly T[] {
  // A hole becomes undefined, which is refused by its place; `map` would pass over it.
  if (Array.isArray(value)) return [...value];
  throw wrongType(name, `expected an array, got ${shown(value)}`);
}

/** Sorts writes by their hashed keys, and refuses a key that stands twice. */
function sortByKey<T extends { hKey: Uint8Array }>(writes: T[], name: string): T[] {
  writes.sort((a, b) => compareBytes(a.hKey, b.hKey));
  const twice = writes.findIndex(
    ({ hKey }, i) => i > 0 && compareBytes((writes[i - 1] as T).hKey, hKey) === 0,
  );
  if (twice >= 0) throw wrongRange(name, 'names a key twice; give its last value only');
  return writes;
}

/** Digests of the encoded forms of many keys or values of one width. */
function hashAll(
  spec: TreeSpec,
  items: readonly Uint8Array[],
  encode: (item: Uint8Array) => Uint8Array,
): Uint8Array[] {
  if (items.length === 0) return [];
  const width = encode(items[0] as Uint8Array).length;
  const encoded = new Uint8Array(width * items.length);
  for (const [i, item] of items.entries()) encoded.set(encode(item), width * i);
  const digests = spec.hasher.hashEach(encoded, width);
  return items.map((_, i) => digests.subarray(blockWidth * i, blockWidth * (i + 1)));
}

/** hKeys of addresses, or of slots. */
export const hashAddresses = (spec: TreeSpec, addresses: readonly Uint8Array[]) =>
  hashAll(spec, addresses, spec.addressBlocks);
export const hashWords = (spec: TreeSpec, words: readonly Uint8Array[]) =>
  hashAll(spec, words, spec.wordBlocks);
export const hashAccounts = (spec: TreeSpec, values: readonly Uint8Array[]) =>
  hashAll(spec, values, spec.accountBlocks);

function checkAccount(
  spec: TreeSpec,
  account: AccountState | null,
  name: string,
): CheckedChange['account'] {
  if (account === null) return null;
  const own = ownMembers(account, ['nonce', 'balance', 'code'], name);
  const nonce = checkInteger(own.nonce, 64, `${name}.nonce`);
  const balance = checkInteger(own.balance, 256, `${name}.balance`);
  if (!spec.isBalance(integerToBytes(balance, blockWidth))) {
    throw wrongRange(`${name}.balance`, `expected an element of ${spec.hasher.title}`);
  }
  return { nonce, balance, code: checkCode(own.code, `${name}.code`) };
}

function copyBefore(before: AccountChange['before'], name: string): CheckedChange['before'] {
  if (before === undefined || before === null) return before;
  const { nonce, balance, codeHash } = ownMembers(before, ['nonce', 'balance', 'codeHash'], name);
  return {
    nonce: checkInteger(nonce, 64, `${name}.nonce`),
    balance: checkInteger(balance, 256, `${name}.balance`),
    codeHash:
      codeHash === undefined ? undefined : checkHex(codeHash, blockWidth, `${name}.codeHash`),
  };
}

function checkSlots(
  spec: TreeSpec,
  storage: NonNullable<AccountChange['storage']>,
  name: string,
): SlotWrite[] {
  const pairs = checkArray(storage, name).map((slot, i) => {
    const own = ownMembers(slot, ['key', 'value', 'before'], `${name}[${i}]`);
    const word = (member: 'key' | 'value' | 'before') =>
      checkHex(own[member], blockWidth, `${name}[${i}].${member}`);
    return {
      key: word('key'),
      value: word('value'),
      before: own.before === undefined ? undefined : word('before'),
    };
  });
  const hKeys = hashWords(
    spec,
    pairs.map(({ key }) => key),
  );
  const writes = pairs.map(({ key, value, before }, i) => ({
    key,
    hKey: hKeys[i] as Uint8Array,
    value: isZero(value) ? null : value,
    before,
  }));
  return sortByKey(writes, name);
}

/**
 * Checks changes and copies them.
 *
 * @returns by ascending hKey of the address
 * @throws TypeError or RangeError that names the fault
 */
export function checkChanges(spec: TreeSpec, changes: readonly AccountChange[]): CheckedChange[] {
  const members = ['address', 'account', 'recreated', 'storage', 'before'] as const;
  const own = checkArray(changes, 'changes').map((change, i) =>
    ownMembers(change, members, `changes[${i}]`),
  );
  const addresses = own.map(({ address }, i) =>
    checkHex(address, addressWidth, `changes[${i}].address`),
  );
  const hKeys = hashAddresses(spec, addresses);
  const checked = own.map(({ account, recreated = false, storage = [], before }, i) => {
    const name = `changes[${i}]`;
    if (typeof recreated !== 'boolean') {
      throw wrongType(`${name}.recreated`, `expected a boolean, got ${shown(recreated)}`);
    }
    const change = {
      hKey: hKeys[i] as Uint8Array,
      address: addresses[i] as Uint8Array,
      before: copyBefore(before, `${name}.before`),
      account: checkAccount(spec, account, `${name}.account`),
      isRecreated: recreated,
      slots: checkSlots(spec, storage, `${name}.storage`),
    };
    if (change.account === null && (recreated || change.slots.length > 0)) {
      throw wrongRange(name, 'destroys an account, which has no storage afterwards');
    }
    return change;
  });
  return sortByKey(checked, 'changes');
}

/** The code's part of an account value. */
export type CodeFields = Pick<AccountValue, 'snarkCodeHash' | 'keccakCodeHash' | 'codeSize'>;

export const codeFields = (spec: TreeSpec, code: Uint8Array): CodeFields => ({
  snarkCodeHash: hashCode(spec, code),
  keccakCodeHash: keccak_256(code),
  codeSize: BigInt(code.length),
});
