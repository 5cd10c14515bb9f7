/** `npm test -- postgres`: the tests that need a PostgreSQL, which is started for them. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/postgres/*.test.ts'],
    expect: { requireAssertions: true },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: 'test/support/eachFile.ts',
    globalSetup: ['test/support/leftovers.ts', 'test/postgres/server.ts'],
  },
});
