/**
 * Upper nodes as proofs show them, for the paths that share them: most nodes of a path are near the
 * root, and near the root there are few. The top node names them: it holds the hash of all that lies
 * below, so no change of the tree can make them stale.
 */
import { encodeHex, type Hex, Arena } from '../../bytes.js';
import { LruCache } from '../../lru.js';
import { type Position, positionId, type TopNode } from '../nodes/nodes.js';

/** Trees that are kept, those asked for last: some 60 MB if all are full. */
const maxTrees = 8;

/**
 * A level with more nodes than these is not kept. With all levels above it has at most twice as
 * many.
 */
const maxLevel = 4096;

/** Stems of a tree, of some 8 kB each. */
const maxStems = 512;

/** A node, and its text, which answers as objects need. */
export class ShownNode {
  /** 64 bytes: left, right. */
  readonly preimage: Uint8Array;
  #text: Hex | undefined;

  constructor(preimage: Uint8Array) {
    this.preimage = preimage;
  }

  get text(): Hex {
    this.#text ??= encodeHex(this.preimage);
    return this.#text;
  }
}

/** The upper part of a path: the top node, and the nodes beside the path from height 39 down. */
export interface Stem {
  readonly top: Uint8Array;
  /** Height from which on up to 39 they are empty sub-trees; 40 if none is. */
  readonly emptyFrom: number;
  /** Those below, back to back. */
  readonly nodes: Uint8Array;
  /** Their text, as a list in JSON goes on: `,"0x...","0x..."`, a byte a character. */
  readonly text: Uint8Array;
}

/** Lowest height at which a tree has at most so many nodes. */
const heightOf = ({ nextFreeNode }: TopNode, most: number): number =>
  Math.max(1, Math.ceil(Math.log2(nextFreeNode / most)));

/**
 * The height at which stems end. A small tree gets one stem, above all its leaves: most such trees are asked for once, and
 * a stem costs more than a path.
 */
const stemHeightOf = (topNode: TopNode): number =>
  heightOf(topNode, topNode.nextFreeNode > 2 * maxStems ? maxStems : 1);

/** The upper nodes of one tree, and their texts. */
export class TreeTexts {
  /** Memory of all that is kept. */
  readonly slab: Arena = new Arena();
  /** Height of the nodes that stems end at. */
  readonly stemHeight: number;
  /** Lowest height that is kept. */
  readonly #lowest: number;
  /** By position. */
  readonly #nodes = new Map<number, ShownNode>();
  /** By index. */
  readonly #stems = new Map<number, Stem>();

  constructor(topNode: TopNode) {
    this.stemHeight = stemHeightOf(topNode);
    this.#lowest = heightOf(topNode, maxLevel);
  }

  node(position: Position): ShownNode | undefined {
    return this.#nodes.get(positionId(position));
  }

  /** The node to show, which is kept if it is high enough. @param preimage a view of what was read */
  shown(position: Position, preimage: Uint8Array): ShownNode {
    if (position.height < this.#lowest) return new ShownNode(preimage);
    const node = new ShownNode(this.slab.copy(preimage));
    this.#nodes.set(positionId(position), node);
    return node;
  }

  /** The stem of the paths through a position; undefined if it is not kept. */
  stem({ height, index }: Position): Stem | undefined {
    return height === this.stemHeight ? this.#stems.get(index) : undefined;
  }

  /** Keeps a stem, whose nodes were all read. */
  keepStem({ index }: Position, stem: Stem): void {
    this.#stems.set(index, stem);
  }
}

export class NodeTexts {
  /** By top node. */
  readonly #trees = new LruCache<string, TreeTexts>(maxTrees);
  #last: { topNode: TopNode; texts: TreeTexts } | undefined;

  of(topNode: TopNode): TreeTexts {
    // The same object as before, as long as the store stays as it is.
    if (this.#last?.topNode === topNode) return this.#last.texts;
    // The same leaves may lie below another next free node.
    const name = `${topNode.nextFreeNode} ${encodeHex(topNode.subTreeRoot)}`;
    let texts = this.#trees.get(name);
    if (texts === undefined) {
      texts = new TreeTexts(topNode);
      this.#trees.set(name, texts);
    }
    this.#last = { topNode, texts };
    return texts;
  }
}
