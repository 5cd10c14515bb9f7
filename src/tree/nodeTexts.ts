/**
 * Text of upper nodes, for the paths that share them: most nodes of a path are near the root, and
 * near the root there are few. The sub-tree root names them: it is the hash of all that lies below,
 * so no change of the tree can make them stale.
 */
import { encodeHex, type Hex } from '../bytes.js';
import { type Position, positionId, type TopNode } from './nodes.js';

/** Trees that are kept, those asked for last: some 12 MB if all are full. */
const maxTrees = 8;

/**
 * A level with more nodes than these is not kept. With all levels above it has at most twice as
 * many.
 */
const maxLevel = 4096;

/** The text of nodes of one tree. */
export interface TreeTexts {
  get(position: Position): Hex | undefined;
  /** Keeps a text if the node is an upper one. */
  add(position: Position, text: Hex): void;
}

export class NodeTexts {
  /** By sub-tree root; the one asked for last stands last. */
  readonly #trees = new Map<string, Map<number, Hex>>();

  of({ subTreeRoot, nextFreeNode }: TopNode): TreeTexts {
    const name = encodeHex(subTreeRoot);
    const texts = this.#trees.get(name) ?? new Map<number, Hex>();
    this.#trees.delete(name);
    this.#trees.set(name, texts);
    if (this.#trees.size > maxTrees) {
      for (const oldest of this.#trees.keys()) {
        this.#trees.delete(oldest);
        break;
      }
    }
    return {
      get: (position) => texts.get(positionId(position)),
      add(position, text) {
        if (nextFreeNode <= maxLevel * 2 ** position.height) texts.set(positionId(position), text);
      },
    };
  }
}
