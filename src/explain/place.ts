/** The location that an error names, as a place of the explanation. */
import { siblingLeafPosition, treeDepth } from '../hash/geometry.js';
import type { Place } from './types.js';

/** Members of an entry -> the path that they belong to. */
const paths: Readonly<Record<string, Place['path']>> = {
  proof: 'own',
  leafIndex: 'own',
  leftProof: 'left',
  leftLeafIndex: 'left',
  rightProof: 'right',
  rightLeafIndex: 'right',
};

const nowhere = { level: null, field: null };

const form =
  /^(?:accountProof|storageProofs\[(\d+)\])(?:\.(\w+))?(?:\.proofRelatedNodes)?(?:\[(\d+)\])?(?:\.(.+))?$/;

/** Where a node stands: 0 is the top node, then the siblings from the highest down, the sibling leaf, the leaf. */
function nodePlace(node: number): Pick<Place, 'level' | 'field'> {
  if (node === 0) return { level: null, field: 'root' };
  return { level: node > siblingLeafPosition ? 0 : treeDepth - node, field: null };
}

/** The place of a location in a result. */
export function placeOf(at: string): Place {
  const match = form.exec(at);
  if (!match) return { proof: null, path: null, level: null, field: at === '' ? null : at };
  const [, slot, member, node, inner] = match;
  const proof = slot === undefined ? 0 : 1 + Number(slot);
  if (member === undefined) return { proof, path: null, level: null, field: null };
  if (!Object.hasOwn(paths, member)) return { proof, path: null, level: null, field: member };
  const path = paths[member] as Place['path'];
  if (member.endsWith('Index')) return { proof, path, level: 0, field: 'leafIndex' };
  const { level, field } = node === undefined ? nowhere : nodePlace(Number(node));
  return { proof, path, level, field: inner ?? field };
}
