/**
 * `npm run bench -- page`: the view of an address in the explorer, from the first byte to its last proven figure, in Chromium
 * before a devnet: by the clock, and the processor time of the page beside that of the same questions in a process of Node,
 * turn by turn. Both are less what an empty page and a bare Node take.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { accounts, devNetwork } from '../src/cli/devnet/network.js';
import { openWorld, settled } from '../test/browser/explorer/world.js';
import { type Spread, spreadOf } from './measure.js';
import { digits } from './report.js';

const rounds = 9;
const [, address] = accounts;

// From there the child finds the packages that it shares with this checkout.
const folder = mkdtempSync(resolve('node_modules/.l2proof-bench-'));
const child = join(folder, 'child.mjs');
await build({
  entryPoints: { child: 'bench/pageChild.ts' },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'error',
});

const world = await openWorld();

/** Processor time of a process of Node, in ms. */
function node(...args: string[]): number {
  const text = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (text.status !== 0) throw new Error(text.stderr);
  return Number(text.stdout);
}
const settings = {
  network: devNetwork,
  l1: [world.devnet.devnet.l1],
  proofs: world.devnet.devnet.proofs,
  node: world.devnet.devnet.l2,
  data: { url: world.devnet.devnet.data, key: 'devnet-key', chain: devNetwork.name },
  fork: 'prague',
  trust: { how: 'call' },
};
const used = 'const { user, system } = process.cpuUsage(); console.log((user + system) / 1000)';
const inNode = (): number =>
  node(child, JSON.stringify({ settings, address })) - node('--input-type=module', '-e', used);

/** Processor time of all pages, in ms. */
async function ofPages(): Promise<number> {
  const tools = await world.browser.newBrowserCDPSession();
  const { processInfo } = await tools.send('SystemInfo.getProcessInfo');
  await tools.detach();
  return processInfo
    .filter(({ type }) => type === 'renderer')
    .reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
}

async function inPage(url: string): Promise<{ clock: number; cpu: number }> {
  const context = await world.browser.newContext();
  const before = await ofPages();
  const page = await context.newPage();
  const from = performance.now();
  await page.goto(url);
  if (url !== 'about:blank') await settled(page);
  const clock = performance.now() - from;
  const cpu = (await ofPages()) - before;
  await context.close();
  return { clock, cpu };
}

const line = (name: string, { median, low, high }: Spread, unit: string): string =>
  `${name}: ${digits(median)} ${unit} (${digits(low)} to ${digits(high)})`;

try {
  const place = `${world.url}#/address/${address}`;
  // The service proves once, and the files are read once.
  await inPage(place);
  inNode();
  const pages: { clock: number; cpu: number }[] = [];
  const processes: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const { cpu: empty } = await inPage('about:blank');
    const { clock, cpu } = await inPage(place);
    pages.push({ clock, cpu: cpu - empty });
    processes.push(inNode());
  }
  const cpu = pages.map((page) => page.cpu);
  console.log(
    [
      line('the whole view, by the clock', spreadOf(pages.map(({ clock }) => clock)), 'ms'),
      line('processor time of the page', spreadOf(cpu), 'ms'),
      line('the same questions in Node', spreadOf(processes), 'ms'),
      line(
        'page beside Node',
        spreadOf(cpu.map((ms, i) => ms / (processes[i] as number))),
        'times',
      ),
    ].join('\n'),
  );
} finally {
  await world.close();
  rmSync(folder, { recursive: true });
}
