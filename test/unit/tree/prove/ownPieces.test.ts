/** Whose answers are nobody else's. */
import { expect, test } from 'vitest';
import { openStateTree } from '../../../../src/tree/index.js';
import { hasOwnPieces } from '../../../../src/tree/prove/ownPieces.js';

test('a tree that was opened has pieces of its own; one with a method of others has not', async () => {
  const tree = await openStateTree();
  expect(hasOwnPieces(tree)).toBe(true);
  expect(hasOwnPieces({ ...tree })).toBe(true);
  const getProof = (...question: Parameters<typeof tree.getProof>) => tree.getProof(...question);
  expect(hasOwnPieces({ ...tree, getProof })).toBe(false);
  await tree.close();
});
