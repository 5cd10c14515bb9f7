/** Puts packs together from the single nodes that a store of version 2 holds. */
import { concatBytes } from '../../bytes.js';
import { innerNodeWidth } from '../../hash/geometry.js';
import { emptyBytes } from '../layout/diffTable.js';
import { stamp, unstamp } from '../layout/layout.js';
import type { EmptyTree, Position } from '../nodes/nodes.js';
import {
  lowestIn,
  nodeOffset,
  type PackPosition,
  packHeights,
  packLength,
  packLevels,
  packsIn,
} from '../nodes/packs.js';
import { TreeError } from '../store/errors.js';
import { readNumber } from '../store/numbers.js';

/** Highest nodes that version 2 keeps: the first that spans all leaves below the next free node. */
function topHeight(nextFreeNode: number): number {
  let height = 1;
  while (2 ** height < nextFreeNode) height++;
  return height;
}

/** Whether a tree has a pack at a position. */
export const hasPack = ({ level, index }: PackPosition, nextFreeNode: number): boolean =>
  level < packLevels(nextFreeNode) && index < packsIn(level, nextFreeNode);

/** The nodes of a pack that version 2 keeps, in the order in which the pack has them. */
export function nodesIn(pack: PackPosition, nextFreeNode: number): Position[] {
  const positions: Position[] = [];
  const top = topHeight(nextFreeNode);
  let count = lowestIn(pack, nextFreeNode);
  for (let within = 0; within < packHeights; within++) {
    const height = packHeights * pack.level + 1 + within;
    if (height > top) break;
    const first = pack.index * 2 ** (packHeights - 1 - within);
    for (let i = 0; i < count; i++) positions.push({ height, index: first + i });
    count = Math.ceil(count / 2);
  }
  return positions;
}

/**
 * A pack behind its stamp.
 *
 * @param nodes of `nodesIn`, behind their stamps
 * @throws TreeError `DAMAGED`
 */
export function packFrom(
  { spec, roots }: EmptyTree,
  pack: PackPosition,
  { nextFreeNode, nodes }: { nextFreeNode: number; nodes: readonly (Uint8Array | undefined)[] },
): Uint8Array {
  const lowest = lowestIn(pack, nextFreeNode);
  const bytes = new Uint8Array(packLength(lowest));
  let changed = 0;
  let offset = 0;
  for (const node of nodes) {
    const preimage = unstamp(node ?? emptyBytes);
    if (preimage.length !== innerNodeWidth) {
      throw new TreeError('DAMAGED', 'the store has lost a node');
    }
    bytes.set(preimage, offset);
    offset += innerNodeWidth;
    changed = Math.max(changed, readNumber(node as Uint8Array, 0));
  }
  // Above the first node that spans all leaves, version 2 keeps none: each has an empty sibling.
  for (; offset < bytes.length; offset += innerNodeWidth) {
    const within = [0, 1, 2, 3].findIndex((one) => nodeOffset(lowest, one, 0) === offset);
    const absent = roots[packHeights * pack.level + within] as Uint8Array;
    const child = bytes.subarray(offset - innerNodeWidth, offset);
    bytes.set(concatBytes(spec.hasher.hash(child), absent), offset);
  }
  return stamp(changed, bytes);
}
