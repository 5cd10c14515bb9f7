/** The anatomy of a proof: of a figure, of an answer that is pasted, and of one with another digit. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accounts } from '../../../src/cli/devnet/network.js';
import { compactProof } from '../../../src/compact/index.js';
import { absent, families, honest } from '../../support/runs.js';
import { otherDigit } from './lies.js';
import { checkAccess, type World } from './world.js';

const [, bob] = accounts;

const verdictOf = async (page: Page): Promise<string> => {
  await page.locator('[data-verdict]').waitFor();
  const verdict = page.locator('[data-verdict]');
  return `${await verdict.getAttribute('data-verdict')} ${await verdict.innerText()}`;
};

/** The law that broke, as the table has it; '' if none did. */
const brokenLaw = async (page: Page): Promise<string> =>
  (await page.locator('.laws tr.broken').allInnerTexts()).join();

async function testTampering(world: World): Promise<void> {
  const page = await world.open(`#/proof/${bob}`);
  assert.match(await verdictOf(page), /^verified/);
  assert.equal(await brokenLaw(page), '');
  await checkAccess(page);
  await page.getByRole('button', { name: 'Change a digit of the value' }).click();
  assert.match(await verdictOf(page), /^refused.*HVALUE_MISMATCH/s);
  assert.match(await brokenLaw(page), /HVALUE_MISMATCH/);
  await checkAccess(page);
  await page.getByRole('button', { name: 'Take it back' }).click();
  assert.match(await verdictOf(page), /^verified/);
  await page.getByText('Its own path').click();
  await page.getByRole('button', { name: 'Change a digit of level 0' }).click();
  assert.match(await verdictOf(page), /^refused.*SUB_TREE_ROOT/s);
  await page.context().close();

  const nobody = await world.open(`#/proof/0x${'5e'.repeat(20)}`, {
    viewport: { width: 320, height: 700 },
  });
  assert.match(await verdictOf(nobody), /^verified/);
  assert.match(await nobody.locator('.gap').innerText(), /So there is no such account/);
  assert.equal(await nobody.locator('.gap li').count(), 3);
  assert.ok((await nobody.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  await checkAccess(nobody);
  // A refused answer shows nothing to be absent.
  await nobody.locator('details.path summary').first().click();
  await nobody.getByRole('button', { name: 'Change a digit of the leaf' }).first().click();
  assert.match(await verdictOf(nobody), /^refused/);
  assert.doesNotMatch(await nobody.innerText('main'), /So there is no such account|It has no leaf/);
  await nobody.context().close();
  console.log('a proof is taken apart, and a changed digit is found where it is');
}

/** The value of the first slot. */
const valueOf = (page: Page) =>
  page.locator('h3:has-text("Slot") ~ dl div:has(dt:text-is("Value")) code').first();

/** The mark of a figure leads to the proof behind it: of an account, and of the hash of a block. */
async function testLooking(world: World): Promise<void> {
  const page = await world.open(`#/address/${bob}`);
  await page.locator('[data-question="account"] .sign').first().click();
  await page.getByRole('note').getByRole('link', { name: 'Look at the proof' }).click();
  await page.waitForURL(`**/#/proof/${bob}`);
  assert.match(await verdictOf(page), /^verified/);
  await page.context().close();

  // The amount of a token: what its contract reads for it.
  const holder = await world.open(`#/address/${bob}`);
  const { dollar } = world.devnet.devnet.contracts;
  await holder.getByText(`Look at the proofs of the amount of ${dollar}`).click();
  const reads = holder.locator('[data-question="reads"]');
  await reads.getByRole('link', { name: 'Slot' }).click();
  assert.match(await verdictOf(holder), /^verified/);
  const amount = await valueOf(holder).getAttribute('title');
  assert.equal(BigInt(amount as string), 3_800_000_000n);
  await holder.context().close();

  const { hash } = (await world.devnet.l2.call('eth_getBlockByNumber', '0x3', false)) as {
    hash: string;
  };
  const block = await world.open('#/block/3');
  await block.locator('[data-question="block"] .sign').first().click();
  await block.getByRole('note').getByRole('link', { name: 'Look at the proof' }).click();
  assert.match(await verdictOf(block), /^verified/);
  assert.equal(await valueOf(block).getAttribute('title'), hash);
  await block.context().close();
  console.log('the mark of a figure leads to its proof');
}

/** A server that lies: the page shows where its answer breaks. */
async function testRefused(world: World): Promise<void> {
  world.lie(({ method, body }) => {
    const nodes = method === 'l2_getProof' && body.result?.accountProof?.proof?.proofRelatedNodes;
    if (nodes) nodes[30] = otherDigit(nodes[30]);
    return body;
  });
  const page = await world.open(`#/proof/${bob}`);
  world.lie();
  assert.match(await verdictOf(page), /^refused/);
  assert.notEqual(await brokenLaw(page), '');
  await page.context().close();
  console.log('an answer that was refused is shown with the place where it breaks');
}

async function paste(page: Page, text: string, claim: { stateRoot: string }, hash: string) {
  await page.getByLabel(/An answer of l2_getProof/).fill(text);
  await page.getByLabel('State root that you trust').fill(claim.stateRoot);
  await page.getByLabel('Hash of the tree').selectOption(hash);
  await page.getByRole('button', { name: 'Take it apart' }).click();
}

async function testPasted(world: World): Promise<void> {
  const page = await world.open('#/proof');
  await checkAccess(page);
  for (const family of families) {
    for (const { result, claim } of [honest(family), absent(family)]) {
      await paste(page, JSON.stringify({ jsonrpc: '2.0', id: 1, result }), claim, family);
      assert.match(await verdictOf(page), /^verified/, family);
      const bytes = Buffer.from(compactProof(result, claim)).toString('hex');
      await paste(page, `0x${bytes}`, claim, family);
      assert.match(await verdictOf(page), /^verified/, `${family}, compact`);
      await paste(page, JSON.stringify(result), { stateRoot: otherDigit(claim.stateRoot) }, family);
      assert.match(await verdictOf(page), /^refused.*ROOT_MISMATCH/s);
    }
  }
  await page.getByLabel(/An answer of l2_getProof/).fill('{"accountProof": {}}');
  await page.getByRole('button', { name: 'Take it apart' }).click();
  assert.match(await verdictOf(page), /^refused.*MALFORMED/s);
  await page.getByLabel(/An answer of l2_getProof/).fill('nothing');
  await page.getByRole('button', { name: 'Take it apart' }).click();
  assert.match(await page.locator('[role=alert]').innerText(), /expected the JSON of an answer/);
  await page.context().close();
  console.log('answers that are pasted are taken apart, as JSON and in compact form');
}

/** Drops a file on the form. */
async function drop(page: Page, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((content) => {
    const held = new DataTransfer();
    held.items.add(new File([content], 'answer.json'));
    return held;
  }, text);
  await page.dispatchEvent('form.paste', 'drop', { dataTransfer });
}

async function testDropped(world: World): Promise<void> {
  const page = await world.open('#/proof');
  const { result, claim } = honest('poseidon2');
  await drop(page, JSON.stringify(result));
  const address = page.locator('#address');
  await page.waitForFunction(
    (asked) => document.querySelector<HTMLInputElement>('#address')?.value.toLowerCase() === asked,
    claim.address.toLowerCase(),
  );
  await page.getByLabel('State root that you trust').fill(claim.stateRoot);
  await page.getByRole('button', { name: 'Take it apart' }).click();
  assert.match(await verdictOf(page), /^verified/);
  // One that is too long is not read, and what stood there stays.
  await drop(page, 'f'.repeat(2 ** 23));
  assert.match(await page.locator('[role=alert]').innerText(), /longer than 4 MB/);
  assert.notEqual(await address.inputValue(), '');
  await page.context().close();
  console.log('a file that is dropped is taken apart; one that is too long is not read');
}

export async function testAnatomy(world: World): Promise<void> {
  await testTampering(world);
  await testLooking(world);
  await testRefused(world);
  await testPasted(world);
  await testDropped(world);
}
