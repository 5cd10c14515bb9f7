/**
 * The decoder's cache in an embedded database, so that it outlives the process. It is bounded in size, and its loss
 * costs time only. Layout, in the order of keys:
 *
 *     00                            header: magic, format version, bytes held
 *     01 hash[32] chainId[8]        a mined transaction, as JSON
 *     02 address[20] chainId[8]     the metadata of a token, as JSON
 *
 * Hashes and addresses come first, so that a range from a random key on is a random choice of entries: that is how room
 * is made.
 */
import { bytesToInteger, concatBytes, type Hex, integerToBytes } from '../../bytes.js';
import { hexBytes } from '../../foreign/values.js';
import type { Batch, Entry, Range, Store } from '../../tree/index.js';
import { ServiceError } from '../http/errors.js';
import type { ServiceLog } from '../http/log.js';

/** Counted up whenever the layout or the meaning of an entry changes; entries of another version are dropped. */
const formatVersion = 1;

const magic = new TextEncoder().encode('l2proof decoder');

/** Which entry: that of a transaction, or of a token. */
export type RecordKey =
  | { readonly chainId: number; readonly hash: Hex }
  | { readonly chainId: number; readonly token: Hex };

export interface Records {
  /** Parsed JSON of an entry, which an older process may have written; undefined if it is missing. */
  get(key: RecordKey): Promise<unknown>;
  /** Keeps a value soon, without a promise to wait for. */
  set(key: RecordKey, value: unknown): void;
  delete(key: RecordKey): void;
  /** Writes what is still to be written, and closes the store. */
  close(): Promise<void>;
}

const headerKey = Uint8Array.of(0);
const firstKey = Uint8Array.of(1);
const endKey = Uint8Array.of(3);

/** Entries that are removed in one step. */
const step = 1000;

/** Most changes that wait to be written; more are not kept. */
const mostWaiting = 10_000;

function bytesOfKey(key: RecordKey): Uint8Array {
  const chain = integerToBytes(BigInt(key.chainId), 8);
  return 'hash' in key
    ? concatBytes(Uint8Array.of(1), hexBytes(key.hash, 32) as Uint8Array, chain)
    : concatBytes(Uint8Array.of(2), hexBytes(key.token, 20) as Uint8Array, chain);
}

const textOf = (key: Uint8Array) => String.fromCharCode(...key);
const keyOfText = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const range = (from: Uint8Array, to: Uint8Array | undefined, limit: number): Range => ({
  from,
  to,
  limit,
  reverse: false,
});

const readEntries = async (store: Store, asked: Range): Promise<readonly Entry[]> =>
  (await store.read({ keys: [], ranges: [asked] })).ranges[0] ?? [];

const weightOf = ({ key, value }: Entry) => key.length + value.length;

const headerOf = (held: number): Entry => ({
  key: headerKey,
  value: concatBytes(
    magic,
    integerToBytes(BigInt(formatVersion), 4),
    integerToBytes(BigInt(held), 8),
  ),
});

/** @returns version and bytes held; undefined if these are not the bytes of a header */
function readHeader(value: Uint8Array): { version: number; held: number } | undefined {
  const isOurs = value.length === magic.length + 12 && magic.every((byte, i) => value[i] === byte);
  if (!isOurs) return undefined;
  const view = new DataView(value.buffer, value.byteOffset + magic.length);
  return {
    version: view.getUint32(0),
    held: Number(bytesToInteger(value.subarray(magic.length + 4))),
  };
}

/** Removes all entries. */
async function empty(store: Store): Promise<void> {
  for (;;) {
    const entries = await readEntries(store, range(firstKey, undefined, step));
    if (entries.length === 0) return;
    await store.write({ puts: [], deletes: entries.map(({ key }) => key) });
  }
}

/** Bytes held by a store that is ready. @throws ServiceError `WRONG_CACHE` */
async function prepare(store: Store): Promise<number> {
  const first = await readEntries(store, range(new Uint8Array(0), undefined, 1));
  const [entry] = first;
  if (entry === undefined) return 0;
  const header = entry.key.length === 1 && entry.key[0] === 0 ? readHeader(entry.value) : undefined;
  if (header === undefined) {
    throw new ServiceError(
      'WRONG_CACHE',
      'the store of the decoder holds something else, such as a state; give it a folder of its own',
    );
  }
  if (header.version === formatVersion) return header.held;
  await empty(store);
  return 0;
}

/** Entries from a random place on. */
async function chooseAtRandom(store: Store): Promise<readonly Entry[]> {
  const place = crypto.getRandomValues(new Uint8Array(8));
  // Transactions and tokens by turns.
  place[0] = 1 + ((place[0] as number) % 2);
  const chosen = await readEntries(store, range(place, endKey, step));
  return chosen.length > 0 ? chosen : readEntries(store, range(firstKey, endKey, step));
}

/**
 * Opens the cache in a store, which is its own from now on.
 *
 * @param maxBytes most bytes of entries
 * @throws ServiceError `WRONG_CACHE`; any error of the store
 */
export async function openRecords(
  store: Store,
  maxBytes: number,
  log: ServiceLog | undefined,
): Promise<Records> {
  let held = await prepare(store);
  /** Changes to come: a value, or null for an entry to be removed. */
  let waiting = new Map<string, Uint8Array | null>();
  let writing: Promise<void> | undefined;
  let hasFailed = false;

  async function write(changes: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    const keys = [...changes.keys()].map(keyOfText);
    const { values } = await store.read({ keys, ranges: [] });
    const batch = { puts: [] as Entry[], deletes: [] as Uint8Array[] } satisfies Batch;
    keys.forEach((key, i) => {
      const before = values[i];
      const value = changes.get(textOf(key)) ?? null;
      if (before !== undefined) held -= weightOf({ key, value: before });
      if (value === null) batch.deletes.push(key);
      else {
        held += weightOf({ key, value });
        batch.puts.push({ key, value });
      }
    });
    batch.puts.push(headerOf(held));
    await store.write(batch);
  }

  async function makeRoom(): Promise<void> {
    while (held > maxBytes) {
      const entries = await chooseAtRandom(store);
      if (entries.length === 0) return;
      for (const entry of entries) held -= weightOf(entry);
      await store.write({ puts: [headerOf(held)], deletes: entries.map(({ key }) => key) });
    }
  }

  async function writeAll(): Promise<void> {
    try {
      while (waiting.size > 0) {
        const changes = waiting;
        waiting = new Map();
        await write(changes);
        await makeRoom();
      }
    } catch (err) {
      // It is a cache: without it, the node is asked.
      hasFailed = true;
      waiting.clear();
      log?.error({ err }, 'the store of the decoder failed; nothing more is kept in it');
    } finally {
      writing = undefined;
    }
  }

  function change(key: RecordKey, value: Uint8Array | null): void {
    if (hasFailed || waiting.size >= mostWaiting) return;
    waiting.set(textOf(bytesOfKey(key)), value);
    writing ??= writeAll();
  }

  return {
    async get(key) {
      if (hasFailed) return undefined;
      const bytes = bytesOfKey(key);
      const unwritten = waiting.get(textOf(bytes));
      try {
        const value =
          unwritten === undefined
            ? (await store.read({ keys: [bytes], ranges: [] })).values[0]
            : unwritten;
        return value ? JSON.parse(new TextDecoder().decode(value)) : undefined;
      } catch (err) {
        log?.error({ err }, 'an entry of the decoder cannot be read');
        return undefined;
      }
    },
    set: (key, value) => change(key, new TextEncoder().encode(JSON.stringify(value))),
    delete: (key) => change(key, null),
    async close() {
      await writing;
      await store.close();
    },
  };
}
