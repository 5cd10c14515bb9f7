/** `npm test -- site`: the site, made anew for a place below the root of a host, as files and in Chromium. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { browserArgs, executablePath } from '../browser/chromium.js';
import { newFolder, removeFolders } from '../support/folder.js';
import { testAccess, testPhone, testPictures, testPlayground, testSearch } from './browser.js';
import { checkPages, checkTexts, filesOf } from './crawl.js';
import { serveFolder } from './serve.js';

const base = '/some/place/';
const folder = join(newFolder(), 'site');
try {
  const command = ['run', 'docs:site', '--silent', '--', '--base', base, '--out', folder];
  execFileSync('npm', command, { stdio: 'inherit' });
  const foreign = checkPages({ folder, base });
  const count = checkTexts({ folder, base });
  console.log(`${count} pages: each link leads somewhere; not followed: ${foreign.join(' ')}`);

  const server = await serveFolder(folder, base);
  const browser = await chromium.launch({ executablePath, args: browserArgs });
  try {
    const site = { browser, url: server.url + base };
    const pages = filesOf(folder, '.html');
    for (const name of pages.filter((page) => page !== '404.html')) {
      const answer = await fetch(site.url + name.replace(/html$/, 'md'));
      assert.equal(answer.status, 200, name);
      assert.match(await answer.text(), /^# /m, name);
    }
    await testPlayground(site);
    await testPictures(site);
    await testSearch(site);
    await testAccess(site);
    await testPhone(
      site,
      pages.filter((name) => !/^docs\/api\/.*\/[a-z-]+\/\w+-?\.html$/.test(name)),
    );
  } finally {
    await browser.close();
    await server.close();
  }
} finally {
  removeFolders();
}
