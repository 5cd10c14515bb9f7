/** The page as a plain folder of nginx, by the lines of its guide. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { newFolder } from '../support/folder.js';
import { linksOfIndex, pageFolder, pageNames, sha256 } from '../support/page.js';
import { blocksOf } from '../support/pages.js';
import { type Proxy, startProxy, staticNginx } from './proxies.js';

let server: Proxy | undefined;
afterEach(() => server?.close());

test('nginx serves it below a path, with the headers that a page cannot set for itself', async () => {
  const folder = newFolder();
  cpSync(pageFolder, folder, { recursive: true });
  const settings = { proofs: 'https://l2.example/v3/' };
  writeFileSync(join(folder, 'page.json'), JSON.stringify(settings));
  const [block] = blocksOf('docs/page.md').filter(({ language }) => language === 'nginx');
  const lines = (block?.code as string).replace(/alias \S+;/, `alias ${folder}/;`);
  expect(lines).toContain(folder);
  server = await startProxy(staticNginx(lines), 0);
  const base = `http://127.0.0.1:${server.port}/explorer/`;

  const index = await fetch(base);
  const text = await index.text();
  expect(text).toBe(readFileSync(join(pageFolder, 'index.html'), 'utf8'));
  expect(text).toContain('http-equiv="Content-Security-Policy"');
  expect(Object.fromEntries(index.headers)).toMatchObject({
    'content-type': 'text/html',
    'content-security-policy': "frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
  expect(await (await fetch(new URL('page.json', base))).json()).toEqual(settings);

  const types = {
    js: /^(application|text)\/javascript$/,
    css: /^text\/css$/,
    svg: /^image\/svg\+xml$/,
  };
  for (const link of linksOfIndex(text)) {
    const { status, headers } = await fetch(new URL(link, base));
    expect([link, status]).toEqual([link, 200]);
    const end = link.split('.').at(-1) as keyof typeof types;
    expect(headers.get('content-type')).toMatch(types[end]);
  }
  const files = JSON.parse(readFileSync(join(pageFolder, 'files.json'), 'utf8'));
  for (const name of pageNames().filter((one) => one !== 'files.json')) {
    const bytes = await (await fetch(new URL(name, base))).arrayBuffer();
    expect([name, sha256(Buffer.from(bytes))]).toEqual([name, files[name]]);
  }
});
