/** `npm test -- examples`: the folders of `examples`, as a user copies them, on a devnet from the packed tarballs. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/examples/*.test.ts'],
    expect: { requireAssertions: true },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // They share one devnet.
    fileParallelism: false,
    setupFiles: 'test/support/eachFile.ts',
    globalSetup: ['test/support/leftovers.ts', 'test/examples/devnet.ts'],
  },
});
