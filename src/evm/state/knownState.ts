/**
 * A call's knowledge of the state before it. Accounts and slots that are not known yet are noted, so that all can be
 * read together. A stand-in takes the place of an unknown value, and the result of that run is dropped.
 */
import type { Hex } from '../../bytes.js';
import { EvmError } from '../call/errors.js';
import {
  type AccountValues,
  addSlots,
  type BaseAccount,
  type HashedOverrides,
  none,
  openEntry,
  type Slot,
  setAccount,
} from './base.js';
import type { Budget } from './budget.js';
import { codeBytes } from './codeBytes.js';
import type { AccountQuestion, StateSource } from './source.js';

/** Bounds on what a call may read; each account or slot counts once. */
export interface ReadBounds {
  readonly accounts: number;
  readonly slots: number;
  /** Bytes of code. */
  readonly code: number;
}

export const readBounds: ReadBounds = { accounts: 512, slots: 4096, code: 8 * 1024 * 1024 };

/** Thrown to end a run that has no result. The reason is kept elsewhere: a contract could catch this error. */
export class RunStopped extends Error {}

/** The parts of an account that are still to be read. */
interface Missing {
  needsCode: boolean;
  readonly keys: Set<Hex>;
}

interface KnowledgeOptions {
  readonly source: StateSource;
  readonly overrides: HashedOverrides;
  readonly limits: ReadBounds;
  readonly budget: Pick<Budget, 'spendProofs'>;
}

export class KnownState {
  readonly #source: StateSource;
  readonly #overrides: HashedOverrides;
  readonly #limits: ReadBounds;
  readonly #budget: Pick<Budget, 'spendProofs'>;
  readonly #entries = new Map<Hex, AccountValues>();
  #missing = new Map<Hex, Missing>();
  #run = 0;
  /** The values that this run has read. */
  #read = { accounts: 0, slots: 0, code: 0 };
  #isOver = false;

  constructor({ source, overrides, limits, budget }: KnowledgeOptions) {
    this.#source = source;
    this.#overrides = overrides;
    this.#limits = limits;
    this.#budget = budget;
  }

  /** Begins a run. */
  begin(): void {
    this.#run += 1;
    this.#missing = new Map();
    this.#read = { accounts: 0, slots: 0, code: 0 };
    this.#isOver = false;
  }

  /** Whether nothing was missing in the run so far. */
  get isComplete(): boolean {
    return this.#missing.size === 0;
  }

  /** Whether more than slots was missing. */
  get isCold(): boolean {
    return [...this.#missing].some(
      ([address, { needsCode }]) => needsCode || this.#entryOf(address).account === undefined,
    );
  }

  /** Whether an account is known, or its code at least. */
  knows(address: Hex): boolean {
    const { account, code } = this.#entryOf(address);
    return account !== undefined || code !== undefined;
  }

  /** Of a run in which nothing was missing. @throws EvmError `TOO_MANY_READS` if it read more than it may */
  checkLimits(): void {
    if (this.#isOver) throw this.#tooMany();
  }

  /** null: it does not exist; undefined: not known, and not noted either. @throws RunStopped */
  peek(address: Hex): BaseAccount | null | undefined {
    const entry = this.#entryOf(address);
    if (entry.account !== undefined) this.#touch(entry);
    return entry.account;
  }

  /** The same, noted if it is not known. @throws RunStopped */
  account(address: Hex): BaseAccount | null | undefined {
    const entry = this.#entryOf(address);
    this.#touch(entry);
    if (entry.account === undefined) this.#note(address);
    return entry.account;
  }

  /** The value without leading zeros; a stand-in if it is not known. @throws RunStopped */
  slot(address: Hex, key: Hex): Uint8Array {
    const slot = this.#slotOf(address, key);
    if (slot === undefined) {
      if (!this.#missing.get(address)?.keys.has(key)) this.#count('slots', 1);
      this.#note(address).keys.add(key);
      return none;
    }
    if (slot.run !== this.#run) {
      slot.run = this.#run;
      this.#count('slots', 1);
    }
    return slot.value;
  }

  /** A stand-in if it is not known. @throws RunStopped */
  code(address: Hex): Uint8Array {
    const entry = this.#entryOf(address);
    this.#touch(entry);
    const code = this.#codeOf(entry);
    if (code === undefined) {
      this.#note(address).needsCode = true;
      return none;
    }
    if (entry.codeRun !== this.#run) this.#count('code', code.length);
    entry.codeRun = this.#run;
    return code;
  }

  /**
   * Reads what is missing, and what a hint says will be needed.
   *
   * @throws EvmError `TOO_MANY_READS`, and any error of the source
   */
  async learn(
    signal: AbortSignal | undefined,
    hint: readonly AccountQuestion[] = [],
  ): Promise<void> {
    const isNeeded = new Set(
      [...this.#missing].filter(([, { needsCode }]) => needsCode).map(([address]) => address),
    );
    for (const { address, storageKeys } of hint) {
      const noted = this.#note(address);
      noted.needsCode = true;
      for (const key of storageKeys) if (!this.#slotOf(address, key)) noted.keys.add(key);
    }
    const wanted = [...this.#missing];
    const questions = wanted
      .filter(
        ([address, { keys }]) => keys.size > 0 || this.#entryOf(address).account === undefined,
      )
      .map(([address, { keys }]) => ({ address, storageKeys: [...keys] }));
    await this.#load(questions, signal);
    const coded = wanted.filter(([, { needsCode }]) => needsCode);
    await Promise.all(
      coded.map(([address]) => {
        const loaded = this.#loadCode(address, signal);
        // Code that only the hint names may be of no use: a run that needs it asks again.
        return isNeeded.has(address) ? loaded : loaded.catch(() => undefined);
      }),
    );
  }

  #tooMany(): EvmError {
    const { accounts, slots, code } = this.#limits;
    const text = `the call reads more than ${accounts} accounts, ${slots} slots or ${code} bytes of code`;
    return new EvmError('TOO_MANY_READS', text);
  }

  #count(what: keyof ReadBounds, amount: number): void {
    this.#read[what] += amount;
    if (this.#read[what] <= this.#limits[what]) return;
    this.#isOver = true;
    throw new RunStopped();
  }

  #touch(entry: AccountValues): void {
    if (entry.run === this.#run) return;
    entry.run = this.#run;
    this.#count('accounts', 1);
  }

  #note(address: Hex): Missing {
    const noted = this.#missing.get(address) ?? { needsCode: false, keys: new Set() };
    this.#missing.set(address, noted);
    return noted;
  }

  #entryOf(address: Hex): AccountValues {
    const found = this.#entries.get(address);
    if (found) return found;
    const entry = openEntry(this.#overrides.get(address));
    this.#entries.set(address, entry);
    const known = this.#source.known(address);
    if (known && entry.account === undefined) setAccount(entry, known.account);
    return entry;
  }

  /** A slot that is known without a request. */
  #slotOf(address: Hex, key: Hex): Slot | undefined {
    const entry = this.#entryOf(address);
    const found = entry.slots.get(key);
    if (found) return found;
    // An override took all slots that it does not name; an account that does not exist has none.
    const isEmpty = entry.override?.state !== undefined || entry.proven === null;
    if (isEmpty) entry.slots.set(key, { value: none, run: 0 });
    const value = isEmpty ? undefined : this.#source.known(address)?.slots.get(key);
    if (value !== undefined) addSlots(entry, [[key, value]]);
    return entry.slots.get(key);
  }

  /** The code if it is known without a request. */
  #codeOf(entry: AccountValues): Uint8Array | undefined {
    const { code, proven } = entry;
    if (code !== undefined || proven === undefined) return code;
    const known = proven === null ? '0x' : this.#source.knownCode(proven);
    if (known !== undefined) entry.code = codeBytes(known);
    return entry.code;
  }

  async #load(
    questions: readonly AccountQuestion[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (questions.length === 0) return;
    const slots = questions.reduce((sum, { storageKeys }) => sum + storageKeys.length, 0);
    this.#budget.spendProofs(questions.length + slots);
    const answers = await this.#source.read(questions, signal);
    questions.forEach(({ address, storageKeys }, i) => {
      const { account, values } = answers[i] as (typeof answers)[number];
      const entry = this.#entryOf(address);
      if (entry.account === undefined) setAccount(entry, account);
      addSlots(
        entry,
        storageKeys.map((key, at) => [key, values[at] as Hex] as const),
      );
    });
  }

  async #loadCode(address: Hex, signal: AbortSignal | undefined): Promise<void> {
    const entry = this.#entryOf(address);
    if (this.#codeOf(entry) !== undefined || !entry.proven) return;
    // Nobody is asked for code that could not be used.
    const { codeSize = 0n } = entry.proven;
    if (codeSize > BigInt(this.#limits.code)) throw this.#tooMany();
    entry.code = codeBytes(await this.#source.code(address, entry.proven, signal));
  }
}
