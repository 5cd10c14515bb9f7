/** What stands beside a page: the list of guides, or of the names of an entry. */
import { posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { slugOf } from './markdown.js';
import { type Page, reference } from './pages.js';
import { entriesOf, type Section, sectionsOf } from './sections.js';

/** VitePress takes it for HTML. */
const shown = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const linkOf = (page: Page): string => `/${page.place}`;

/** TypeDoc's folders, and its headings in the page of an entry, in the order that readers look for them. */
const kinds = {
  functions: 'Functions',
  classes: 'Classes',
  interfaces: 'Interfaces',
  'type-aliases': 'Type Aliases',
  variables: 'Variables',
} as const;

/** A heading that can be folded leads somewhere, too: else it would be a button within a button. */
function sidebarSection({ title, place, items, isAside }: Section): DefaultTheme.SidebarItem {
  return {
    text: shown(title),
    ...(place !== undefined && { link: `/${place}`, collapsed: isAside ?? false }),
    items: items.map(({ text, page }) => ({ text: shown(text), link: linkOf(page) })),
  };
}

export function sidebarOf(pages: readonly Page[]): DefaultTheme.SidebarMulti {
  const entries = entriesOf(pages);
  const list = {
    text: 'Entries',
    link: `/${reference}/index.md`,
    items: entries.map(({ text, page }) => ({ text, link: linkOf(page) })),
  };
  const names = entries.map(({ text, page }) => {
    const folder = posix.dirname(page.place);
    const groups = Object.entries(kinds).map(([kind, title]) => ({
      text: title,
      link: `${linkOf(page)}#${slugOf(title)}`,
      items: pages
        .filter(({ place }) => posix.dirname(place) === `${folder}/${kind}`)
        .map((own) => ({ text: shown(own.title), link: linkOf(own) })),
    }));
    const own = groups.filter(({ items }) => items.length > 0);
    return [
      `/${folder}/`,
      [
        { text, link: linkOf(page), items: own },
        { ...list, collapsed: true },
      ],
    ];
  });
  return {
    '/': [
      { text: 'All guides and entries', link: '/docs/index.md' },
      ...sectionsOf(pages).map(sidebarSection),
    ],
    [`/${reference}/`]: [list],
    ...Object.fromEntries(names),
  };
}
