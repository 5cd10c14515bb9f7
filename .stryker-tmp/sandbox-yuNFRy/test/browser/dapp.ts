/**
 * The browser recipe of docs/provider.md: built by Vite as it stands there, opened in headless Chromium, before real nodes.
 * Needs Chromium at /usr/bin/chromium, or where CHROMIUM says.
 */
// @ts-nocheck

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { networks } from '../../src/anchor/index.js';
import { accounts } from '../support/anvil.js';
import { startHttp } from '../support/http.js';
import { openLiving } from '../support/living.js';
import { installOffline, manifest, pack } from '../support/project.js';
import { browserArgs, executablePath } from './chromium.js';

const guide = readFileSync('docs/provider.md', 'utf8');
const blocks = [...guide.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language, code]) => ({
  language,
  code: code as string,
}));
const page = blocks.find(({ language }) => language === 'html')?.code as string;
const main = blocks.find(({ code }) => code.includes('import.meta.env'))?.code as string;

const root = mkdtempSync(join(tmpdir(), 'l2proof-dapp-'));
const world = await openLiving({ network: networks.mainnet });
await world.l2.mine({ to: accounts[1], value: 3n });
await world.finalize();
const browser = await chromium.launch({ executablePath, args: browserArgs });
try {
  installOffline(root, pack(root).tarball, Object.keys(manifest.peerDependencies));
  writeFileSync(join(root, 'index.html'), page);
  writeFileSync(join(root, 'main.ts'), main);

  /** What the page says, with these servers. */
  async function said(l2: string): Promise<string> {
    writeFileSync(join(root, '.env'), `VITE_L1_URL=${world.l1.url}\nVITE_L2_URL=${l2}\n`);
    await build({ root, logLevel: 'error' });
    const server = await preview({ root, logLevel: 'error', preview: { port: 0 } });
    try {
      const tab = await browser.newPage();
      await tab.goto(server.resolvedUrls?.local[0] as string);
      await tab.waitForFunction("document.querySelector('output').textContent !== '...'");
      return (await tab.locator('output').textContent()) as string;
    } finally {
      await server.close();
    }
  }

  assert.equal(await said(world.url), '10000.000000000000000003 ETH, proven');
  console.log('the dapp shows what was proven');
  world.meddle((_method, _params, { result }) => ({ result: { ...result, accountProof: {} } }));
  assert.match(await said(world.url), /^refused: /);
  console.log('the dapp shows that a lie was refused');
  world.meddle();
  // As a real proof server does: it answers no page.
  const shy = await startHttp(({ headers }, response) => {
    response.writeHead(headers.origin === undefined ? 200 : 403).end();
  });
  assert.match(await said(shy.url), /^refused: /);
  await shy.close();
  console.log('a server that answers 403 to any origin is of no use to a page');
} finally {
  await browser.close();
  await world.close();
  rmSync(root, { recursive: true });
}
