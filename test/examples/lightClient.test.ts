/** The light client in Chromium: by a block of the devnet's L1, as its README says, and from a checkpoint of a consensus that is made up. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserArgs, executablePath } from '../browser/chromium.js';
import { beaconOver } from '../support/beacon/overL1.js';
import { like } from '../support/pages.js';
import { bob, copyExample, type Example, l1, l2, shared } from './example.js';
import { checkAccess, lieTo, serve } from './pages.js';
import { endLines } from './shell.js';

let client: Example;
let browser: Browser;
let page: Page;
let build: string;
let preview: string;
beforeAll(async () => {
  client = copyExample('light-client');
  browser = await chromium.launch({ executablePath, args: browserArgs });
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await endLines();
});

/** What the page shows for something that is trusted. */
async function look(trusted: string): Promise<{ shown: string; alert: string }> {
  await page.fill('[name=trusted]', trusted);
  await page.click('button');
  await page.waitForFunction(
    () =>
      document.querySelector('output')?.textContent?.includes('proven') ||
      document.querySelector('[role=alert]')?.textContent !== '',
    undefined,
    { timeout: 60_000 },
  );
  const [shown, alert] = await Promise.all([
    page.locator('output').innerText(),
    page.locator('[role=alert]').innerText(),
  ]);
  return { shown, alert };
}

/** The first line that the page must show of Bob. */
const ofBob = async (): Promise<string> => {
  const [wei, nonce] = await Promise.all([
    l2.call('eth_getBalance', bob, 'latest'),
    l2.call('eth_getTransactionCount', bob, 'latest'),
  ]);
  return `${BigInt(wei)} wei, nonce ${Number(nonce)}: proven`;
};

test('it is installed and served, and leads from a block of L1 to the account', async () => {
  const [install, dev] = client.lines('npm install') as [string, string];
  [build, preview] = client.lines('npm run build') as [string, string];
  expect(await client.run(install)).toMatchObject({ code: 0 });
  const [curl] = client.lines('curl') as [string];
  const printed = await client.run(curl);
  const hash = printed.text.trim();
  expect(await l1.call('eth_getBlockByHash', hash, false)).toMatchObject({ hash });

  const served = await serve(client, dev);
  await page.goto(served.url);
  const { shown, alert } = await look(hash);
  expect([shown.split('\n')[0], alert]).toEqual([await ofBob(), '']);
  expect(shown).toMatch(like(client.shows.trim()));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await checkAccess(page);
  }
  // A block that L1 does not have.
  const wrong = await look(hash.replace(/..$/, (end) => (end === '00' ? '11' : '00')));
  expect(wrong).toEqual({ shown: '', alert: expect.stringMatching(/\(L1_BLOCK_NOT_HELD\)$/) });
  served.signal('SIGTERM');
  await served.ended;
  expect(client.unused()).toEqual([]);
});

test('from a checkpoint it follows the consensus, and no server can lie to it', async () => {
  const beacon = await beaconOver(l1, (_, response) => {
    response.setHeader('access-control-allow-origin', '*');
    return false;
  });
  client.edit('.env', (text) =>
    text.replace('VITE_BEACON_URLS=', `VITE_BEACON_URLS=${beacon.url}`),
  );
  client.edit('network.ts', (text) =>
    text
      .replace('{ beaconNetworks }', '{ defineBeaconNetwork }')
      .replace('beaconNetworks.mainnet', `defineBeaconNetwork(${JSON.stringify(beacon.network)})`),
  );
  const built = await client.run(build);
  expect(built.code, built.text).toBe(0);
  const served = await serve(client, preview);
  await page.goto(served.url);
  expect(await page.locator('#trusts').innerText()).toBe('checkpoint');

  const flip = (text: string) => text.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'));
  const isTrue = await lieTo(page, shared.proofs);
  expect((await look(beacon.checkpoint)).alert).toMatch(/\(HVALUE_MISMATCH\)$/);
  expect(await isTrue()).toBeGreaterThan(0);
  expect((await look(flip(beacon.checkpoint))).alert).toMatch(/\(NO_BOOTSTRAP\)$/);

  const { shown, alert } = await look(beacon.checkpoint);
  const [account, at, signed] = shown.split('\n');
  expect([account, alert]).toEqual([await ofBob(), '']);
  expect(at).toMatch(/^at L2 block \d+, in the state that L1 block \d+ has \(consensus\)$/);
  expect(signed).toBe('signed by 32 of 32 validators');
  expect(await page.evaluate(() => localStorage.getItem('l1'))).toContain(
    beacon.checkpoint.slice(2),
  );
  served.signal('SIGTERM');
  await served.ended;
  await beacon.close();
});
