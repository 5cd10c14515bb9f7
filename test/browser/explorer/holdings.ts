/** The lists of an address, and a token's view: amounts are those of the node, and what nothing proves does not look proven. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { toCallData } from '../../../src/cli/devnet/callData.js';
import { badge, dollar } from '../../../src/cli/devnet/contracts.js';
import { accounts } from '../../../src/cli/devnet/network.js';
import { checkAccess, settled, type World } from './world.js';

const [alice, , , , dave, eve] = accounts;
const most = 2n ** 256n - 1n;
const oneDollar = 10n ** 6n;

/** The view of the account that has a bit of everything. */
export const heldPlace = `#/address/${dave}`;

/** The view of the token, which is at the same place on each devnet. */
export const tokenPlace = '#/address/0x5fbdb2315678afecb367f032d93f642f64180aa3';

/** Gives Dave dollars, more transfers than a page has, a badge, and spenders. @returns the last block, whose own transactions its root does not prove */
export async function giveHoldings({ devnet }: World): Promise<number> {
  const { l2 } = devnet;
  const { dollar: dollars, badge: badges, pool } = devnet.devnet.contracts;
  const transfer = dollar.methods['transfer(address,uint256)'];
  const approve = dollar.methods['approve(address,uint256)'];
  const forAll = badge.methods['setApprovalForAll(address,bool)'];
  const pay = (amount: bigint) => ({
    from: alice,
    to: dollars,
    data: toCallData(transfer, dave, amount),
  });
  await l2.mine(...Array.from({ length: 30 }, (_, i) => pay(BigInt(i + 1) * oneDollar)));
  await l2.mine(
    { from: dave, to: badges, data: badge.methods['mint()'] },
    { from: dave, to: dollars, data: toCallData(approve, pool, most) },
    { from: dave, to: dollars, data: toCallData(approve, eve, 2_500_000n) },
    { from: dave, to: badges, data: toCallData(forAll, pool, 1n) },
    // The second badge, after Bob's.
    { from: dave, to: badges, data: toCallData(approve, eve, 2n) },
  );
  await l2.mine(pay(1_234_567n));
  return devnet.finalize();
}

/** What a section shows in its table, row by row, and the mark of each figure. */
export async function rowsOf(page: Page, question: string): Promise<string[][]> {
  const rows = page.locator(`section[data-question="${question}"] tbody tr:has(td[data-title])`);
  return Promise.all((await rows.all()).map((row) => row.locator('td').allInnerTexts()));
}

const marksOf = (page: Page, question: string, title: string): Promise<(string | null)[]> =>
  page
    .locator(`section[data-question="${question}"] td[data-title="${title}"] > [data-mark]`)
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-mark')));

const short = (hex: string): RegExp => new RegExp(`^${hex.slice(0, 10)}…\\s?${hex.slice(-8)}`, 'i');

async function testTransactions(page: Page, world: World, last: number): Promise<void> {
  const { l2 } = world.devnet;
  const block = await l2.call('eth_getBlockByNumber', `0x${(last - 1).toString(16)}`, true);
  const rows = await rowsOf(page, 'transactions');
  assert.equal(rows.length, 30 + 5 + 1);
  // The newest of those that are proven come first: the last of the block before the last.
  const sent = block.transactions.at(-1);
  const receipt = await l2.call('eth_getTransactionReceipt', sent.hash);
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  const [hash = '', number, , from, to = '', value, paid = '', result] = rows[0] as string[];
  assert.match(hash, short(sent.hash));
  assert.deepEqual(
    [number, from, value, result],
    [`${last - 1}`, 'this address', '0 ETH', 'succeeded'],
  );
  assert.match(to, short(sent.to));
  assert.equal(paid, `0.${fee.toString().padStart(18, '0').slice(0, 6)}… ETH`);
  const marks = await marksOf(page, 'transactions', 'Value');
  assert.deepEqual(marks, [...Array(35).fill('proven'), 'word']);
  console.log('transactions: those of the anchored block itself are the server’s word');
}

async function testTransfers(page: Page): Promise<void> {
  const amounts = async () => (await rowsOf(page, 'transfers')).map((row) => row[3]);
  const first = await amounts();
  await page.locator('section[data-question="transfers"] button', { hasText: 'Show more' }).click();
  await settled(page);
  const all = await amounts();
  assert.ok(first.length < 31, `all ${first.length} came at once`);
  assert.deepEqual(
    all.filter((one) => one !== '1.234567').sort(),
    Array.from({ length: 30 }, (_, i) => String(i + 1)).sort(),
  );
  const marks = await marksOf(page, 'transfers', 'Amount');
  assert.equal(marks.filter((mark) => mark === 'proven').length, 30);
  assert.deepEqual([...new Set(await marksOf(page, 'transfers', 'Name'))], ['word']);
  console.log('transfers: a page after the other, each transfer once');
}

async function testApprovals(page: Page, world: World): Promise<void> {
  const { pool, dollar: dollars, badge: badges } = world.devnet.devnet.contracts;
  const allowed = await rowsOf(page, 'allowances');
  const amounts = allowed.map((row) => row.slice(3, 5));
  assert.deepEqual(amounts.sort(), [
    ['2.5', '2.5'],
    // What Dave has: the sum from 1 to 30, and the last payment.
    ['UNLIMITED', '466.234567'],
  ]);
  assert.deepEqual(await marksOf(page, 'allowances', 'May take'), ['proven', 'proven']);
  assert.deepEqual(await marksOf(page, 'allowances', 'Approved'), ['word', 'word']);
  const approved = await rowsOf(page, 'nftApprovals');
  assert.deepEqual(approved.map((row) => row[3]).sort(), ['2', 'ALL']);

  const calls = async (question: string) => {
    const revokes = page.locator(`section[data-question="${question}"] details.revoke`);
    for (const summary of await revokes.locator('summary').all()) await summary.click();
    const data = await revokes.locator('dd > code').allInnerTexts();
    const to = await revokes
      .locator('dd .hex code')
      .evaluateAll((all) => all.map((one) => one.getAttribute('title')?.toLowerCase()));
    return to.map((one, i) => `${one} ${data[i]}`).sort();
  };
  const { 'approve(address,uint256)': approve } = dollar.methods;
  assert.deepEqual(
    await calls('allowances'),
    [pool, eve].map((by) => `${dollars} ${toCallData(approve, by as `0x${string}`, 0n)}`).sort(),
  );
  assert.deepEqual(
    await calls('nftApprovals'),
    [
      toCallData(approve, `0x${'00'.repeat(20)}`, 2n),
      toCallData(badge.methods['setApprovalForAll(address,bool)'], pool, 0n),
    ]
      .map((data) => `${badges} ${data}`)
      .sort(),
  );
  console.log('approvals: amounts, and the calls that revoke them');
}

async function testToken(world: World): Promise<void> {
  const page = await world.open(tokenPlace);
  const token = page.locator('section[data-question="token"] [data-mark="proven"] > .value');
  assert.deepEqual(await token.allInnerTexts(), ['Devnet Dollar', 'DUSD', '6', '1,000,000']);
  const holders = await rowsOf(page, 'holders');
  assert.ok(holders.some(([who = '', amount]) => short(dave).test(who) && amount === '466.234567'));
  const whole = page.locator('section[data-question="holders"] p [data-mark="proven"] > .value');
  assert.deepEqual(await whole.allInnerTexts(), ['The balances above add up to the total supply.']);
  await checkAccess(page);
  await page.context().close();
  console.log('a token: what it says of itself, and all of its holders');
}

const drawing =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSI4IiBoZWlnaHQ9IjgiLz4=';

/** Pictures that stand in what came are shown, as the server's word; nothing is fetched. */
async function testDocuments(world: World): Promise<void> {
  for (const image of [drawing, 'https://pictures.example/2.png', 'javascript:alert(1)']) {
    world.lie(({ path, body }) => {
      if (/\/balances_nft\//.test(path)) {
        body.data.items[0].nft_data[0].external_data = { name: '<b>Two</b>', image };
      }
      return body;
    });
    const page = await world.open(heldPlace);
    world.lie();
    const section = page.locator('section[data-question="nfts"]');
    const [document = ''] = await section.locator('td[data-title="Document"]').allInnerTexts();
    assert.match(document, /<b>Two<\/b>/);
    assert.deepEqual(await marksOf(page, 'nfts', 'Document'), ['word']);
    assert.equal(await section.locator('img').count(), image === drawing ? 1 : 0);
    assert.equal(document.includes(image), image !== drawing);
    assert.equal(await section.locator('td[data-title="Document"] a').count(), 0);
    if (image === drawing) await checkAccess(page);
    await page.context().close();
  }
  console.log('documents of NFTs: pictures of no other origin');
}

/** A node that gives no code leaves amounts as they are proven: in smallest units. */
async function testWithoutCode(world: World): Promise<void> {
  world.lie(({ method, body: { result: _, ...body } }) =>
    method === 'eth_getCode'
      ? { ...body, error: { code: -32601, message: 'the method does not exist' } }
      : undefined,
  );
  const page = await world.open(heldPlace);
  world.lie();
  const amounts = (await rowsOf(page, 'transfers')).map((row) => row[3]);
  assert.ok(amounts.includes('30,000,000 smallest units'), String(amounts));
  await page.context().close();
  console.log('transfers whose decimals nobody proves: in smallest units');
}

export async function testHoldings(world: World): Promise<void> {
  const last = await giveHoldings(world);
  const page = await world.open(heldPlace);
  await testTransactions(page, world, last);
  await testTransfers(page);
  const [held = []] = await rowsOf(page, 'nfts');
  assert.deepEqual(held.slice(2, 4), ['2', '1']);
  await testApprovals(page, world);
  await checkAccess(page);
  await page.context().close();
  const narrow = await world.open(heldPlace, {
    viewport: { width: 320, height: 700 },
    colorScheme: 'dark',
  });
  await checkAccess(narrow);
  const wide = await narrow.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} wide`);
  await narrow.context().close();
  await testToken(world);
  await testDocuments(world);
  await testWithoutCode(world);
}
