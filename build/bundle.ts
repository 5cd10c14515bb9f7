/**
 * Second step of `npm run build`: what `import 'l2proof'` loads becomes one file, `dist/core.js`, because opening forty
 * small files takes most of a cold start. The files keep their places and names, and pass on what the one file holds:
 * so every module exists once, whichever entry asks for it, and `instanceof` holds across entries.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

/** Folders and files that are put together. `bytes`, `errors` and `foreign` are not: small entries need them alone. */
const parts = ['hash', 'codec', 'proof', 'verify', 'index.ts', 'slots.ts'];
/** Sources of the kernels, which nothing loads. */
const generator = join('src', 'hash', 'kernel', 'generator');

const files = parts
  .flatMap((part) =>
    part.endsWith('.ts')
      ? [join('src', part)]
      : readdirSync(join('src', part), { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.ts'))
          .map((name) => join('src', part, name)),
  )
  .filter((file) => !file.startsWith(generator))
  .sort();

const shared = { format: 'esm', target: 'es2022', logLevel: 'error' } as const;

/** The name in `core.js` of what a module exports: names of two modules may be equal. */
const nameInCore = (file: string, name: string): string =>
  `${relative('src', file).replace(/\.ts$/, '').replace(/\W/g, '_')}__${name}`;

/** What each file exports, types left out. */
async function exportsOf(): Promise<Map<string, string[]>> {
  const { metafile } = await build({
    ...shared,
    entryPoints: files,
    outdir: 'dist',
    outbase: 'src',
    write: false,
    metafile: true,
  });
  return new Map(
    Object.values(metafile.outputs).map(({ entryPoint, exports }) => [
      entryPoint as string,
      exports,
    ]),
  );
}

/** `export { a as b } from 'path'`, or nothing for a file of types. */
function reexport(names: readonly [string, string][], path: string): string {
  const list = names.map(([from, to]) => `${from} as ${to}`).join(', ');
  return names.length > 0 ? `export { ${list} } from '${path}';\n` : 'export {};\n';
}

const exported = [...(await exportsOf())];
const contents = exported
  .map(([file, names]) =>
    reexport(
      names.map((name) => [name, nameInCore(file, name)]),
      `./${file.replace(/\.ts$/, '.js')}`,
    ),
  )
  .join('');
await build({
  ...shared,
  stdin: { contents, resolveDir: '.' },
  bundle: true,
  sourcemap: true,
  sourcesContent: false,
  outfile: 'dist/core.js',
  external: ['@noble/*'],
  plugins: [
    {
      name: 'left-out',
      setup({ onResolve }) {
        // Modules outside the parts stay files of their own.
        onResolve({ filter: /\/(bytes|errors|peer|foreign\/\w+)\.js$/ }, ({ path }) => ({
          path: `./${path.replace(/^(\.\.?\/)+/, '')}`,
          external: true,
        }));
      },
    },
  ],
});
for (const [file, names] of exported) {
  const target = join('dist', relative('src', file).replace(/\.ts$/, '.js'));
  const depth = relative('src', file).split('/').length - 1;
  const path = `${depth === 0 ? './' : '../'.repeat(depth)}core.js`;
  writeFileSync(
    target,
    reexport(
      names.map((name) => [nameInCore(file, name), name]),
      path,
    ),
  );
  rmSync(`${target}.map`, { force: true });
}
// The maps of the other files lead to `src`, which is shipped: its text need not be in them again.
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.js.map')) continue;
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(join('dist', name), 'utf8'));
  writeFileSync(join('dist', name), JSON.stringify(map));
}
