/** Loads a state file into a state tree. */
import { ownOptions } from '../../foreign/argument.js';
import type { StateTree } from '../../tree/index.js';
import { checkPatience } from '../node/patience.js';
import { GenesisLoad } from './genesisLoad.js';
import { badLine, rootMismatch } from './lineErrors.js';
import type { LoadOptions } from './loadOptions.js';
import { type AllocPart, parseParts, type StateBlock, type StateFilePart } from './stateFile.js';

/** A block that the tree is past already. */
async function pass(
  tree: StateTree,
  line: number,
  block: Omit<StateBlock, 'changes'>,
): Promise<void> {
  const { number, hash, stateRoot, final = true } = block;
  // If the block was dropped, nothing is left to compare.
  if ((await tree.newestBlock(number)) !== number) return;
  const known = await tree.blockHash(number);
  const isOther = hash !== undefined && known !== undefined && hash !== known;
  if (isOther || (stateRoot !== undefined && stateRoot !== (await tree.stateRoot(number)))) {
    throw badLine(line, `block ${number} is another than the one that the store holds`);
  }
  // An earlier load may have ended after it applied the block and before it named it final.
  if (final && number > ((await tree.finalBlock()) ?? -1)) await tree.finalize(number);
}

/** @throws FollowError `BAD_FILE` */
function checkFollows(line: number, number: number, before: number): void {
  if (number === before + 1) return;
  throw badLine(line, `block ${number} does not follow block ${before}, the newest in the store`);
}

async function apply(
  tree: StateTree,
  line: number,
  block: StateBlock,
  before: number,
): Promise<void> {
  const { stateRoot: expected, final = true, ...applied } = block;
  const { number } = block;
  checkFollows(line, number, before);
  // A final block cannot be taken back, so a known root is compared first.
  const isFinal = final && expected === undefined;
  let stateRoot: string;
  try {
    ({ stateRoot } = await tree.applyBlock({ ...applied, ...(isFinal && { finalBlock: number }) }));
  } catch (cause) {
    // Some values are checked by the tree only, such as a balance beyond the field.
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    throw badLine(line, cause.message, { cause });
  }
  if (expected !== undefined && stateRoot !== expected) {
    await tree.revert(before);
    throw rootMismatch(line, `the state root of block ${number} is ${stateRoot}, not ${expected}`);
  }
  if (final && !isFinal) await tree.finalize(number);
}

/** One load of a file; keeps what its lines share. */
class FileLoad {
  readonly #tree: StateTree;
  readonly #options: LoadOptions;
  #newest: number | undefined;
  #genesis: GenesisLoad | undefined;
  applied = 0;

  constructor(tree: StateTree, newest: number | undefined, options: LoadOptions) {
    this.#tree = tree;
    this.#newest = newest;
    this.#options = options;
  }

  async take(part: StateFilePart): Promise<void> {
    if ('block' in part) await this.#takeBlock(part.line, part.block);
    else await this.#takeAlloc(part);
  }

  /** @returns the newest block */
  async finish(): Promise<number> {
    if (this.#genesis) {
      this.#newest = await this.#genesis.finish();
      this.applied++;
    }
    await this.close();
    // parseParts has seen a genesis, or thrown.
    return this.#newest as number;
  }

  async close(): Promise<void> {
    await this.#genesis?.close();
    this.#genesis = undefined;
  }

  async #takeAlloc(part: AllocPart): Promise<void> {
    const { begin, line, genesis } = part;
    if (this.#newest !== undefined) {
      if (genesis.number > this.#newest) checkFollows(begin, genesis.number, this.#newest);
      if (line === begin) await pass(this.#tree, begin, genesis);
      return;
    }
    this.#genesis ??= await GenesisLoad.open(this.#tree, part, this.#options);
    await this.#genesis.add(part);
    this.#options.onProgress?.({ block: genesis.number, line });
  }

  async #takeBlock(line: number, block: StateBlock): Promise<void> {
    const newest = await this.finish();
    if (block.number <= newest) await pass(this.#tree, line, block);
    else {
      await apply(this.#tree, line, block, newest);
      this.#newest = block.number;
      this.applied++;
    }
    this.#options.onProgress?.({ block: block.number, line });
  }
}

const names = [
  ...(['onProgress', 'l2', 'genesisRoot'] as const),
  ...(['onWarning', 'patience', 'signal'] as const),
] as const;

/**
 * Applies the blocks of a state file. Blocks that the tree has already are passed over, so that an interrupted load can
 * be repeated.
 *
 * @param lines without their ends
 * @returns the newest block, and how many were applied
 * @throws FollowError `ROOT_MISMATCH`, `STATE_MISMATCH` or `NODE_FAILED` if a genesis is not the node's; nothing was applied
 * @throws FollowError `BAD_FILE` or `ROOT_MISMATCH` with the line. What was applied before stays; a block with a wrong root
 *   is taken back
 * @throws TreeError. If a genesis could not be written, the tree must be closed; what was written is cleared when its store
 *   is opened again
 */
export async function loadStateFile(
  tree: StateTree,
  lines: AsyncIterable<string> | Iterable<string>,
  options: LoadOptions = {},
): Promise<{ block: number; applied: number }> {
  const given: LoadOptions = ownOptions(options, names, 'options', ['l2', 'genesisRoot']);
  if (given.patience) checkPatience(given.patience);
  if (given.genesisRoot !== undefined && given.l2 === undefined) {
    throw new TypeError(
      '"genesisRoot" expected "l2" beside it: without a node nothing is compared',
    );
  }
  const load = new FileLoad(tree, await tree.newestBlock(), given);
  try {
    for await (const part of parseParts(lines)) await load.take(part);
    const block = await load.finish();
    return { block, applied: load.applied };
  } finally {
    await load.close();
  }
}
