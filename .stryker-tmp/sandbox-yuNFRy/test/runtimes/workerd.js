/** Runs a bundle on workerd, and prints what it answers. */
// @ts-nocheck

import { readFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';

const [file, ...compatibilityFlags] = process.argv.slice(2);
const contents = readFileSync(file, 'utf8');
const runtime = new Miniflare({
  modules: [{ type: 'ESModule', path: 'app.js', contents }],
  modulesRoot: '.',
  compatibilityDate: '2026-04-01',
  compatibilityFlags,
});
try {
  console.log(await (await runtime.dispatchFetch('http://localhost/')).text());
} finally {
  await runtime.dispose();
}
