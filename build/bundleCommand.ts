/**
 * Last step of `npm run build`: the `l2proof` command becomes few files, because opening three hundred small ones takes
 * most of its start. The verifier and the pool stay what all entries share.
 */
import { readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

const folder = join('dist', 'cli');
/** The devnet starts the keeper as a process of its own, and a thread loads its own file. */
const entryPoints = ['main.js', 'keeper.js', 'linesThread.js'].map((name) => join(folder, name));
const shared = /^(core|base|peer|pool\/\w+)\.js$/;

const { metafile } = await build({
  entryPoints,
  outdir: folder,
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: 'error',
  plugins: [
    {
      name: 'left-out',
      setup({ onResolve }) {
        onResolve({ filter: /^\./ }, ({ path, importer }) => {
          const file = relative('dist', resolve(dirname(importer), path));
          return shared.test(file) ? { path: `../${file}`, external: true } : undefined;
        });
      },
    },
  ],
});
const made = new Set(Object.keys(metafile.outputs).map((file) => relative(folder, file)));
for (const name of readdirSync(folder))
  if (!made.has(name)) rmSync(join(folder, name), { recursive: true });
