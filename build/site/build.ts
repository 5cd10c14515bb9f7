/**
 * `npm run docs:site`: the repository's pages, the reference and the explorer as a site of static files, in `site`.
 * `-- --base /l2proof/` makes it for a place below the root of a host.
 */
import { copyFileSync, cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { assemble } from './assemble.js';
import { fullText, shortText } from './texts.js';

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, out: { type: 'string', default: 'site' } },
});
const outDir = resolve(values.out);

const { pages, copyTo } = assemble('.site');
await build('build/site', { base: values.base, outDir });

copyTo(outDir);
copyFileSync('src/page/icon.svg', join(outDir, 'icon.svg'));
cpSync('dist/page', join(outDir, 'playground'), { recursive: true });
// It knows no endpoints: its reader names them.
writeFileSync(join(outDir, 'playground/page.json'), '{}\n');
const [home] = pages.filter(({ file }) => file === 'README.md');
if (home === undefined) throw new Error('README.md is missing');
writeFileSync(join(outDir, 'llms.txt'), shortText(home, pages));
writeFileSync(join(outDir, 'llms-full.txt'), fullText(home, pages));
