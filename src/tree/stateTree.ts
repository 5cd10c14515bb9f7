/** The state of a chain: its account tree and all storage trees, block by block, on a store. */
import { encodeHex, type Hex } from '../bytes.js';
import { checkHex, ownMembers } from '../codec/argument.js';
import { ownSpecOf } from '../codec/spec.js';
import type { Engine } from '../hash/engine.js';
import { blockWidth, type HashFamily } from '../hash/family.js';
import { checkQuestion } from '../verify/claim.js';
import { applyChanges } from './apply.js';
import { hashOf, headerRootOf, newestBlock, newestFinal, oldestBlock, rootOf } from './blocks.js';
import { blockOfHash } from './byHash.js';
import { type Block, checkBlockNumber, checkChanges } from './changes.js';
import { TreeError } from './errors.js';
import { finalizeBatch } from './finalize.js';
import { checkTrust, distrustBatch, openFormat } from './format.js';
import { appendBatch, revertBatch } from './history.js';
import { memoryStore } from './memory.js';
import { nodeSpecOf } from './nodes.js';
import type { ProofResult } from './path.js';
import { proveState } from './prove.js';
import { readState, type StateValues } from './read.js';
import { StateReader } from './state.js';
import type { Batch, Store, StoreReader } from './store.js';
import { createAnswerCheck } from './verified.js';
import { Meter, meteredReader, type ProofWork } from './work.js';

/** A block number; a bigint may hold what a number does. */
export type BlockNumber = number | bigint;

/** The state of a chain after each of the blocks that it holds. */
export interface StateTree {
  readonly hash: HashFamily;
  /**
   * Applies a block's net changes on top of the newest block. Once it resolves, the block is kept as well as the store
   * can. Calls are carried out one after the other.
   *
   * @returns the number as given, and the state root after the block
   * @throws TreeError `BLOCK_ORDER`, `STATE_MISMATCH`, `TREE_FULL`, `READ_ONLY`, `STORE_FULL`, `STORE_FAILED`, `DAMAGED`, `CLOSED`; then
   *   nothing was changed
   * @throws TypeError or RangeError for wrong changes; then nothing was changed
   */
  applyBlock<N extends BlockNumber>(
    block: Block & { number: N },
  ): Promise<{ number: N; stateRoot: Hex }>;
  /**
   * Names a block that is held final: it stays provable, the blocks before it that are not final are dropped, and so
   * is the oldest final block where there are more than `keepFinal`.
   *
   * @throws TreeError `BLOCK_MISSING`, or `BLOCK_ORDER` where a newer block is final
   */
  finalize(number: BlockNumber): Promise<void>;
  /** Takes back all blocks after one. @throws TreeError `BLOCK_MISSING`, or `BLOCK_ORDER` where one of them is final */
  revert(number: BlockNumber): Promise<void>;
  /** The newest block held at or below a height; undefined where there is none. */
  newestBlock(atMost?: BlockNumber): Promise<number | undefined>;
  /** The oldest block held. */
  oldestBlock(): Promise<number | undefined>;
  /** The newest block that was named final. */
  finalBlock(): Promise<number | undefined>;
  /**
   * The answer of `l2_getProof`, as the public system gives it: no storage proofs where the account is absent or its
   * storage pristine. A key's proof is verified before it is first returned under a state root, and not each time.
   *
   * @param storageKeys at most 16384
   * @param block one that is held; default the newest, or the empty state before the first
   * @param work bounds of what it may cost; at an older block, keys that came and went since cost reads, too
   * @throws TreeError `BLOCK_MISSING`, `TOO_MANY_READS`, `STORE_FAILED`, `DAMAGED`, `CLOSED`
   * @throws TypeError or RangeError for a wrong argument
   */
  getProof(
    address: Hex,
    storageKeys?: readonly Hex[],
    block?: BlockNumber,
    work?: ProofWork,
  ): Promise<ProofResult>;
  /**
   * An account and its slots as the store holds them, without a proof: for whoever trusts the store. A slot of an absent
   * account is zero and does not exist.
   *
   * @param storageKeys at most 16384
   * @param block one that is held; default the newest, or the empty state before the first
   * @throws TreeError `BLOCK_MISSING`, `STORE_FAILED`, `DAMAGED`, `CLOSED`
   * @throws TypeError or RangeError for a wrong argument
   */
  read(address: Hex, storageKeys?: readonly Hex[], block?: BlockNumber): Promise<StateValues>;
  /** Root after a block. @throws TreeError `BLOCK_MISSING` */
  stateRoot(block?: BlockNumber): Promise<Hex>;
  /**
   * Marks the state as known to be wrong: from now on, in every process and after every restart, all calls on it fail
   * with `DISTRUSTED` and this reason. Nothing takes the mark away; feed a new store.
   */
  distrust(reason: string): Promise<void>;
  /** Hash that a block was applied with; undefined where it came without. @throws TreeError `BLOCK_MISSING` */
  blockHash(block: BlockNumber): Promise<Hex | undefined>;
  /**
   * Number of the block held that was applied with a hash; undefined if none up to `atMost` was. Among blocks that a
   * version before 0.2 applied, only the newest 128 up to `atMost` are looked through.
   */
  blockNumber(hash: Hex, atMost?: BlockNumber): Promise<number | undefined>;
  /** Merkle-Patricia root that a block was applied with; undefined if it came without. @throws TreeError `BLOCK_MISSING` */
  headerRoot(block: BlockNumber): Promise<Hex | undefined>;
  /** Waits for what is being read and written, and closes the store. */
  close(): Promise<void>;
}

/** Nodes that the verifier remembers: 16 MiB under Poseidon2. */
const rememberedNodes = 1 << 16;

/**
 * Opens a state tree.
 *
 * @param options.hash family of the trees; default `poseidon2`
 * @param options.store where the state is kept; default a new store in memory
 * @param options.keepFinal final blocks that stay provable, from 1; default 128
 * @param options.engine form of the hash; default the kernel where the platform allows it
 * @param options.keepState opens a store of version 1, which is refused otherwise, and marks it version 2 unless it is
 *   only read; its state, which stays as it is, is right only if no block ever took an account's code away
 * @throws TreeError `WRONG_STORE` for anything but a state of this family and version; TypeError or RangeError
 */
export async function openStateTree(
  options: {
    hash?: HashFamily;
    store?: Store;
    keepFinal?: number;
    engine?: Engine;
    keepState?: boolean;
  } = {},
): Promise<StateTree> {
  const names = ['hash', 'store', 'keepFinal', 'engine', 'keepState'] as const;
  const given = ownMembers(options, names, 'options');
  const { store = memoryStore(), keepFinal = 128, keepState = false } = given;
  if (!Number.isSafeInteger(keepFinal) || keepFinal < 1) {
    throw new RangeError('"keepFinal" expected a whole number from 1');
  }
  const tree = ownSpecOf(given.hash, given.engine);
  tree.hasher.remember(rememberedNodes);
  const spec = nodeSpecOf(tree);
  await openFormat(store, tree.hasher.family, keepState);
  const checkAnswer = createAnswerCheck(tree);
  const reading = new Set<Promise<unknown>>();
  let writing: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  function checkOpen(): void {
    if (closing) throw new TreeError('CLOSED', 'the state tree is closed');
  }

  /** Carries out writes one after the other: each is worked out from what the one before has left. */
  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = writing.then(work);
    writing = done.catch(() => {});
    return done;
  }

  async function readSnapshot<T>(read: (reader: StoreReader) => Promise<T>): Promise<T> {
    const snapshot = await store.snapshot();
    try {
      await checkTrust(snapshot);
      return await read(snapshot);
    } finally {
      snapshot.release();
    }
  }

  /** Reads from the store as it is at this moment, whatever is written meanwhile. */
  async function withSnapshot<T>(read: (reader: StoreReader) => Promise<T>): Promise<T> {
    checkOpen();
    const done = readSnapshot(read);
    reading.add(done);
    try {
      return await done;
    } finally {
      reading.delete(done);
    }
  }

  async function closeStore(): Promise<void> {
    await Promise.allSettled([writing, ...reading]);
    await store.close();
  }

  async function writeBatch(work: () => Promise<Batch | null>): Promise<void> {
    checkOpen();
    await enqueue(async () => {
      await checkTrust(store);
      const batch = await work();
      if (batch !== null) await store.write(batch);
    });
  }

  async function stateRootAt(reader: StoreReader, block: number | undefined): Promise<Uint8Array> {
    return block === undefined ? tree.emptyRoot : rootOf(reader, block);
  }

  const numberOf = (block: BlockNumber | undefined) =>
    block === undefined ? undefined : checkBlockNumber(block, 'block');
  const wordOf = (word: Hex | undefined, name: string) =>
    word === undefined ? undefined : checkHex(word, blockWidth, name);

  return {
    hash: tree.hasher.family,
    async applyBlock(given) {
      const { number, changes, hash, headerRoot } = ownMembers(
        given,
        ['number', 'changes', 'hash', 'headerRoot'],
        'block',
      );
      const block = checkBlockNumber(number, 'number');
      const words = { hash: wordOf(hash, 'hash'), headerRoot: wordOf(headerRoot, 'headerRoot') };
      const checked = checkChanges(tree, changes);
      let stateRoot = tree.emptyRoot;
      await writeBatch(async () => {
        const newest = await newestBlock(store);
        if (newest !== undefined && block <= newest) {
          throw new TreeError('BLOCK_ORDER', `block ${block} does not follow block ${newest}`);
        }
        const change = await applyChanges(new StateReader(spec, store), checked);
        stateRoot = change.stateRoot;
        return appendBatch(store, block, change, words);
      });
      return { number, stateRoot: encodeHex(stateRoot) };
    },
    async finalize(number) {
      const block = checkBlockNumber(number, 'number');
      await writeBatch(() => finalizeBatch(store, block, keepFinal));
    },
    async revert(number) {
      const block = checkBlockNumber(number, 'number');
      await writeBatch(() => revertBatch(store, block));
    },
    async newestBlock(atMost) {
      const limit = numberOf(atMost);
      return withSnapshot((reader) => newestBlock(reader, limit));
    },
    oldestBlock: () => withSnapshot(oldestBlock),
    finalBlock: () => withSnapshot(newestFinal),
    async getProof(address, storageKeys = [], block, work = {}) {
      const number = numberOf(block);
      const meter = new Meter(work);
      // Checked and copied before the first read, during which the caller may change its array.
      const question = checkQuestion({ address, storageKeys });
      return withSnapshot(async (reader) => {
        const newest = await newestBlock(reader);
        const stateRoot = await stateRootAt(reader, number ?? newest);
        // The newest block is the state as it is: keys that came and went before it cost nothing.
        const at = number === newest ? undefined : number;
        const state = new StateReader(spec, meteredReader(reader, meter), at);
        const result = await proveState(state, question, meter);
        await checkAnswer({ stateRoot, question, result }, meter);
        return result;
      });
    },
    async read(address, storageKeys = [], block) {
      const number = numberOf(block);
      const question = checkQuestion({ address, storageKeys });
      const meter = new Meter();
      return withSnapshot(async (reader) => {
        const newest = await newestBlock(reader);
        await stateRootAt(reader, number ?? newest);
        const at = number === newest ? undefined : number;
        return readState(new StateReader(spec, meteredReader(reader, meter), at), question);
      });
    },
    async stateRoot(block) {
      const number = numberOf(block);
      return withSnapshot(async (reader) =>
        encodeHex(await stateRootAt(reader, number ?? (await newestBlock(reader)))),
      );
    },
    async distrust(reason) {
      await writeBatch(async () => distrustBatch(reason));
    },
    async blockHash(block) {
      const number = checkBlockNumber(block, 'block');
      const hash = await withSnapshot((reader) => hashOf(reader, number));
      return hash && encodeHex(hash);
    },
    async blockNumber(hash, atMost) {
      const bytes = checkHex(hash, blockWidth, 'hash');
      const limit = numberOf(atMost);
      return withSnapshot((reader) => blockOfHash(reader, bytes, limit));
    },
    async headerRoot(block) {
      const number = checkBlockNumber(block, 'block');
      const root = await withSnapshot((reader) => headerRootOf(reader, number));
      return root && encodeHex(root);
    },
    close() {
      closing ??= closeStore();
      return closing;
    },
  };
}
