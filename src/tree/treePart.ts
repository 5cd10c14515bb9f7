/** The part of a tree that the paths of some leaves show. */
import { encodeHex, type Hex } from '../bytes.js';
import { TreeError } from './errors.js';
import { decodeNode, leafKey, nodeKey } from './layout.js';
import type { Leaf } from './leaves.js';
import { type Position, positionId, siblingOf, type TopNode } from './nodes.js';
import type { NodeTexts } from './nodeTexts.js';
import type { Reading } from './reading.js';
import type { StateReader } from './stateReader.js';
import { type PathSource, siblingPositions } from './wireProof.js';

/** Leaves and nodes of one tree, each read once, however many paths it is on. */
export class TreePart implements PathSource {
  readonly topNode: TopNode;
  readonly #leaves = new Map<number, Leaf | undefined>();
  readonly #nodes = new Map<number, Hex>();

  private constructor(topNode: TopNode) {
    this.topNode = topNode;
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
    const part = new TreePart(topNode);
    const known = texts.of(topNode);
    const leaves = new Set<number>();
    const positions = new Map<number, Position>();
    for (const index of leafIndices) {
      // A leaf and its sibling have the same nodes beside their paths.
      if (leaves.has(index)) continue;
      leaves.add(index).add(siblingOf(index));
      for (const position of siblingPositions(index, topNode.nextFreeNode)) {
        const text = known.get(position);
        if (text === undefined) positions.set(positionId(position), position);
        else part.#nodes.set(positionId(position), text);
      }
    }
    const keys = [...leaves].map((index) => leafKey(tree, index));
    for (const position of positions.values()) keys.push(nodeKey(tree, position));
    const values = (yield* state.values(keys)).values();
    for (const index of leaves) part.#leaves.set(index, state.leafIn(values.next().value, index));
    for (const [id, position] of positions) {
      const value = values.next().value;
      if (value === undefined) {
        throw new TreeError('DAMAGED', `the store has lost a node at height ${position.height}`);
      }
      const text = encodeHex(decodeNode(value));
      part.#nodes.set(id, text);
      known.add(position, text);
    }
    return part;
  }

  leaf(index: number): Leaf | undefined {
    return this.#leaves.get(index);
  }

  node(position: Position): Hex {
    return this.#nodes.get(positionId(position)) as Hex;
  }
}
