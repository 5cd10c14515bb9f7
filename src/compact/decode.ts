/** Compact bytes -> what they say. Hashes nothing, so hostile bytes buy at most one pass over themselves. */
import { decodeAccount } from '../codec/account.js';
import { accountWidth, type TreeSpec } from '../codec/spec.js';
import { indexLimit } from '../codec/word.js';
import { hashOption, ShapeError, VerificationError } from '../errors.js';
import { maxStorageKeys } from '../foreign/limits.js';
import { blockWidth } from '../hash/family.js';
import { planClimb } from './climb.js';
import {
  type CompactLeaf,
  type CompactProof,
  type CompactTree,
  compactVersion,
  leavesPerKey,
  neighbourPlace,
  neighbourWidth,
} from './format.js';
import { CompactReader, type Locate } from './reader.js';

/** 2^40, which fits a number. */
const limit = Number(indexLimit);

/** The rules for the leaves of one of the two trees. */
interface TreeKind {
  readonly at: string;
  /** Most distinct keys that a claim can have. */
  readonly maxKeys: number;
  readonly valueWidth: number;
  /** Refuses a value that no leaf may hold. @throws ShapeError */
  readonly checkValue: (spec: TreeSpec, value: Uint8Array, locate: Locate) => void;
}

const accountTreeKind: TreeKind = {
  at: 'accountTree',
  maxKeys: 1,
  valueWidth: accountWidth,
  checkValue(spec, value, locate) {
    decodeAccount(spec, value, locate('value'));
  },
};
const storageTreeKind: TreeKind = {
  at: 'storageTree',
  maxKeys: maxStorageKeys,
  valueWidth: blockWidth,
  // A slot may hold any word.
  checkValue() {},
};

/** x and x + p hash alike: with an alias of an hKey a true root proves a lie. */
function checkCanonical(
  { hasher }: TreeSpec,
  bytes: Uint8Array,
  locate: Locate,
  member: string,
): void {
  if (hasher.isCanonical(bytes)) return;
  throw new ShapeError(
    locate(member),
    `expected canonical elements of ${hasher.title}, each below the modulus; check that the proof is of this family (${hashOption(hasher.family)})`,
  );
}

function decodeLeaf(
  reader: CompactReader,
  spec: TreeSpec,
  { maxKeys, valueWidth, checkValue }: TreeKind,
  locate: Locate,
): Omit<CompactLeaf, 'leafIndex'> & { readonly difference: number } {
  const place = reader.takeNumber(maxKeys + 1, locate, 'place');
  const difference = reader.takeNumber(limit, locate, 'leafIndex');
  const prev = reader.takeNumber(limit, locate, 'prev');
  const next = reader.takeNumber(limit, locate, 'next');
  const isNeighbour = place === neighbourPlace;
  const content = reader.takeBytes(isNeighbour ? neighbourWidth : valueWidth, locate, 'content');
  if (isNeighbour) checkCanonical(spec, content, locate, 'content');
  else checkValue(spec, content, locate);
  return { place, difference, prev, next, content, locate };
}

function decodeLeaves(
  reader: CompactReader,
  spec: TreeSpec,
  kind: TreeKind,
  nextFreeNode: number,
): CompactLeaf[] {
  const locateTree: Locate = (member) => `${kind.at}.${member}`;
  const count = reader.takeNumber(leavesPerKey * kind.maxKeys + 1, locateTree, 'leaves');
  if (count === 0) throw new ShapeError(locateTree('leaves'), 'expected at least one leaf');
  const leaves: CompactLeaf[] = [];
  let leafIndex = 0;
  for (let i = 0; i < count; i++) {
    const locate: Locate = (member) => `${kind.at}.leaves[${i}].${member}`;
    const { difference, place, prev, next, content } = decodeLeaf(reader, spec, kind, locate);
    // One index twice would be two leaves in one place.
    if (difference === 0 && i > 0) {
      throw new ShapeError(locate('leafIndex'), 'expected a larger index than the leaf before has');
    }
    leafIndex += difference;
    // `planClimb` rests on it.
    if (leafIndex >= nextFreeNode) {
      throw new VerificationError(
        'INDEX_OUT_OF_RANGE',
        locate('leafIndex'),
        `expected a leaf index below the next free node ${nextFreeNode}, got ${leafIndex}`,
      );
    }
    leaves.push({ leafIndex, prev, next, place, content, locate });
  }
  return leaves;
}

function decodeTree(reader: CompactReader, spec: TreeSpec, kind: TreeKind): CompactTree {
  const { at } = kind;
  const locate: Locate = (member) => `${at}.${member}`;
  // A full tree has 2^40 itself.
  const nextFreeNode = reader.takeNumber(limit + 1, locate, 'nextFreeNode');
  const leaves = decodeLeaves(reader, spec, kind, nextFreeNode);
  const climb = planClimb(
    leaves.map(({ leafIndex }) => leafIndex),
    nextFreeNode,
  );
  const siblings = reader.takeBytes(climb.siblingCount * blockWidth, locate, 'siblings');
  checkCanonical(spec, siblings, locate, 'siblings');
  return { nextFreeNode, leaves, climb, siblings, at };
}

/**
 * Reads a compact proof and checks all that its bytes alone show: version, form and range of each number, order and
 * range of the indices, number of siblings, canonical elements. No byte may be left over.
 *
 * @param value a Uint8Array; copied, and not looked at again
 * @throws ShapeError, or VerificationError `INDEX_OUT_OF_RANGE`
 */
export function decodeCompact(value: unknown, spec: TreeSpec): CompactProof {
  const reader = new CompactReader(value);
  const version = reader.takeBytes(1, () => 'version', '')[0] as number;
  if (version !== compactVersion) {
    throw new ShapeError(
      'version',
      `expected ${compactVersion}, got ${version}: this is no compact proof, or one of another version`,
    );
  }
  const accountTree = decodeTree(reader, spec, accountTreeKind);
  const storageTree = reader.left > 0 ? decodeTree(reader, spec, storageTreeKind) : undefined;
  if (reader.left > 0) throw new ShapeError('', `expected the end, got ${reader.left} more bytes`);
  return { accountTree, storageTree };
}
