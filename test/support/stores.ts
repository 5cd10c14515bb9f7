/** Stores as tests look at them: one thing read at a time, and wrappers that see what is read. */
import type {
  Entry,
  Range,
  ReadAnswer,
  ReadRequest,
  Store,
  StoreReader,
} from '../../src/tree/index.js';
import { toHex } from './hex.js';

/** Reads the value of one key. */
export async function valueOf(
  reader: StoreReader,
  key: Uint8Array,
): Promise<Uint8Array | undefined> {
  const { values } = await reader.read({ keys: [key], ranges: [] });
  return values[0];
}

/** Reads one range. */
export async function rangeOf(
  reader: StoreReader,
  from: Uint8Array,
  to: Uint8Array | undefined,
  { limit, reverse = false }: { limit: number; reverse?: boolean },
): Promise<readonly Entry[]> {
  const { ranges } = await reader.read({
    keys: [],
    ranges: [{ from, to, limit, reverse }],
  });
  return ranges[0] as readonly Entry[];
}

/** All entries, in order. */
export const entriesOf = (reader: StoreReader): Promise<readonly Entry[]> =>
  rangeOf(reader, new Uint8Array(0), undefined, { limit: 2 ** 31 });

/** The same as text, a line each: stores give bytes as they like, and a difference is short. */
export const textsOf = async (reader: StoreReader): Promise<string[]> =>
  (await entriesOf(reader)).map(({ key, value }) => `${toHex(key)} ${toHex(value)}`);

/** What is seen of a store. */
export interface Seen {
  /** Calls of `read`, `snapshot` and `write`; releases and `close` wait for nobody. */
  calls: number;
  /** Keys, and entries of ranges; a range without any counts as one. */
  reads: number;
  /** Ranges asked for. */
  ranges: Range[];
  /** Snapshots that are not released. */
  held: number;
}

/** A store to which calls are dear. */
export const far = (inner: Store): Store => ({ ...inner, isLocal: false });

/**
 * A store behind a network whose looks end with a write. As a reader of another process it learns
 * of writes by what it reads.
 */
export function looking(inner: Store): Store {
  let seen: number | undefined;
  return {
    ...far(inner),
    look() {
      const version = seen;
      let expected = seen;
      return {
        version,
        async read(request) {
          const snapshot = await inner.snapshot();
          const answer = await snapshot.read(request);
          seen = snapshot.version;
          expected ??= seen;
          return seen === expected ? answer : undefined;
        },
      };
    },
  };
}

/** A store that counts. */
export function counted(inner: Store): { store: Store; seen: Seen } {
  const seen: Seen = { calls: 0, reads: 0, ranges: [], held: 0 };
  const read = async (reader: StoreReader, request: ReadRequest, pause?: () => Promise<void>) => {
    seen.calls++;
    seen.ranges.push(...request.ranges);
    const answer = await reader.read(request, pause);
    seen.reads += request.keys.length;
    for (const entries of answer.ranges) seen.reads += Math.max(1, entries.length);
    return answer;
  };
  const store: Store = {
    ...inner,
    read: (request, pause) => read(inner, request, pause),
    write(batch) {
      seen.calls++;
      return inner.write(batch);
    },
    async snapshot() {
      seen.calls++;
      const snapshot = await inner.snapshot();
      seen.held++;
      return {
        read: (request, pause) => read(snapshot, request, pause),
        release() {
          seen.held--;
          return snapshot.release();
        },
      };
    },
  };
  return { store, seen };
}

/** A store whose snapshots give other answers. */
export const withAnswers = (
  inner: Store,
  change: (request: ReadRequest, answer: ReadAnswer) => ReadAnswer,
): Store => ({
  ...inner,
  async snapshot() {
    const snapshot = await inner.snapshot();
    return {
      ...snapshot,
      read: async (request, pause) => change(request, await snapshot.read(request, pause)),
    };
  },
});
