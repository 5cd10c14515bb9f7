/** The state during a run: the changes of the call over the known state, with an undo journal. */
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import type { Address, Account as EvmAccount } from '@ethereumjs/util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex } from '../../bytes.js';
import { hashFamilies, specOf } from '../../codec/spec.js';
import { emptyCodeHash, none } from './base.js';
import { type KnownState, RunStopped } from './knownState.js';

/** Fields of an account that the EVM reads and changes. */
interface Fields {
  nonce: bigint;
  balance: bigint;
  codeHash: Uint8Array;
}

/** Root of empty storage in Ethereum's own trees: the EVM only asks whether an account's root is this one. */
const emptyRoot = keccak_256(Uint8Array.of(0x80));
const otherRoot = new Uint8Array(32);

const isPristine = (root: Hex | undefined): boolean =>
  root === undefined || hashFamilies.some((family) => encodeHex(specOf(family).emptyRoot) === root);

/** A copy that the EVM may change without changing the state. */
class AccountCopy implements Fields {
  nonce: bigint;
  balance: bigint;
  codeHash: Uint8Array;
  readonly #root: Hex | undefined;

  constructor({ nonce, balance, codeHash }: Fields, root: Hex | undefined) {
    this.nonce = nonce;
    this.balance = balance;
    this.codeHash = codeHash;
    this.#root = root;
  }

  get storageRoot(): Uint8Array {
    return isPristine(this.#root) ? emptyRoot : otherRoot;
  }

  isContract(): boolean {
    return !isEmptyCode(this.codeHash);
  }

  isEmpty(): boolean {
    return this.balance === 0n && this.nonce === 0n && !this.isContract();
  }
}

const isEmptyCode = (codeHash: Uint8Array): boolean =>
  codeHash.every((byte, i) => byte === emptyCodeHash[i]);

/**
 * An account that is not known yet. The EVM asks for the sender and the recipient of every call, and looks at few of them:
 * the account is noted as missing once one of its fields is read or written.
 */
export class UnknownAccount {
  readonly #note: () => void;

  constructor(note: () => void) {
    this.#note = note;
  }

  get nonce(): bigint {
    this.#note();
    return 0n;
  }

  set nonce(_: bigint) {
    this.#note();
  }

  get balance(): bigint {
    this.#note();
    return 0n;
  }

  set balance(_: bigint) {
    this.#note();
  }

  get codeHash(): Uint8Array {
    this.#note();
    return emptyCodeHash;
  }

  get storageRoot(): Uint8Array {
    this.#note();
    return emptyRoot;
  }

  isContract(): boolean {
    this.#note();
    return false;
  }

  isEmpty(): boolean {
    this.#note();
    return true;
  }
}

/** How the sender changes before a call begins. */
interface SenderChange {
  readonly address: Hex;
  /** Wei that are set aside for gas. */
  readonly spent: bigint;
}

type Undo = () => void;

/** Sets an entry of a map. @returns the function that takes that back */
function setUndoably<K, V>(map: Map<K, V>, key: K, value: V): Undo {
  const before = map.get(key);
  const had = before !== undefined || map.has(key);
  map.set(key, value);
  return () => {
    if (had) map.set(key, before as V);
    else map.delete(key);
  };
}

const emptyFields: Fields = { nonce: 0n, balance: 0n, codeHash: emptyCodeHash };

const unused = async (): Promise<never> => {
  throw new Error('the EVM called an unsupported method');
};

export class Overlay implements StateManagerInterface {
  #known: KnownState | undefined;
  #sender: SenderChange = { address: '0x', spent: 0n };
  /** null: deleted. */
  #accounts = new Map<Hex, Fields | null>();
  #codes = new Map<Hex, Uint8Array>();
  #storage = new Map<Hex, Map<Hex, Uint8Array>>();
  /** Accounts that have lost the storage from before the call. */
  #cleared = new Map<Hex, true>();
  #journal: Undo[] = [];
  /** Lengths of the journal. */
  #checkpoints: number[] = [];

  /** Values before the call: the EVM counts gas by them. */
  readonly originalStorageCache = {
    get: async ({ bytes }: Address, key: Uint8Array): Promise<Uint8Array> =>
      this.#originalOf(encodeHex(bytes), encodeHex(key)),
    clear(): void {},
  };

  /** Begins a run: only the sender is changed. */
  begin(knowledge: KnownState, sender: SenderChange): void {
    this.#known = knowledge;
    this.#sender = sender;
    this.#clear();
  }

  /** Ends it: nothing of it is kept, and nothing can be read. */
  end(): void {
    this.#known = undefined;
    this.#clear();
  }

  #clear(): void {
    this.#accounts = new Map();
    this.#codes = new Map();
    this.#storage = new Map();
    this.#cleared = new Map();
    this.#journal = [];
    this.#checkpoints = [];
  }

  async getAccount({ bytes }: Address): Promise<EvmAccount | undefined> {
    const address = encodeHex(bytes);
    const fields = this.#fieldsOf(address);
    if (fields === null) return undefined;
    const account =
      fields === undefined
        ? new UnknownAccount(() => void this.#knowledge.account(address))
        : new AccountCopy(fields, this.#rootOf(address));
    return account as unknown as EvmAccount;
  }

  async putAccount({ bytes }: Address, account?: EvmAccount): Promise<void> {
    const fields = account && {
      nonce: account.nonce,
      balance: account.balance,
      codeHash: account.codeHash,
    };
    this.#put(encodeHex(bytes), fields ?? null);
  }

  async deleteAccount({ bytes }: Address): Promise<void> {
    this.#put(encodeHex(bytes), null);
  }

  async modifyAccountFields(address: Address, change: AccountFields): Promise<void> {
    const { nonce, balance, codeHash } = (await this.getAccount(address)) ?? emptyFields;
    // The EVM names only what it changes.
    this.#put(encodeHex(address.bytes), { nonce, balance, codeHash, ...change });
  }

  async getCode({ bytes }: Address): Promise<Uint8Array> {
    const address = encodeHex(bytes);
    return this.#codes.get(address) ?? this.#knowledge.code(address);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.#journal.push(setUndoably(this.#codes, encodeHex(address.bytes), code));
    await this.modifyAccountFields(address, { codeHash: keccak_256(code) });
  }

  async getStorage({ bytes }: Address, key: Uint8Array): Promise<Uint8Array> {
    const address = encodeHex(bytes);
    const slot = encodeHex(key);
    return this.#storage.get(address)?.get(slot) ?? this.#originalOf(address, slot);
  }

  async putStorage({ bytes }: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    const address = encodeHex(bytes);
    let slots = this.#storage.get(address);
    if (!slots) {
      slots = new Map();
      this.#journal.push(setUndoably(this.#storage, address, slots));
    }
    this.#journal.push(setUndoably(slots, encodeHex(key), value));
  }

  async clearStorage({ bytes }: Address): Promise<void> {
    const address = encodeHex(bytes);
    this.#journal.push(setUndoably(this.#storage, address, new Map()));
    this.#journal.push(setUndoably(this.#cleared, address, true));
  }

  async checkpoint(): Promise<void> {
    this.#checkpoints.push(this.#journal.length);
  }

  async commit(): Promise<void> {
    this.#checkpoints.pop();
  }

  async revert(): Promise<void> {
    const length = this.#checkpoints.pop() ?? 0;
    while (this.#journal.length > length) this.#journal.pop()?.();
  }

  getStateRoot = unused;
  setStateRoot = unused;
  hasStateRoot = unused;
  clearCaches(): void {}

  shallowCopy(): never {
    throw new Error('the EVM called an unsupported method');
  }

  /** @throws RunStopped if there is no run */
  get #knowledge(): KnownState {
    if (this.#known === undefined) throw new RunStopped();
    return this.#known;
  }

  /** undefined: not known, and not noted. */
  #fieldsOf(address: Hex): Fields | null | undefined {
    const changed = this.#accounts.get(address);
    if (changed !== undefined) return changed;
    const base = this.#knowledge.peek(address);
    if (base === undefined || address !== this.#sender.address) return base;
    const { nonce, balance, codeHash } = base ?? emptyFields;
    const { spent } = this.#sender;
    return { nonce: nonce + 1n, balance: balance > spent ? balance - spent : 0n, codeHash };
  }

  #put(address: Hex, fields: Fields | null): void {
    this.#journal.push(setUndoably(this.#accounts, address, fields));
  }

  #originalOf(address: Hex, key: Hex): Uint8Array {
    return this.#cleared.has(address) ? none : this.#knowledge.slot(address, key);
  }

  #rootOf(address: Hex): Hex | undefined {
    return this.#cleared.has(address) ? undefined : this.#knowledge.peek(address)?.storageRoot;
  }
}
