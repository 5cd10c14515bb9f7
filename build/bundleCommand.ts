/**
 * Last step of `npm run build`: the `l2proof` command becomes few files, because opening three hundred small ones takes
 * most of its start. The verifier and the pool stay what all entries share.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';

const folder = join('dist', 'cli');
/** The devnet starts the keeper as a process of its own, and a thread loads its own file. */
const entryPoints = ['main.js', 'keeper.js', 'linesThread.js'].map((name) => join(folder, name));
const outside = /^(core|base|peer|pool\/\w+)\.js$/;

const options = {
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'error',
} as const satisfies BuildOptions;

const { metafile } = await build({
  ...options,
  outdir: folder,
  entryPoints,
  splitting: true,
  metafile: true,
  plugins: [
    {
      name: 'left-out',
      setup({ onResolve }) {
        onResolve({ filter: /^#keccak$/ }, () => ({ path: '../base.js', external: true }));
        onResolve({ filter: /^\./ }, ({ path, importer }) => {
          const file = relative('dist', resolve(dirname(importer), path));
          return outside.test(file) ? { path: `../${file}`, external: true } : undefined;
        });
      },
    },
  ],
});
type Output = Metafile['outputs'][string];
/** By the file's name. */
const outputs = new Map(
  Object.entries(metafile.outputs)
    .filter(([file]) => file.endsWith('.js'))
    .map(([file, output]) => [basename(file), output]),
);

/** What a file loads at once, itself included. */
function loadedWith(name: string, seen = new Set<string>()): Set<string> {
  const output = outputs.get(name);
  if (output === undefined || seen.has(name)) return seen;
  seen.add(name);
  for (const { path, kind } of output.imports)
    if (kind === 'import-statement') loadedWith(basename(path), seen);
  return seen;
}

const entries = [...outputs].filter(([, { entryPoint }]) => entryPoint).map(([name]) => name);
const loads = entries.map((entry) => loadedWith(entry));
const main = loadedWith('main.js');
/** Packages that are there whatever is asked. */
const isInstalled = (path: string) => /^(\.|node:|@noble\/)/.test(path);
const needsPackage = ({ imports }: Output) =>
  imports.some(({ path, external }) => external && !isInstalled(path));

/**
 * Whether a file goes into the one that all commands load: there is a file for each set of commands that share code, and one
 * command would load sixty of them. What it imports is shared as much, so none that stays imports what imports it.
 */
function isShared(name: string, { entryPoint }: Output): boolean {
  const count = loads.filter((names) => names.has(name)).length;
  if (entryPoint || (!main.has(name) && count < 0.3 * entries.length)) return false;
  return ![...loadedWith(name)].some((one) => needsPackage(outputs.get(one) as Output));
}
const shared = new Map([...outputs].filter((one) => isShared(...one)));

/** Names of two files may be equal. */
const sharedName = (file: string, name: string) => `${name}_${file.replace(/\W/g, '_')}`;

const contents = [...shared].map(([file, { exports }]) => {
  const names = exports.map((name) => `${name} as ${sharedName(file, name)}`);
  return `export { ${names.join(', ')} } from './${file}';\n`;
});
await build({
  ...options,
  outfile: join(folder, 'shared.js'),
  stdin: { contents: contents.join(''), resolveDir: folder },
  plugins: [
    {
      name: 'shared',
      setup({ onResolve }) {
        onResolve({ filter: /^\./ }, ({ path }) =>
          shared.has(basename(path)) ? undefined : { path, external: true },
        );
      },
    },
  ],
});

/**
 * As esbuild writes what a file takes from Node. Since Node 22 such an import reads all that the module exports, and so loads
 * much that nobody asked for: a twentieth of what a short command takes. A default member has another name there, and stays.
 */
const fromNode = /import \{((?![^}]*\bdefault as )[^}]*)\} from ("node:[\w/]+");/g;

/** As esbuild writes what one of its files takes from another: names, if it takes any, and the file. */
const imports = /import (?:\{([^}]*)\} from )?"\.\/([\w.-]+)";/g;
const made = new Set(['shared.js', ...[...outputs.keys()].filter((name) => !shared.has(name))]);
for (const file of made) {
  const text = readFileSync(join(folder, file), 'utf8');
  // Line by line as before: the source maps still hold.
  const read = text.replace(
    fromNode,
    (_, names: string, module: string) =>
      `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule(${module});`,
  );
  const changed = read.replace(imports, (whole, names: string | undefined, from: string) => {
    if (!shared.has(from)) return whole;
    const renamed = names?.replace(
      /([\w$]+)(?: as ([\w$]+))?/g,
      (_, name, local = name) => `${sharedName(from, name)} as ${local}`,
    );
    return `import ${renamed === undefined ? '' : `{${renamed}} from `}"./shared.js";`;
  });
  writeFileSync(join(folder, file), changed);
}
for (const name of readdirSync(folder)) {
  if (!made.has(name.replace(/\.map$/, ''))) rmSync(join(folder, name), { recursive: true });
}
