/** What the files of `src` import, read from their text. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** The files of `src`, without what generates kernels and what it made. */
export const sources: readonly string[] = readdirSync('src', {
  recursive: true,
  encoding: 'utf8',
}).filter(
  (name) =>
    /\.(c?ts|tsx)$/.test(name) && !name.includes('/generator/') && !name.endsWith('.wasm.ts'),
);

export interface Import {
  /** A file of `src`, or a package. */
  readonly target: string;
  readonly isLocal: boolean;
  readonly isType: boolean;
}

/** The file that a relative import means, which names what is built of it. */
function sourceOf(path: string): string {
  const file = path.replace(/\.js$/, '.ts');
  return !existsSync(join('src', file)) && existsSync(join('src', `${file}x`)) ? `${file}x` : file;
}

/** The imports of a file of `src`. */
export function importsOf(file: string): Import[] {
  // The examples in comments import the package as its users do.
  const text = readFileSync(join('src', file), 'utf8').replaceAll(/^ *\* .*$/gm, '');
  const statements = text.matchAll(
    /(?:(import|export)( type)?\b[^;']*?from |import ?\(?)'([^']+)'/g,
  );
  return [...statements].map(([, , type, name]) => {
    const specifier = name as string;
    const isLocal = specifier.startsWith('.');
    const target = isLocal ? sourceOf(normalize(join(dirname(file), specifier))) : specifier;
    return { target, isLocal, isType: type !== undefined };
  });
}
