/** The site for readers that take plain text: `llms.txt` (https://llmstxt.org), and all guides in one file. */
import { type Page, reference } from './pages.js';
import { entriesOf, type Item, sectionsOf } from './sections.js';

const lineOf = ({ text, page, about }: Item): string =>
  `- [${text}](${page.place})${about === '' ? '' : `: ${about}`}`;

const list = (title: string, items: readonly Item[]): string =>
  [`## ${title}`, '', ...items.map(lineOf)].join('\n');

export function shortText(home: Page, pages: readonly Page[]): string {
  const sections = sectionsOf(pages);
  const rare = sections.filter(({ isAside }) => isAside).flatMap(({ items }) => items);
  return `${[
    `# ${home.title}`,
    `> ${home.about}`,
    ...sections.filter(({ isAside }) => !isAside).map(({ title, items }) => list(title, items)),
    list('Reference', entriesOf(pages)),
    // By this name readers know what they may leave out.
    list('Optional', rare),
  ].join('\n\n')}\n`;
}

/** The first page, the guides in their order, and the reference. */
export function fullText(home: Page, pages: readonly Page[]): string {
  const guides = sectionsOf(pages).filter(({ isAside }) => !isAside);
  const names = pages.filter(({ file }) => file.startsWith(`${reference}/`));
  const all = [home, ...guides.flatMap(({ items }) => items.map(({ page }) => page)), ...names];
  return all.map(({ place, text }) => `<!-- ${place} -->\n\n${text.trim()}\n`).join('\n\n');
}
