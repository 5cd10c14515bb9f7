/** What stands beside a page: the list of guides, or of the names of an entry. */
import { posix } from 'node:path';
import type { DefaultTheme } from 'vitepress';
import { type Page, reference } from './pages.js';
import { entriesOf, sectionsOf } from './sections.js';

const linkOf = (page: Page): string => `/${page.place}`;

/** TypeDoc's folders, in the order that readers look for them. */
const kinds = {
  functions: 'Functions',
  classes: 'Classes',
  interfaces: 'Interfaces',
  'type-aliases': 'Types',
  variables: 'Values',
} as const;

export function sidebarOf(pages: readonly Page[]): DefaultTheme.SidebarMulti {
  const guides = sectionsOf(pages).map(({ title, items, isAside }) => ({
    text: title,
    collapsed: isAside ?? false,
    items: items.map(({ text, page }) => ({ text, link: linkOf(page) })),
  }));
  const entries = entriesOf(pages);
  const list = {
    text: 'Entries',
    items: entries.map(({ text, page }) => ({ text, link: linkOf(page) })),
  };
  const names = entries.map(({ text, page }) => {
    const folder = posix.dirname(page.place);
    const groups = Object.entries(kinds).map(([kind, title]) => ({
      text: title,
      items: pages
        .filter(({ place }) => posix.dirname(place) === `${folder}/${kind}`)
        .map((own) => ({ text: own.title, link: linkOf(own) })),
    }));
    return [
      `/${folder}/`,
      [
        { text, link: linkOf(page), items: groups.filter(({ items }) => items.length > 0) },
        { ...list, collapsed: true },
      ],
    ];
  });
  return {
    '/': [{ text: 'All guides and entries', link: '/docs/index.md' }, ...guides],
    [`/${reference}/`]: [list],
    ...Object.fromEntries(names),
  };
}
