/** Loads a state file into a state tree. */
import type { Hex } from '../bytes.js';
import type { Transport } from '../rpc/index.js';
import type { StateTree } from '../tree/index.js';
import { createAsker, defaultPatience, type Patience } from './asker.js';
import { FollowError } from './errors.js';
import { checkGenesis, genesisRoot } from './genesis.js';
import { createNode } from './node.js';
import { parseStateFile, type StateBlock } from './stateFile.js';

/** How far a load has come. */
export interface LoadProgress {
  /** The block that is read or was applied. */
  readonly block: number;
  /** Line of the file, from 1. */
  readonly line: number;
  /** Share of the genesis whose root is computed, below 1, told every second until the genesis is applied. */
  readonly genesis?: number;
}

/** What {@link loadStateFile} takes besides the tree and the lines. */
export interface LoadOptions {
  /** Told how far the load has come. */
  onProgress?: (progress: LoadProgress) => void;
  /**
   * The L2 node that a genesis is compared with before anything is kept. Without it the genesis is compared once a follower
   * begins with it.
   */
  l2?: Transport;
  /** Merkle-Patricia root of the genesis, which takes the place of the node's word. */
  genesisRoot?: Hex;
  /** Told of troubles that do not end the load. */
  onWarning?: (text: string) => void;
  /** Default 6 tries, 500 ms. */
  patience?: Patience;
  /** Aborts the load; applied blocks stay. */
  signal?: AbortSignal;
  /** Most accounts and slots of the genesis; default no bound. */
  maxLeaves?: number;
}

const bad = (line: number, text: string, options: ErrorOptions = {}) =>
  new FollowError('BAD_FILE', `line ${line}: ${text}`, { ...options, line });

/** A block that the tree is past already. */
async function pass(tree: StateTree, line: number, block: StateBlock): Promise<void> {
  const { number, hash, stateRoot, final = true } = block;
  // If the block was dropped, nothing is left to compare.
  if ((await tree.newestBlock(number)) !== number) return;
  const known = await tree.blockHash(number);
  const isOther = hash !== undefined && known !== undefined && hash !== known;
  if (isOther || (stateRoot !== undefined && stateRoot !== (await tree.stateRoot(number)))) {
    throw bad(line, `block ${number} is another than the one that the store holds`);
  }
  // The load before may have ended between the block and its being named final.
  if (final && number > ((await tree.finalBlock()) ?? -1)) await tree.finalize(number);
}

/** The genesis with its root. @throws FollowError if the node has another genesis */
async function checkedGenesis(block: StateBlock, line: number, options: LoadOptions) {
  const { l2, genesisRoot: expected, signal, patience = defaultPatience } = options;
  const { onWarning = () => {}, onProgress } = options;
  const { number, changes } = block;
  const headerRoot = await genesisRoot(changes, {
    onProgress: (genesis) => onProgress?.({ block: number, line, genesis }),
    ...(signal ? { signal } : {}),
  });
  if (l2) {
    const node = createNode(createAsker('the L2 node', l2, patience, signal));
    await checkGenesis({ node, expected, onWarning }, number, { root: headerRoot, changes });
  }
  return { ...block, headerRoot };
}

async function apply(
  tree: StateTree,
  line: number,
  block: StateBlock,
  before: number | undefined,
): Promise<void> {
  const { number, stateRoot: expected, final = true } = block;
  if (before !== undefined && number !== before + 1) {
    throw bad(line, `block ${number} does not follow block ${before}, the newest in the store`);
  }
  // A final block cannot be taken back, so a known root is compared first.
  const isFinal = final && expected === undefined;
  let stateRoot: string;
  try {
    ({ stateRoot } = await tree.applyBlock({ ...block, ...(isFinal && { finalBlock: number }) }));
  } catch (cause) {
    // Some values are checked by the tree only, such as a balance beyond the field.
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    throw bad(line, cause.message, { cause });
  }
  if (expected !== undefined && stateRoot !== expected) {
    if (before !== undefined) await tree.revert(before);
    throw new FollowError(
      'ROOT_MISMATCH',
      `line ${line}: the state root of block ${number} is ${stateRoot}, not ${expected}`,
      { line },
    );
  }
  if (final && !isFinal) await tree.finalize(number);
}

/**
 * Applies the blocks of a state file. Blocks that the tree has already are passed over, so that an interrupted load can
 * be repeated.
 *
 * @param lines without their ends
 * @returns the newest block, and how many were applied
 * @throws FollowError `GENESIS_TOO_LARGE` with the line; `ROOT_MISMATCH`, `STATE_MISMATCH` or `NODE_FAILED` if a genesis is
 *   not the node's; nothing was applied
 * @throws FollowError `BAD_FILE` or `ROOT_MISMATCH` with the line. Blocks applied before stay. A block with a wrong
 *   root is taken back, unless it is a genesis: then begin a new store
 * @throws TreeError
 */
export async function loadStateFile(
  tree: StateTree,
  lines: AsyncIterable<string> | Iterable<string>,
  options: LoadOptions = {},
): Promise<{ block: number; applied: number }> {
  const { onProgress = () => {} } = options;
  let newest = await tree.newestBlock();
  let applied = 0;
  for await (const { line, block } of parseStateFile(lines, options)) {
    if (newest !== undefined && block.number <= newest) await pass(tree, line, block);
    else {
      const next = newest === undefined ? await checkedGenesis(block, line, options) : block;
      await apply(tree, line, next, newest);
      newest = block.number;
      applied++;
    }
    onProgress({ block: block.number, line });
  }
  // parseStateFile has seen a genesis, or thrown.
  return { block: newest as number, applied };
}
