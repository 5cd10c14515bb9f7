/** Existence of a key: its leaf, with this value, lies in the tree. */
import { equalBytes, type Hex, isZero } from '../bytes.js';
import { checkDigest, checkRoot, ownMembers } from '../codec/argument.js';
import { specOf, type TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import type { Engine } from '../hash/engine.js';
import type { HashFamily } from '../hash/index.js';
import { parseProofOfKey } from '../proof/parse.js';
import { type HashedPath, hashPaths } from './hashed.js';
import { checkInclusion } from './inclusion.js';

/** Checks that an hKey is not the head's or the tail's. @throws VerificationError `HEAD_OR_TAIL` */
export function checkHKey(spec: TreeSpec, hKey: Uint8Array, at: string): void {
  // Both lie in every tree, so two keys would exist that were never written.
  if (isZero(hKey) || equalBytes(hKey, spec.tailHKey)) {
    throw new VerificationError(
      'HEAD_OR_TAIL',
      at,
      'expected a key, got the head or tail of the list',
    );
  }
}

/** Checks docs/protocol.md section 4.3, steps 1 to 3, for hashed key and value. */
export function checkExistence({
  spec,
  root,
  hKey,
  hValue,
  own,
}: {
  spec: TreeSpec;
  root: Uint8Array;
  hKey: Uint8Array;
  hValue: Uint8Array;
  own: HashedPath;
}): void {
  const { path } = own;
  const at = `${path.at}[41]`;
  if (!equalBytes(path.leaf.hKey, hKey)) {
    throw new VerificationError('HKEY_MISMATCH', at, "expected the key's own leaf opening");
  }
  if (!equalBytes(path.leaf.hValue, hValue)) {
    throw new VerificationError('HVALUE_MISMATCH', at, 'expected the leaf opening of this value');
  }
  checkHKey(spec, hKey, at);
  checkInclusion(root, own);
}

/**
 * Verifies that a hashed key has a leaf with a hashed value in one tree.
 *
 * @param options.hash family of the tree
 * @param options.root trusted root of the tree, 32 bytes, canonical, not zero
 * @param options.hKey hash of the key, 32 bytes, canonical
 * @param options.hValue hash of the value, 32 bytes, canonical
 * @param options.proof an existence proof in the wire form, `{ leafIndex, proof: { value, proofRelatedNodes } }`. Its
 *   `key` is not read, and its `value` (hex of 32 or 192 bytes) is not hashed: the caller has bound both by their
 *   hashes
 * @param options.engine form of the hash; default the kernel if the platform allows it
 * @throws ShapeError if `proof` is no proof
 * @throws VerificationError `WRONG_KIND`, `HKEY_MISMATCH`, `HVALUE_MISMATCH`, `HEAD_OR_TAIL`, `INDEX_OUT_OF_RANGE`,
 *   `ROOT_MISMATCH`, `SUB_TREE_ROOT_MISMATCH`, `WRONG_FAMILY`
 * @throws TypeError or RangeError for a wrong argument
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { hashKey, slotKey, verifyExistence } from 'l2proof';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * // Throws unless the slot has this value in the storage tree of a proven account.
 * verifyExistence({
 *   hash: 'poseidon2',
 *   root: '0x3644ead37a715a977830f6ce38a6fdeb75d70fe12efc61c22ad3cf1320c12d22',
 *   hKey: hashKey(slotKey(4)),
 *   hValue: hashKey('0xa739172864df28fe7fbbd3fa754098ce774f4fc99ba4172195eea64bf7d661f7'),
 *   proof: result.storageProofs[0],
 * });
 * ```
 */
export function verifyExistence(options: {
  hash: HashFamily;
  root: Hex;
  hKey: Hex;
  hValue: Hex;
  proof: unknown;
  engine?: Engine;
}): void {
  const given = ownMembers(
    options,
    ['hash', 'root', 'hKey', 'hValue', 'proof', 'engine'],
    'options',
  );
  const spec = specOf(given.hash, given.engine);
  const root = checkRoot(spec, given.root, 'root');
  const hKey = checkDigest(spec, given.hKey, 'hKey');
  const hValue = checkDigest(spec, given.hValue, 'hValue');
  const proof = parseProofOfKey(given.proof, spec);
  if (proof.kind !== 'existence') {
    throw new VerificationError(
      'WRONG_KIND',
      '',
      'expected an existence proof, got a non-existence proof',
    );
  }
  const [own] = hashPaths(spec, [proof.path]) as [HashedPath];
  checkExistence({ spec, root, hKey, hValue, own });
}
