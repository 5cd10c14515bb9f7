/** The vectors of compact proofs, valid and not, alone. `vectors.test.ts` runs them too, among all files. */
import { expect, test } from 'vitest';
import { loadFile, runFile } from '../../vectors/run.js';

test.each(['mimc', 'poseidon2'])('each compact proof gives what it says: %s', async (family) => {
  const { cases, failures } = await runFile(loadFile('vectors', `compact-${family}.json`));
  expect(failures).toEqual([]);
  expect(cases).toBeGreaterThan(100);
});
