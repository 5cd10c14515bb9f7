/** The dapp in Chromium, by the lines of its README: its figures are those of the nodes, and of a lie none is shown. */
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserArgs, executablePath } from '../browser/chromium.js';
import { like } from '../support/pages.js';
import { bob, copyExample, dollar, type Example, l2, shared } from './example.js';
import { checkAccess, endRoutes, lieTo, serve } from './pages.js';
import { endLines } from './shell.js';

let dapp: Example;
let browser: Browser;
let page: Page;
let dev: string;
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
  expect(rests).toMatch(
    /^0x70997970\w+ at L2 block \d+, under the state root on L1 \(root: one endpoint believed\)\.$/,
  );
  const shown = `Ether\n✓ proven ${figures[1]}\nDUSD\n✓ proven ${figures[3]}`;
  expect(shown).toMatch(like(dapp.shows.trim()));
}

test('it is installed and served, and shows what is proven, to everyone', async () => {
  const [install, serving] = dapp.lines('npm install') as [string, string];
  dev = serving;
  expect(await dapp.run(install)).toMatchObject({ code: 0 });
  const served = await serve(dapp, dev);
  await page.goto(served.url);
  await expectFigures();
  served.signal('SIGTERM');
  await served.ended;
});

/** Serves a module of its own in place of one of the page's, until it is told to end. */
async function replace(name: RegExp, body: string): Promise<() => Promise<void>> {
  await page.route(name, (route) => route.fulfill({ contentType: 'text/javascript', body }));
  return () => endRoutes(page);
}

test('an older answer is not shown in place of a newer one', async () => {
  const served = await serve(dapp, dev);
  // Answers when the test says so.
  const end = await replace(
    /\/wallet\.ts/,
    'globalThis.answers = []; export const holdingsOf = () => new Promise((...both) => answers.push(both));',
  );
  await page.goto(served.url);
  await page.waitForFunction('globalThis.answers?.length === 1');
  await page.click('button');
  await page.click('button');
  await page.evaluate("answers[1][1](new Error('older'))");
  const give = (look: number) =>
    page.evaluate(`answers[${look}][0]({ figures: [], l2BlockNumber: ${look}, how: 'quorum' })`);
  await give(2);
  await give(0);
  const { rests, alert } = await looked();
  expect(rests).toMatch(/ at L2 block 2, under the state root on L1 \(root: quorum\)\.$/);
  expect(alert).toBe('');
  await end();
  served.signal('SIGTERM');
  await served.ended;
});

test('figures of different blocks are asked for again, and not shown', async () => {
  const served = await serve(dapp, dev);
  // The client's answers, each of a block as the test says: a chain goes on when it likes.
  const word = (value: bigint | number) => value.toString(16).padStart(64, '0');
  const text = [word(32), word(4), '44555344'.padEnd(64, '0')].join('');
  const end = await replace(
    /l2proof_viem\.js/,
    `globalThis.asked = 0;
    const answerOf = (data) => ({ '0x70a0': '${word(5_000_000n)}', '0x313c': '${word(6)}' })[data.slice(0, 6)] ?? '${text}';
    export const verifiedTransport = () => () => ({ config: {}, request() {}, value: {} });
    export const verifiedActions = () => () => ({
      async explain({ method, params }) {
        const result = method === 'eth_getBalance' ? '0x1' : '0x' + answerOf(params[0].data);
        const block = Number(location.hash.slice(1).split(',')[asked++] ?? 20);
        return { result, assumed: method === 'eth_call' ? ['timestamp'] : [], anchor: { l2BlockNumber: block, how: 'call' } };
      },
    });`,
  );
  // The name of the token is of an older block; all four are asked again.
  await page.goto('about:blank');
  await page.goto(`${served.url}#19,19,19,18`);
  const again = await looked();
  expect(again.rests).toContain(' at L2 block 20, ');
  expect(again.figures).toEqual(['Ether', '0.000000000000000001', 'DUSD', '5 timestamp']);
  expect(again.marks).toEqual(['"✓ proven "', '"? not all proven "']);
  expect(await page.evaluate('asked')).toBe(8);
  // They never fit together.
  await page.goto('about:blank');
  await page.goto(`${served.url}#1,2,3,4,5,6,7,8,9,10,11,12`);
  const { figures, rests, alert } = await looked();
  expect([figures, rests]).toEqual([[], '']);
  expect(alert).toBe('the answers are of different blocks: look again');
  await end();
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
