/** Loads a state file into a state tree. */
import type { StateTree } from '../tree/index.js';
import { FollowError } from './errors.js';
import { parseStateFile, type StateBlock } from './stateFile.js';

/** How far a load has come. */
export interface LoadProgress {
  readonly block: number;
  /** Of the file, from 1. */
  readonly line: number;
}

const bad = (line: number, text: string, options: ErrorOptions = {}) =>
  new FollowError('BAD_FILE', `line ${line}: ${text}`, { ...options, line });

/** A block that the tree is past already. */
async function pass(tree: StateTree, line: number, block: StateBlock): Promise<void> {
  const { number, hash, stateRoot, final = true } = block;
  // Of a block that was dropped, nothing is left to compare.
  if ((await tree.newestBlock(number)) !== number) return;
  const known = await tree.blockHash(number);
  const isOther = hash !== undefined && known !== undefined && hash !== known;
  if (isOther || (stateRoot !== undefined && stateRoot !== (await tree.stateRoot(number)))) {
    throw bad(line, `block ${number} is another than the one that the store holds`);
  }
  // The load before may have ended between the block and its being named final.
  if (final && number > ((await tree.finalBlock()) ?? -1)) await tree.finalize(number);
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
  let stateRoot: string;
  try {
    ({ stateRoot } = await tree.applyBlock(block));
  } catch (cause) {
    // What only the tree checks: a balance that is no element of the field, for one.
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
  if (final) await tree.finalize(number);
}

/**
 * Applies the blocks of a state file. Those that the tree has already are passed over, so that a load that was cut short can
 * be done again.
 *
 * @param lines without their ends
 * @param options.maxLeaves most leaves of the genesis, as `parseStateFile` counts them; default no bound
 * @returns the newest block, and how many were applied
 * @throws FollowError `GENESIS_TOO_LARGE` with the line; nothing was applied
 * @throws FollowError `BAD_FILE` or `ROOT_MISMATCH` with the line. What was applied before stays; a block with a wrong root
 *   is taken back, but for a genesis, which nothing precedes: begin a new store
 * @throws TreeError
 */
export async function loadStateFile(
  tree: StateTree,
  lines: AsyncIterable<string> | Iterable<string>,
  options: { onProgress?: (progress: LoadProgress) => void; maxLeaves?: number } = {},
): Promise<{ block: number; applied: number }> {
  const { onProgress = () => {} } = options;
  let newest = await tree.newestBlock();
  let applied = 0;
  for await (const { line, block } of parseStateFile(lines, options)) {
    if (newest !== undefined && block.number <= newest) await pass(tree, line, block);
    else {
      await apply(tree, line, block, newest);
      newest = block.number;
      applied++;
    }
    onProgress({ block: block.number, line });
  }
  // parseStateFile has seen a genesis, or thrown.
  return { block: newest as number, applied };
}
