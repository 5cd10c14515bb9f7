/** The views of transactions, blocks and messages: what the node says, proven. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accounts } from '../../../src/cli/devnet/network.js';
import { checkAccess, figuresOf, settled, type World } from './world.js';

const [alice] = accounts;
const nothing = `0x${'ab'.repeat(32)}`;

/** What the figures of a row show. @param question of the section */
async function rowOf(page: Page, question: string, name: string): Promise<string> {
  const section = page.locator(`[data-question="${question}"]`).first();
  const row = section.locator('.rows > div').filter({ has: page.getByText(name, { exact: true }) });
  return row.first().locator('.value').first().innerText();
}

async function assertNarrow(page: Page): Promise<void> {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} wide`);
}

async function testTransaction(world: World): Promise<void> {
  const { swap, contracts } = world.devnet.devnet;
  // biome-ignore lint/suspicious/noExplicitAny: a receipt of the node
  const receipt: any = await world.devnet.l2.call('eth_getTransactionReceipt', swap);
  const page = await world.open(`#/transaction/${swap}`);
  assert.equal(await rowOf(page, 'transaction', 'Status'), 'Succeeded');
  assert.equal(await rowOf(page, 'transaction', 'Block'), String(Number(receipt.blockNumber)));
  const gas = Number(receipt.gasUsed).toLocaleString('en-US');
  assert.ok((await rowOf(page, 'transaction', 'Gas used')).startsWith(`${gas} of `));
  // The story: Bob swaps 1,200 dollars, which have six decimals; the names are those of the contracts.
  const figures = await figuresOf(page, 'proven');
  for (const shown of ['1,200', 'DUSD', 'WETH', 'Devnet Dollar']) {
    assert.ok(figures.includes(shown), `no ${shown} in ${figures}`);
  }
  assert.equal(await page.locator('.events > li').count(), 3);
  await page.getByText(/^4 logs/).click();
  const addresses = await page.locator('.logs a').evaluateAll((links) =>
    // biome-ignore lint/suspicious/noExplicitAny: a link
    links.map((link: any) => link.hash),
  );
  assert.ok(addresses.includes(`#/address/${contracts.pool}`));
  await checkAccess(page);
  await page.context().close();

  const dark = { viewport: { width: 320, height: 700 }, colorScheme: 'dark' } as const;
  const none = await world.open(`#/transaction/${nothing}`, dark);
  assert.match(await none.innerText('.failure'), /That there is none is not proven either/);
  assert.deepEqual(await figuresOf(none, 'proven'), []);
  await checkAccess(none);
  await assertNarrow(none);
  await none.context().close();

  const block = await world.open(`#/transaction/${receipt.blockHash}`, dark);
  assert.match(
    await block.innerText('main'),
    /This is the hash of block \d+, not of a transaction/,
  );
  await block.context().close();
  console.log('a transaction: its receipt, its events, and that none is proven');
}

async function testBlock(world: World): Promise<void> {
  const { swap } = world.devnet.devnet;
  // biome-ignore lint/suspicious/noExplicitAny: a receipt of the node
  const { blockHash, blockNumber }: any = await world.devnet.l2.call(
    'eth_getTransactionReceipt',
    swap,
  );
  const number = Number(blockNumber);
  for (const subject of [String(number), blockHash]) {
    const page = await world.open(`#/block/${subject}`, { viewport: { width: 320, height: 700 } });
    assert.equal(await rowOf(page, 'block', 'Number'), String(number));
    assert.equal(await page.locator(`.hashes a[href="#/transaction/${swap}"]`).count(), 1);
    await checkAccess(page);
    await assertNarrow(page);
    await page.click('a[rel="prev"]');
    await page.waitForURL(/#\/block\/\d+$/);
    await settled(page);
    assert.equal(await rowOf(page, 'block', 'Number'), String(number - 1));
    await page.context().close();
  }
  const late = await world.open('#/block/999');
  assert.match(await late.innerText('.failure'), /This block is not final on L1 yet/);
  assert.deepEqual(await figuresOf(late, 'proven'), []);
  await late.context().close();
  console.log('a block: by its number and its hash, and one that is not final');
}

async function testMessage(world: World): Promise<void> {
  const { message } = world.devnet.devnet;
  const sent = await world.open(`#/transaction/${message}`);
  assert.match(await rowOf(sent, 'message', 'Status'), /^Claimable/);
  assert.equal(await rowOf(sent, 'message', 'Value'), '1 ETH');
  await sent.getByText('Claim it on L1').click();
  const calldata = await sent.locator('.claim code.block').innerText();
  // `claimMessageWithProof`, by its selector.
  assert.match(calldata, /^0x6463fb2a[0-9a-f]+$/);
  await checkAccess(sent);
  const own = sent.locator('a[href^="#/message/"]').first();
  const hash = String(await own.getAttribute('href')).split('/')[2] as string;
  await own.click();
  await sent.waitForSelector('h1:has-text("Message to L1")');
  await settled(sent);
  assert.match(await rowOf(sent, 'message', 'Status'), /^Claimable/);
  await sent.context().close();

  // Whoever claims it: L1 carries it out once.
  const { l1, devnet } = world.devnet;
  const claim = { from: alice, to: devnet.network.rollup, data: calldata };
  const claimed = await l1.call('eth_sendTransaction', claim);
  // A block of L1 is final once two more are there.
  for (let i = 0; i < 3; i++) await l1.call('evm_mine');
  const receipt = (await l1.call('eth_getTransactionReceipt', claimed)) as unknown;
  assert.equal((receipt as { status: string }).status, '0x1');
  const page = await world.open(`#/message/${hash}`);
  const status = await rowOf(page, 'message', 'Status');
  assert.match(status, /^Claimed/, status);
  await page.context().close();

  const none = await world.open(`#/message/${nothing}`);
  assert.match(
    await none.innerText('.failure'),
    /That there is no such message is the server’s word/,
  );
  await none.fill('input[name="from"]', '1');
  await none.fill('input[name="to"]', '3');
  await none.click('text=Prove it');
  await none.waitForSelector('[data-state="answered"]');
  assert.deepEqual(await figuresOf(none, 'proven'), [
    'Unknown: no block from 1 to 3 has sent such a message.',
  ]);
  await checkAccess(none);
  await none.context().close();
  console.log('a message: claimable, claimed, and proven not to be there');
}

export async function testBlocks(world: World): Promise<void> {
  await testTransaction(world);
  await testBlock(world);
  await testMessage(world);
}
