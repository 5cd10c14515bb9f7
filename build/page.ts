/**
 * The explorer, for `dist/page`: static files whose names hold a hash of what is in them, and `files.json`, which names the
 * SHA-256 of each. Paths are relative, so that any folder of any web server will do.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const outDir = resolve('dist/page');

await build({
  root: resolve('src/page'),
  configFile: false,
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir,
    emptyOutDir: true,
    target: 'es2022',
    // The page allows no text in scripts, and no script of another origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2000,
  },
});
rmSync(join(outDir, 'files.json'), { force: true });
const hashes = readdirSync(outDir, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))
  .map((file) => [
    file.slice(outDir.length + 1),
    createHash('sha256').update(readFileSync(file)).digest('hex'),
  ]);
writeFileSync(
  join(outDir, 'files.json'),
  `${JSON.stringify(Object.fromEntries(hashes.sort()), null, 2)}\n`,
);
