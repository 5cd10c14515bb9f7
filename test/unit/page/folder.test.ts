/** The built page as a plain folder, which any web server may have below any path. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startHttp, type TestServer } from '../../support/http.js';
import {
  linksOfIndex,
  manifest,
  mediaTypeOf,
  pageFolder,
  pageNames,
  sha256,
} from '../../support/page.js';

let server: TestServer;
beforeAll(async () => {
  server = await startHttp((request, response) => {
    const [, name = ''] = /^\/x\/y\/(.*)$/.exec(request.url ?? '') ?? [];
    const file = name === '' ? 'index.html' : name;
    if (!pageNames().includes(file)) response.writeHead(404).end();
    else {
      response.setHeader('content-type', mediaTypeOf(file));
      response.end(readFileSync(join(pageFolder, file)));
    }
  });
});
afterAll(() => server.close());

/** Relative names of other files of the page in a script: of imports, of workers and of style sheets. */
const namesIn = (text: string): string[] =>
  [...text.matchAll(/["'`](\.{0,2}\/?(?:[\w-]+\/)*[\w.-]+\.(?:js|css|svg))["'`]/g)].map(
    ([, name]) => name as string,
  );

test('the index and all that it leads to load below /x/y/, and nothing else is asked for', async () => {
  const base = `${server.url}/x/y/`;
  const index = await (await fetch(base)).text();
  const links = linksOfIndex(index);
  expect(links.length).toBeGreaterThanOrEqual(3);
  expect(links.filter((link) => !link.startsWith('./assets/'))).toEqual([]);
  const seen = new Set<string>();
  const left = links.map((link) => new URL(link, base).href);
  for (let url = left.pop(); url !== undefined; url = left.pop()) {
    if (seen.has(url)) continue;
    seen.add(url);
    expect(url.startsWith(`${base}assets/`), url).toBe(true);
    const response = await fetch(url);
    expect([url, response.status]).toEqual([url, 200]);
    const text = await response.text();
    if (!url.endsWith('.js')) continue;
    for (const name of namesIn(text)) {
      // Vite names what a script preloads from the page's own place, and all else from the script's.
      const isFromPage = name.startsWith('assets/');
      const found = new URL(name, isFromPage ? base : url).href;
      if (pageNames().includes(found.slice(base.length))) left.push(found);
    }
  }
  // Each file is reached, so none is shipped for nothing.
  const reached = [...seen].map((url) => url.slice(base.length));
  expect(reached.sort()).toEqual(
    Object.keys(manifest())
      .filter((name) => name !== 'index.html')
      .sort(),
  );
});

test('it says itself what it may run and ask', () => {
  const text = readFileSync(join(pageFolder, 'index.html'), 'utf8');
  const [, policy = ''] =
    /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"]+)"/.exec(text) ?? [];
  const rules = Object.fromEntries(
    policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]),
  );
  expect(rules).toEqual({
    'default-src': ["'none'"],
    'script-src': ["'self'", "'wasm-unsafe-eval'"],
    'worker-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': ["'self'", 'https:', 'http://127.0.0.1:*', 'http://localhost:*'],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
  });
  // It stands before all that it is about, and nothing of it is in the index.
  expect(text.indexOf('Content-Security-Policy')).toBeLessThan(text.search(/<(script|link)\b/));
  expect(text).not.toMatch(
    /<script(?![^>]* src=)|<style|\son\w+=|style=|https?:\/\/(?!127|localhost)/,
  );
});

test('its list has the SHA-256 of each file, and no file is beside it', () => {
  for (const [name, hash] of Object.entries(manifest())) {
    expect([name, sha256(readFileSync(join(pageFolder, name)))]).toEqual([name, hash]);
    expect(['.', 'assets']).toContain(dirname(name));
  }
});

test('no script has text as code, or another origin than those that a reader names', () => {
  for (const name of pageNames().filter((one) => one.endsWith('.js'))) {
    const text = readFileSync(join(pageFolder, name), 'utf8');
    expect([name, /\beval\(|new Function\(|document\.write|importScripts/.exec(text)]).toEqual([
      name,
      null,
    ]);
    expect([name, text.includes('sourceMappingURL')]).toEqual([name, false]);
  }
});
