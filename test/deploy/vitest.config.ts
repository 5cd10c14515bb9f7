/** `npm test -- deploy`: what `deploy` holds for operators, with the tools that read it. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/deploy/*.test.ts'],
    expect: { requireAssertions: true },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: 'test/support/eachFile.ts',
    globalSetup: 'test/support/leftovers.ts',
  },
});
