/**
 * The laws of one trace (protocol section 7): what it says of its key is true of the tree it names, and the tree it
 * leaves differs in that alone.
 */
import { compareBytes, equalBytes } from '../bytes.js';
import { encodeLeafOpening, type LeafOpening } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { emptyLeaf, fold } from './fold.js';
import type { Place, PlacedLeaf, Statement, Trace } from './types.js';

/** All places of a statement that hold a leaf. */
function placedLeaves(statement: Statement): PlacedLeaf[] {
  switch (statement.kind) {
    case 'read':
    case 'update':
      return [statement.own];
    case 'readZero':
    case 'insert':
      return [statement.left, statement.right];
    case 'delete':
      return [statement.left, statement.own, statement.right];
  }
}

/**
 * Checks that each leaf lies below the next free node, and a new one at it. As no index is negative, a next free node
 * that has been through here is not either.
 */
export function checkIndices({ statement, before: { nextFreeNode } }: Trace): void {
  for (const { place } of placedLeaves(statement)) {
    if (place.leafIndex >= nextFreeNode) {
      throw new VerificationError(
        'INDEX_OUT_OF_RANGE',
        `${place.at}.leafIndex`,
        `expected a leaf index below the next free node ${nextFreeNode}, got ${place.leafIndex}`,
      );
    }
  }
  if (statement.kind === 'insert' && statement.place.leafIndex !== nextFreeNode) {
    throw new VerificationError(
      'NOT_NEXT_FREE_NODE',
      `${statement.place.at}.leafIndex`,
      `expected the next free node ${nextFreeNode}, got ${statement.place.leafIndex}`,
    );
  }
}

function digestLeaf(spec: TreeSpec, leaf: LeafOpening): Uint8Array {
  return spec.hasher.hash(encodeLeafOpening(spec, leaf));
}

const hashKey = (spec: TreeSpec, { kind, key }: Trace): Uint8Array =>
  spec.hasher.hash(kind.encodeKey(key));
const hashValue = (spec: TreeSpec, { kind }: Trace, value: Uint8Array): Uint8Array =>
  spec.hasher.hash(kind.encodeValue(value));

/** Checks that the leaf is the key's and holds the value. */
function checkOwn(spec: TreeSpec, trace: Trace, own: PlacedLeaf, value: Uint8Array): void {
  // A hash is neither 0 nor the largest of its range, whatever the key: so this is neither head nor tail, which in a
  // proof `checkExistence` refuses by itself because there the caller may bring the hash.
  if (!equalBytes(own.leaf.hKey, hashKey(spec, trace))) {
    throw new VerificationError('HKEY_MISMATCH', `${own.at}.hkey`, "expected the key's own leaf");
  }
  if (!equalBytes(own.leaf.hValue, hashValue(spec, trace, value))) {
    throw new VerificationError(
      'HVALUE_MISMATCH',
      `${own.at}.hval`,
      'expected the hash of the value',
    );
  }
}

/** Checks that `left` names `next` as its next leaf, and `right` names `prev` as the one before it. */
function checkLinks(left: PlacedLeaf, next: bigint, right: PlacedLeaf, prev: bigint): void {
  if (left.leaf.next !== next) {
    throw new VerificationError(
      'NOT_NEIGHBOURS',
      `${left.at}.nextLeaf`,
      `expected ${next}, got ${left.leaf.next}`,
    );
  }
  if (right.leaf.prev !== prev) {
    throw new VerificationError(
      'NOT_NEIGHBOURS',
      `${right.at}.prevLeaf`,
      `expected ${prev}, got ${right.leaf.prev}`,
    );
  }
}

/** Checks that two leaves are neighbours in the sorted list, with the hashed key strictly between them. */
function checkGap(left: PlacedLeaf, hKey: Uint8Array, right: PlacedLeaf): void {
  // Elements are canonical (`parseDigest`), so the bytes sort as the numbers do.
  if (compareBytes(left.leaf.hKey, hKey) >= 0) {
    throw new VerificationError(
      'KEY_NOT_BETWEEN',
      `${left.at}.hkey`,
      'expected a left neighbour with a smaller hKey',
    );
  }
  if (compareBytes(hKey, right.leaf.hKey) >= 0) {
    throw new VerificationError(
      'KEY_NOT_BETWEEN',
      `${right.at}.hkey`,
      'expected a right neighbour with a larger hKey',
    );
  }
  checkLinks(left, right.place.leafIndex, right, left.place.leafIndex);
}

/** Checks that a digest at a place leads to a sub-tree root. */
function checkPath(spec: TreeSpec, root: Uint8Array, digest: Uint8Array, place: Place): void {
  if (!equalBytes(fold(spec, digest, place), root)) {
    throw new VerificationError(
      'SUB_TREE_ROOT_MISMATCH',
      place.at,
      'expected a path to the sub-tree root before this step',
    );
  }
}

/** Checks that a leaf lies at its place under a sub-tree root. */
function checkInclusion(spec: TreeSpec, root: Uint8Array, { leaf, place }: PlacedLeaf): void {
  checkPath(spec, root, digestLeaf(spec, leaf), place);
}

/** Changes members of a leaf that lies under `root`; gives the root with the changed one in its place. */
function changeLeaf(
  spec: TreeSpec,
  root: Uint8Array,
  placed: PlacedLeaf,
  change: Partial<LeafOpening>,
): Uint8Array {
  checkInclusion(spec, root, placed);
  return fold(spec, digestLeaf(spec, { ...placed.leaf, ...change }), placed.place);
}

/** The sub-tree root after an insertion, by way of the left neighbour, the new leaf and the right neighbour. */
function insert(
  spec: TreeSpec,
  trace: Trace,
  { left, place, right, value }: Extract<Statement, { kind: 'insert' }>,
): Uint8Array {
  const { nextFreeNode, subTreeRoot } = trace.before;
  const hKey = hashKey(spec, trace);
  checkGap(left, hKey, right);
  const linked = changeLeaf(spec, subTreeRoot, left, { next: nextFreeNode });
  // Else the insertion would overwrite another key's leaf.
  checkPath(spec, linked, emptyLeaf, place);
  const leaf = {
    prev: left.place.leafIndex,
    next: right.place.leafIndex,
    hKey,
    hValue: hashValue(spec, trace, value),
  };
  const filled = fold(spec, digestLeaf(spec, leaf), place);
  return changeLeaf(spec, filled, right, { prev: nextFreeNode });
}

/** The sub-tree root after a deletion, by way of the left neighbour, the leaf and the right neighbour. */
function remove(
  spec: TreeSpec,
  trace: Trace,
  { left, own, right, oldValue }: Extract<Statement, { kind: 'delete' }>,
): Uint8Array {
  checkOwn(spec, trace, own, oldValue);
  checkLinks(left, own.place.leafIndex, own, left.place.leafIndex);
  checkLinks(own, right.place.leafIndex, right, own.place.leafIndex);
  const unlinked = changeLeaf(spec, trace.before.subTreeRoot, left, {
    next: right.place.leafIndex,
  });
  checkInclusion(spec, unlinked, own);
  const emptied = fold(spec, emptyLeaf, own.place);
  return changeLeaf(spec, emptied, right, { prev: left.place.leafIndex });
}

/** Checks what a trace says of the tree before it; gives the sub-tree root that it leaves by the rules. */
function apply(spec: TreeSpec, trace: Trace): Uint8Array {
  const { statement } = trace;
  const { subTreeRoot } = trace.before;
  switch (statement.kind) {
    case 'read':
      checkOwn(spec, trace, statement.own, statement.value);
      checkInclusion(spec, subTreeRoot, statement.own);
      return subTreeRoot;
    case 'readZero':
      checkGap(statement.left, hashKey(spec, trace), statement.right);
      checkInclusion(spec, subTreeRoot, statement.left);
      checkInclusion(spec, subTreeRoot, statement.right);
      return subTreeRoot;
    case 'insert':
      return insert(spec, trace, statement);
    case 'update': {
      checkOwn(spec, trace, statement.own, statement.oldValue);
      const hValue = hashValue(spec, trace, statement.newValue);
      return changeLeaf(spec, subTreeRoot, statement.own, { hValue });
    }
    case 'delete':
      return remove(spec, trace, statement);
  }
}

/**
 * Checks the laws of one trace, apart from those of `checkIndices`. Every new leaf is built here.
 *
 * @throws VerificationError `HKEY_MISMATCH`, `HVALUE_MISMATCH`, `NOT_NEIGHBOURS`, `KEY_NOT_BETWEEN`,
 *   `SUB_TREE_ROOT_MISMATCH` or `NEW_ROOT_MISMATCH`
 */
export function checkLaws(spec: TreeSpec, trace: Trace): void {
  if (!equalBytes(apply(spec, trace), trace.after.subTreeRoot)) {
    throw new VerificationError(
      'NEW_ROOT_MISMATCH',
      `${trace.at}.newSubRoot`,
      'expected the sub-tree root after the change',
    );
  }
}
