/** Which trees give the pieces of an answer to nobody but who asked for it. */

const own = new WeakSet<object>();

/** Marks the `getProof` of a tree that neither keeps the pieces of an answer nor gives them to others. */
export function markOwn<GetProof extends object>(getProof: GetProof): GetProof {
  own.add(getProof);
  return getProof;
}

/**
 * Whether a tree has a method that was marked. One that others made or wrapped may remember answers, or give one to several
 * who ask: memory that is used again would put other answers into those.
 */
export const hasOwnPieces = ({ getProof }: { readonly getProof: object }): boolean =>
  own.has(getProof);
