import { resolve } from 'node:path';
import { defineConfig, type MarkdownOptions } from 'vitepress';
import { slugOf } from '../markdown.js';
import { readPages } from '../pages.js';
import { sidebarOf } from '../sidebar.js';

/** Lines of sources can be linked to. */
const lines: NonNullable<MarkdownOptions['codeTransformers']>[number] = {
  line(node, number) {
    if (this.options.meta?.__raw?.includes('lines')) node.properties.id = `L${number}`;
  },
};

export default defineConfig({
  title: 'l2proof',
  lang: 'en',
  srcDir: resolve('.site'),
  vite: {
    // Pictures are files. One chunk is the search's index, which is fetched once somebody searches.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 4000 },
  },
  // Else each page has the lists of all.
  metaChunk: true,
  markdown: {
    // The pages are written for code hosts, which know neither.
    attrs: { disable: true },
    linkify: false,
    languageAlias: { caddyfile: 'nginx' },
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    codeTransformers: [lines],
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
        _render: (text, env, md) => (env.frontmatter?.search === false ? '' : md.render(text, env)),
      },
    },
  },
});
