import { defineConfig } from 'vitest/config';

/** The tests of the folders that are mutated, those of them that take seconds. */
const unit = ['verify', 'verifier', 'callers', 'foreign', 'held', 'hashKey', 'rlp', 'mpt'];

export default defineConfig({
  test: {
    include: [
      ...[...unit, 'trieRoot', 'l1Header', 'compact', 'calldata', 'anchor'].map((name) => `test/unit/${name}.test.ts`),
      ...['codec', 'mpt', 'mutate'].map((name) => `test/property/${name}.test.ts`),
      'test/adversarial/shape.test.ts',
    ],
    env: { FC_NUM_RUNS: '20' },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
