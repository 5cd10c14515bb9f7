/**
 * The browser recipe of docs/provider.md: built by Vite as it stands there, opened in headless Chromium, before real nodes.
 * Needs Chromium at /usr/bin/chromium, or where CHROMIUM says.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import webpack from 'webpack';
import { pack } from '../../build/pack.js';
import { networks } from '../../src/anchor/index.js';
import { accounts } from '../support/anvil.js';
import { deployErc20 } from '../support/contracts/tokens.js';
import { startHttp } from '../support/http.js';
import { openLiving } from '../support/living.js';
import { installOffline, manifest } from '../support/project.js';
import { browserArgs, executablePath } from './chromium.js';

const guide = readFileSync('docs/provider.md', 'utf8');
const blocks = [...guide.matchAll(/```(\w+)\n([^]*?)```/g)].map(([, language, code]) => ({
  language,
  code: code as string,
}));
const page = blocks.find(({ language }) => language === 'html')?.code as string;
const main = blocks.find(({ code }) => code.includes('import.meta.env'))?.code as string;

/**
 * A dapp that waits for a call at its top level: the engine, which is loaded with the first call, must not wait for the
 * file that waits for it.
 */
const calling = (l2: string, token: string) => `
  import { createPublicClient, erc20Abi } from 'viem';
  import { networks } from 'l2proof/anchor';
  import { createTransport } from 'l2proof/rpc';
  import { verifiedTransport } from 'l2proof/viem';

  const l1 = createTransport({ url: ${JSON.stringify(world.l1.url)} });
  const l2 = createTransport({ url: ${JSON.stringify(l2)} });
  const transport = verifiedTransport({ l1, l2, network: networks.mainnet });
  const client = createPublicClient({ transport });
  const holder = '${accounts[1]}';
  const call = { address: '${token}', abi: erc20Abi, functionName: 'balanceOf', args: [holder] };
  const balance = await client.readContract(call).catch((error) => error.shortMessage);
  document.querySelector('output').textContent = String(balance);
`;

/** Builds `main.js` into `dist` as each tool does for production. */
const tools: Record<string, (root: string) => Promise<unknown>> = {
  vite: (root) => build({ root, logLevel: 'error' }),
  webpack: (root) =>
    new Promise<void>((done, fail) => {
      const output = { path: join(root, 'dist'), filename: 'main.js', clean: true };
      webpack({ mode: 'production', context: root, entry: './main.js', output }, (error, stats) => {
        if (error ?? stats?.hasErrors()) fail(error ?? new Error(stats?.toString()));
        else {
          writeFileSync(join(root, 'dist/index.html'), shell.replace('src="/', 'defer src="'));
          done();
        }
      });
    }),
};
const shell = '<!doctype html><output>...</output><script type="module" src="/main.js"></script>';

const root = mkdtempSync(join(tmpdir(), 'l2proof-dapp-'));
const world = await openLiving({ network: networks.mainnet });
await world.l2.mine({ to: accounts[1], value: 3n });
const token = await deployErc20(world.l2);
await world.l2.mine({ ...token.call('mint', accounts[1], 4200n), from: accounts[0] });
await world.finalize();
const browser = await chromium.launch({ executablePath, args: browserArgs });
try {
  installOffline(root, pack('.', root).tarball, Object.keys(manifest.peerDependencies));
  writeFileSync(join(root, 'index.html'), page);
  writeFileSync(join(root, 'main.ts'), main);

  /** What the page that was built says. */
  async function shown(): Promise<string> {
    const server = await preview({ root, logLevel: 'error', preview: { port: 0 } });
    try {
      const tab = await browser.newPage();
      await tab.goto(server.resolvedUrls?.local[0] as string);
      await tab.waitForFunction("document.querySelector('output').textContent !== '...'");
      return (await tab.locator('output').textContent()) as string;
    } finally {
      await server.close();
    }
  }

  /** What the page of the guide says, with these servers. */
  async function said(l2: string): Promise<string> {
    writeFileSync(join(root, '.env'), `VITE_L1_URL=${world.l1.url}\nVITE_L2_URL=${l2}\n`);
    await build({ root, logLevel: 'error' });
    return shown();
  }

  assert.equal(await said(world.url), '10000.000000000000000003 ETH, proven');
  console.log('the dapp shows what was proven');
  world.meddle((_method, _params, { result }) => ({ result: { ...result, accountProof: {} } }));
  assert.match(await said(world.url), /^refused: /);
  console.log('the dapp shows that a lie was refused');
  world.meddle();
  // As a real proof server does: it answers no page.
  const shy = await startHttp(({ headers }, response) => {
    response.writeHead(headers.origin === undefined ? 200 : 403).end();
  });
  assert.match(await said(shy.url), /^refused: /);
  await shy.close();
  console.log('a server that answers 403 to any origin is of no use to a page');
  writeFileSync(join(root, 'index.html'), shell);
  writeFileSync(join(root, 'main.js'), calling(world.url, token.address));
  for (const [tool, bundle] of Object.entries(tools)) {
    await bundle(root);
    assert.equal(await shown(), '4200');
    console.log(
      `a dapp that awaits a call at its top level, built by ${tool}, shows what was proven`,
    );
  }
} finally {
  await browser.close();
  await world.close();
  rmSync(root, { recursive: true });
}
