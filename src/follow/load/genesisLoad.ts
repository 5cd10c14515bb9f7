/** Loads a genesis into an empty tree, in little memory whatever its size, once it was held against the node's. */
import type { Hex } from '../../bytes.js';
import { type BulkWork, type StateLoad, type StateTree, TreeError } from '../../tree/index.js';
import { checkGenesis, GenesisSample } from '../genesis/genesis.js';
import { GenesisTrie } from '../genesis/genesisTrie.js';
import { createNode } from '../node/node.js';
import { createPatientClient, defaultPatience } from '../node/patience.js';
import { badLine, rootMismatch } from './lineErrors.js';
import type { LoadOptions } from './loadOptions.js';
import type { AllocPart } from './stateFile.js';

/** The genesis of an empty tree, which comes in parts. */
export class GenesisLoad {
  readonly #part: Pick<AllocPart, 'begin' | 'genesis'>;
  readonly #options: LoadOptions;
  readonly #load: StateLoad;
  readonly #trie: GenesisTrie;
  readonly #sample = new GenesisSample();

  private constructor(part: AllocPart, options: LoadOptions, load: StateLoad) {
    this.#part = part;
    this.#options = options;
    this.#load = load;
    this.#trie = new GenesisTrie(load.scratch);
  }

  static async open(tree: StateTree, part: AllocPart, options: LoadOptions): Promise<GenesisLoad> {
    return new GenesisLoad(part, options, await tree.openLoad());
  }

  /** @throws FollowError `BAD_FILE` for what only the tree checks */
  async add({ line, changes }: AllocPart): Promise<void> {
    this.#options.signal?.throwIfAborted();
    try {
      await this.#load.add(changes);
    } catch (cause) {
      if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
      throw badLine(line, cause.message, { cause });
    }
    await this.#trie.add(changes);
    this.#sample.add(changes);
  }

  /** @throws FollowError if the node has another genesis, or the file names another root */
  async finish(): Promise<number> {
    const { begin, genesis } = this.#part;
    const { number } = genesis;
    try {
      const headerRoot = await this.#trie.root(this.#work('root'));
      await this.#check(headerRoot);
      await this.#load.finish({ ...genesis, headerRoot }, this.#work());
    } catch (cause) {
      if (cause instanceof TreeError && cause.code === 'ROOT_MISMATCH') {
        throw rootMismatch(begin, `block ${number}: ${cause.message}`, cause);
      }
      if (cause instanceof RangeError) throw badLine(begin, cause.message, { cause });
      throw cause;
    }
    return number;
  }

  close(): Promise<void> {
    return this.#load.close();
  }

  async #check(root: Hex): Promise<void> {
    const { l2, genesisRoot: expected, signal, patience = defaultPatience } = this.#options;
    const { onWarning = () => {}, onProgress = () => {} } = this.#options;
    if (!l2) return;
    const { begin, genesis } = this.#part;
    onProgress({ block: genesis.number, line: begin, genesis: { stage: 'compare', share: 0 } });
    const node = createNode(createPatientClient('the L2 node', l2, patience, signal));
    await checkGenesis({ node, expected, onWarning }, genesis.number, {
      root,
      sample: this.#sample,
    });
  }

  /** @param stage in the place of the work's own name for it */
  #work(stage?: 'root'): BulkWork {
    const { onProgress = () => {}, signal } = this.#options;
    const { begin, genesis } = this.#part;
    return {
      signal,
      onProgress: (progress) => {
        const share = progress.total ? progress.done / progress.total : 0;
        const name = stage ?? (progress.stage === 'write' ? 'write' : 'build');
        onProgress({ block: genesis.number, line: begin, genesis: { stage: name, share } });
      },
    };
  }
}
