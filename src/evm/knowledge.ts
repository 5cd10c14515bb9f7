/**
 * What a call knows of the state before it. What it does not know yet is noted, so that all of that can be read together.
 * Until then a stand-in takes its place, and nothing counts that comes out of the run.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Hex } from '../bytes.js';
import { checkHex } from '../foreign/argument.js';
import type { Account } from '../verify/result.js';
import type { AccountOverride, Overrides } from './call.js';
import { EvmError } from './errors.js';
import type { StateQuestion, StateSource } from './source.js';

/** What a call may read, each account or slot counted once. */
export interface ReadLimits {
  readonly accounts: number;
  readonly slots: number;
  /** Bytes of code. */
  readonly code: number;
}

export const readLimits: ReadLimits = { accounts: 512, slots: 4096, code: 8 * 1024 * 1024 };

/** An account as the EVM sees it. */
export interface BaseAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  /** 32 bytes. */
  readonly codeHash: Uint8Array;
  /** undefined if the storage is empty for certain. */
  readonly storageRoot: Hex | undefined;
}

/** Thrown to end a run that has no result; the reason is known elsewhere. */
export class RunStopped extends Error {}

export interface Knowledge {
  /** Whether nothing was missing in the run so far. */
  readonly isComplete: boolean;
  /** Whether more than slots was missing. */
  readonly isCold: boolean;
  /** Begins a run. */
  begin(): void;
  /** null: it does not exist; undefined: not known, and not noted either. */
  peek(address: Hex): BaseAccount | null | undefined;
  /** The same, noted if it is not known. @throws RunStopped */
  account(address: Hex): BaseAccount | null | undefined;
  /** Without leading zeros; a stand-in if it is not known. @throws RunStopped */
  slot(address: Hex, key: Hex): Uint8Array;
  /** The code of an account; a stand-in if it is not known. @throws RunStopped */
  code(address: Hex): Uint8Array;
  /**
   * Reads what is missing, and what somebody says will be needed.
   *
   * @throws EvmError `TOO_MANY_READS`, and what the source throws
   */
  learn(signal: AbortSignal | undefined, hint?: readonly StateQuestion[]): Promise<void>;
  /** @throws EvmError `TOO_MANY_READS` if the last run went over the limit while nothing was missing */
  check(): void;
}

interface Slot {
  readonly value: Uint8Array;
  /** The last run that read it. */
  run: number;
}

interface Entry {
  /** undefined: not known. */
  account: BaseAccount | null | undefined;
  /** As proven; undefined: not known, or overridden as a whole. */
  proven: Account | null | undefined;
  code: Uint8Array | undefined;
  readonly slots: Map<Hex, Slot>;
  readonly override: AccountOverride | undefined;
  /** The last run that read it, and the last that read its code. */
  run: number;
  codeRun: number;
}

interface Missing {
  needsCode: boolean;
  readonly keys: Set<Hex>;
}

export const none: Uint8Array = new Uint8Array(0);
export const emptyCodeHash: Uint8Array = keccak_256(none);

/** Bytes of hex that the source vouches for. */
const bytesOf = (hex: Hex): Uint8Array => checkHex(hex, (hex.length - 2) / 2, 'hex');

function withoutZeros(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? none : bytes.subarray(first);
}

function baseOf(proven: Account | null, override: AccountOverride | undefined): BaseAccount | null {
  const { nonce, balance, code, state } = override ?? {};
  if (proven === null && nonce === undefined && balance === undefined && code === undefined) {
    return null;
  }
  const codeHash = proven === null ? emptyCodeHash : bytesOf(proven.keccakCodeHash);
  return {
    nonce: nonce ?? proven?.nonce ?? 0n,
    balance: balance ?? proven?.balance ?? 0n,
    codeHash: code === undefined ? codeHash : keccak_256(code),
    storageRoot: state === undefined ? proven?.storageRoot : undefined,
  };
}

/** Whether an override leaves nothing to be read of the account itself. */
const isWhole = ({ nonce, balance, code, state }: AccountOverride): boolean =>
  [nonce, balance, code, state].every((member) => member !== undefined);

export interface KnowledgeOptions {
  readonly source: StateSource;
  readonly overrides: Overrides;
  readonly limits: ReadLimits;
}

export function createKnowledge({ source, overrides, limits }: KnowledgeOptions): Knowledge {
  const entries = new Map<Hex, Entry>();
  let missing = new Map<Hex, Missing>();
  let run = 0;
  let isOver = false;
  /** Of this run. */
  const read = { accounts: 0, slots: 0, code: 0 };

  function count(what: keyof ReadLimits, amount: number): void {
    read[what] += amount;
    if (read[what] <= limits[what]) return;
    isOver = true;
    throw new RunStopped();
  }

  function tooMany(): EvmError {
    const { accounts, slots, code } = limits;
    const text = `the call reads more than ${accounts} accounts, ${slots} slots or ${code} bytes of code`;
    return new EvmError('TOO_MANY_READS', text);
  }

  function setAccount(entry: Entry, proven: Account | null): void {
    entry.proven = proven;
    entry.account = baseOf(proven, entry.override);
  }

  function setSlots(entry: Entry, slots: Iterable<readonly [Hex, Hex]>): void {
    for (const [key, value] of slots) {
      if (entry.slots.has(key)) continue;
      entry.slots.set(key, { value: withoutZeros(bytesOf(value)), run: 0 });
    }
  }

  function entryOf(address: Hex): Entry {
    const found = entries.get(address);
    if (found) return found;
    const override = overrides.get(address);
    const entry: Entry = {
      account: undefined,
      proven: undefined,
      code: override?.code,
      slots: new Map(),
      override,
      run: 0,
      codeRun: 0,
    };
    entries.set(address, entry);
    setSlots(entry, override?.state ?? override?.stateDiff ?? []);
    if (override && isWhole(override)) entry.account = baseOf(null, override);
    const known = source.known(address);
    if (known && entry.account === undefined) setAccount(entry, known.account);
    return entry;
  }

  /** The value of a slot that is known without asking anybody. */
  function slotOf(address: Hex, key: Hex): Slot | undefined {
    const entry = entryOf(address);
    const found = entry.slots.get(key);
    if (found) return found;
    if (entry.override?.state !== undefined || entry.account === null) {
      const slot: Slot = { value: none, run: 0 };
      entry.slots.set(key, slot);
      return slot;
    }
    const value = source.known(address)?.slots.get(key);
    if (value === undefined) return undefined;
    setSlots(entry, [[key, value]]);
    return entry.slots.get(key);
  }

  function codeOf(entry: Entry): Uint8Array | undefined {
    if (entry.code !== undefined || entry.account === undefined) return entry.code;
    if (entry.proven === null || entry.proven?.codeSize === 0n) entry.code = none;
    const known = entry.code ?? (entry.proven ? source.knownCode(entry.proven) : undefined);
    if (typeof known === 'string') entry.code = bytesOf(known);
    return entry.code;
  }

  function note(address: Hex): Missing {
    const noted = missing.get(address) ?? { needsCode: false, keys: new Set() };
    missing.set(address, noted);
    return noted;
  }

  function touch(entry: Entry): void {
    if (entry.run === run) return;
    entry.run = run;
    count('accounts', 1);
  }

  async function loadCode(address: Hex, signal: AbortSignal | undefined): Promise<void> {
    const entry = entryOf(address);
    if (codeOf(entry) !== undefined || !entry.proven) return;
    // Nobody is asked for code that could not be used.
    if (entry.proven.codeSize > BigInt(limits.code)) throw tooMany();
    entry.code = bytesOf(await source.code(address, entry.proven, signal));
  }

  async function load(
    questions: readonly StateQuestion[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (questions.length === 0) return;
    const answers = await source.read(questions, signal);
    questions.forEach(({ address, storageKeys }, i) => {
      const { account, values } = answers[i] as (typeof answers)[number];
      const entry = entryOf(address);
      if (entry.account === undefined) setAccount(entry, account);
      setSlots(
        entry,
        storageKeys.map((key, at) => [key, values[at] as Hex] as const),
      );
    });
  }

  return {
    get isComplete() {
      return missing.size === 0;
    },
    get isCold() {
      return [...missing].some(
        ([address, { needsCode }]) => needsCode || entryOf(address).account === undefined,
      );
    },
    begin() {
      run += 1;
      isOver = false;
      missing = new Map();
      read.accounts = 0;
      read.slots = 0;
      read.code = 0;
    },
    peek(address) {
      const entry = entryOf(address);
      if (entry.account !== undefined) touch(entry);
      return entry.account;
    },
    account(address) {
      const entry = entryOf(address);
      touch(entry);
      if (entry.account === undefined) note(address);
      return entry.account;
    },
    slot(address, key) {
      const slot = slotOf(address, key);
      if (slot === undefined) {
        if (!missing.get(address)?.keys.has(key)) count('slots', 1);
        note(address).keys.add(key);
        return none;
      }
      if (slot.run !== run) {
        slot.run = run;
        count('slots', 1);
      }
      return slot.value;
    },
    code(address) {
      const entry = entryOf(address);
      touch(entry);
      const code = codeOf(entry);
      if (code === undefined) {
        note(address).needsCode = true;
        return none;
      }
      if (entry.codeRun !== run) count('code', code.length);
      entry.codeRun = run;
      return code;
    },
    async learn(signal, hint = []) {
      for (const { address, storageKeys } of hint) {
        const noted = note(address);
        noted.needsCode = true;
        for (const key of storageKeys) if (!slotOf(address, key)) noted.keys.add(key);
      }
      const wanted = [...missing];
      const questions = wanted
        .filter(([address, { keys }]) => keys.size > 0 || entryOf(address).account === undefined)
        .map(([address, { keys }]) => ({ address, storageKeys: [...keys] }));
      await load(questions, signal);
      const coded = wanted.filter(([, { needsCode }]) => needsCode);
      await Promise.all(coded.map(([address]) => loadCode(address, signal)));
    },
    check() {
      if (isOver && missing.size === 0) throw tooMany();
    },
  };
}
