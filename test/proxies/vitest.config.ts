/** `npm test -- proxies`: the server behind a HAProxy and an nginx, which the tests start. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  test: {
    include: ['test/proxies/*.test.ts'],
    expect: { requireAssertions: true },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: 'test/support/eachFile.ts',
    globalSetup: 'test/support/leftovers.ts',
  },
});
