/** Functions of contracts, called in the page: results, reverts, what is no ABI, calls without an end, and lies. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accounts } from '../../../src/cli/devnet/network.js';
import { beginLie, otherDigit } from './lies.js';
import { checkAccess, figuresOf, type Lie, settled, type World } from './world.js';

const [alice, bob] = accounts;

const balanceOf = 'function balanceOf(address owner) view returns (uint256 amount)';

async function readAbi(page: Page, abi: string): Promise<void> {
  await page.fill('#abi', abi);
  await page.click('text=Read it');
  await settled(page);
}

async function call(page: Page, args: readonly string[]): Promise<void> {
  for (const [i, text] of args.entries()) await page.fill(`#argument-${i}`, text);
  await page.click('text=Call it');
  await settled(page);
}

async function testResults(world: World): Promise<void> {
  const { contracts } = world.devnet.devnet;
  const page = await world.open(`#/call/${contracts.dollar}`, {
    viewport: { width: 320, height: 700 },
  });
  await readAbi(page, balanceOf);
  await call(page, [bob]);
  const data = `0x70a08231${bob.slice(2).padStart(64, '0')}`;
  const asked = { to: contracts.dollar, data };
  const told = await world.devnet.l2.call('eth_call', asked, 'latest');
  const [amount = ''] = await figuresOf(page, 'proven');
  assert.equal(amount.replace(/\D/g, ''), String(BigInt(told as unknown as string)));
  await checkAccess(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} wide`);

  await call(page, ['0x12']);
  assert.match(await page.innerText('[data-question="call"]'), /owner: expected 0x and 40 hex/);
  assert.deepEqual(await figuresOf(page, 'proven'), []);

  await readAbi(page, 'transfer(address to, uint256 amount) returns (bool)');
  await call(page, [bob, String(10n ** 40n)]);
  const figures = await figuresOf(page, 'proven');
  assert.ok(figures.includes('ERC20: transfer amount exceeds balance'), String(figures));

  await readAbi(page, 'name() view returns (address)');
  await call(page, []);
  assert.match(
    await page.innerText('[data-question="call"]'),
    /not of the form which the ABI says/,
  );
  await page.context().close();
  console.log('a call of a contract: its result is that of the node, and a revert is one, too');
}

async function testTexts(world: World): Promise<void> {
  const page = await world.open(`#/call/${world.devnet.devnet.contracts.dollar}`);
  const texts = [
    '',
    '{"abi": 7}',
    'function f(',
    '<img src=x onerror=alert(1)>',
    'x'.repeat(2 ** 20),
  ];
  for (const text of texts) {
    await readAbi(page, text);
    assert.equal(await page.locator('.failure').count(), 1, text.slice(0, 50));
    assert.equal(await page.locator('#function').count(), 0);
  }
  await page.click('text=ERC-20');
  await settled(page);
  assert.equal(await page.locator('#function option').count(), 6);
  await checkAccess(page);
  await page.context().close();
  console.log('what is no ABI gets a message');
}

/** The code 5b600056, a jump to itself, and what puts it on the chain. */
const endless = '0x635b60005660e01b5f5260045ff3';

async function testEndless(world: World): Promise<void> {
  const { l2 } = world.devnet;
  const hash = await l2.call('eth_sendTransaction', { from: alice, data: endless, gas: '0x30000' });
  await l2.call('evm_mine');
  await l2.call('evm_mine');
  // biome-ignore lint/suspicious/noExplicitAny: a receipt of the node
  const { contractAddress }: any = await l2.call('eth_getTransactionReceipt', hash);
  await world.devnet.finalize();
  const page = await world.open(`#/call/${contractAddress}`);
  await readAbi(page, 'spin() view');
  await page.click('text=Call it');
  await page.waitForSelector('text=Running it here');
  await page.click('text=Stop');
  assert.equal(await page.locator('[data-question="call"]').count(), 0);
  await page.click('text=Call it');
  await page.waitForSelector('text=Running it here');
  // Who leaves the view wants no answer: the worker is free for the next question.
  await page.click('h1 a');
  await page.waitForSelector('[data-question="account"][data-state="answered"]');
  await page.context().close();
  console.log('a call without an end ends when the reader leaves it');
}

const lies: Readonly<Record<string, Lie>> = {
  'the code of the contract': ({ method, body }) => {
    if (method === 'eth_getCode') body.result = otherDigit(body.result, 200);
    return body;
  },
  'no code': ({ method, body }) => {
    if (method === 'eth_getCode') body.result = '0x';
    return body;
  },
  'a slot of the contract': ({ method, body }) => {
    const [slot] = (method === 'l2_getProof' && body.result?.storageProofs) || [];
    if (slot?.proof) slot.proof.value = otherDigit(slot.proof.value);
    return body;
  },
  'a slot that is said to be empty': ({ method, body }) => {
    const [slot] = (method === 'l2_getProof' && body.result?.storageProofs) || [];
    if (slot?.proof) delete slot.proof;
    return body;
  },
  'the hash of the code': ({ method, body }) => {
    const proof = method === 'l2_getProof' ? body.result?.accountProof.proof : undefined;
    if (proof) proof.value = otherDigit(proof.value, 2 + 64 * 4 - 1);
    return body;
  },
};

async function testCallLies(world: World): Promise<void> {
  const place = `#/call/${world.devnet.devnet.contracts.dollar}`;
  for (const [name, lie] of Object.entries(lies)) {
    const page = await world.open(place);
    await readAbi(page, balanceOf);
    const told = beginLie(world, lie);
    await call(page, [bob]);
    world.lie();
    assert.ok(told() > 0, `${name}: the page has not asked for it`);
    assert.deepEqual(await figuresOf(page, 'proven'), [], name);
    const refused = await page.locator('.failure.refused').count();
    assert.equal(refused, 1, `${name}: ${await page.innerText('main')}`);
    await page.context().close();
  }
  console.log(`${Object.keys(lies).length} false answers to a call are each refused`);
}

export async function testContract(world: World): Promise<void> {
  await testResults(world);
  await testTexts(world);
  await testCallLies(world);
  await testEndless(world);
}
