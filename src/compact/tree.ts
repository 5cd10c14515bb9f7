/** One tree of a compact proof: which of the keys asked exist in it, and with which values. */
import { equalBytes, joinBytes } from '../bytes.js';
import type { ValueBlocks } from '../codec/family.js';
import { hashTopNode, writeLeafOpening } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import type { Steps } from '../steps.js';
import { checkHKey } from '../verify/existence.js';
import { digestAt } from '../verify/hashed.js';
import { hashEachInPieces, recoverSubTreeRoot } from './climb.js';
import { type CompactLeaf, type CompactTree, neighbourPlace } from './format.js';
import { checkGaps, type OpenLeaf } from './gaps.js';

/** The values that one tree must fit. */
interface TreeClaim {
  /** Trusted, or proven before. */
  readonly root: Uint8Array;
  /** For each distinct key, at least one, the bytes that its hKey is the hash of; of one width. */
  readonly keyBlocks: readonly Uint8Array[];
  /** How values are hashed. */
  readonly values: ValueBlocks;
  /** Advice if the leaves do not lead to the root. */
  readonly advice: string;
}

/** The leaf of each key, by the key's place. @throws VerificationError `LEAF_NOT_NEEDED` */
function ownLeaves(tree: CompactTree, keyCount: number): (CompactLeaf | undefined)[] {
  const owns = new Array<CompactLeaf | undefined>(keyCount).fill(undefined);
  for (const leaf of tree.leaves) {
    const { place, locate } = leaf;
    if (place === neighbourPlace) continue;
    if (place > keyCount) {
      throw new VerificationError(
        'LEAF_NOT_NEEDED',
        locate('place'),
        `expected a place from 1 to ${keyCount}, the number of distinct keys asked, got ${place}`,
      );
    }
    if (owns[place - 1] !== undefined) {
      throw new VerificationError(
        'LEAF_NOT_NEEDED',
        locate('place'),
        'expected one leaf for a key',
      );
    }
    owns[place - 1] = leaf;
  }
  return owns;
}

/** Opens all leaves: what a key's leaf says follows from key and value, so that it cannot say anything else. */
function* openLeaves(
  spec: TreeSpec,
  { values }: TreeClaim,
  hKeys: Uint8Array,
  leaves: readonly CompactLeaf[],
): Steps<OpenLeaf[]> {
  const owns = leaves.filter(({ place }) => place !== neighbourPlace);
  const { width, write } = values;
  const bytes = new Uint8Array(width * owns.length);
  for (const [i, { content }] of owns.entries()) write(content, bytes, width * i);
  const hValues = yield* hashEachInPieces(spec.hasher, bytes, width);
  let own = 0;
  return leaves.map((leaf) => {
    const { place, content, locate } = leaf;
    const [prev, next] = [BigInt(leaf.prev), BigInt(leaf.next)];
    if (place === neighbourPlace) {
      const hKey = content.subarray(0, blockWidth);
      return { leaf, opening: { prev, next, hKey, hValue: content.subarray(blockWidth) } };
    }
    const hKey = digestAt(hKeys, place - 1);
    checkHKey(spec, hKey, locate('hKey'));
    return { leaf, opening: { prev, next, hKey, hValue: digestAt(hValues, own++) } };
  });
}

/**
 * Verifies one tree.
 *
 * @returns the value of each distinct key; undefined: proven absent
 * @throws VerificationError `LEAF_NOT_NEEDED`, `KEY_NOT_BETWEEN`, `NOT_NEIGHBOURS`, `HEAD_OR_TAIL` or `ROOT_MISMATCH`
 */
export function* verifyTree(
  spec: TreeSpec,
  claim: TreeClaim,
  tree: CompactTree,
): Steps<(Uint8Array | undefined)[]> {
  const { hasher } = spec;
  const owns = ownLeaves(tree, claim.keyBlocks.length);
  const [first] = claim.keyBlocks as [Uint8Array];
  const hKeys = yield* hashEachInPieces(hasher, joinBytes(claim.keyBlocks), first.length);
  const open = yield* openLeaves(spec, claim, hKeys, tree.leaves);
  const absent = owns.flatMap((own, i) => (own === undefined ? [digestAt(hKeys, i)] : []));
  checkGaps(open, absent, `${tree.at}.leaves`);

  const width = spec.widths.leafOpening;
  const openings = new Uint8Array(width * open.length);
  for (const [i, { opening }] of open.entries()) {
    writeLeafOpening(spec, opening, openings, width * i);
  }
  const leaves = yield* hashEachInPieces(hasher, openings, width);
  const { climb, siblings } = tree;
  const subTreeRoot = yield* recoverSubTreeRoot({ hasher, climb, leaves, siblings });
  const root = hashTopNode(spec, { nextFreeNode: BigInt(tree.nextFreeNode), subTreeRoot });
  // The one comparison that binds the rest: indices, pointers, hKeys, values, siblings and the next free node.
  if (!equalBytes(root, claim.root)) {
    throw new VerificationError(
      'ROOT_MISMATCH',
      tree.at,
      `expected leaves and siblings that lead to the root; ${claim.advice}`,
    );
  }
  return owns.map((own) => own?.content);
}
