/** The laws: their sentences and codes, and the comparison of two figures that were shown. */
import { encodeHex, type Hex } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import type { ProofError, VerificationCode } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import { placeOf } from './place.js';
import type { KeyExplanation, Law, LawId, PathExplanation, Place } from './types.js';

interface Rule {
  readonly code: VerificationCode | null;
  readonly relation: Law['relation'];
  readonly text: string;
}

const rules: Readonly<Record<LawId, Rule>> = {
  FORM: {
    code: null,
    relation: null,
    text: 'The answer has the form of a proof: its members, widths, digits and ranges.',
  },
  FAMILY: {
    code: 'WRONG_FAMILY',
    relation: 'equal',
    text: 'The proof is of the hash family that the claim names.',
  },
  SLOT_COUNT: {
    code: 'SLOT_COUNT',
    relation: 'equal',
    text: 'There are as many storage entries as keys were asked for.',
  },
  KEY: {
    code: 'KEY_MISMATCH',
    relation: 'equal',
    text: 'The entry names the key that was asked for.',
  },
  HKEY: {
    code: 'HKEY_MISMATCH',
    relation: 'equal',
    text: "The leaf is of this key: its hKey is the key's hash.",
  },
  HVALUE: {
    code: 'HVALUE_MISMATCH',
    relation: 'equal',
    text: "The leaf holds this value: its hValue is the value's hash.",
  },
  NOT_HEAD: {
    code: 'HEAD_OR_TAIL',
    relation: 'unequal',
    text: 'The key is not the head of the list, which is in every tree.',
  },
  NOT_TAIL: {
    code: 'HEAD_OR_TAIL',
    relation: 'unequal',
    text: 'The key is not the tail of the list, which is in every tree.',
  },
  LEFT_BELOW: {
    code: 'KEY_NOT_BETWEEN',
    relation: 'below',
    text: "The left neighbour's hKey is below the key's.",
  },
  RIGHT_ABOVE: {
    code: 'KEY_NOT_BETWEEN',
    relation: 'below',
    text: "The key's hKey is below the right neighbour's.",
  },
  LEFT_NEXT: {
    code: 'NOT_NEIGHBOURS',
    relation: 'equal',
    text: 'The left neighbour names the right one as the next leaf.',
  },
  RIGHT_PREV: {
    code: 'NOT_NEIGHBOURS',
    relation: 'equal',
    text: 'The right neighbour names the left one as the leaf before.',
  },
  INDEX: {
    code: 'INDEX_OUT_OF_RANGE',
    relation: 'below',
    text: 'The leaf lies below the next free node.',
  },
  ROOT: {
    code: 'ROOT_MISMATCH',
    relation: 'equal',
    text: 'The hash of the top node is the root.',
  },
  TREE_ROOT: {
    code: 'ROOT_MISMATCH',
    relation: 'equal',
    text: 'The leaves and siblings lead to the root.',
  },
  SUB_TREE_ROOT: {
    code: 'SUB_TREE_ROOT_MISMATCH',
    relation: 'equal',
    text: 'The path leads from the leaf to the sub-tree root in the top node.',
  },
  NO_SLOT: {
    code: 'SLOT_OF_ABSENT_ACCOUNT',
    relation: null,
    text: 'Nothing is answered for the storage of an account that does not exist.',
  },
  PRISTINE: {
    code: 'SLOT_WITHHELD',
    relation: 'equal',
    text: "A slot without a proof is in an empty tree: the storage root is the empty tree's.",
  },
  LEAF_PLACE: {
    code: 'LEAF_NOT_NEEDED',
    relation: null,
    text: 'Each leaf is a neighbour, or the one leaf of a key that was asked for.',
  },
  LEAF_NEEDED: {
    code: 'LEAF_NOT_NEEDED',
    relation: null,
    text: 'Each neighbour stands beside an absent key that was asked for.',
  },
  STORAGE_NEEDED: {
    code: 'LEAF_NOT_NEEDED',
    relation: null,
    text: 'There is a storage tree only if a slot needs a proof.',
  },
};

/** A law before it is known how far the verifier came. */
export type Compared = Omit<Law, 'reached'>;

/** Whether two figures are as they must be. Hex is of one width and case. */
function compare(relation: Law['relation'], left: string | null, right: string | null) {
  if (left === null || right === null) return null;
  if (relation === 'below') return BigInt(left) < BigInt(right);
  return (left === right) === (relation === 'equal');
}

/** A law that compares two figures. */
export function comparedLaw(
  id: LawId,
  { at, place, left, right }: Pick<Law, 'at' | 'place' | 'left' | 'right'>,
): Compared {
  const rule = rules[id];
  return { id, ...rule, at, place, left, right, holds: compare(rule.relation, left, right) };
}

/** A law that compares no figures, or was found to be broken by what is not there. */
export function plainLaw(
  id: LawId,
  { at, place, holds }: Pick<Law, 'at' | 'place' | 'holds'>,
): Compared {
  return { id, ...rules[id], at, place, left: null, right: null, holds };
}

/** The law that reading broke. @param sides if two figures were compared */
export function brokenLaw(
  id: LawId,
  { path }: ProofError,
  { left, right }: Pick<Law, 'left' | 'right'> = { left: null, right: null },
): Compared {
  return { id, ...rules[id], at: path, place: placeOf(path), left, right, holds: false };
}

/** Which proof a law is about, and which of its paths. */
export type PathPlace = Pick<Place, 'proof' | 'path'>;

/** The three laws that bind a leaf to a root. */
export function inclusionLaws(
  { at, leafIndex, top, subTreeRoot }: PathExplanation,
  root: string | null,
  where: PathPlace,
): Compared[] {
  const nextFreeNode = top?.nextFreeNode ?? null;
  return [
    comparedLaw('INDEX', {
      at,
      place: { ...where, level: 0, field: 'leafIndex' },
      left: leafIndex,
      right: nextFreeNode,
    }),
    comparedLaw('ROOT', {
      at: `${at}[0]`,
      place: { ...where, level: null, field: 'root' },
      left: top?.root ?? null,
      right: root,
    }),
    comparedLaw('SUB_TREE_ROOT', {
      at,
      place: { ...where, level: 40, field: 'subTreeRoot' },
      left: subTreeRoot,
      right: top?.subTreeRoot ?? null,
    }),
  ];
}

/** That a key is neither end of the list. */
export function endLaws(spec: TreeSpec, hKey: string, at: string, where: PathPlace): Compared[] {
  const place = { ...where, level: 0, field: 'hKey' };
  const [head, tail] = [new Uint8Array(blockWidth), spec.tailHKey].map(encodeHex) as [Hex, Hex];
  return [
    comparedLaw('NOT_HEAD', { at, place, left: hKey, right: head }),
    comparedLaw('NOT_TAIL', { at, place, left: hKey, right: tail }),
  ];
}

/** That a key lies in the gap between two leaves. @param locate gives the location of a member of a neighbour's leaf */
export function gapLaws(
  { hKey, left, right }: Pick<KeyExplanation, 'hKey' | 'left' | 'right'>,
  proof: number,
  locate: (path: PathExplanation | null, member: 'hKey' | 'next' | 'prev') => string,
): Compared[] {
  const law = (
    id: LawId,
    path: 'left' | 'right',
    member: 'hKey' | 'next' | 'prev',
    sides: Pick<Law, 'left' | 'right'>,
  ) =>
    comparedLaw(id, {
      at: locate(path === 'left' ? left : right, member),
      place: { proof, path, level: 0, field: member },
      ...sides,
    });
  const leftLeaf = left?.leaf;
  const rightLeaf = right?.leaf;
  return [
    law('LEFT_BELOW', 'left', 'hKey', { left: leftLeaf?.hKey ?? null, right: hKey }),
    law('RIGHT_ABOVE', 'right', 'hKey', { left: hKey, right: rightLeaf?.hKey ?? null }),
    law('LEFT_NEXT', 'left', 'next', {
      left: leftLeaf?.next ?? null,
      right: right?.leafIndex ?? null,
    }),
    law('RIGHT_PREV', 'right', 'prev', {
      left: rightLeaf?.prev ?? null,
      right: left?.leafIndex ?? null,
    }),
  ];
}
