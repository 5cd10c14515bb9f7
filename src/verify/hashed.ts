/**
 * The hashes that the checks of proofs need. None of them waits for another, and hashing side by side takes half the
 * time. So some proofs are hashed at a time, before they are checked. Hashing decides nothing.
 */
import type { TreeSpec } from '../codec/spec.js';
import { blockWidth, type Hasher, type PathRoots } from '../hash/family.js';
import type { ExistenceProof, NonExistenceProof, Path } from '../proof/types.js';

/** A proof, and the key and the kind of value that it is held against. */
export interface Entry {
  readonly hKey: Uint8Array;
  /** What hValue is the hash of; of one width in all entries that are hashed together. */
  readonly valueBlocks: (value: Uint8Array) => Uint8Array;
  readonly proof: ExistenceProof | NonExistenceProof;
}

/** A path, and the roots above its leaf. */
export interface HashedPath {
  readonly path: Path;
  readonly roots: PathRoots;
}

/** An entry's digests. */
export type HashedEntry = { readonly hKey: Uint8Array } & (
  | { readonly kind: 'existence'; readonly hValue: Uint8Array; readonly own: HashedPath }
  | { readonly kind: 'nonExistence'; readonly left: HashedPath; readonly right: HashedPath }
);

/** Inputs of one width, hashed each; the digests back to back. */
export function hashAll(hasher: Hasher, inputs: readonly Uint8Array[]): Uint8Array {
  const width = inputs.length > 0 ? (inputs[0] as Uint8Array).length : blockWidth;
  const bytes = new Uint8Array(width * inputs.length);
  for (const [i, input] of inputs.entries()) bytes.set(input, width * i);
  return hasher.hashEach(bytes, width);
}

/** The digest at a position among digests back to back. */
export const digestAt = (digests: Uint8Array, i: number): Uint8Array =>
  digests.subarray(blockWidth * i, blockWidth * (i + 1));

const pathsOf = (proof: Entry['proof']): Path[] =>
  proof.kind === 'existence' ? [proof.path] : [proof.left, proof.right];

/** Hashes paths side by side. */
export function hashPaths(spec: TreeSpec, paths: readonly Path[]): HashedPath[] {
  const roots = spec.hasher.recoverRoots(paths);
  return paths.map((path, i) => ({ path, roots: roots[i] as PathRoots }));
}

/** Hashes entries of one tree side by side. */
export function hashEntries(spec: TreeSpec, entries: readonly Entry[]): HashedEntry[] {
  const hValues = hashAll(
    spec.hasher,
    entries.flatMap(({ valueBlocks, proof }) =>
      proof.kind === 'existence' ? [valueBlocks(proof.value)] : [],
    ),
  );
  const paths = hashPaths(
    spec,
    entries.flatMap(({ proof }) => pathsOf(proof)),
  );
  let value = 0;
  let path = 0;
  const nextPath = () => paths[path++] as HashedPath;
  return entries.map(({ hKey, proof }) => {
    if (proof.kind === 'nonExistence') {
      return { hKey, kind: proof.kind, left: nextPath(), right: nextPath() };
    }
    return { hKey, kind: proof.kind, hValue: digestAt(hValues, value++), own: nextPath() };
  });
}
