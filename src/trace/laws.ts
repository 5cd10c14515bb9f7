/**
 * The laws of one trace (docs/protocol.md section 7): what it says of its key is true of the tree it
 * names, and the tree it leaves differs in nothing else.
 */
import { equalBytes } from '../bytes.js';
import { hashLeafOpening, type LeafOpening } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { checkGap, checkNeighbours, type Neighbour } from '../verify/gap.js';
import { emptyLeaf, recoverRoot } from './recoverRoot.js';
import type { SiblingPath, Statement, Trace, TracedLeaf } from './types.js';

/** All leaves that a statement finds in the tree. */
function leavesOf(statement: Statement): TracedLeaf[] {
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
 * Checks that each leaf lies below the next free node, and a new leaf at it. As no index is negative, a next free node
 * that passed this check is not negative either.
 */
export function checkIndices({ statement, before: { nextFreeNode } }: Trace): void {
  for (const { path } of leavesOf(statement)) {
    if (path.leafIndex >= nextFreeNode) {
      throw new VerificationError(
        'INDEX_OUT_OF_RANGE',
        `${path.at}.leafIndex`,
        `expected a leaf index below the next free node ${nextFreeNode}, got ${path.leafIndex}`,
      );
    }
  }
  if (statement.kind === 'insert' && statement.newPath.leafIndex !== nextFreeNode) {
    throw new VerificationError(
      'NOT_NEXT_FREE_NODE',
      `${statement.newPath.at}.leafIndex`,
      `expected the next free node ${nextFreeNode}, got ${statement.newPath.leafIndex}`,
    );
  }
}

const hashKey = (spec: TreeSpec, { kind, key }: Trace): Uint8Array =>
  spec.hasher.hash(kind.keyBlocks(key));
const hashValue = (spec: TreeSpec, { kind }: Trace, value: Uint8Array): Uint8Array =>
  spec.hasher.hash(kind.valueBlocks(value));

/** Checks that the leaf is the key's and holds the value. */
function checkOwn(spec: TreeSpec, trace: Trace, own: TracedLeaf, value: Uint8Array): void {
  // No key hashes to 0 or to the largest value of the range, so this is neither head nor tail. `checkExistence` refuses
  // those by itself because its caller may bring the hash.
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

/** Names of a leaf's members in a trace. */
const wireNames = { prev: 'prevLeaf', next: 'nextLeaf', hKey: 'hkey' } as const;

const neighbourOf = ({ leaf, path, at }: TracedLeaf): Neighbour => ({
  leaf,
  leafIndex: path.leafIndex,
  locate: (member) => `${at}.${wireNames[member]}`,
});

/** Checks that a leaf, or an empty one, leads to a sub-tree root. */
function checkPath({
  spec,
  subTreeRoot,
  digest,
  path,
}: {
  spec: TreeSpec;
  subTreeRoot: Uint8Array;
  digest: Uint8Array;
  path: SiblingPath;
}): void {
  if (!equalBytes(recoverRoot(spec, digest, path), subTreeRoot)) {
    throw new VerificationError(
      'SUB_TREE_ROOT_MISMATCH',
      path.at,
      'expected a path to the sub-tree root before this step',
    );
  }
}

/** Checks that a leaf lies at its index under a sub-tree root. */
function checkInclusion(spec: TreeSpec, subTreeRoot: Uint8Array, { leaf, path }: TracedLeaf): void {
  checkPath({ spec, subTreeRoot, digest: hashLeafOpening(spec, leaf), path });
}

/** Changes members of a leaf that lies under a sub-tree root; gives the root with the changed leaf. */
function changeLeaf(
  spec: TreeSpec,
  subTreeRoot: Uint8Array,
  traced: TracedLeaf,
  change: Partial<LeafOpening>,
): Uint8Array {
  checkInclusion(spec, subTreeRoot, traced);
  return recoverRoot(spec, hashLeafOpening(spec, { ...traced.leaf, ...change }), traced.path);
}

/** The sub-tree root after an insertion, by way of the left neighbour, the new leaf and the right neighbour. */
function insert(
  spec: TreeSpec,
  trace: Trace,
  { left, newPath, right, value }: Extract<Statement, { kind: 'insert' }>,
): Uint8Array {
  const { nextFreeNode, subTreeRoot } = trace.before;
  const hKey = hashKey(spec, trace);
  checkGap({ hKey, left: neighbourOf(left), right: neighbourOf(right) });
  const linked = changeLeaf(spec, subTreeRoot, left, { next: nextFreeNode });
  // Else the insertion would overwrite another key's leaf.
  checkPath({ spec, subTreeRoot: linked, digest: emptyLeaf, path: newPath });
  const leaf = {
    prev: left.path.leafIndex,
    next: right.path.leafIndex,
    hKey,
    hValue: hashValue(spec, trace, value),
  };
  const filled = recoverRoot(spec, hashLeafOpening(spec, leaf), newPath);
  return changeLeaf(spec, filled, right, { prev: nextFreeNode });
}

/** The sub-tree root after a deletion, by way of the left neighbour, the leaf and the right neighbour. */
function remove(
  spec: TreeSpec,
  trace: Trace,
  { left, own, right, oldValue }: Extract<Statement, { kind: 'delete' }>,
): Uint8Array {
  checkOwn(spec, trace, own, oldValue);
  checkNeighbours({ left: neighbourOf(left), right: neighbourOf(own) });
  checkNeighbours({ left: neighbourOf(own), right: neighbourOf(right) });
  const unlinked = changeLeaf(spec, trace.before.subTreeRoot, left, { next: right.path.leafIndex });
  checkInclusion(spec, unlinked, own);
  const emptied = recoverRoot(spec, emptyLeaf, own.path);
  return changeLeaf(spec, emptied, right, { prev: left.path.leafIndex });
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
      checkGap({
        hKey: hashKey(spec, trace),
        left: neighbourOf(statement.left),
        right: neighbourOf(statement.right),
      });
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
