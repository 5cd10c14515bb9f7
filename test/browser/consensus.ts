/**
 * The light client in headless Chromium: from a checkpoint to a balance, with what it knows in `localStorage`, before real
 * nodes and a beacon chain that is made up; and the first program of docs/consensus.md, as it stands there. Needs Chromium at /usr/bin/chromium, or where CHROMIUM says.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { networks } from '../../src/anchor/index.js';
import { accounts } from '../support/anvil.js';
import { serveLikeMainnet } from '../support/beacon/likeMainnet.js';
import { beaconOver } from '../support/beacon/overL1.js';
import { startHttp } from '../support/http.js';
import { openLiving } from '../support/living.js';
import { browserArgs, executablePath } from './chromium.js';

const world = await openLiving({ network: networks.mainnet });
await world.l2.mine({ to: accounts[1], value: 3n });
const block = await world.finalize();
const isOpen = { toPages: true };
const beacon = await beaconOver(world.l1, (_, response) => {
  if (isOpen.toPages) response.setHeader('access-control-allow-origin', '*');
  return false;
});

const program = `
  import { defineNetwork, fetchState } from './dist/anchor/index.js';
  import { createLightClient } from './dist/beacon/index.js';
  import { createTransport } from './dist/rpc/index.js';

  const trusted = createLightClient({
    api: ${JSON.stringify(beacon.url)},
    network: ${JSON.stringify(beacon.network)},
    checkpoint: ${JSON.stringify(beacon.checkpoint)},
    storage: {
      get: () => localStorage.getItem('l1'),
      set: (text) => localStorage.setItem('l1', text),
    },
  });
  globalThis.said = fetchState({
    address: ${JSON.stringify(accounts[1])},
    l1: createTransport({ url: ${JSON.stringify(world.l1.url)} }),
    l2: createTransport({ url: ${JSON.stringify(world.url)} }),
    network: defineNetwork(${JSON.stringify(world.network)}),
    trusted,
  }).then(
    ({ anchor, state }) =>
      [state.account.balance, anchor.how, anchor.l2BlockNumber, anchor.consensus.slot].join(' '),
    (error) => error.code,
  );
`;

async function bundle(contents: string, env: Record<string, string> = {}): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env': JSON.stringify(env) },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text as string;
}

const { hash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
const likeMainnet = await serveLikeMainnet(hash);
const [, guide = ''] = /```ts\n([^]*?)```/.exec(readFileSync('docs/consensus.md', 'utf8')) ?? [];
const pages: Record<string, string> = {
  '/': await bundle(program),
  '/guide': await bundle(guide, {
    ...{ BEACON_URL: likeMainnet.url, CHECKPOINT: likeMainnet.checkpoint },
    ...{ L1_URL: world.l1.url, L2_URL: world.url },
  }),
};
const site = await startHttp(({ url = '' }, response) => {
  const script = pages[url.replace('.js', '')];
  response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
  const page = `<!doctype html><script type="module" src="${url}.js"></script>`;
  response.end(url.endsWith('.js') ? script : page);
});

const browser = await chromium.launch({ executablePath, args: browserArgs });
try {
  const tab = await browser.newPage();
  /** What the page says once it is loaded anew. */
  async function said(): Promise<unknown> {
    await tab.goto(site.url);
    await tab.waitForFunction('globalThis.said !== undefined');
    return tab.evaluate('globalThis.said');
  }

  isOpen.toPages = false;
  assert.equal(await said(), 'BLOCKED');
  console.log('a beacon server that lets no page ask is named as such');
  isOpen.toPages = true;
  const balance = await world.l2.call('eth_getBalance', accounts[1], `0x${block.toString(16)}`);
  const expected = `${BigInt(balance)} consensus ${block} ${beacon.slot}`;
  assert.equal(await said(), expected);
  console.log('a page comes from a checkpoint to a balance');
  const before = beacon.asked.length;
  assert.equal(await said(), expected);
  const later = beacon.asked.slice(before);
  assert.ok(later.length > 0);
  assert.deepEqual(
    later.filter((path) => path.includes('bootstrap')),
    [],
  );
  console.log('and goes on from what it kept in localStorage');

  const printed = tab.waitForEvent('console');
  await tab.goto(`${site.url}/guide`);
  const printing = (await printed).args().map((value) => value.jsonValue());
  const { checkpoint, final: slot } = likeMainnet;
  const evidence = { checkpoint, slot, signers: 512, committeeSize: 512 };
  assert.deepEqual(await Promise.all(printing), [BigInt(balance), block, evidence]);
  console.log('so does the program of the guide');
} finally {
  await browser.close();
  await site.close();
  await beacon.close();
  await likeMainnet.close();
  await world.close();
}
