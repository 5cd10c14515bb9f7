/** Whom the page believes, and how that is changed. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accounts } from '../../../src/cli/devnet/network.js';
import { otherDigit } from './lies.js';
import { checkAccess, figuresOf, settled, type World } from './world.js';

const [, bob] = accounts;

const choose = async (page: Page, title: string, fields: Record<string, string> = {}) => {
  await page.getByRole('radio', { name: title }).check();
  for (const [name, text] of Object.entries(fields)) await page.getByLabel(name).fill(text);
  await page.getByRole('button', { name: 'Use these' }).click();
  await settled(page);
};

export async function testTrust(world: World): Promise<void> {
  const { l1, l1BlockHash } = world.devnet.devnet;
  const page = await world.open('#/trust');
  const panel = page.locator('[data-question="trust"]');
  assert.match(await panel.innerText(), /One L1 endpoint is believed/);
  assert.deepEqual(await figuresOf(page, 'proven'), []);
  await checkAccess(page);

  await choose(page, 'Several L1 endpoints');
  await panel.getByText('several L1 endpoints that agree are wanted').waitFor();
  await choose(page, 'Several L1 endpoints', {
    'L1 endpoints, one a line': `${world.url}l1\n${l1}`,
  });
  await panel.getByText('Several L1 endpoints agree on that root.').first().waitFor();
  assert.deepEqual(await figuresOf(page, 'proven'), []);

  await choose(page, 'A hash of an L1 block', { 'Hash of the L1 block': '0x12' });
  assert.match(await page.locator('form [role=alert]').innerText(), /expected 0x and 64 hex/);
  await choose(page, 'A hash of an L1 block', { 'Hash of the L1 block': l1BlockHash });
  await panel
    .getByText('The root is proven from the L1 block hash that you gave.')
    .first()
    .waitFor();
  const proven = await figuresOf(page, 'proven');
  assert.ok(
    proven.some((figure) => l1BlockHash.startsWith(figure.slice(0, 10))),
    `${proven}`,
  );
  await checkAccess(page);

  // It holds for the next visit, too, and for what is looked up.
  await page.reload();
  await panel
    .getByText('The root is proven from the L1 block hash that you gave.')
    .first()
    .waitFor();
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/address/${bob}`);
  const sign = page.locator('[data-question="account"] .sign').first();
  await sign.click();
  assert.match(
    await page.locator('[data-question="account"] .why').first().innerText(),
    /proven from the L1 block hash that you gave/,
  );

  // A hash that no block has proves nothing.
  await page.evaluate(() => {
    location.hash = '#/trust';
  });
  await choose(page, 'A hash of an L1 block', { 'Hash of the L1 block': otherDigit(l1BlockHash) });
  await panel.locator('.failure').waitFor();
  assert.deepEqual(await figuresOf(page, 'proven'), []);

  // L1's own validators, from a checkpoint on.
  const { url, checkpoint } = world.beacon;
  await choose(page, 'The validators of L1', {
    'URL of a beacon API': url,
    'Checkpoint: root of a beacon block': checkpoint,
  });
  await panel.getByText('votes of the validators of L1').first().waitFor();
  assert.match(await panel.innerText(), /\d+ of \d+ members of the committee/);
  assert.ok((await figuresOf(page, 'proven')).length > 3);
  await checkAccess(page);
  await choose(page, 'The validators of L1', {
    'Checkpoint: root of a beacon block': otherDigit(checkpoint),
  });
  await panel.locator('.failure').waitFor();
  assert.deepEqual(await figuresOf(page, 'proven'), []);

  await page.getByRole('button', { name: 'Use those of this server' }).click();
  await panel.getByText('One L1 endpoint is believed').first().waitFor();
  await page.context().close();
  console.log('whom the page believes is the reader’s to say, and each figure says it');
}
