/** Each law alone: cases that break one, and all others hold. `vectors.test.ts` runs them too, among all files. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { verifyProof } from '../../../src/index.js';
import { families, honest } from '../../support/runs.js';
import { loadFile, runFile, runVectors } from '../../vectors/run.js';

test('a proof that breaks one law is refused with the code of that law', async () => {
  const { rows, failures } = await runVectors(['vectors/forged']);
  expect(failures).toEqual([]);
  expect(rows.map(({ kind }) => kind)).toEqual(['getProof', 'mutations']);
});

/** Accounts that are absent, storage that is pristine, many slots. */
const valid = readdirSync('vectors').filter((name) =>
  /^getproof-.*-(null|absent|slots)/.test(name),
);

test.each(valid)('true answers of every form: %s', async (name) => {
  expect(await runFile(loadFile('vectors', name))).toEqual({ cases: 1, failures: [] });
});

test.each(families)('more slots than are hashed at once, each in its place: %s', (family) => {
  const { result, claim } = honest(family);
  const often = <T>(list: readonly T[]): T[] => new Array(12).fill(list).flat();
  const few = verifyProof(result, claim);
  const many = verifyProof(
    { ...result, storageProofs: often(result.storageProofs) },
    { ...claim, storageKeys: often(claim.storageKeys ?? []) },
  );
  expect(many.storage).toHaveLength(36);
  expect(many).toEqual({ ...few, storage: often(few.storage) });
});
