/** Each law alone: cases that break one, and all others hold. `vectors.test.ts` runs them too, among all files. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadFile, runFile, runVectors } from '../vectors/run.js';

test('a proof that breaks one law is refused with the code of that law', async () => {
  const { rows, failures } = await runVectors(['vectors/forged']);
  expect(failures).toEqual([]);
  expect(rows.map(({ kind }) => kind)).toEqual(['getProof', 'mutations']);
});

/** Accounts that are absent, storage that is pristine, and more slots than are hashed at once. */
const valid = readdirSync('vectors').filter((name) =>
  /^getproof-.*-(null|absent|slots)/.test(name),
);

test.each(valid)('true answers of every form: %s', async (name) => {
  expect(await runFile(loadFile('vectors', name))).toEqual({ cases: 1, failures: [] });
});
