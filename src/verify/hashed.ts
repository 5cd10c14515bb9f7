/**
 * The hashes that the checks of proofs need. None of them waits for another, and hashing side by side takes half the
 * time. So some proofs are hashed at a time, before they are checked. Hashing decides nothing.
 */
import { Arena } from '../bytes.js';
import type { ValueBlocks } from '../codec/family.js';
import type { TreeSpec } from '../codec/spec.js';
import { blockWidth, type Hasher, type PathRoots } from '../hash/family.js';
import type { ExistenceProof, NonExistenceProof, Path } from '../proof/types.js';

/** A proof, and the key that it is held against. */
export interface KeyedProof {
  readonly hKey: Uint8Array;
  readonly proof: ExistenceProof | NonExistenceProof;
}

/** A path, and the roots above its leaf. */
export interface HashedPath {
  readonly path: Path;
  readonly roots: PathRoots;
}

/** An entry's digests. */
export type HashedProof = { readonly hKey: Uint8Array } & (
  | { readonly kind: 'existence'; readonly hValue: Uint8Array; readonly own: HashedPath }
  | { readonly kind: 'nonExistence'; readonly left: HashedPath; readonly right: HashedPath }
);

/** What values are written into, for as long as they are hashed. */
const blocks = new Arena();

/** Values of one kind, hashed each; the digests back to back. */
export function hashValues(
  hasher: Hasher,
  { width, write }: ValueBlocks,
  values: readonly Uint8Array[],
): Uint8Array {
  const bytes = blocks.take(width * values.length);
  for (const [i, value] of values.entries()) write(value, bytes, width * i);
  return hasher.hashEach(bytes, width);
}

/** The digest at a position among digests back to back. */
export const digestAt = (digests: Uint8Array, i: number): Uint8Array =>
  digests.subarray(blockWidth * i, blockWidth * (i + 1));

/** Hashes paths side by side. */
export function hashPaths(spec: TreeSpec, paths: readonly Path[]): HashedPath[] {
  const roots = spec.hasher.recoverRoots(paths);
  return paths.map((path, i) => ({ path, roots: roots[i] as PathRoots }));
}

/** Hashes entries of one tree side by side. @param kind of their values */
export function hashProofs(
  spec: TreeSpec,
  kind: ValueBlocks,
  entries: readonly KeyedProof[],
): HashedProof[] {
  const values: Uint8Array[] = [];
  const paths: Path[] = [];
  for (const { proof } of entries) {
    if (proof.kind === 'existence') {
      values.push(proof.value);
      paths.push(proof.path);
    } else {
      paths.push(proof.left, proof.right);
    }
  }
  const hValues = hashValues(spec.hasher, kind, values);
  const hashed = hashPaths(spec, paths);
  let value = 0;
  let path = 0;
  const nextPath = () => hashed[path++] as HashedPath;
  return entries.map(({ hKey, proof }) => {
    if (proof.kind === 'nonExistence') {
      return { hKey, kind: proof.kind, left: nextPath(), right: nextPath() };
    }
    return { hKey, kind: proof.kind, hValue: digestAt(hValues, value++), own: nextPath() };
  });
}
