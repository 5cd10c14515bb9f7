import { resolve } from 'node:path';
import { defineConfig, type MarkdownOptions, type MarkdownRenderer } from 'vitepress';
import { slugOf } from '../markdown.js';
import { readPages } from '../pages.js';
import { schemeEnding, schemes } from '../pictures.js';
import { searchBox } from '../searchBox.js';
import { sidebarOf } from '../sidebar.js';

/** Lines of sources can be linked to. */
const lines: NonNullable<MarkdownOptions['codeTransformers']>[number] = {
  line(node, number) {
    if (this.options.meta?.__raw?.includes('lines')) node.properties.id = `L${number}`;
  },
};

/**
 * A picture takes its scheme from the system, whatever the reader has chosen on the page: so the page has it twice, and
 * shows that of its own scheme.
 */
function showInBothSchemes(md: MarkdownRenderer): void {
  const { image } = md.renderer.rules;
  md.renderer.rules.image = (...given) => {
    const html = image?.(...given) ?? '';
    if (!html.includes('.svg"')) return html;
    return schemes
      .map((scheme) =>
        html
          .replace('.svg"', `${schemeEnding(scheme)}"`)
          .replace('<img ', `<img class="in-${scheme}" `),
      )
      .join('');
  };
}

/** A corner of a table in which nothing stands is no header. */
function nameHeaders(md: MarkdownRenderer): void {
  const tagOf = (content: string | undefined) => (content === '' ? 'td' : 'th');
  md.core.ruler.push('name_headers', ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      if (token.type === 'th_open') token.tag = tagOf(tokens[i + 1]?.content);
      if (token.type === 'th_close') token.tag = tagOf(tokens[i - 1]?.content);
    }
  });
}

/** Code that stands further in is shown as that between fences. */
function fenceCode(md: MarkdownRenderer): void {
  md.core.ruler.push('fence_code', ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === 'code_block')) {
      Object.assign(token, { type: 'fence', info: 'text' });
    }
  });
}

// Both run in the reader's browser, too: they use nothing from outside.
/** Names such as `SLOT_WITHHELD` are words. */
const words = (text: string): string[] => text.split(/[^\p{L}\p{M}\p{N}_$]+/u);

/** The parts of `SLOT_WITHHELD` and `fetchState` can be found, too. */
const wordsAndParts = (text: string): string[] =>
  text.split(/[^\p{L}\p{M}\p{N}_$]+/u).flatMap((word) => {
    const parts = word.split(/_|(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length > 1 ? [word, ...parts] : [word];
  });

export default defineConfig({
  title: 'l2proof',
  lang: 'en',
  outDir: resolve('site'),
  srcDir: resolve('.site'),
  vite: {
    plugins: [searchBox],
    // Pictures are files. One chunk is the search's index, which is fetched once somebody searches.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4000 },
  },
  // Else each page has the lists of all.
  metaChunk: true,
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // The pages are written for code hosts, which know neither.
    attrs: { disable: true },
    linkify: false,
    languageAlias: { caddyfile: 'nginx' },
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    codeTransformers: [lines],
    config(md) {
      showInBothSchemes(md);
      nameHeaders(md);
      fenceCode(md);
    },
    image: { lazyLoading: true },
  },
  transformPageData({ relativePath, frontmatter }, { siteConfig }) {
    const href = relativePath.split('/').at(-1) as string;
    const icon = `${siteConfig.site.base}icon.svg`;
    frontmatter.head ??= [];
    frontmatter.head.push(
      ['link', { rel: 'icon', type: 'image/svg+xml', href: icon }],
      ['link', { rel: 'alternate', type: 'text/markdown', href }],
    );
  },
  themeConfig: {
    logo: '/icon.svg',
    outline: [2, 3],
    sidebar: sidebarOf(readPages()),
    nav: [
      { text: 'Guides', link: '/docs/index.md', activeMatch: '^/docs/(?!api/)' },
      { text: 'Reference', link: '/docs/api/index.md', activeMatch: '^/docs/api/' },
      // It is a page of its own.
      { text: 'Playground', link: '/playground/#/proof', target: '_self' },
    ],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          options: { tokenize: wordsAndParts },
          searchOptions: {
            tokenize: words,
            combineWith: 'AND',
            // There are hundreds of names, and a guide says what they are for.
            boostDocument: (id) => (id.includes('/docs/api/') ? 0.4 : 1),
          },
        },
        _render: (text, env, md) => (env.frontmatter?.search === false ? '' : md.render(text, env)),
      },
    },
  },
});
