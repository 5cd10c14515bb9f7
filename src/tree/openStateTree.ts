/** Opens a state tree. */
import { encodeHex, type Hex } from '../bytes.js';
import { checkHex, ownMembers, ownOptions } from '../codec/argument.js';
import type { Engine } from '../hash/engine.js';
import { blockWidth, type HashFamily } from '../hash/family.js';
import type { Steps } from '../steps.js';
import { checkClaimQuestion } from '../verify/claim.js';
import { applyBatch } from './apply/applyBlock.js';
import { type BlockNumber, checkBlockNumber } from './apply/changes.js';
import { checkBlock } from './apply/checkBlock.js';
import { workInGroup } from './blockGroup.js';
import { finalizeBatch } from './history/finalize.js';
import { revertBatch } from './history/revert.js';
import { knownRoot, readStateAt, readStateRootAt } from './history/stateAt.js';
import type { StateReader, TreeContext } from './history/stateReader.js';
import { StoreAccess } from './history/storeAccess.js';
import {
  readBlockHash,
  readHeaderRoot,
  readNewestBlock,
  readNewestFinal,
  readOldestBlock,
} from './layout/blocks.js';
import { claimStore, distrustBatch } from './layout/format.js';
import { readBlockOfHash } from './layout/hashIndex.js';
import { openStateLoad } from './load/stateLoad.js';
import type { EmptyTree } from './nodes/nodes.js';
import { sharedEmptyTree } from './nodes/sharedTree.js';
import { type Written, wholeText } from './prove/jsonWriter.js';
import { markOwn } from './prove/ownPieces.js';
import { ProofTextCache } from './prove/proofTextCache.js';
import {
  type AnswerData,
  type ProofData,
  readProofData,
  writeProofObject,
  writeProofText,
} from './prove/prove.js';
import { readState } from './prove/readState.js';
import { createSelfCheck } from './prove/selfCheck.js';
import { UpperNodeCache } from './prove/upperNodeCache.js';
import type { ProofResult } from './prove/wireProof.js';
import type { StateTree } from './stateTree.js';
import { memoryStore } from './store/memory.js';
import { type ProofWork, ReadBudget, type TextWork } from './store/readBudget.js';
import { known, type Reading } from './store/reading.js';
import type { Store } from './store/store.js';

const checkBlockIfGiven = (block: BlockNumber | undefined): number | undefined =>
  block === undefined ? undefined : checkBlockNumber(block, 'block');

type Writes = Pick<
  StateTree,
  'applyBlock' | 'applyBlocks' | 'openLoad' | 'finalize' | 'revert' | 'distrust'
>;

/** The calls that change a state. */
function createWrites(access: StoreAccess, context: TreeContext, keepFinal: number): Writes {
  return {
    async applyBlock(given) {
      const { number, block } = checkBlock(context.empty.spec, given);
      const { stateRoot } = await access.write((read) =>
        applyBatch(context, block, { read, keep: keepFinal }),
      );
      return { number, stateRoot: encodeHex(stateRoot) };
    },
    applyBlocks: async (work) =>
      access.writeTogether((step) => workInGroup(work, { context, step, keep: keepFinal })),
    openLoad: () => openStateLoad(access, context.empty),
    async finalize(number) {
      const block = checkBlockNumber(number, 'number');
      await access.write((read) => read(finalizeBatch(block, { keep: keepFinal })));
    },
    async revert(number) {
      const block = checkBlockNumber(number, 'number');
      await access.write((read) => read(revertBatch(block)));
    },
    async distrust(reason) {
      const batch = distrustBatch(reason);
      await access.write((read) => read(known({ batch })));
    },
  };
}

/** The calls that ask for the records of blocks. */
function createBlockReads(
  access: StoreAccess,
  empty: EmptyTree,
): Omit<StateTree, keyof Writes | keyof Answers | 'hash' | 'close'> {
  /** What the store has of a block, if it has it. */
  async function hexOf(
    block: BlockNumber,
    reading: (block: number) => Reading<Uint8Array | undefined>,
  ): Promise<Hex | undefined> {
    const number = checkBlockNumber(block, 'block');
    const bytes = await access.read(() => reading(number));
    return bytes && encodeHex(bytes);
  }
  return {
    async newestBlock(atMost) {
      const number = checkBlockIfGiven(atMost);
      return access.read((cache) => cache.keep(`newest ${number}`, () => readNewestBlock(number)));
    },
    oldestBlock: async () => access.read(readOldestBlock),
    finalBlock: async () => access.read(readNewestFinal),
    async stateRoot(block) {
      const number = checkBlockIfGiven(block);
      return encodeHex(await access.read(() => readStateRootAt(empty, number)));
    },
    blockHash: (block) => hexOf(block, readBlockHash),
    async blockNumber(hash, atMost) {
      const bytes = checkHex(hash, blockWidth, 'hash');
      const number = checkBlockIfGiven(atMost);
      return access.read(() => readBlockOfHash(bytes, number));
    },
    headerRoot: (block) => hexOf(block, readHeaderRoot),
  };
}

const workNames = ['maxReads', 'pause', 'asText', 'inPieces', 'memory'] as const;

type Answers = Pick<StateTree, 'getProof' | 'read'>;

/** An answer in the form that was asked for. */
type Shown = ProofResult | Written;

/** The calls that ask for an account and its slots. */
function createAnswers(access: StoreAccess, context: TreeContext): Answers {
  const { empty } = context;
  const selfCheck = createSelfCheck(empty);
  const nodeCache = new UpperNodeCache();
  const proofTexts = new ProofTextCache();

  async function getProof(
    address: Hex,
    storageKeys: readonly Hex[] = [],
    block?: BlockNumber,
    work: ProofWork | TextWork = {},
  ): Promise<Shown> {
    const number = checkBlockIfGiven(block);
    const given = ownOptions(work as TextWork, workNames, 'work', ['maxReads']);
    const { asText, inPieces, maxReads, memory, pause } = given;
    const budget = new ReadBudget(maxReads, pause);
    // Checked and copied before the first read, during which the caller may change its array.
    const question = checkClaimQuestion({ address, storageKeys });
    const read = (state: StateReader): Reading<ProofData | string> => {
      const root = asText && knownRoot(state.cache, number);
      const kept = root && proofTexts.get(root, question);
      return kept ? known(kept) : readProofData(state, question, nodeCache);
    };
    const { stateRoot, value } = await access.read(
      (cache) => readStateAt({ context, cache }, number, read),
      budget,
      number,
    );
    if (typeof value === 'string') return value;
    const answer = { empty, question, proofData: value };
    const isFresh = await selfCheck(stateRoot, answer, () => budget.pause());
    const show = asText
      ? writeText(stateRoot, answer, { isFresh, memory })
      : writeProofObject(answer);
    const shown = await budget.work<Shown>(show);
    return Array.isArray(shown) && !inPieces ? wholeText(shown) : shown;
  }

  /** Puts an answer together that was verified. */
  function* writeText(
    stateRoot: Uint8Array,
    answer: AnswerData,
    { isFresh, memory }: { isFresh: boolean; memory: TextWork['memory'] },
  ): Steps<Written> {
    const text = yield* writeProofText(answer, memory);
    // Asked for once more. Most are asked for once, and to keep those would only make others go.
    if (!isFresh) proofTexts.keep(stateRoot, answer.question, text);
    return text;
  }

  return {
    getProof: markOwn(getProof as StateTree['getProof']),
    async read(address, storageKeys = [], block) {
      const number = checkBlockIfGiven(block);
      const question = checkClaimQuestion({ address, storageKeys });
      const { value } = await access.read(
        (cache) => readStateAt({ context, cache }, number, (state) => readState(state, question)),
        new ReadBudget(),
        number,
      );
      return value;
    },
  };
}

/**
 * Opens a state tree.
 *
 * @param options.hash family of the trees; default `poseidon2`
 * @param options.store where the state is kept; default a new store in memory
 * @param options.keepFinal final blocks that stay provable, from 1; default 128
 * @param options.engine form of the hash; default the kernel if the platform allows it
 * @throws TreeError `WRONG_STORE` for anything but a state of this family and version; TypeError or RangeError
 */
export async function openStateTree(
  options: {
    hash?: HashFamily;
    store?: Store;
    keepFinal?: number;
    engine?: Engine;
    /** @deprecated Without effect: `migrateStore` has it now. */
    keepState?: boolean;
  } = {},
): Promise<StateTree> {
  const names = ['hash', 'store', 'keepFinal', 'engine', 'keepState'] as const;
  const given = ownMembers(options, names, 'options');
  const { store = memoryStore(), keepFinal = 128 } = given;
  if (!Number.isSafeInteger(keepFinal) || keepFinal < 1) {
    throw new RangeError('"keepFinal" expected a whole number from 1');
  }
  const empty = sharedEmptyTree(given.hash, given.engine);
  const hash = empty.spec.hasher.family;
  await claimStore(store, hash);
  const access = new StoreAccess(store);
  const context = { empty, readsAhead: store.isLocal !== true };
  return {
    hash,
    ...createWrites(access, context, keepFinal),
    ...createBlockReads(access, empty),
    ...createAnswers(access, context),
    close: () => access.close(),
  };
}
