/** The order of the pages: that of `docs/README.md`, and behind it what that page does not list. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { plainOf, slugOf } from './markdown.js';
import { type Page, reference } from './pages.js';

const { join } = posix;

export interface Item {
  readonly text: string;
  readonly page: Page;
  /** What is in it, in a line. */
  readonly about: string;
}

export interface Section {
  readonly title: string;
  /** What says more of it: a page of the site, with its heading. */
  readonly place?: string | undefined;
  readonly items: readonly Item[];
  /** Whether a reader rarely needs it. */
  readonly isAside?: true;
}

/** The lists of the start page of the guides, below their headings. */
function guideSections(pages: ReadonlyMap<string, Page>): Section[] {
  const parts = readFileSync('docs/README.md', 'utf8').split(/^## /m).slice(1);
  return parts
    .map((part) => {
      const [title = ''] = part.split('\n', 1);
      const lines = [...part.matchAll(/^(?:\d+\.|-) (.*(?:\n {2,}.*)*)$/gm)];
      const items = lines.flatMap(([, line = '']) =>
        [...line.matchAll(/\[([^\]]+)\]\(([^)#]+)\)/g)].map(([, text = '', target = '']) => {
          const page = pages.get(join('docs', target));
          if (page === undefined) throw new Error(`docs/README.md: ${target} is no page`);
          const [, about] = /\]\([^)]*\): (.+)$/.exec(line) ?? [];
          return {
            text: text.replace(/^./, (letter) => letter.toUpperCase()),
            page,
            about: about === undefined ? page.about : plainOf(about),
          };
        }),
      );
      return { title, place: `docs/index.md#${slugOf(title)}`, items };
    })
    .filter(({ items }) => items.length > 0);
}

const itemOf = (page: Page): Item => {
  const { title } = page;
  // The head of an entry begins with its name.
  return { text: title, page, about: page.about.replace(`${title}: `, '') };
};

/** Whether it is the page of its folder. */
const isStart = ({ place }: Page): boolean => /(^|\/)index\.md$/.test(place);

/** All pages but the first, the start page of the guides, and the reference. */
export function sectionsOf(pages: readonly Page[]): Section[] {
  const guides = guideSections(new Map(pages.map((page) => [page.file, page])));
  const listed = new Set(guides.flatMap(({ items }) => items.map(({ page }) => page.file)));
  const others = pages.filter(
    ({ file }) =>
      !listed.has(file) &&
      !file.startsWith(`${reference}/`) &&
      file !== 'README.md' &&
      file !== 'docs/README.md',
  );
  const below = (folder: string) =>
    others
      .filter(({ file }) => file.startsWith(`${folder}/`))
      .sort((a, b) => Number(isStart(b)) - Number(isStart(a)))
      .map(itemOf);
  const [unlisted] = below('docs');
  if (unlisted) throw new Error(`docs/README.md does not list ${unlisted.page.file}`);
  const rest = others.filter(({ file }) => !/^(examples|bench)\//.test(file));
  const startOf = (folder: string) =>
    others.find((page) => isStart(page) && posix.dirname(page.place) === folder)?.place;
  const sections: Section[] = [
    ...guides,
    { title: 'Examples to copy', place: startOf('examples'), items: below('examples') },
    { title: 'Figures', place: startOf('bench'), items: below('bench'), isAside: true },
    { title: 'The project', items: rest.map(itemOf), isAside: true },
  ];
  return sections.filter(({ items }) => items.length > 0);
}

/** The entries of the package, as they are imported. */
export const entriesOf = (pages: readonly Page[]): Item[] =>
  pages
    .filter(({ file }) => /^docs\/api\/l2proof\/(\w+\/)?README\.md$/.test(file))
    .map(itemOf)
    .sort((a, b) => a.text.localeCompare(b.text));
