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

/** The values and the paths that entries show. */
function shownBy(entries: readonly KeyedProof[]): { values: Uint8Array[]; paths: Path[] } {
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
  return { values, paths };
}

/** Puts the digests of what entries show to them. */
function withDigests(
  entries: readonly KeyedProof[],
  hValues: Uint8Array,
  hashed: readonly HashedPath[],
): HashedProof[] {
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

/** Hashes entries of one tree side by side. @param kind of their values */
export function hashProofs(
  spec: TreeSpec,
  kind: ValueBlocks,
  entries: readonly KeyedProof[],
): HashedProof[] {
  const { values, paths } = shownBy(entries);
  const hValues = hashValues(spec.hasher, kind, values);
  return withDigests(entries, hValues, hashPaths(spec, paths));
}

/**
 * Hashes the entries of several trees side by side. Their paths take turns: those of one tree climb as one from where they
 * meet, and would leave lanes free.
 */
export function hashTrees(
  spec: TreeSpec,
  kind: ValueBlocks,
  trees: readonly (readonly KeyedProof[])[],
): HashedProof[][] {
  const shown = trees.map(shownBy);
  const hValues = hashValues(
    spec.hasher,
    kind,
    shown.flatMap(({ values }) => values),
  );
  const longest = Math.max(0, ...shown.map(({ paths }) => paths.length));
  const turns = Array.from({ length: longest }, (_, i) =>
    shown.flatMap(({ paths }) => paths.slice(i, i + 1)),
  );
  const hashed = new Map(hashPaths(spec, turns.flat()).map((one) => [one.path, one]));
  let from = 0;
  return trees.map((entries, i) => {
    const { values, paths } = shown[i] as ReturnType<typeof shownBy>;
    const own = hValues.subarray(from);
    from += blockWidth * values.length;
    const ownPaths = paths.map((path) => hashed.get(path) as HashedPath);
    return withDigests(entries, own, ownPaths);
  });
}
