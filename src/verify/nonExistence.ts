/** Non-existence of a key: two adjacent leaves of the sorted list with the key between them. */
import type { Hex } from '../bytes.js';
import { checkDigest, checkRoot, ownMembers } from '../codec/argument.js';
import { specOf } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import type { Engine } from '../hash/engine.js';
import type { HashFamily } from '../hash/index.js';
import { parseProofOfKey } from '../proof/parse.js';
import { checkGap, type Neighbour } from './gap.js';
import { type HashedPath, hashPaths } from './hashed.js';
import { checkInclusion } from './inclusion.js';

const neighbourOf = ({ path: { leafIndex, leaf, at } }: HashedPath): Neighbour => ({
  leafIndex,
  leaf,
  locate: () => `${at}[41]`,
});

/** Checks docs/protocol.md section 4.4, steps 1 to 3, for a hashed key. */
export function checkNonExistence({
  root,
  hKey,
  left,
  right,
}: {
  root: Uint8Array;
  hKey: Uint8Array;
  left: HashedPath;
  right: HashedPath;
}): void {
  checkGap({ hKey, left: neighbourOf(left), right: neighbourOf(right) });
  // Both under one root: otherwise the gap could be put together from two states.
  checkInclusion(root, left);
  checkInclusion(root, right);
}

/**
 * Verifies that a hashed key has no leaf in one tree.
 *
 * @param options.hash family of the tree
 * @param options.root trusted root of the tree, 32 bytes, canonical, not zero
 * @param options.hKey hash of the key, 32 bytes, canonical
 * @param options.proof a non-existence proof in the wire form, `{ leftLeafIndex, leftProof,
 *   rightLeafIndex, rightProof }`; its `key` is not read, nor what the neighbours hold
 * @param options.engine form of the hash; default the kernel if the platform allows it
 * @throws ShapeError if `proof` is no proof
 * @throws VerificationError `WRONG_KIND`, `KEY_NOT_BETWEEN`, `NOT_NEIGHBOURS`, `INDEX_OUT_OF_RANGE`, `ROOT_MISMATCH`,
 *   `SUB_TREE_ROOT_MISMATCH`, `WRONG_FAMILY`
 * @throws TypeError or RangeError for a wrong argument
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { hashKey, slotKey, verifyNonExistence } from 'l2proof';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * // Throws unless the slot is not there in the storage tree of a proven account.
 * verifyNonExistence({
 *   hash: 'poseidon2',
 *   root: '0x3644ead37a715a977830f6ce38a6fdeb75d70fe12efc61c22ad3cf1320c12d22',
 *   hKey: hashKey(slotKey(5)),
 *   proof: result.storageProofs[1],
 * });
 * ```
 */
export function verifyNonExistence(options: {
  hash: HashFamily;
  root: Hex;
  hKey: Hex;
  proof: unknown;
  engine?: Engine;
}): void {
  const given = ownMembers(options, ['hash', 'root', 'hKey', 'proof', 'engine'], 'options');
  const spec = specOf(given.hash, given.engine);
  const root = checkRoot(spec, given.root, 'root');
  const hKey = checkDigest(spec, given.hKey, 'hKey');
  const proof = parseProofOfKey(given.proof, spec);
  if (proof.kind !== 'nonExistence') {
    throw new VerificationError(
      'WRONG_KIND',
      '',
      'expected a non-existence proof, got an existence proof',
    );
  }
  const [left, right] = hashPaths(spec, [proof.left, proof.right]) as [HashedPath, HashedPath];
  checkNonExistence({ root, hKey, left, right });
}
