/**
 * Upper nodes as proofs show them, for the paths that share them: most nodes of a path are near the
 * root, and near the root there are few. The top node names them: it holds the hash of all that lies
 * below, so no change of the tree can make them stale.
 */
import { Arena, encodeHex, type Hex } from '../../bytes.js';
import { LruCache } from '../../lru.js';
import { type Position, positionId, type StoredTopNode } from '../nodes/nodes.js';

/** Trees that are kept, those asked for last: some 60 MB if all are full. */
const maxTrees = 8;

/** A level with more nodes than these is not kept. With all levels above it has at most twice as many. */
const maxLevel = 4096;

/** Upper paths of a tree, of some 8 kB each. */
const maxUpperPaths = 512;

/** A node, and its text, which answers as objects need. */
export class EncodedNode {
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
export interface UpperPath {
  readonly top: Uint8Array;
  /** Height from which on up to 39 they are empty sub-trees; 40 if none is. */
  readonly emptyFrom: number;
  /** Those below, back to back. */
  readonly nodes: Uint8Array;
  /** Their text, as a list in JSON goes on: `,"0x...","0x..."`, a byte a character. */
  readonly text: Uint8Array;
}

/** Lowest height at which a tree has at most so many nodes. */
const heightOf = ({ nextFreeNode }: StoredTopNode, most: number): number =>
  Math.max(1, Math.ceil(Math.log2(nextFreeNode / most)));

/**
 * The height at which upper paths end. A small tree gets one, above all its leaves: most such trees are asked for once, and
 * an upper path costs more than a path.
 */
const upperHeightOf = (topNode: StoredTopNode): number =>
  heightOf(topNode, topNode.nextFreeNode > 2 * maxUpperPaths ? maxUpperPaths : 1);

/** The upper nodes of one tree, and its upper paths. */
export class TreeNodeCache {
  /** Memory of all that is kept. */
  readonly arena: Arena = new Arena();
  /** Height of the nodes that upper paths end at. */
  readonly upperHeight: number;
  /** Lowest height that is kept. */
  readonly #lowest: number;
  /** By position. */
  readonly #nodes = new Map<number, EncodedNode>();
  /** By index. */
  readonly #upperPaths = new Map<number, UpperPath>();

  constructor(topNode: StoredTopNode) {
    this.upperHeight = upperHeightOf(topNode);
    this.#lowest = heightOf(topNode, maxLevel);
  }

  node(position: Position): EncodedNode | undefined {
    return this.#nodes.get(positionId(position));
  }

  /** The node to show, which is kept if it is high enough. @param preimage a view of what was read */
  encoded(position: Position, preimage: Uint8Array): EncodedNode {
    if (position.height < this.#lowest) return new EncodedNode(preimage);
    const node = new EncodedNode(this.arena.copy(preimage));
    this.#nodes.set(positionId(position), node);
    return node;
  }

  /** The upper part of the paths through a position; undefined if it is not kept. */
  upperPath({ height, index }: Position): UpperPath | undefined {
    return height === this.upperHeight ? this.#upperPaths.get(index) : undefined;
  }

  /** Keeps an upper path, whose nodes were all read. */
  keepUpperPath({ index }: Position, upperPath: UpperPath): void {
    this.#upperPaths.set(index, upperPath);
  }
}

export class UpperNodeCache {
  /** By top node. */
  readonly #trees = new LruCache<string, TreeNodeCache>(maxTrees);
  #last: { topNode: StoredTopNode; nodeCache: TreeNodeCache } | undefined;

  of(topNode: StoredTopNode): TreeNodeCache {
    // The same object as before, as long as the store stays as it is.
    if (this.#last?.topNode === topNode) return this.#last.nodeCache;
    // The same leaves may lie below another next free node.
    const name = `${topNode.nextFreeNode} ${encodeHex(topNode.subTreeRoot)}`;
    let nodeCache = this.#trees.get(name);
    if (nodeCache === undefined) {
      nodeCache = new TreeNodeCache(topNode);
      this.#trees.set(name, nodeCache);
    }
    this.#last = { topNode, nodeCache };
    return nodeCache;
  }
}
