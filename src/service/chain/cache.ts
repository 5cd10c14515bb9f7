/** A cache of one chain: in memory, and behind that in the database if there is one. */
import { ownMember } from '../../foreign/members.js';
import { hexText, parseWholeNumber } from '../../foreign/values.js';
import { entryBytes, LruCache } from '../../lru.js';
import type { BlockId, FinalizedHead, HeadNode } from './finalizedHead.js';
import type { RecordKey, Records } from './records.js';

/** A value, and the newest block that it rests on. */
interface Resting<T> {
  readonly value: T;
  readonly block: BlockId;
}

interface Entry<T> extends Resting<T> {
  /** The reorg count at which the chain was seen to have its block; undefined: never by this process. */
  reorgCount: number | undefined;
}

export interface Cache<T> {
  /** The cached value if its block is still on the chain. @throws RpcError if that cannot be found out */
  get(key: string): Promise<Resting<T> | undefined>;
  /** The same, if it takes no waiting. */
  peek(key: string): T | undefined;
  /** @param reorgCount at which the value was learnt; it is kept only if this is the current one */
  set(key: string, entry: Resting<T>, reorgCount: number): void;
  delete(key: string): void;
}

interface CacheOptions<T> {
  readonly head: FinalizedHead;
  readonly node: Pick<HeadNode, 'hashAt'>;
  /** Bytes in memory. */
  readonly maxBytes: number;
  /** Bytes that a value takes, roughly. */
  sizeOf(value: T): number;
  /** Where values go that outlive the process. */
  readonly database?: {
    readonly records: Records;
    keyOf(key: string): RecordKey;
    /** Reads a value that an older process has written. */
    read(value: unknown): T | undefined;
  };
}

/** An entry of the database; undefined if it is malformed. */
function readRecord<T>(
  json: unknown,
  read: (value: unknown) => T | undefined,
): Entry<T> | undefined {
  const number = parseWholeNumber(ownMember(json, 'number'));
  const hash = hexText(ownMember(json, 'hash'), 32);
  const value = read(ownMember(json, 'value'));
  if (number === undefined || hash === undefined || value === undefined) return undefined;
  return { value, block: { number, hash }, reorgCount: undefined };
}

export function createCache<T>(options: CacheOptions<T>): Cache<T> {
  const { head, node, maxBytes, sizeOf, database } = options;
  const recent = new LruCache<string, Entry<T>>(
    maxBytes,
    ({ value }) => entryBytes + sizeOf(value),
  );

  function forget(key: string): void {
    recent.delete(key);
    database?.records.delete(database.keyOf(key));
  }

  async function find(key: string): Promise<Entry<T> | undefined> {
    const known = recent.get(key);
    if (known !== undefined || database === undefined) return known;
    const entry = readRecord(await database.records.get(database.keyOf(key)), database.read);
    if (entry !== undefined) recent.set(key, entry);
    return entry;
  }

  return {
    async get(key) {
      const entry = await find(key);
      if (entry === undefined) return undefined;
      const reorgCount = await head.reorgCount();
      if (entry.reorgCount === reorgCount) return entry;
      if ((await node.hashAt(entry.block.number)) !== entry.block.hash) {
        forget(key);
        return undefined;
      }
      entry.reorgCount = reorgCount;
      return entry;
    },
    peek(key) {
      if (!head.isFresh) return undefined;
      const entry = recent.get(key);
      return entry?.reorgCount === head.knownReorgCount ? entry.value : undefined;
    },
    set(key, { value, block }, reorgCount) {
      if (reorgCount !== head.knownReorgCount) return;
      recent.set(key, { value, block, reorgCount });
      const { number, hash } = block;
      database?.records.set(database.keyOf(key), { number, hash, value });
    },
    delete: forget,
  };
}
