/** The dapp in Chromium, by the lines of its README: its figures are those of the nodes, and of a lie none is shown. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserArgs, executablePath } from '../browser/chromium.js';
import { like } from '../support/pages.js';
import { bob, copyExample, dollar, type Example, l2, shared } from './example.js';
import { checkAccess, lieTo, serve } from './pages.js';
import { endLines } from './shell.js';

let dapp: Example;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  dapp = copyExample('dapp');
  browser = await chromium.launch({ executablePath, args: browserArgs });
  page = await browser.newPage();
});
afterAll(async () => {
  await browser.close();
  await endLines();
});

/** What the page shows once it has looked. */
async function looked(): Promise<{
  figures: string[];
  marks: string[];
  rests: string;
  alert: string;
}> {
  await page.waitForFunction(
    () =>
      document.querySelector('#rests')?.textContent?.includes(' at L2 block ') ||
      document.querySelector('[role=alert]')?.textContent !== '',
    undefined,
    { timeout: 60_000 },
  );
  const texts = (selector: string) => page.locator(selector).allInnerTexts();
  const marks = await page
    .locator('#figures dd')
    .evaluateAll((all) => all.map((each) => getComputedStyle(each, '::before').content));
  const [[rests = ''], [alert = '']] = await Promise.all([texts('#rests'), texts('[role=alert]')]);
  return { figures: await texts('#figures > *'), marks, rests, alert };
}

/** Balances as the node has them, which the page must show. */
async function expectFigures(): Promise<void> {
  const { figures, marks, rests, alert } = await looked();
  const call = { to: dollar, data: `0x70a08231${bob.slice(2).padStart(64, '0')}` };
  const [wei, dollars] = [
    BigInt(await l2.call('eth_getBalance', bob, 'latest')),
    BigInt(await l2.call('eth_call', call, 'latest')),
  ];
  const ether = `${wei / 10n ** 18n}.${String(wei % 10n ** 18n)
    .padStart(18, '0')
    .replace(/0+$/, '')}`;
  expect([figures, marks, alert]).toEqual([
    ['Ether', ether, 'DUSD', String(Number(dollars) / 1e6)],
    ['"✓ proven "', '"✓ proven "'],
    '',
  ]);
  expect(rests).toMatch(/^0x70997970\w+ at L2 block \d+, under the state root on L1 \(call\)\.$/);
  const shown = `Ether\n✓ proven ${figures[1]}\nDUSD\n✓ proven ${figures[3]}`;
  expect(shown).toMatch(like(dapp.shows.trim()));
}

test('it is installed and served, and shows what is proven, to everyone', async () => {
  const [install, dev] = dapp.lines('npm install') as [string, string];
  expect(await dapp.run(install)).toMatchObject({ code: 0 });
  const served = await serve(dapp, dev);
  await page.goto(served.url);
  await expectFigures();
  served.signal('SIGTERM');
  await served.ended;
});

test('built for production it shows the same, and no figure of a server that lies', async () => {
  const [build, preview] = dapp.lines('npm run build') as [string, string];
  const built = await dapp.run(build);
  expect(built.code, built.text).toBe(0);
  const served = await serve(dapp, preview);
  await page.goto(served.url);
  await expectFigures();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await checkAccess(page);
  }

  const isTrue = await lieTo(page, shared.proofs);
  await page.reload();
  const refused = await looked();
  expect(refused).toMatchObject({ figures: [], marks: [], rests: '' });
  expect(refused.alert).toMatch(/ is not verified: .*\(-31001\)$/);
  expect(await isTrue()).toBeGreaterThan(0);
  await page.reload();
  await expectFigures();
  served.signal('SIGTERM');
  await served.ended;
  expect(dapp.unused()).toEqual([]);
});
