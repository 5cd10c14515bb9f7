import { defineConfig } from 'vitest/config';

/** `run.ts` names the tests of the folder that is mutated. */
export default defineConfig({
  test: {
    include: ['test/mutation/all.ts'],
    env: { FC_NUM_RUNS: '20' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
