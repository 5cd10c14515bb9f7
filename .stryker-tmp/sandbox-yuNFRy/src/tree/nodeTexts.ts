/**
 * Upper nodes as proofs show them, for the paths that share them: most nodes of a path are near the
 * root, and near the root there are few. The sub-tree root names them: it is the hash of all that
 * lies below, so no change of the tree can make them stale.
 */
// @ts-nocheck

import { encodeHex, type Hex } from '../bytes.js';
import { type Position, positionId, type TopNode } from './nodes.js';

/** Trees that are kept, those asked for last: some 30 MB if all are full. */
const maxTrees = 8;

/**
 * A level with more nodes than these is not kept. With all levels above it has at most twice as
 * many.
 */
const maxLevel = 4096;

/** A node, and its text. */
export interface ShownNode {
  /** 64 bytes: left, right. */
  readonly preimage: Uint8Array;
  readonly text: Hex;
}

/** The upper nodes of one tree, and their texts. */
export class TreeTexts {
  /** Lowest height that is kept. */
  readonly #lowest: number;
  /** By position. */
  readonly #nodes = new Map<number, ShownNode>();
  readonly #stems = new Map<number, string>();

  constructor({ nextFreeNode }: TopNode) {
    this.#lowest = Math.max(1, Math.ceil(Math.log2(nextFreeNode / maxLevel)));
  }

  node(position: Position): ShownNode | undefined {
    return this.#nodes.get(positionId(position));
  }

  keepNode(position: Position, node: ShownNode): void {
    if (position.height >= this.#lowest) this.#nodes.set(positionId(position), node);
  }

  /** The text of all nodes beside a path, from the root down to those beside a position. */
  stem(position: Position): string | undefined {
    return position.height < this.#lowest ? undefined : this.#stems.get(positionId(position));
  }

  /** Keeps a stem. All nodes that it shows are kept, too. */
  keepStem(position: Position, text: string): void {
    if (position.height >= this.#lowest) this.#stems.set(positionId(position), text);
  }
}

export class NodeTexts {
  /** By sub-tree root; the one asked for last stands last. */
  readonly #trees = new Map<string, TreeTexts>();
  #last: { topNode: TopNode; texts: TreeTexts } | undefined;

  of(topNode: TopNode): TreeTexts {
    // The same object as before, as long as the store stays as it is.
    if (this.#last?.topNode === topNode) return this.#last.texts;
    const name = encodeHex(topNode.subTreeRoot);
    const texts = this.#trees.get(name) ?? new TreeTexts(topNode);
    this.#trees.delete(name);
    this.#trees.set(name, texts);
    if (this.#trees.size > maxTrees) {
      for (const oldest of this.#trees.keys()) {
        this.#trees.delete(oldest);
        break;
      }
    }
    this.#last = { topNode, texts };
    return texts;
  }
}
