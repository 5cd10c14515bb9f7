/** The part of a tree that the paths of some leaves show. */
import { encodeHex, type Hex } from '../bytes.js';
import { TreeError } from './errors.js';
import { decodeNode, leafKey, nodeKey } from './layout.js';
import type { Leaf } from './leaves.js';
import { type Position, positionId, siblingOf, type TopNode } from './nodes.js';
import type { NodeTexts, TreeTexts } from './nodeTexts.js';
import type { Reading } from './reading.js';
import type { StateReader } from './stateReader.js';
import { type PathSource, siblingPositions } from './wireProof.js';

/** Leaves and nodes of one tree, each read once, however many paths it is on. */
export class TreePart implements PathSource {
  readonly topNode: TopNode;
  readonly #leaves = new Map<number, Leaf | undefined>();
  readonly #preimages = new Map<number, Uint8Array | undefined>();
  /** Nodes that were shown before, here or in other answers: most are on many paths. */
  readonly #shown = new Map<number, Hex>();
  readonly #texts: TreeTexts;

  private constructor(topNode: TopNode, texts: TreeTexts) {
    this.topNode = topNode;
    this.#texts = texts;
  }

  /**
   * Reads the paths of leaves.
   *
   * @param leafIndices in any order, each any number of times
   * @param texts of nodes that were read before
   */
  static *read(
    state: StateReader,
    tree: number,
    {
      topNode,
      leafIndices,
      texts,
    }: { topNode: TopNode; leafIndices: readonly number[]; texts: NodeTexts },
  ): Reading<TreePart> {
    const part = new TreePart(topNode, texts.of(topNode));
    const leaves = new Set<number>();
    const positions = new Map<number, Position>();
    for (const index of leafIndices) {
      // A leaf and its sibling have the same nodes beside their paths.
      if (leaves.has(index)) continue;
      leaves.add(index).add(siblingOf(index));
      for (const position of siblingPositions(index, topNode.nextFreeNode)) {
        const text = part.#texts.get(position);
        if (text === undefined) positions.set(positionId(position), position);
        else part.#shown.set(positionId(position), text);
      }
    }
    const keys = [...leaves].map((index) => leafKey(tree, index));
    for (const position of positions.values()) keys.push(nodeKey(tree, position));
    const values = (yield* state.values(keys)).values();
    for (const index of leaves) part.#leaves.set(index, state.leafIn(values.next().value, index));
    for (const id of positions.keys()) part.#preimages.set(id, values.next().value);
    return part;
  }

  leaf(index: number): Leaf | undefined {
    return this.#leaves.get(index);
  }

  node(position: Position): Hex {
    const id = positionId(position);
    const shown = this.#shown.get(id);
    if (shown !== undefined) return shown;
    const preimage = this.#preimages.get(id);
    if (preimage === undefined) {
      throw new TreeError('DAMAGED', `the store has lost a node at height ${position.height}`);
    }
    const text = encodeHex(decodeNode(preimage));
    this.#shown.set(id, text);
    this.#texts.add(position, text);
    return text;
  }
}
