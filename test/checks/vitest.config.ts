import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { setupFiles: ['test/support/eachFile.ts', 'test/checks/setup.ts'] },
});
