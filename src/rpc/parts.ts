/** A question about many slots, asked in parts, whose answers are put together as one. */
import type { Hex } from '../bytes.js';
import { mapConcurrently } from '../concurrent.js';
import {
  createMemberReader,
  hasMember,
  memberPath,
  ownMember,
  type Source,
} from '../foreign/members.js';
import { RpcError } from './errors.js';

/** Parts that are asked for at once. */
const concurrent = 4;

/** How deep an `accountProof` nests: an object of an object of an array, with room for members that no rule names. */
const maxDepth = 8;

/**
 * Asks for each part, a few at once.
 *
 * @param ask with a signal that is aborted when another part has failed
 * @returns the answers in order
 * @throws what the first failing part throws
 */
async function askInParts<P, T>(
  parts: readonly P[],
  ask: (part: P, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T[]> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  try {
    return await mapConcurrently(parts, concurrent, (part) => ask(part, controller.signal));
  } catch (error) {
    controller.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** Most room that the proof of one key takes; a real one takes a third of it. */
const roomPerKey = 65_536;

/** Bytes that a value takes besides its text, roughly. */
const roomPerValue = 64;

/**
 * Whether a part is larger than the proofs of so many keys can be. All parts are kept until the last one has come, and
 * JSON of many short values takes twenty times its length once it is parsed.
 */
function isOverfull(part: unknown, keys: number): boolean {
  let room = roomPerKey * keys;
  const values = [part];
  // Those that are put behind the others have their turn too.
  for (const value of values) {
    if (typeof value === 'string') room -= value.length;
    if (typeof value !== 'object' || value === null) continue;
    for (const member of Object.values(value)) {
      values.push(member);
      room -= roomPerValue;
      if (room < 0) return true;
    }
  }
  return room < 0;
}

/** Whether two values of parsed JSON are the same; whatever nests deeper than a proof is not. */
function isSame(a: unknown, b: unknown, depth = 0): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (depth === maxDepth) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => hasMember(b, name) && isSame(ownMember(a, name), b[name], depth + 1))
  );
}

/**
 * One result from those of the parts. It is as unproven as they are.
 *
 * @param counts storage keys of each part
 * @throws RpcError `BAD_PARTS` if they are not of one account in one state, or not all in full
 */
function joinParts(
  { method, slots }: Pick<LongList, 'method' | 'slots'>,
  results: readonly unknown[],
  counts: readonly number[],
): unknown {
  const fail = (reason: string) => new RpcError('BAD_PARTS', method, reason);
  const { openObject, openArray, readMember } = createMemberReader((at, reason) =>
    fail(`"${at}" ${reason}`),
  );
  const parts = results.map((result, i) => {
    const source = openObject(result, `part[${i}]`);
    const at = memberPath(source, slots);
    return { source, entries: openArray(readMember(source, slots), at) };
  });
  const accountOf = (source: Source) => readMember(source, 'accountProof');
  const [first] = parts as [(typeof parts)[number]];
  const accountProof = accountOf(first.source);
  if (parts.some(({ source }) => !isSame(accountOf(source), accountProof))) {
    throw fail('the parts have different account proofs');
  }
  // A server lists no slots at all if the account is absent or never had storage.
  if (parts.every(({ entries }) => entries.length === 0)) return { accountProof, [slots]: [] };
  if (parts.some(({ entries }, i) => entries.length !== counts[i])) {
    throw fail('a part does not have one storage proof per slot');
  }
  const all = parts.flatMap(({ entries }) =>
    Array.from({ length: entries.length }, (_, i) => readMember(entries, i)),
  );
  return { accountProof, [slots]: all };
}

/** The member with the slots: that of `l2_getProof`, or that of `eth_getProof`. */
export type SlotsMember = 'storageProofs' | 'storageProof';

/** A question about one account. */
interface LongList {
  readonly method: string;
  readonly storageKeys: readonly Hex[];
  /** Most slots in one request. */
  readonly maxSlots: number;
  /** The member of an answer that has them. */
  readonly slots: SlotsMember;
}

/**
 * Asks about a long list of slots.
 *
 * @param ask asks about some of them
 * @returns one result for all; it is as unproven as those of the parts
 * @throws RpcError `BAD_PARTS`, and any error of asking
 */
export async function askLongList(
  { method, storageKeys, maxSlots, slots }: LongList,
  ask: (part: readonly Hex[], signal: AbortSignal) => Promise<unknown>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const parts = Array.from({ length: Math.ceil(storageKeys.length / maxSlots) }, (_, i) =>
    storageKeys.slice(i * maxSlots, (i + 1) * maxSlots),
  );
  async function askPart(part: readonly Hex[], partSignal: AbortSignal): Promise<unknown> {
    const result = await ask(part, partSignal);
    // The account is one more.
    if (!isOverfull(result, part.length + 1)) return result;
    throw new RpcError('BAD_PARTS', method, 'a part is larger than its proofs can be');
  }
  const results = await askInParts(parts, askPart, signal);
  return joinParts(
    { method, slots },
    results,
    parts.map(({ length }) => length),
  );
}
