/** The files of the site: what they link to is there. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** All files of the site with this ending, from its folder on. */
export const filesOf = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.startsWith('playground/'))
    .sort();

/** The values of an attribute in a page. */
const valuesOf = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    (value as string).replaceAll('&amp;', '&'),
  );

const isForeign = (link: string): boolean => /^[a-z]+:/i.test(link);

interface Place {
  readonly folder: string;
  /** Path of the site on its host, with a slash at both ends. */
  readonly base: string;
}

/** The file of the site that a link leads to; undefined if it leads out of the site. */
function fileOf(link: string, from: string, { base }: Place): string | undefined {
  const { pathname } = new URL(link, `http://site${base}${from}`);
  if (!pathname.startsWith(base)) return undefined;
  const path = decodeURIComponent(pathname.slice(base.length));
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

/**
 * Follows each link and each file of each page, with the anchor it names.
 *
 * @returns the links to other hosts, which are not followed
 */
export function checkPages(place: Place): string[] {
  const pages = filesOf(place.folder, '.html');
  const texts = new Map(
    pages.map((name) => [name, readFileSync(join(place.folder, name), 'utf8')]),
  );
  const ids = new Map([...texts].map(([name, html]) => [name, new Set(valuesOf(html, 'id'))]));
  const broken: string[] = [];
  const foreign = new Set<string>();
  for (const [name, html] of texts) {
    for (const link of [...valuesOf(html, 'href'), ...valuesOf(html, 'src')]) {
      if (isForeign(link)) {
        foreign.add(link);
        continue;
      }
      const target = fileOf(link, name, place);
      const [, fragment] = link.split('#');
      const own = target === undefined ? undefined : ids.get(target);
      const isThere = target !== undefined && existsSync(join(place.folder, target));
      // What stands behind the # of the explorer is a view.
      const isView = fragment?.startsWith('/');
      if (!isThere) broken.push(`${name}: ${link}`);
      else if (fragment && !isView && !own?.has(decodeURIComponent(fragment))) {
        broken.push(`${name}: ${link} (no such heading)`);
      }
    }
    // A page asks no other host for anything.
    for (const source of valuesOf(html, 'src')) assert.ok(!isForeign(source), `${name}: ${source}`);
  }
  assert.deepEqual(broken, [], 'links of pages that lead nowhere');
  return [...foreign].sort();
}

/** Each page as Markdown stands beside it, and what the Markdown links to is there. @returns how many there are */
export function checkTexts({ folder }: Place): number {
  const pages = filesOf(folder, '.html').filter((name) => name !== '404.html');
  const without = pages.filter((name) => !existsSync(join(folder, name.replace(/html$/, 'md'))));
  assert.deepEqual(without, [], 'pages without Markdown');
  const broken = [...filesOf(folder, '.md'), 'llms.txt'].flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll(/```[^]*?```|`[^`\n]+`/g, '');
    return [...text.matchAll(/\]\(([^)\s#]+)/g)]
      .map(([, link]) => link as string)
      .filter((link) => !isForeign(link))
      .filter((link) => !existsSync(join(folder, posix.dirname(name), link)))
      .map((link) => `${name}: ${link}`);
  });
  assert.deepEqual(broken, [], 'links of Markdown that lead nowhere');
  return pages.length;
}
