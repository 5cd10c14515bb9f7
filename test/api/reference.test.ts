/** Each public function of the entries for readers has an example, which editors show, and which does what it says. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networks } from '../../src/anchor/index.js';
import { accounts, word } from '../support/anvil.js';
import { serveLikeMainnet } from '../support/beacon/likeMainnet.js';
import { type GuideDevnet, guideKinds, openGuideDevnet } from '../support/devnet.js';
import { type Hover, hoversOf, printedBy } from '../support/hover.js';
import { newProject } from '../support/installed.js';
import { like } from '../support/pages.js';
import { compile, manifest } from '../support/project.js';
import { patience } from '../support/runs.js';

const entries = [
  'l2proof',
  ...['anchor', 'provider', 'viem', 'compact', 'history', 'consensus', 'data'].map(
    (name) => `l2proof/${name}`,
  ),
];

let project: string;
let hovers: Hover[];
/** Devnets whose L1 contract stores roots, and hashes of blocks. */
let worlds: GuideDevnet[];
let beacon: Awaited<ReturnType<typeof serveLikeMainnet>>;
beforeAll(async () => {
  project = await newProject();
  hovers = hoversOf(project, entries);
  worlds = await Promise.all(guideKinds.map(({ network }) => openGuideDevnet(network)));
  beacon = await serveLikeMainnet((worlds[0] as GuideDevnet).devnet.l1BlockHash);
}, patience);
afterAll(async () => {
  await beacon?.close();
  await Promise.all((worlds ?? []).map((world) => world.close()));
});

const [, bob] = accounts;

/** An answer of a server. */
// biome-ignore lint/suspicious/noExplicitAny: nothing is known of it before it is compared
type Json = any;

/** Whether an example asks servers. */
const asks = ({ example = '' }: Hover) => /https:\/\/\w+\.example/.test(example);

test('the reference has the entries under the names by which they are imported', () => {
  const sources = Object.entries<{ types?: string }>(manifest.exports).flatMap(
    ([name, { types }]) =>
      types === undefined
        ? []
        : [[`l2proof${name.slice(1)}`, types.replace('./dist', 'src').replace('.d.ts', '.ts')]],
  );
  expect(sources.length).toBe(20);
  for (const [name, source] of sources as [string, string][]) {
    const [head] = /^\/\*\*[^]*?\*\//.exec(readFileSync(source, 'utf8')) as unknown as [string];
    expect(head).toMatch(new RegExp(`^/\\*\\*\\n \\* \`${name}\`[ :]`));
    expect(head).toContain(`\n * @module ${name}\n`);
  }
  const { entryPoints } = JSON.parse(readFileSync('typedoc.json', 'utf8'));
  expect([...entryPoints].sort()).toEqual(sources.map(([, source]) => source).sort());
});

test('an editor shows the description of each function, and its example', () => {
  expect(new Set(hovers.map(({ entry }) => entry))).toEqual(new Set(entries));
  expect(hovers.filter(({ example }) => example === undefined)).toEqual([]);
  for (const { name, entry, text, example } of hovers) {
    expect(text).toMatch(new RegExp(`\\b${name}\\b[^]*\\n\\w`));
    expect(example).toMatch(
      new RegExp(`^import \\{[^}]*\\b${name}\\b[^}]*\\} from '${entry}';$`, 'm'),
    );
  }
  const shown = hovers.find(({ name }) => name === 'verifyProof') as Hover;
  expect(shown.text).toContain('without trusting the server that gave it');
  expect(shown.example).toContain('= verifyProof(result, {');
});

/** What the nodes of a devnet say, at the block whose root L1 has. */
async function askNodes({ devnet, l1, l2 }: GuideDevnet) {
  const { block, contracts, l1BlockHash } = devnet;
  const number = `0x${block.toString(16)}`;
  const holds = async (token: string) =>
    BigInt(
      await l2.call('eth_call', { to: token, data: `0x70a08231${word(BigInt(bob))}` }, number),
    );
  const l1Block = await l1.call('eth_getBlockByHash', l1BlockHash, false);
  const roots = { to: networks.mainnet.rollup, data: `0x8be745d1${word(block)}` };
  return {
    block,
    l1Number: Number(l1Block.number),
    l1StateRoot: l1Block.stateRoot,
    stateRoot: await l1.call('eth_call', roots, { blockHash: l1BlockHash }),
    l2Block: await l2.call('eth_getBlockByNumber', number, true),
    before: await l2.call('eth_getBlockByNumber', `0x${(block - 1).toString(16)}`, false),
    receipts: await l2.call('eth_getBlockReceipts', number),
    balance: BigInt(await l2.call('eth_getBalance', bob, number)),
    dollars: await holds(contracts.dollar),
    ether: await holds(contracts.wrappedEther),
    badges: await holds(contracts.badge),
  };
}

/** Puts the servers and hashes of a devnet into an example. */
const placed = (
  example: string,
  { devnet }: GuideDevnet,
  said: Awaited<ReturnType<typeof askNodes>>,
) =>
  Object.entries({
    'https://l1.example': devnet.l1,
    'https://l2.example': devnet.proofs,
    'https://node.example': devnet.l2,
    'https://beacon.example': beacon.url,
    'https://data.example': devnet.data,
    "'your-key'": `'${devnet.proofs.split('/').at(-1)}'`,
    "'l2-mainnet'": `'${devnet.network.name}'`,
    '0xL1_BLOCK_HASH': devnet.l1BlockHash,
    '0xL1_STATE_ROOT': said.l1StateRoot,
    '0xL2_BLOCK_HASH': said.l2Block.hash,
    '0xL2_STATE_ROOT': said.l2Block.stateRoot,
    '0xSTATE_ROOT': said.stateRoot,
    '0xCHECKPOINT': beacon.checkpoint,
    '23907114': String(said.l1Number),
    '28511680': String(said.block),
  }).reduce((code, [name, value]) => code.replaceAll(name, value), example);

test(
  'the examples compile under --strict, and print what they say, or what the nodes have',
  async () => {
    const [world, hashWorld] = worlds as [GuideDevnet, GuideDevnet];
    const [said, saidOfHashes] = await Promise.all([askNodes(world), askNodes(hashWorld)]);
    for (const { name, example = '' } of hovers) {
      const of = name === 'verifyBlockHashProof' ? hashWorld : world;
      const code = placed(example, of, of === world ? said : saidOfHashes);
      expect(code).not.toMatch(/\.example|0x[A-Z]/);
      writeFileSync(join(project, `${name}.ts`), code);
    }
    const files = hovers.map(({ name }) => `${name}.ts`);
    const options = { skipLibCheck: true, noUncheckedIndexedAccess: true };
    expect(compile(project, files, options)).toBe('');

    const { block, balance, l2Block, before } = said;
    const asked = async (path: string) =>
      (await (await fetch(`${beacon.url}/eth/v1/beacon/light_client/${path}`)).json()) as Json;
    const { data: bootstrap } = await asked(`bootstrap/${beacon.checkpoint}`);
    const [{ data: update }] = await asked('updates');
    const transactions: Json[] = l2Block.transactions;
    const receipts: Json[] = said.receipts;
    const expected: Record<string, string> = {
      givenAnchor: `${balance}n`,
      fetchAnchor: `${block} proof`,
      fetchState: `${balance}n ${block}`,
      anchorStorageKeys: '4 object',
      verifyAnchorProof: `${block} ${said.stateRoot}`,
      verifyBlockHashProof: `${saidOfHashes.block} ${saidOfHashes.l2Block.hash}`,
      verifyL1Header: `${said.l1Number} ${said.l1StateRoot}`,
      verifyL2Header: `${l2Block.stateRoot} ${BigInt(l2Block.timestamp)}n`,
      verifyAccountProof: `${balance}n`,
      createProvider: `0x${balance.toString(16)}`,
      verifiedTransport: `${balance}n`,
      verifiedActions: `true ${block}`,
      createHistory: `${block - 1} ${before.hash}`,
      verifyHeaders: `${l2Block.number} ${l2Block.timestamp}`,
      verifyReceipts: receipts.map(({ status, logs }) => `${status} ${logs.length}`).join('\n'),
      verifyTransactions: transactions.map(({ from, to }) => `${from} ${to}`).join('\n'),
      createLightClient: `${beacon.final} ${world.devnet.l1BlockHash}`,
      verifyBootstrap: bootstrap.header.beacon.slot,
      applyUpdate: `${update.finalized_header.beacon.slot} 512`,
      createDataClient: [
        `${balance} ETH`,
        `${said.dollars} DUSD`,
        `${said.ether} WETH`,
        `${said.badges} BADGE`,
      ].join('\n'),
    };
    const asking = hovers.filter(asks);
    expect(asking.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
    for (const hover of hovers) {
      const { name, example = '' } = hover;
      // The servers run in this process, and must have their turn.
      const args = [`${name}.js`];
      const { stdout, stderr } = await promisify(execFile)(process.execPath, args, {
        cwd: project,
      });
      const [printed, says] = [stdout.trim(), printedBy(example)];
      expect([name, stderr, printed]).toEqual([name, '', expected[name] ?? says]);
      // The figures in an example that asks are those of another chain.
      if (asks(hover) && says !== '') expect(printed).toMatch(like(says));
    }
  },
  patience,
);
