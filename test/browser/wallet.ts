/**
 * The balances of a wallet with 100 tokens, verified in headless Chromium, before a service that says the truth and one that
 * does not. Needs Chromium at /usr/bin/chromium, or where CHROMIUM says.
 */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import type { Hex } from '../../src/bytes.js';
import { type Anvil, accounts } from '../support/anvil.js';
import { deployErc20 } from '../support/contracts/tokens.js';
import { chainName } from '../support/data.js';
import { startHttp } from '../support/http.js';
import { provenNetwork, startProvenChain } from '../support/provenChain.js';
import { browserArgs, executablePath } from './chromium.js';

const count = 100;
const address: Hex = `0x${'5e'.repeat(20)}`;
const minter = accounts[0] as Hex;

async function make(node: Anvil) {
  const tokens: Hex[] = [];
  for (let i = 0; i < count; i++) {
    const token = await deployErc20(node, `Token ${i}`, `T${i}`);
    await node.mine({ ...token.call('mint', address, 10n ** 18n + BigInt(i)), from: minter });
    tokens.push(token.address);
  }
  return tokens;
}

const { outputFiles } = await build({
  entryPoints: { page: 'test/browser/walletPage.ts' },
  bundle: true,
  format: 'esm',
  splitting: true,
  outdir: '/',
  write: false,
  logLevel: 'error',
});
const scripts = new Map(outputFiles.map(({ path, text }) => [path, text]));

const site = await startHttp(({ url = '' }, response) => {
  const script = scripts.get(url);
  response.writeHead(200, {
    'content-type': script === undefined ? 'text/html' : 'text/javascript',
  });
  response.end(script ?? '<!doctype html><script type="module" src="page.js"></script>');
});
const chain = await startProvenChain({ make, service: () => ({ service: { cors: [site.url] } }) });
/** Between the page and the service: adds one to a balance of the first page. */
const liar = await startHttp(async ({ url = '', headers }, response) => {
  const answer = await fetch(chain.served.url + url, { headers: { origin: headers.origin ?? '' } });
  const body = (await answer.json()) as { data: { items: { balance: string }[] } };
  const item = body.data.items[7];
  if (item) item.balance = String(BigInt(item.balance) + 1n);
  response.writeHead(200, {
    'content-type': 'application/json',
    'access-control-allow-origin': site.url,
    'access-control-allow-headers': 'content-type',
  });
  response.end(JSON.stringify(body));
});
const browser = await chromium.launch({ executablePath, args: browserArgs });
try {
  const page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForFunction('typeof readWallet === "function"');
  const question = { chain: chainName, address, network: provenNetwork };
  const read = async (url: string, anchor: unknown) => {
    const asked = JSON.stringify({ ...question, url, anchor });
    return (await page.evaluate(`readWallet(${asked})`)) as {
      code?: string;
      items: [contract: string, balance: string][];
    };
  };
  const anchor = await chain.anchorAt();
  const { code, items } = await read(chain.served.url, anchor);
  assert.equal(code, undefined);
  const balances = new Map(items);
  assert.equal(balances.size, count + 1);
  for (const [i, token] of chain.made.entries()) {
    assert.equal(balances.get(token.toLowerCase()), String(10n ** 18n + BigInt(i)));
  }
  console.log(`a page verifies the balances of a wallet with ${count} tokens`);
  const lied = await read(
    `http://127.0.0.1:${(liar.server.address() as AddressInfo).port}`,
    anchor,
  );
  assert.deepEqual(lied, { code: 'NOT_VERIFIED', items: [] });
  console.log('a balance that is false is refused in the page');
} finally {
  await browser.close();
  await liar.close();
  await chain.close();
  await site.close();
}
