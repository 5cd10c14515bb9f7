/** The proofs of an answer as bytes, from the nodes that their text is written from. */
import { blockWidth } from '../../hash/family.js';
import type { EmptyTree } from '../nodes/nodes.js';
import type { KeyProofData } from './keyProofData.js';
import { offsetOf } from './leafPath.js';
import type { OwnLeaf, OwnProof } from './ownProof.js';
import type { TreePart } from './treePart.js';

/** Makes the proofs that are checked together. */
export class OwnProofBuilder {
  readonly #empty: EmptyTree;
  /** Used again for the next ones: to have room allocated takes longer than to fill it. */
  readonly #room: Uint8Array;
  #taken = 0;

  /** @param keys that are checked together, at most; a key shows two leaves at most */
  constructor(empty: EmptyTree, keys: number) {
    const { topNode, leafOpening } = empty.spec.widths;
    this.#empty = empty;
    this.#room = new Uint8Array(2 * keys * (topNode + empty.siblings.length + 2 * leafOpening));
  }

  /** Begins anew: proofs that are made from now on overwrite the bytes of earlier ones. */
  clear(): void {
    this.#taken = 0;
  }

  build({ position, part }: KeyProofData): OwnProof {
    const { own, left, right } = position;
    if (own !== undefined) return { own: this.#leaf(part, own) };
    return { left: this.#leaf(part, left as number), right: this.#leaf(part, right as number) };
  }

  #leaf(part: TreePart, index: number): OwnLeaf {
    const { spec, siblings } = this.#empty;
    const { leaf, opening, siblingOpening, upperPath, lower } = part.path(index);
    const topWidth = spec.widths.topNode;
    const siblingLeafWidth = siblingOpening?.length ?? blockWidth;
    const siblingAt = topWidth + siblings.length;
    const openingAt = siblingAt + siblingLeafWidth;
    const nodes = this.#take(openingAt + opening.length);
    nodes.set(upperPath.top);
    nodes.set(siblings, topWidth);
    nodes.set(upperPath.nodes, topWidth + offsetOf(upperPath.emptyFrom - 1));
    for (const { height, node } of lower) {
      if (node) nodes.set(node.preimage, topWidth + offsetOf(height));
    }
    if (siblingOpening) nodes.set(siblingOpening, siblingAt);
    else nodes.fill(0, siblingAt, openingAt);
    nodes.set(opening, openingAt);
    return { leafIndex: BigInt(index), value: leaf.value, nodes, siblingLeafWidth };
  }

  #take(length: number): Uint8Array {
    const start = this.#taken;
    this.#taken += length;
    return this.#room.subarray(start, this.#taken);
  }
}
