/** The links of the repository's pages, as the site has them. */
import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { changeText } from './markdown.js';

const { dirname, extname, join, relative } = posix;

/**
 * Where the site has a page of the repository: the same place; a README is the page of its folder, and what is named `Index`
 * is not, though VitePress and some disks take it for that.
 */
export const placeOf = (file: string): string =>
  file.replace(/(^|\/)Index\.md$/, '$1Index-.md').replace(/(^|\/)README\.md$/, '$1index.md');

/** How the site has what a page links to that is no page: pictures and data as they are, sources as pages. */
export type Linked = 'page' | 'copy' | 'source';

/** @param pages files of the repository */
export function kindOf(file: string, pages: ReadonlySet<string>): Linked {
  if (pages.has(file)) return 'page';
  return /^\.(svg|png|json)$/.test(extname(file)) ? 'copy' : 'source';
}

/** A page's text, and the files that it links to beside the pages. */
export interface Rewritten {
  readonly text: string;
  readonly files: readonly string[];
}

const link = /(\]\()([^)\s]+)((?:\s+"[^"]*")?\))/g;
const isForeign = (target: string): boolean => /^([a-z]+:|#)/i.test(target);

/**
 * @param file in the repository
 * @param pages the files that are pages
 * @throws Error if a link leads to no file
 */
export function rewriteLinks(file: string, text: string, pages: ReadonlySet<string>): Rewritten {
  const files: string[] = [];
  const here = dirname(placeOf(file));

  function newTarget(target: string): string {
    if (isForeign(target)) return target;
    const [path = '', fragment] = target.split('#');
    const named = join(dirname(file), decodeURI(path)).replace(/\/$/, '');
    const isFolder = existsSync(named) && statSync(named).isDirectory();
    const found = isFolder ? join(named, 'README.md') : named;
    if (!existsSync(found) || found.startsWith('..'))
      throw new Error(`${file}: the link ${target} leads to no page or file`);
    const kind = kindOf(found, pages);
    if (kind !== 'page') files.push(found);
    const place = kind === 'source' ? `${found}.md` : placeOf(found);
    const moved = relative(here, place);
    const own = moved.startsWith('.') ? moved : `./${moved}`;
    return fragment === undefined ? own : `${own}#${fragment}`;
  }

  const changed = changeText(text, (part) =>
    part.replaceAll(link, (_, open, target, close) => open + newTarget(target) + close),
  );
  return { text: changed, files };
}
