/** The view of an address: what is proven is what the node says, and nothing else looks proven. */
import assert from 'node:assert/strict';
import { accounts } from '../../../src/cli/devnet/network.js';
import { checkAccess, figuresOf, type World } from './world.js';

const [, bob] = accounts;

/** An amount of 18 decimals with six digits behind the point, worked out apart from the page. */
function shown(wei: bigint): string {
  const [whole, rest] = [wei / 10n ** 18n, (wei % 10n ** 18n).toString().padStart(18, '0')];
  return `${Number(whole).toLocaleString('en-US')}.${rest.slice(0, 6)}…`;
}

export async function testAddress(world: World): Promise<void> {
  const block = `0x${world.devnet.devnet.block.toString(16)}`;
  const balance = BigInt(
    (await world.devnet.l2.call('eth_getBalance', bob, block)) as unknown as string,
  );
  const page = await world.open(`#/address/${bob}`);
  const figures = await figuresOf(page, 'proven');
  assert.ok(figures.includes(`${shown(balance)} ETH`), `no ${shown(balance)} in ${figures}`);
  assert.ok(figures.includes('3,800'));
  assert.ok((await figuresOf(page, 'word')).includes('DUSD'));
  await checkAccess(page);
  const sign = page.locator('[data-question="account"] .sign').first();
  await sign.focus();
  await page.keyboard.press('Enter');
  const why = page.locator('[data-question="account"] .why').first();
  assert.match(await why.innerText(), /proven\. Verified in this page under the state root/);
  await page.keyboard.press('Escape');
  assert.equal(await why.isVisible(), false);
  await page.context().close();

  const german = await world.open(`#/address/${bob}`, { locale: 'de-DE', colorScheme: 'dark' });
  assert.ok((await figuresOf(german, 'proven')).includes('3.800'));
  await checkAccess(german);
  await german.context().close();
  console.log('an address: amounts are those of the node, in the form of the reader');

  const nobody = await world.open(`#/address/0x${'5e'.repeat(20)}`, {
    viewport: { width: 320, height: 700 },
  });
  const [absent = ''] = await figuresOf(nobody, 'proven');
  assert.match(absent, /^This account does not exist/);
  await checkAccess(nobody);
  const wide = await nobody.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 320, `${wide} wide`);
  await nobody.context().close();
  console.log('an account that does not exist is proven not to');
}
