/**
 * Second step of `npm run build`: what `import 'l2proof'` loads becomes two files, because opening forty small ones takes
 * most of a cold start: `dist/core.js`, and below it `dist/base.js`, which small entries need alone. The files keep their
 * places and names, and pass on what the two hold: so every module exists once, whichever entry asks for it, and
 * `instanceof` holds across entries.
 *
 * `dist/base.js` also has the one function that nearly all entries take from a package: to find and open the package's
 * three files takes as long as to open core and base. In Node "#keccak" is that copy, elsewhere the package itself, which a
 * bundler then shares with what else needs it (`imports` in package.json).
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

/** Folders and files that are put together. */
const baseParts = ['bytes.ts', 'errors.ts', 'foreign'];
const coreParts = ['hash', 'codec', 'proof', 'verify', 'index.ts', 'slots.ts'];
const keccak = '@noble/hashes/sha3.js';
/** Sources of the kernels, which nothing loads. */
const generator = join('src', 'hash', 'kernel', 'generator');

const filesOf = (parts: readonly string[]): string[] =>
  parts
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

/** What each file exports, types left out. */
async function exportsOf(files: string[]): Promise<[file: string, names: string[]][]> {
  const { metafile } = await build({
    ...shared,
    entryPoints: files,
    outdir: 'dist',
    outbase: 'src',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs).map(({ entryPoint, exports }) => [
    entryPoint as string,
    exports,
  ]);
}

/** `export { a as b } from 'path'`, or nothing for a file of types. */
function reexport(names: readonly [string, string][], path: string): string {
  const list = names.map(([from, to]) => `${from} as ${to}`).join(', ');
  return names.length > 0 ? `export { ${list} } from '${path}';\n` : 'export {};\n';
}

/** Gives the name in a bundle of what a module exports. */
type Naming = (file: string, name: string) => string;

interface Parts {
  readonly files: string[];
  readonly naming: Naming;
  /** Sources that `base.js` has. */
  readonly base?: readonly string[];
  /** Stands last in the file, as it is. */
  readonly footer?: string;
}

async function bundle(
  outfile: string,
  { files, naming, base = [], footer = '' }: Parts,
): Promise<void> {
  const exported = await exportsOf(files);
  const contents = exported
    .map(([file, names]) =>
      reexport(
        names.map((name) => [name, naming(file, name)]),
        `./${file.replace(/\.ts$/, '.js')}`,
      ),
    )
    .join('');
  await build({
    ...shared,
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    footer: { js: footer },
    sourcemap: true,
    sourcesContent: false,
    outfile: join('dist', outfile),
    external: ['@noble/*'],
    plugins: [
      {
        name: 'in-base',
        setup({ onResolve }) {
          onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
            const file = relative('.', join(resolveDir, path.replace(/\.js$/, '.ts')));
            return base.includes(file) ? { path: './base.js', external: true } : undefined;
          });
        },
      },
    ],
  });
  for (const [file, names] of exported) {
    const target = join('dist', relative('src', file).replace(/\.ts$/, '.js'));
    const depth = relative('src', file).split('/').length - 1;
    writeFileSync(
      target,
      reexport(
        names.map((name) => [naming(file, name), name]),
        `${depth === 0 ? './' : '../'.repeat(depth)}${outfile}`,
      ),
    );
    rmSync(`${target}.map`, { force: true });
  }
}

const base = filesOf(baseParts);
const { outputFiles } = await build({
  ...shared,
  stdin: { contents: `export { keccak_256 } from '${keccak}';`, resolveDir: '.' },
  bundle: true,
  write: false,
});
const [keccakText = ''] = (outputFiles[0]?.text ?? '').split('export {');
const licence = readFileSync(join('node_modules', '@noble', 'hashes', 'LICENSE'), 'utf8');
await bundle('base.js', {
  files: base,
  // They stay as they are, so that others can ask for them: the build fails if two are equal.
  naming: (_, name) => name,
  // As one value that is made without effects, a bundler can leave it out.
  footer: `/*
keccak_256 is that of @noble/hashes:

${licence}*/
export const keccak_256 = /* @__PURE__ */ (() => {
${keccakText}return keccak_256;
})();`,
});
await bundle('core.js', {
  files: filesOf(coreParts),
  // Names of two modules may be equal.
  naming: (file, name) =>
    `${relative('src', file).replace(/\.ts$/, '').replace(/\W/g, '_')}__${name}`,
  base,
});
// Only the built files say it so: in `src` the package is named, and its types are found.
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.js')) continue;
  const text = readFileSync(join('dist', name), 'utf8');
  const changed = text.replaceAll(`from "${keccak}"`, 'from "#keccak"');
  if (changed !== text) writeFileSync(join('dist', name), changed);
}
// The maps of the other files lead to `src`, which is shipped: its text need not be in them again.
for (const name of readdirSync('dist', { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.js.map')) continue;
  const { sourcesContent: _, ...map } = JSON.parse(readFileSync(join('dist', name), 'utf8'));
  writeFileSync(join('dist', name), JSON.stringify(map));
}
