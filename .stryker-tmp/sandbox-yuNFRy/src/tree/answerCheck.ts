/** Verifies answers before they are given, each key under a root once. */
// @ts-nocheck

import { encodeHex } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { innerNodeWidth, treeDepth } from '../hash/geometry.js';
import { type HeldLeaf, type HeldProof, heldAccountProof, heldSlotProof } from '../proof/held.js';
import type { ParsedProof } from '../proof/types.js';
import { verifyParsed } from '../verify/result.js';
import { TreeError } from './errors.js';
import { type Meter, partsOf } from './meter.js';
import { type EmptyTree, openingBytes, siblingOf, topNodeBytes } from './nodes.js';
import type { Answer, KeyEvidence } from './prove.js';
import { type PathSource, siblingPositions } from './wireProof.js';

/** Proofs that are known to verify, at most: after that many, they are verified anew. */
const maxVerified = 1 << 16;

/** Checks an answer as its reader would. @throws TreeError `DAMAGED` */
export type AnswerCheck = (
  stateRoot: Uint8Array,
  answer: Answer,
  meter: Meter,
) => Promise<void> | undefined;

/** The bytes of a leaf's path, from the nodes that its text is written from. */
function heldLeaf({ spec, siblings }: EmptyTree, source: PathSource, index: number): HeldLeaf {
  const { topNode } = source;
  const leaf = source.leaf(index);
  if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${index}`);
  const siblingLeaf = source.leaf(siblingOf(index));
  const { topNode: topWidth, leafOpening } = spec.widths;
  const siblingLeafWidth = siblingLeaf ? leafOpening : blockWidth;
  const leavesAt = topWidth + siblings.length;
  const nodes = new Uint8Array(leavesAt + siblingLeafWidth + leafOpening);
  nodes.set(topNodeBytes(spec, topNode));
  nodes.set(siblings, topWidth);
  for (const position of siblingPositions(index, topNode.nextFreeNode)) {
    const offset = topWidth + (treeDepth - 1 - position.height) * innerNodeWidth;
    nodes.set(source.node(position).preimage, offset);
  }
  if (siblingLeaf) nodes.set(openingBytes(spec, siblingLeaf), leavesAt);
  nodes.set(openingBytes(spec, leaf), leavesAt + siblingLeafWidth);
  return { leafIndex: BigInt(index), value: leaf.value, nodes, siblingLeafWidth };
}

function heldProof(empty: EmptyTree, { place, part }: KeyEvidence): HeldProof {
  const { own, left, right } = place;
  if (own !== undefined) return { own: heldLeaf(empty, part, own) };
  return {
    left: heldLeaf(empty, part, left as number),
    right: heldLeaf(empty, part, right as number),
  };
}

/** Verifies the account and some of its slots. @param chosen which of the question's keys */
function check(stateRoot: Uint8Array, answer: Answer, chosen: readonly number[]): void {
  const { empty, question, evidence } = answer;
  const { spec } = empty;
  const { address } = question;
  const keyOf = (i: number) => question.storageKeys[i] as Uint8Array;
  const slotProof = (i: number, at: number) => {
    const held = heldProof(empty, evidence.slots?.[i] as KeyEvidence);
    return heldSlotProof(spec, keyOf(i), held, `storageProofs[${at}]`);
  };
  try {
    const parsed: ParsedProof = {
      hash: spec.hasher.family,
      accountProof: heldAccountProof(spec, address, heldProof(empty, evidence.account)),
      storageProofs: evidence.slots === undefined ? [] : chosen.map(slotProof),
    };
    const claim = { address, storageKeys: chosen.map(keyOf) };
    verifyParsed({ spec, stateRoot, question: claim }, parsed);
  } catch (cause) {
    if (cause instanceof TreeError) throw cause;
    throw new TreeError('DAMAGED', 'the proof of what the store holds does not verify', { cause });
  }
}

/** Verifies several parts of an answer, and gives way between them. */
async function checkParts(
  stateRoot: Uint8Array,
  answer: Answer,
  parts: readonly (readonly number[])[],
  meter: Meter,
): Promise<void> {
  // The account is in every part: its nodes are remembered by then.
  for (const [i, chosen] of parts.entries()) {
    if (i > 0) await meter.pause();
    check(stateRoot, answer, chosen);
  }
}

/** Makes a check that passes over what it has verified under the same root before. */
export function createAnswerCheck(): AnswerCheck {
  const verified = new Set<string>();

  function note(names: readonly string[]): void {
    if (verified.size > maxVerified) verified.clear();
    for (const name of names) verified.add(name);
  }

  return (stateRoot, answer, meter) => {
    const { address, storageKeys } = answer.question;
    const name = encodeHex(stateRoot) + encodeHex(address);
    const names = storageKeys.map((key) => name + encodeHex(key));
    const fresh = [...names.keys()].filter((i) => !verified.has(names[i] as string));
    if (fresh.length === 0 && verified.has(name)) return undefined;
    const done = checkParts(stateRoot, answer, fresh.length > 0 ? partsOf(fresh) : [[]], meter);
    return done.then(() => note([name, ...fresh.map((i) => names[i] as string)]));
  };
}
