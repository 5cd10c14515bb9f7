/** The status of a store that holds a state. */
import { encodeHex, type Hex } from '../../bytes.js';
import { hashFamilies } from '../../codec/spec.js';
import type { HashFamily } from '../../hash/index.js';
import { firstFreeNode } from '../nodes/leaves.js';
import { TreeError } from '../store/errors.js';
import {
  perform,
  type Reading,
  readAll,
  readRange,
  readValue,
  readValues,
} from '../store/reading.js';
import type { Store } from '../store/store.js';
import {
  readBlockHash,
  readNewestBlock,
  readNewestFinal,
  readOldestBlock,
  readStateRoot,
} from './blocks.js';
import { formatMark, isIndexMark, layoutVersion, readMark, wrongMarkError } from './format.js';
import {
  accountTree,
  decodeTopEntry,
  distrustKey,
  loadingKey,
  topNodeKey,
  unstamp,
} from './layout.js';

/** A block that a store holds. */
export interface HeldBlock {
  /** Its number. */
  readonly number: number;
  /** Undefined if it was applied without one. */
  readonly hash: Hex | undefined;
  /** Root of the state after it, 32 bytes. */
  readonly stateRoot: Hex;
}

/** The status of the state in a store. */
export interface StateStatus {
  /** Version of the format. */
  readonly version: number;
  /** Family of the trees. */
  readonly hash: HashFamily;
  /** A load of the first state is under way, or was cut short: there is no block yet. */
  readonly isLoading: boolean;
  /** The newest block; undefined before the first state is in. */
  readonly newest: HeldBlock | undefined;
  /** The newest block that was named final. */
  readonly final: HeldBlock | undefined;
  /** Number of the oldest block that is held. */
  readonly oldest: number | undefined;
  /** Accounts that were ever created, those destroyed since included. */
  readonly accountsCreated: number;
  /** Why the state is known to be wrong, if it is: all calls on it fail with `DISTRUSTED`. */
  readonly distrust: string | undefined;
}

function* readBlock(number: number | undefined): Reading<HeldBlock | undefined> {
  if (number === undefined) return undefined;
  const [stateRoot, hash] = yield* readAll([readStateRoot(number), readBlockHash(number)]);
  return { number, hash: hash && encodeHex(hash), stateRoot: encodeHex(stateRoot) };
}

function* readState(hash: HashFamily, isLoading: boolean): Reading<StateStatus> {
  const [newest, final, oldest] = yield* readAll([
    readNewestBlock(),
    readNewestFinal(),
    readOldestBlock(),
  ]);
  const [newestBlock, finalBlock] = yield* readAll([readBlock(newest), readBlock(final)]);
  const [top, distrust] = yield* readValues([topNodeKey(accountTree), distrustKey]);
  const nextFreeNode = top && decodeTopEntry(unstamp(top)).nextFreeNode;
  return {
    ...{ version: layoutVersion, hash, isLoading, newest: newestBlock, final: finalBlock, oldest },
    accountsCreated: (nextFreeNode ?? firstFreeNode) - firstFreeNode,
    distrust: distrust && new TextDecoder().decode(distrust),
  };
}

function* readStatus(): Reading<StateStatus | undefined> {
  const all = { from: new Uint8Array(0), to: undefined, limit: 1, reverse: false };
  const [mark, loading, entries] = yield* readAll([
    readMark(),
    readValue(loadingKey),
    readRange(all),
  ]);
  const family = loading && new TextDecoder().decode(loading);
  const hash = hashFamilies.find((one) => one === family || mark === formatMark(one));
  if (hash !== undefined) return yield* readState(hash, loading !== undefined);
  if (isIndexMark(mark)) return undefined;
  if (entries.length > 0) throw wrongMarkError(mark);
  throw new TreeError('WRONG_STORE', 'the store is empty; feed it first');
}

/**
 * Reads what a store says of its state, at one moment and beside any writer, also of a state that is known to be wrong
 * or is being loaded. Nothing is proven or compared.
 *
 * @param store may be open to read only; it stays open
 * @returns undefined if the store holds an index, which `openIndex` of `l2proof/service` opens
 * @throws TreeError `WRONG_STORE` for an empty store, and for one of another format, with what to do about it
 */
export async function readStateStatus(store: Store): Promise<StateStatus | undefined> {
  const snapshot = await store.snapshot();
  try {
    return await perform(snapshot, readStatus());
  } finally {
    await snapshot.release();
  }
}
