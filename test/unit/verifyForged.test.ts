/** Each law alone: cases that break one, and all others hold. `vectors.test.ts` runs them too, among all files. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadFile, runFile, runVectors } from '../vectors/run.js';

test('a proof that breaks one law is refused with the code of that law', async () => {
  const { rows, failures } = await runVectors(['vectors/forged']);
  expect(failures).toEqual([]);
  expect(rows.map(({ kind }) => kind)).toEqual(['getProof', 'mutations']);
});

/** Accounts that are absent, and storage that is pristine: the answer holds no proof of their slots. */
const ofNoSlot = readdirSync('vectors').filter((name) => /^getproof-.*-(null|absent)/.test(name));

test.each(ofNoSlot)('slots without a proof: %s', async (name) => {
  expect(await runFile(loadFile('vectors', name))).toEqual({ cases: 1, failures: [] });
});
