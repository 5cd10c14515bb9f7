import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import stillRunning from './test/support/stillRunning.js';

/** What decides whether a proof holds: all of it is run by tests. */
const strict = ['foreign', 'codec', 'proof', 'verify', 'trace'];
/** Runs in processes and threads of its own, beside a database or in a browser: this run does not see its coverage. */
const apart = ['cli', 'pool', 'postgres', 'page'];
/** Folders with a lower bar, because their tests run parts of them in processes of their own, too. */
const lower: Record<string, number> = {
  // A full disk, a read-only mount, a writer that is killed: lmdb/file, lmdb/kill and tree/storeVersion.
  lmdb: 85,
  // The processes of `serve`, and the state that its data interface proves: cli/commands/serve, cli/listen/processes and cli/commands/data/balances.
  service: 91,
};

/** A bar for each folder, so that none hides behind another. */
const folders = readdirSync('src', { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !apart.includes(entry.name))
  .map(({ name }) => [
    `src/${name}/**`,
    strict.includes(name) ? { 100: true } : { branches: lower[name] ?? 95 },
  ]);

/** Files that mock a module, load one anew, or lend members to every object. Files beside them would get what they leave. */
const alone = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name}`)
  .filter((file) => file.endsWith('.test.ts'))
  .filter((file) =>
    /\b(vi\.(mock|doMock|resetModules)\(|Object\.prototype\b)/.test(readFileSync(file, 'utf8')),
  );
// `npm test -- postgres`, `-- proxies`, `-- deploy` and `-- examples` need programs that not every machine has.
const apartSuites = ['postgres', 'proxies', 'deploy', 'examples'].map((name) => `test/${name}/**`);
const exclude = [...configDefaults.exclude, ...apartSuites];
const both = {
  setupFiles: 'test/support/eachFile.ts',
  // A test that asserts nothing fails.
  expect: { requireAssertions: true },
  // How fast a machine is decides no test: these are for one that hangs.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Tests make much garbage that does not live. With room for it, and no threads that wait for each other to collect
  // it, the property tests take a tenth less.
  execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
};

export default defineConfig({
  test: {
    globalSetup: 'test/support/leftovers.ts',
    // Of two processors, Vitest would use one: but most files wait half of their time, for servers and nodes of their own.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // The usual lines, and one more if none comes for a while.
    reporters: ['default', stillRunning],
    projects: [
      // To load the sources anew for each file took a tenth of the run.
      { test: { name: 'shared', isolate: false, exclude: [...exclude, ...alone], ...both } },
      { test: { name: 'alone', include: alone, exclude, ...both } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // Not part of the package, or code that another program made.
      exclude: ['src/hash/kernel/generator/**', 'src/hash/kernel/*.wasm.ts'],
      reporter: ['text'],
      // The table is of use beside a test that failed, too.
      reportOnFailure: true,
      thresholds: {
        'src/{bytes,errors}.ts': { 100: true },
        ...Object.fromEntries(folders),
      },
    },
  },
});
