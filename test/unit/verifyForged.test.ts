/** Each law alone: cases that break one, and all others hold. `vectors.test.ts` runs them too, among all files. */
import { expect, test } from 'vitest';
import { runVectors } from '../vectors/run.js';

test('a proof that breaks one law is refused with the code of that law', async () => {
  const { rows, failures } = await runVectors(['vectors/forged']);
  expect(failures).toEqual([]);
  expect(rows.map(({ kind }) => kind)).toEqual(['getProof', 'mutations']);
});
