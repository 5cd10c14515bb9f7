/** A result of `l2_getProof` -> compact bytes. */
import { equalBytes } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import { innerNodeWidth, treeDepth } from '../hash/geometry.js';
import type { ExistenceProof, NonExistenceProof, Path } from '../proof/types.js';
import { runSteps, runStepsInTurns, type Steps } from '../steps.js';
import type { Tick } from '../turns.js';
import type { ProofClaim } from '../verify/claim.js';
import { type Climb, emptyDigest, pairKind, planClimb } from './climb.js';
import { compactVersion, neighbourPlace } from './format.js';
import { verifyingCompact } from './verify.js';
import { readingVerified } from './wire.js';
import { CompactWriter } from './writer.js';

type KeyProof = ExistenceProof | NonExistenceProof;

/** A leaf that the proof must have. */
interface Needed {
  readonly leafIndex: number;
  readonly place: number;
  readonly path: Path;
  /** undefined for a neighbour. */
  readonly value: Uint8Array | undefined;
}

/** The leaves that some keys need, by ascending index. @param proofs of the distinct keys, in order */
function neededLeaves(proofs: readonly KeyProof[]): Needed[] {
  const needed = new Map<bigint, Needed>();
  const add = (path: Path, place: number, value: Uint8Array | undefined) => {
    // A neighbour that is also a key's leaf stands as the key's.
    if (place === neighbourPlace && needed.has(path.leafIndex)) return;
    needed.set(path.leafIndex, { leafIndex: Number(path.leafIndex), place, path, value });
  };
  for (const [i, proof] of proofs.entries()) {
    if (proof.kind === 'existence') add(proof.path, i + 1, proof.value);
    else for (const path of [proof.left, proof.right]) add(path, neighbourPlace, undefined);
  }
  return [...needed.values()].sort((a, b) => a.leafIndex - b.leafIndex);
}

/** Digest of the sibling of the node at `height` on a path. */
function siblingAt(spec: TreeSpec, { nodes, siblingLeafWidth }: Path, height: number): Uint8Array {
  const { hasher, widths } = spec;
  const siblingLeafAt = nodes.length - widths.leafOpening - siblingLeafWidth;
  if (height > 0) {
    const at = siblingLeafAt - height * innerNodeWidth;
    return hasher.hash(nodes.subarray(at, at + innerNodeWidth));
  }
  const siblingLeaf = nodes.subarray(siblingLeafAt, siblingLeafAt + siblingLeafWidth);
  // An empty leaf is not hashed.
  return siblingLeafWidth === blockWidth ? siblingLeaf : hasher.hash(siblingLeaf);
}

/**
 * Checks that a node is empty: the reader of the bytes takes every node that is left out for empty. @throws
 * VerificationError `BEYOND_NEXT_FREE_NODE`
 */
function checkEmpty(spec: TreeSpec, path: Path, height: number): void {
  const expected = emptyDigest(spec.hasher, height);
  if (equalBytes(siblingAt(spec, path, height), expected)) return;
  throw new VerificationError(
    'BEYOND_NEXT_FREE_NODE',
    `${path.at}[${treeDepth - height}]`,
    `expected no leaf at or beyond the next free node ${path.top.nextFreeNode}: the root is no rollup's`,
  );
}

/** The siblings that are given, lowest first and from left to right. @param paths of the leaves, by ascending index */
function* siblingsOf(
  spec: TreeSpec,
  { levels }: Climb,
  paths: readonly Path[],
): Steps<Uint8Array[]> {
  const siblings: Uint8Array[] = [];
  /** For each node, the path of a leaf below it. */
  let below = paths;
  for (const [height, level] of levels.entries()) {
    const above: Path[] = [];
    let node = 0;
    for (const kind of level) {
      const path = below[node] as Path;
      if (kind === pairKind.alone) checkEmpty(spec, path, height);
      else if (kind !== pairKind.both) siblings.push(siblingAt(spec, path, height));
      above.push(path);
      node += kind === pairKind.both ? 2 : 1;
    }
    below = above;
    yield;
  }
  for (let height = levels.length; height < treeDepth; height++) {
    checkEmpty(spec, below[0] as Path, height);
  }
  return siblings;
}

function* writeTree(
  writer: CompactWriter,
  spec: TreeSpec,
  proofs: readonly KeyProof[],
): Steps<void> {
  const needed = neededLeaves(proofs);
  const paths = needed.map(({ path }) => path);
  // All paths were verified under one root, so that any of them has the next free node.
  const nextFreeNode = Number((paths[0] as Path).top.nextFreeNode);
  writer.putNumber(nextFreeNode);
  writer.putNumber(needed.length);
  let previous = 0;
  for (const { leafIndex, place, path, value } of needed) {
    writer.putNumber(place);
    writer.putNumber(leafIndex - previous);
    writer.putNumber(Number(path.leaf.prev));
    writer.putNumber(Number(path.leaf.next));
    if (value !== undefined) writer.putBytes(value);
    else {
      writer.putBytes(path.leaf.hKey);
      writer.putBytes(path.leaf.hValue);
    }
    previous = leafIndex;
  }
  const climb = planClimb(
    needed.map(({ leafIndex }) => leafIndex),
    nextFreeNode,
  );
  for (const sibling of yield* siblingsOf(spec, climb, paths)) writer.putBytes(sibling);
}

/**
 * Makes a compact proof of a result of `l2_getProof`: the same facts under the same root, in a tenth of the bytes or less.
 * A result and a claim have one compact form. There is no way back: a result holds the preimages of the siblings, a
 * compact proof their hashes.
 *
 * @param result the `result` member of the JSON-RPC answer, of any type; never changed
 * @param claim the question and the trusted root; the reader needs the same claim to verify the bytes
 * @returns bytes that {@link verifyCompactProof} takes under the same claim
 * @throws any error of `verifyProof`: only what is verified is converted
 * @throws VerificationError `BEYOND_NEXT_FREE_NODE`, or what {@link verifyCompactProof} throws, for a proven result of a
 *   tree that breaks its own laws, under a root that is no rollup's: no compact proof can say it
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { slotKey } from 'l2proof';
 * import { compactProof } from 'l2proof/compact';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const bytes = compactProof(result, {
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 *   address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
 *   storageKeys: [slotKey(4), slotKey(5)],
 * });
 * console.log(bytes.length, JSON.stringify(result).length); // 497 25719
 * ```
 */
export const compactProof = (result: unknown, claim: ProofClaim): Uint8Array =>
  runSteps(compacting(result, claim));

/** The same, for callers that must not keep the event loop. @param tick is awaited often @throws what it throws, too */
export const compactProofInTurns = async (
  result: unknown,
  claim: ProofClaim,
  tick: Tick,
): Promise<Uint8Array> => runStepsInTurns(compacting(result, claim), tick);

function* compacting(result: unknown, claim: ProofClaim): Steps<Uint8Array> {
  const { claim: checked, accountProof, slotProofs } = yield* readingVerified(result, claim);
  const writer = new CompactWriter();
  writer.putNumber(compactVersion);
  yield* writeTree(writer, checked.spec, [accountProof]);
  if (slotProofs.length > 0) yield* writeTree(writer, checked.spec, slotProofs);
  const bytes = writer.finish();
  // In a tree whose list of leaves breaks its own laws other leaves may lie between the neighbours.
  yield* verifyingCompact(checked, bytes);
  return bytes;
}
