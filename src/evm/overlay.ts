/** The state during a run: what the call has changed lies over what is known, with an undo journal. */
import type { StateManagerInterface } from '@ethereumjs/common';
import type { Address, Account as EvmAccount } from '@ethereumjs/util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeHex, type Hex } from '../bytes.js';
import { hashFamilies, specOf } from '../codec/spec.js';
import { type BaseAccount, emptyCodeHash, type Knowledge, none } from './knowledge.js';

/** Fields of an account that the EVM reads and changes. */
interface Fields {
  nonce: bigint;
  balance: bigint;
  codeHash: Uint8Array;
}

/** Root of empty storage in Ethereum's own trees: all that the EVM wants to know of a root. */
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
 * An account that is not known yet. The EVM asks for sender and recipient of every call, and for most it never looks at
 * what it got: it is noted as missing once one of its fields is read or written.
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

/** What a call changes of its sender before it begins. */
export interface SenderChange {
  readonly address: Hex;
  /** Wei that are set aside for gas. */
  readonly spent: bigint;
}

/** Our own additions to what the EVM asks of a state. */
export interface Overlay extends StateManagerInterface {
  /** Begins a run: nothing is changed but the sender, whose nonce goes up. */
  begin(sender: SenderChange): void;
}

type Undo = () => void;

/** Sets an entry, and says how to take that back. */
function setUndoably<K, V>(map: Map<K, V>, key: K, value: V): Undo {
  const before = map.get(key);
  const had = before !== undefined || map.has(key);
  map.set(key, value);
  return () => {
    if (had) map.set(key, before as V);
    else map.delete(key);
  };
}

const nothing: Fields = { nonce: 0n, balance: 0n, codeHash: emptyCodeHash };

export function createOverlay(knowledge: Knowledge): Overlay {
  let sender: SenderChange;
  /** null: deleted. */
  let accounts = new Map<Hex, Fields | null>();
  let codes = new Map<Hex, Uint8Array>();
  let storage = new Map<Hex, Map<Hex, Uint8Array>>();
  /** Accounts whose storage of before the call is gone. */
  let cleared = new Map<Hex, true>();
  let journal: Undo[] = [];
  let checkpoints: number[] = [];

  /** The account with what the call itself changes of its sender. */
  function adjusted(address: Hex, base: BaseAccount | null): BaseAccount | null {
    if (address !== sender.address) return base;
    const { nonce, balance, codeHash } = base ?? nothing;
    const left = balance > sender.spent ? balance - sender.spent : 0n;
    return { nonce: nonce + 1n, balance: left, codeHash, storageRoot: base?.storageRoot };
  }

  /** undefined: not known, and not noted. */
  function fieldsOf(address: Hex): Fields | null | undefined {
    const changed = accounts.get(address);
    if (changed !== undefined) return changed;
    const base = knowledge.peek(address);
    return base === undefined ? undefined : adjusted(address, base);
  }

  function put(address: Hex, fields: Fields | null): void {
    journal.push(setUndoably(accounts, address, fields));
  }

  /** Of the state before the call. */
  const originalOf = (address: Hex, key: Hex): Uint8Array =>
    cleared.has(address) ? none : knowledge.slot(address, key);

  const rootOf = (address: Hex): Hex | undefined =>
    cleared.has(address) ? undefined : (knowledge.peek(address)?.storageRoot ?? undefined);

  async function getAccount({ bytes }: Address): Promise<EvmAccount | undefined> {
    const address = encodeHex(bytes);
    const fields = fieldsOf(address);
    if (fields === null) return undefined;
    const account =
      fields === undefined
        ? new UnknownAccount(() => void knowledge.account(address))
        : new AccountCopy(fields, rootOf(address));
    return account as unknown as EvmAccount;
  }

  async function putAccount({ bytes }: Address, account?: EvmAccount): Promise<void> {
    const fields = account && {
      nonce: account.nonce,
      balance: account.balance,
      codeHash: account.codeHash,
    };
    put(encodeHex(bytes), fields ?? null);
  }

  async function getCode({ bytes }: Address): Promise<Uint8Array> {
    const address = encodeHex(bytes);
    const changed = codes.get(address);
    if (changed !== undefined) return changed;
    // A new account has no code until its own is put.
    return accounts.get(address) === null ? none : knowledge.code(address);
  }

  async function modify(address: Address, change: Partial<Fields>): Promise<void> {
    const { nonce, balance, codeHash } = (await getAccount(address)) ?? nothing;
    put(encodeHex(address.bytes), { nonce, balance, codeHash, ...change });
  }

  const unused = async (): Promise<never> => {
    throw new Error('the EVM called a method that no call needs');
  };

  return {
    begin(change) {
      sender = change;
      accounts = new Map();
      codes = new Map();
      storage = new Map();
      cleared = new Map();
      journal = [];
      checkpoints = [];
    },
    getAccount,
    putAccount,
    async deleteAccount({ bytes }) {
      put(encodeHex(bytes), null);
    },
    async modifyAccountFields(address, { nonce, balance, codeHash }) {
      await modify(address, {
        ...(nonce !== undefined && { nonce }),
        ...(balance !== undefined && { balance }),
        ...(codeHash !== undefined && { codeHash }),
      });
    },
    async putCode(address, code) {
      journal.push(setUndoably(codes, encodeHex(address.bytes), code));
      await modify(address, { codeHash: keccak_256(code) });
    },
    getCode,
    getCodeSize: async (address) => (await getCode(address)).length,
    async getStorage({ bytes }, key) {
      const address = encodeHex(bytes);
      const slot = encodeHex(key);
      return storage.get(address)?.get(slot) ?? originalOf(address, slot);
    },
    async putStorage({ bytes }, key, value) {
      const address = encodeHex(bytes);
      let slots = storage.get(address);
      if (!slots) {
        slots = new Map();
        journal.push(setUndoably(storage, address, slots));
      }
      journal.push(setUndoably(slots, encodeHex(key), value));
    },
    async clearStorage({ bytes }) {
      const address = encodeHex(bytes);
      journal.push(setUndoably(storage, address, new Map()));
      journal.push(setUndoably(cleared, address, true));
    },
    async checkpoint() {
      checkpoints.push(journal.length);
    },
    async commit() {
      checkpoints.pop();
    },
    async revert() {
      const length = checkpoints.pop() ?? 0;
      while (journal.length > length) journal.pop()?.();
    },
    originalStorageCache: {
      get: async ({ bytes }, key) => originalOf(encodeHex(bytes), encodeHex(key)),
      clear() {},
    },
    getStateRoot: unused,
    setStateRoot: unused,
    hasStateRoot: unused,
    clearCaches() {},
    shallowCopy() {
      throw new Error('the EVM called a method that no call needs');
    },
  };
}
