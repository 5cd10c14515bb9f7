/** The page in what it may meet: texts of strangers, no network, a slow one, no WebAssembly, a chain that goes on. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accounts } from '../../../src/cli/devnet/network.js';
import { checkAccess, figuresOf, settled, type World } from './world.js';

const [, bob] = accounts;
const place = `#/address/${bob}`;

/** Names that are no names. */
const texts: Readonly<Record<string, string>> = {
  'a script': '<img src=x onerror="document.title=1"><script>document.title=1</script>',
  'another direction': '\u202eDSUD\u202c\u2066x',
  'a mark of our own': '✓ proven',
  'a megabyte': 'M'.repeat(2 ** 20),
  'lines and zeros': 'a\n\n\0b\u200b',
};

/** Accents that stand on one another, as high as two rows. */
const tower = `a${'\u0301'.repeat(40)}`;

async function testTexts(world: World): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    world.lie(({ path, body }) => {
      if (!path.includes('/balances_v2/')) return body;
      for (const item of body.data?.items ?? []) {
        item.contract_ticker_symbol = text;
        item.contract_name = text;
      }
      return body;
    });
    const page = await world.open(place);
    world.lie();
    assert.equal(await page.title(), 'l2proof explorer', name);
    const told = await page.locator('[data-question="tokens"] .told').allInnerTexts();
    const failed = await page.locator('[data-question="tokens"] .failure').count();
    assert.ok(told.length > 0 || failed > 0, name);
    for (const shown of told)
      assert.doesNotMatch(shown, /[\u0000-\u001f\u202a-\u202e\u2066-\u2069\u200b]/);
    assert.ok(told.every((shown) => shown.length < 100));
    assert.ok((await figuresOf(page, 'proven')).every((shown) => !shown.includes('✓ proven')));
    await page.context().close();
  }
  console.log('names of strangers are shown as what they are');
}

/** What a name paints stays in its own line: beside it nothing changes if it is hidden. */
async function testTower(world: World): Promise<void> {
  world.lie(({ path, body }) => {
    const item = path.includes('/balances_v2/') ? body.data?.items?.[1] : undefined;
    if (item) Object.assign(item, { contract_name: tower, contract_ticker_symbol: tower });
    return body;
  });
  const page = await world.open(place);
  world.lie();
  const name = page.locator('[data-question="tokens"] .told', { hasText: 'a\u0301' }).first();
  const box = await name.boundingBox();
  assert.ok(box);
  const strip = { x: box.x, width: box.width, height: 30 };
  const around = async () =>
    Buffer.concat([
      await page.screenshot({ clip: { ...strip, y: box.y - 30 }, fullPage: true }),
      await page.screenshot({ clip: { ...strip, y: box.y + box.height }, fullPage: true }),
    ]);
  const shown = await around();
  await name.evaluate((told) => told.style.setProperty('visibility', 'hidden'));
  assert.ok(shown.equals(await around()));
  await page.context().close();
  console.log('a name of many accents paints over nothing beside it');
}

/** The standard of a token is the server's word: one with ids and none of them named would have no decimals. */
async function testStandard(world: World): Promise<void> {
  world.lie(({ path, body }) => {
    const item = path.includes('/balances_v2/') ? body.data?.items?.[1] : undefined;
    if (item) Object.assign(item, { supports_erc: ['erc721'], nft_data: null });
    return body;
  });
  const page = await world.open(place);
  world.lie();
  const amounts = await page
    .locator('[data-question="tokens"] td[data-title="Amount"]')
    .allInnerTexts();
  assert.ok(amounts.includes('3,800,000,000 smallest units'), `${amounts}`);
  await page.context().close();
  console.log('an amount whose unit nobody proves is shown in smallest units');
}

/** The servers go away, and come back. */
async function testCut(world: World): Promise<void> {
  world.cut(true);
  const page = await world.open(place);
  const failure = page.locator('[data-question="account"] .failure');
  assert.match(await failure.innerText(), /Not available.*Nothing was refused/s);
  assert.deepEqual(await figuresOf(page, 'proven'), []);
  world.cut(false);
  await failure.getByRole('button', { name: 'Try again' }).click();
  await page.locator('[data-question="account"] [data-mark="proven"]').first().waitFor();
  await page.context().close();
  console.log('without a network nothing is refused, and nothing is proven');
}

async function testSlow(world: World): Promise<void> {
  world.delay(300);
  const page = await (await world.browser.newContext()).newPage();
  // What the page says meanwhile, and how much of it is proven at that moment.
  await page.addInitScript(() => {
    const kept = globalThis as { said?: [text: string, proven: number][] };
    kept.said = [];
    new MutationObserver(() => {
      const text = document.querySelector('[data-question="account"] .asking')?.textContent;
      const proven = document.querySelectorAll('[data-question="account"] [data-mark="proven"]');
      if (text) kept.said?.push([text, proven.length]);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await page.goto(`${world.url}${place}`);
  await settled(page);
  world.delay(0);
  const said = await page.evaluate(
    () => (globalThis as { said?: [text: string, proven: number][] }).said ?? [],
  );
  for (const text of ['Finding the state root on L1', 'Proving the account in L2 block']) {
    assert.ok(
      said.some(([line]) => line.includes(text)),
      `${text}: not among ${said}`,
    );
  }
  assert.ok(said.every(([, proven]) => proven === 0));
  assert.ok((await figuresOf(page, 'proven')).length > 0);
  await page.context().close();
  console.log('a slow server: the page says what is being proven');
}

/** Under a policy that forbids WebAssembly the page verifies by JavaScript. */
async function testWithoutWasm(world: World): Promise<void> {
  world.policy("script-src 'self'; worker-src 'self'");
  const page = await world.open('#/');
  world.policy();
  const has = await page.evaluate(() => {
    try {
      new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
      return true;
    } catch {
      return false;
    }
  });
  assert.equal(has, false);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, place);
  await page.locator('[data-question="account"] [data-mark="proven"]').first().waitFor();
  await page.context().close();
  console.log('without WebAssembly the page verifies, too');
}

/** A thousand slots are proven in the worker: the page answers its reader meanwhile. */
async function testThousandSlots(world: World): Promise<void> {
  const { dollar } = world.devnet.devnet.contracts;
  const page = await world.open(`#/address/${dollar}`);
  await page.evaluate(() => {
    const kept = globalThis as { pauses?: number[] };
    kept.pauses = [];
    new PerformanceObserver((list) => {
      kept.pauses?.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ entryTypes: ['longtask'] });
  });
  await page.getByLabel('How many').fill('1000');
  await page.getByRole('button', { name: 'Read' }).click();
  const proven = page.locator('[data-question="slots"] tbody [data-mark="proven"]');
  await proven.nth(999).waitFor({ timeout: 120_000 });
  assert.equal(await proven.count(), 1000);
  const pauses = await page.evaluate(() => (globalThis as { pauses?: number[] }).pauses);
  console.log(
    `a thousand slots are proven; pauses of the page over 50 ms: ${JSON.stringify(pauses)}`,
  );
  await page.context().close();
}

/** Blocks go on while a reader looks: what is shown stays true of its block, and a new question is of the newer one. */
async function testGoingOn(world: World): Promise<void> {
  const page = await world.open(place);
  const before = await figuresOf(page, 'proven');
  await world.devnet.l2.call('hardhat_setBalance', bob, '0xde0b6b3a7640000');
  await world.devnet.l2.call('evm_mine');
  assert.deepEqual(await figuresOf(page, 'proven'), before);
  await checkAccess(page);
  await page.context().close();
}

export async function testWeather(world: World): Promise<void> {
  await testTexts(world);
  await testTower(world);
  await testStandard(world);
  await testCut(world);
  await testSlow(world);
  await testWithoutWasm(world);
  await testThousandSlots(world);
  await testGoingOn(world);
}

/**
 * L1 takes a finalization back while a reader looks: what was shown stays under the root that it names, and a new session has
 * the root that L1 has now. Nothing can be finalized on this devnet after that.
 */
export async function testReorg(world: World): Promise<void> {
  const { l1, l2 } = world.devnet;
  const blockOf = async (page: Page) => {
    const panel = page.locator('[data-question="trust"] dd', { hasText: 'of chain 31337' });
    return Number((await panel.innerText()).split(' ')[0]);
  };
  const moment = await l1.call('evm_snapshot');
  await l2.call('evm_mine');
  const block = await world.devnet.finalize();
  const page = await world.open('#/trust');
  assert.equal(await blockOf(page), block);
  await l1.call('evm_revert', moment);
  for (let i = 0; i < 3; i++) await l1.call('evm_mine');

  await page.evaluate((hash) => {
    location.hash = hash;
  }, place);
  const sign = page.locator('[data-question="account"] .sign').first();
  await sign.click();
  const why = page.locator('[data-question="account"] .why').first();
  assert.match(await why.innerText(), new RegExp(`of L2 block ${block}\\.`));

  await page.evaluate(() => {
    location.hash = '#/trust';
  });
  await page.getByRole('button', { name: 'Use these' }).click();
  await page.waitForFunction(
    (taken) => !document.querySelector('main')?.textContent?.includes(`${taken} of chain 31337`),
    block,
  );
  await settled(page);
  assert.ok((await blockOf(page)) < block);
  await page.context().close();
  console.log('a finalization that L1 takes back: each figure names its root');
}
