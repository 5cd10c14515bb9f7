/** What must be in the tarballs of both packages, and what must not. */
import type { Packed } from '../pack.js';
import type { Finding, Manifest } from './findings.js';

/** The files that a manifest leads to. */
function filesOf({ exports = {}, bin = {} }: Manifest): string[] {
  const targets = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [target] : Object.values(target),
  );
  return [...targets, ...Object.values(bin)].map((path) => path.replace(/^\.\//, ''));
}

/**
 * What nobody should get: tests, secrets, other tarballs, and what a build has left. The settings of an example are those of
 * a devnet, and part of the repository.
 */
const stray =
  /(^|\/)(test|coverage|docs\/api|\.git|(?<!^examples\/[\w-]+\/)\.env[^/]*|\.npmrc|[^/]*\.(tgz|pem|key|tsbuildinfo|log))($|\/)/;

/**
 * @param held where the library's files stand in the tarball, with a slash at the end
 * @param own files that the tarball must have beside those
 */
export function findContents(
  { name, names }: Pick<Packed, 'names'> & { readonly name: string },
  library: Manifest,
  held: string,
  own: readonly string[],
): Finding {
  const what = `tarball of ${name}`;
  const papers = ['LICENSE', 'README.md', 'SECURITY.md', 'CHANGELOG.md', 'dist/page/index.html'];
  const wanted = [...own, ...[...papers, ...filesOf(library)].map((path) => held + path)];
  const lacking = wanted.filter((path) => !names.includes(path));
  if (lacking.length > 0)
    return { what, missing: `it has no ${lacking.join(', no ')}: build first` };
  const strays = names.filter((path) => stray.test(path.slice(held.length)));
  if (strays.length > 0) return { what, missing: `it must not have ${strays.join(', ')}` };
  return { what, found: `${names.length} files` };
}
