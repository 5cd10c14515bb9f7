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

const form =
  /^(?:accountProof|storageProofs\[(\d+)\])(?:\.(\w+))?(?:\.proofRelatedNodes)?(?:\[(\d+)\])?(?:\.(.+))?$/;

/** Height of a node: of the sub-tree root above all siblings, of a leaf 0. */
function levelOf(node: number): number {
  return node > siblingLeafPosition ? 0 : treeDepth - node;
}

/** The place of a location in a result. */
export function placeOf(at: string): Place {
  const match = form.exec(at);
  if (!match) return { proof: null, path: null, level: null, field: at === '' ? null : at };
  const [, slot, member = '', node, inner] = match;
  const path = Object.hasOwn(paths, member) ? (paths[member] as Place['path']) : null;
  const isIndex = path !== null && /index$/i.test(member);
  return {
    proof: slot === undefined ? 0 : 1 + Number(slot),
    path,
    level: node === undefined ? (isIndex ? 0 : null) : levelOf(Number(node)),
    field: inner ?? (isIndex ? 'leafIndex' : path === null && member !== '' ? member : null),
  };
}
