/** The tools of a law's check: a store, and comparisons that name the law when they fail. */
import { encodeHex, isBytes } from '../../bytes.js';
import { TreeError } from '../store/errors.js';
import type { Entry, Range, Store, StoreReader } from '../store/store.js';

/** A law of stores: its sentence, and the check of it. */
export interface Law {
  readonly name: string;
  /** Rejects if the store of the trial breaks the law. */
  readonly check: (trial: Trial) => Promise<void>;
}

/** Bytes, entries or answers as text. */
function textOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (isBytes(value)) return encodeHex(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(', ')}]`;
  if (typeof value === 'object' && value !== null && 'key' in value && 'value' in value) {
    return `${textOf(value.key)}: ${textOf(value.value)}`;
  }
  return String(value);
}

/** Longest part of an answer that a message shows, and how much of it comes before the first difference. */
const shownLength = 200;
const shownBefore = 50;

/** The part of a text from shortly before an offset on. */
function cut(text: string, offset: number): string {
  const start = offset > shownLength / 2 ? offset - shownBefore : 0;
  const end = start + shownLength;
  return `${start > 0 ? '...' : ''}${text.slice(start, end)}${end < text.length ? '...' : ''}`;
}

/** Offset of the first difference of two texts. */
function differenceOf(one: string, other: string): number {
  let offset = 0;
  while (offset < one.length && one[offset] === other[offset]) offset++;
  return offset;
}

export const byteArray = (...values: readonly number[]): Uint8Array => Uint8Array.from(values);

/** The entry of a key whose value is another sequence of bytes than any other key's. */
export const toEntry = (...key: readonly number[]): Entry => ({
  key: byteArray(...key),
  value: byteArray(...key, 0x76),
});

/** A range, by default from the first entry on to the last. */
export const range = ({
  from = byteArray(),
  to = undefined,
  limit = 1000,
  reverse = false,
}: Partial<Range>): Range => ({ from, to, limit, reverse });

export class Trial {
  readonly store: Store;
  readonly #open: () => Promise<Store>;
  readonly #law: string;

  constructor(store: Store, { open, law }: { open: () => Promise<Store>; law: string }) {
    this.store = store;
    this.#open = open;
    this.#law = law;
  }

  /** Opens the store a second time. */
  open(): Promise<Store> {
    return this.#open();
  }

  broken(what: string, cause?: unknown): TreeError {
    return new TreeError('LAW_BROKEN', `the store breaks the law "${this.#law}": ${what}`, {
      cause,
    });
  }

  /** Compares bytes, entries or lists of them. */
  same(what: string, { got, expected }: { got: unknown; expected: unknown }): void {
    const [one, other] = [textOf(got), textOf(expected)];
    if (one === other) return;
    const offset = differenceOf(one, other);
    throw this.broken(`${what}: expected ${cut(other, offset)}, got ${cut(one, offset)}`);
  }

  /** Checks that a call fails. @returns what it failed with */
  async fails(what: string, call: () => Promise<unknown>): Promise<unknown> {
    const outcome = await call().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (outcome === undefined) throw this.broken(`${what}: expected an error, but it succeeded`);
    return outcome.error;
  }

  write({ puts = [], deletes = [] }: { puts?: Entry[]; deletes?: Uint8Array[] }): Promise<void> {
    return this.store.write({ puts, deletes });
  }

  /** Compares the values of keys. */
  async values(
    what: string,
    {
      keys,
      expected,
      reader = this.store,
    }: { keys: Uint8Array[]; expected: unknown[]; reader?: StoreReader },
  ): Promise<void> {
    const { values } = await reader.read({ keys, ranges: [] });
    this.same(what, { got: values, expected });
  }

  /** Compares the entries of a range. */
  async entries(
    what: string,
    {
      of,
      expected,
      reader = this.store,
    }: { of: Partial<Range>; expected: unknown[]; reader?: StoreReader },
  ): Promise<void> {
    const { ranges } = await reader.read({ keys: [], ranges: [range(of)] });
    this.same(what, { got: ranges, expected: [expected] });
  }
}
