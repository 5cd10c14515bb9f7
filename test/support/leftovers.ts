/** Gives a run of the tests a folder for temporary files, and fails the run if a test leaves one there. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What tools keep for their next run: the loader's cache of translated sources, and the engine's of compiled ones. */
const caches = /^(tsx-|node-compile-cache$)/;

const shared = 'shared';

/** Vitest calls it before the first test, and what it returns after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'l2proof-run-'));
  // The processes that run the tests, and those that the tests start, inherit it.
  process.env.TMPDIR = folder;
  // What test files of a run make for each other, see installed.ts.
  process.env.SHARED_FOLDER = join(folder, shared);
  mkdirSync(process.env.SHARED_FOLDER);
  return () => {
    const left = readdirSync(folder).filter((name) => name !== shared && !caches.test(name));
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    if (left.length > 0) {
      // Vitest prints what is thrown here, and would end with 0.
      process.exitCode = 1;
      throw new Error(`the tests left ${left.join(', ')}; make folders with newFolder()`);
    }
  };
}
