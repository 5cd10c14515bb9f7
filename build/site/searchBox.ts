/**
 * The search of VitePress, for those who hear a page: a dialog and not a button, and finds that are options themselves and do
 * not hold links. Its own roles are against ARIA 1.2.
 */
import type { UserConfig } from 'vitepress';

type Plugin = Extract<
  NonNullable<NonNullable<UserConfig['vite']>['plugins']>[number],
  { name: string }
>;

const changes: readonly (readonly [from: string, to: string])[] = [
  [
    `role="button"
      :aria-owns="results?.length ? 'localsearch-list' : undefined"
      aria-expanded="true"
      aria-haspopup="listbox"`,
    'role="dialog" aria-modal="true"',
  ],
  [
    'aria-autocomplete="both"',
    `aria-autocomplete="list" role="combobox" :aria-expanded="results?.length ? 'true' : 'false'"`,
  ],
  [
    `:id="'localsearch-item-' + index"
            :aria-selected="selectedIndex === index ? 'true' : 'false'"
            role="option"`,
    'role="presentation"',
  ],
  [
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `:id="'localsearch-item-' + index" :aria-selected="selectedIndex === index ? 'true' : 'false'" role="option"`,
  ],
  ['<kbd :aria-label=', '<kbd role="img" :aria-label='],
];

export const searchBox: Plugin = {
  name: 'search-box',
  enforce: 'pre',
  transform(code, id) {
    if (!/VPLocalSearchBox\.vue$/.test(id)) return undefined;
    return changes.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`the search of VitePress has changed: no ${from}`);
      return text.replaceAll(from, to);
    }, code);
  },
};
