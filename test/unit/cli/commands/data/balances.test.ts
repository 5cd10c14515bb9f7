/** `l2proof index`, `l2proof serve --data` and `l2proof balances`, as the built commands, before a real node. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { defineNetwork } from '../../../../../src/anchor/index.js';
import type { Hex } from '../../../../../src/bytes.js';
import { createFollower, genesisLines, loadStateFile } from '../../../../../src/follow/index.js';
import { lmdbStore } from '../../../../../src/lmdb/index.js';
import { installLine } from '../../../../../src/peer.js';
import { createTransport } from '../../../../../src/rpc/index.js';
import { type OwnState, storeFinality } from '../../../../../src/service/index.js';
import { openStateTree } from '../../../../../src/tree/index.js';
import { type Anvil, startAnvil } from '../../../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../../../support/chain.js';
import { endCommands, startCommand, urlOf } from '../../../../support/commands.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { deployErc20, deployErc721 } from '../../../../support/contracts/tokens.js';
import { chainName, serveData } from '../../../../support/data.js';
import { newFolder } from '../../../../support/folder.js';
import { living, openLiving } from '../../../../support/living.js';
import { entrySlot, setSlots } from '../../../../support/rollup.js';
import { patience } from '../../../../support/runs.js';
import { until } from '../../../../support/until.js';

const main = resolve('dist/cli/main.js');
const wallet: Hex = `0x${'5e'.repeat(20)}`;
const key = 'k3y-that-must-not-leak';

let node: Anvil;
let gold: Contract;
beforeAll(async () => {
  node = await startAnvil();
  gold = await deployErc20(node);
  await send(node, gold.call('mint', wallet, 1234567n * 10n ** 12n));
  const deed = await deployErc721(node);
  await send(node, deed.call('mint', wallet));
  await send(node, deed.call('mint', wallet));
}, patience);
afterAll(() => node?.close());

afterEach(endCommands);

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const options = { env: { ...process.env, L2PROOF_L2: '', ...env } };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [main, ...args], options)) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

/** Starts a command that goes on. */
const start = (args: readonly string[], env = {}) => startCommand([main, ...args], { env });

test(
  'an index is fed, served and read, while it goes on',
  async () => {
    const path = join(newFolder(), 'index');
    const once = await run(['index', '--store', path, '--l2', node.url, '--once']);
    expect(once).toMatchObject({ code: 0, stdout: 'chain 31337, block 5, final 3\n' });
    expect(once.stderr).toContain('block 5 of 5');
    const again = await run(['index', '--store', path, '--l2', node.url, '--once', '--json']);
    const time = expect.any(String);
    expect(
      again.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      { time, block: 5, head: 5, final: 3 },
      { time, chainId: 31337, block: 5, final: 3, only: null },
    ]);

    const feeding = start(['index', '--store', path], { L2PROOF_L2: node.url });
    const serving = start(
      [
        'serve',
        '--decode',
        `l2-mainnet=${node.url}`,
        '--data',
        `l2-mainnet=${path}`,
        '--port',
        '0',
      ],
      { L2PROOF_KEYS: key },
    );
    const url = await urlOf(serving);
    const env = { L2PROOF_DATA: url, L2PROOF_DATA_KEY: key };
    const ask = ['balances', '--address', wallet, '--chain', 'l2-mainnet'];
    const shown = await run(ask, env);
    expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' });
    const rows = shown.stdout.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(rows.slice(0, 2)).toEqual([
      ['0', 'ETH'],
      ['1.234567', 'GLD', gold.address],
    ]);
    expect(shown.stdout).toMatch(/2 +DEED 0, 1 +0x/);

    await send(node, gold.call('mint', wallet, 10n ** 18n));
    const json = [...ask, '--json', '--auth', 'bearer'];
    await until(async () => {
      const { stdout } = await run(json, env);
      const items = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      return items[1].balance === String(2234567n * 10n ** 12n);
    }, 'the new balance is told');

    const wrong = await run(ask, { ...env, L2PROOF_DATA_KEY: 'another-k3y' });
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('UNAUTHORIZED') });
    expect((await run([...ask.slice(0, -1), 'elsewhere'], env)).code).toBe(3);
    feeding.child.kill('SIGTERM');
    expect(await feeding.ended).toBe(0);
    expect(feeding.said.text).toContain('chain 31337, block 6');
    serving.child.kill('SIGTERM');
    expect(await serving.ended).toBe(0);
    for (const { said } of [feeding, serving]) expect(said.text).not.toContain(key);
  },
  patience,
);

test(
  'a service with a state proves its balances, and the command verifies them under a root',
  async () => {
    const l2 = await startAnvil('--hardfork', 'prague');
    try {
      const folder = newFolder();
      const [state, index] = [join(folder, 'state'), join(folder, 'index')];
      const tree = await openStateTree({ store: lmdbStore({ path: state }) });
      await loadStateFile(tree, genesisLines(await genesisOf(l2, genesisAddresses)));
      const token = await deployErc20(l2);
      await send(l2, token.call('mint', wallet, 3n * 10n ** 18n));
      for (let i = 0; i < 3; i++) await l2.mine();
      const transport = createTransport({ url: l2.url });
      await createFollower({ tree, l2: transport, fork: 'prague' }).run({ once: true });
      const block = (await tree.finalBlock()) as number;
      const root = await tree.stateRoot(block);
      await tree.close();
      const indexed = await run(['index', '--store', index, '--l2', l2.url, '--once']);
      expect(indexed.code).toBe(0);
      expect(indexed.stderr).toMatch(
        /^([-\dT:]{19}Z indexing, block \d+ of \d+(, [\d.]+\/s)?\n)+$/,
      );
      const serving = start([
        ...['serve', '--store', state, '--finality', 'store', '--fork', 'prague', '--port', '0'],
        ...['--decode', `l2=${l2.url}`, '--data', `l2=${index}`],
      ]);
      const url = await urlOf(serving);
      const network = join(folder, 'network.json');
      const rollup = `0x${'44'.repeat(20)}`;
      writeFileSync(network, JSON.stringify({ l1ChainId: 1, l2ChainId: 31337, rollup }));
      const ask = ['balances', '--address', wallet, '--chain', 'l2', '--url', url];
      const prove = [...ask, '--prove', '--network', network, '--fork', 'prague'];
      const trusted = ['--block', String(block), '--root', root];
      const shown = await run([...prove, ...trusted]);
      expect({ code: shown.code, stderr: shown.stderr }).toEqual({ code: 0, stderr: '' });
      expect(shown.stdout).toMatch(
        new RegExp(
          `^verified at L2 block ${block}\n.*server's name.*\n.*native token +ETH\n *3 +${token.address} +GLD`,
        ),
      );
      const unnamed = await run([...prove.slice(0, -2), ...trusted]);
      expect(unnamed).toMatchObject({ code: 0, stdout: shown.stdout });
      expect(unnamed.stderr).toMatch(/^assumed: the newest hard fork .*--fork .*\n$/);
      const json = await run([...prove, ...trusted, '--json']);
      const items = json.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(items.map(({ verified, balance }) => [verified, balance])).toEqual([
        [true, '0'],
        [true, String(3n * 10n ** 18n)],
      ]);
      const other = `0x00${'11'.repeat(31)}`;
      const wrong = await run([...prove, '--block', String(block), '--root', other]);
      expect(wrong).toMatchObject({ code: 1, stdout: '' });
      expect(wrong.stderr).toContain('the native balance is not verified');
      const cases: [string[], RegExp][] = [
        [[...ask, '--root', root], /--root needs --prove/],
        [[...ask, '--prove'], /--network is required/],
        [[...prove, '--root', root], /--root and --block go together/],
        [[...prove, ...trusted, '--l1', url], /takes the place of --l1/],
        [[...prove, ...trusted, '--l2', url], /takes the place of --l1, --l2/],
        [prove, /--l1 or L2PROOF_L1 is required/],
        [[...ask, '--prove', '--network', network, ...trusted, '--fork', 'x'], /--fork expected/],
        [[...prove, '--block', '1', '--root', '0x12'], /--root expected/],
      ];
      for (const [args, words] of cases) {
        const { code, stderr } = await run(args);
        expect([code, stderr]).toEqual([3, expect.stringMatching(words)]);
      }
      const all = installLine([
        ...(['zod', '@ethereumjs/rlp', '@ethereumjs/evm', '@ethereumjs/common'] as const),
        '@ethereumjs/util',
      ]);
      for (const missing of ['Rlp', 'Evm']) {
        const refuse = { NODE_OPTIONS: `--import=${resolve(`test/support/refuse${missing}.mjs`)}` };
        expect(await run([...prove, ...trusted], refuse)).toMatchObject({
          code: 3,
          stdout: '',
          stderr: `l2proof balances --prove needs more packages; run: ${all}\n`,
        });
      }
      serving.child.kill('SIGTERM');
      expect(await serving.ended).toBe(0);
    } finally {
      await l2.close();
    }
  },
  patience,
);

test(
  'balances are verified under the root that L1 holds, and under the header once it holds block hashes',
  async () => {
    const world = await openLiving({
      network: defineNetwork({ ...living, slots: { blockHashes: 456 } }),
    });
    const closing: (() => Promise<unknown>)[] = [() => world.close()];
    try {
      const { l1, l2, tree } = world;
      const token = await deployErc20(l2);
      await send(l2, token.call('mint', wallet, 5n * 10n ** 18n));
      const block = await world.finalize();
      for (let i = 0; i < 2; i++) await l2.mine();
      const state: OwnState = { tree, finality: storeFinality(tree), fork: 'prague' };
      const served = await serveData(l2.url, { state });
      closing.unshift(() => served.close());
      const network = join(newFolder(), 'network.json');
      writeFileSync(network, JSON.stringify(world.network));
      const ask = ['balances', '--address', wallet, '--chain', chainName, '--url', served.url];
      const prove = [...ask, '--prove', '--network', network, '--fork', 'prague'];
      const expected = new RegExp(
        `^verified at L2 block ${block}\\n.*server's name.*\\n.*ETH\\n *5 +${token.address} +GLD`,
      );
      const called = await run([...prove, '--l1', l1.url]);
      expect({ code: called.code, stderr: called.stderr }).toEqual({ code: 0, stderr: '' });
      expect(called.stdout).toMatch(expected);
      // With an L1 block that the user trusts, the root is proven, too.
      const { hash } = await l1.call('eth_getBlockByNumber', 'finalized', false);
      const proven = await run([...prove, '--l1-block-hash', hash], { L2PROOF_L1: l1.url });
      expect(proven.stdout).toMatch(expected);
      expect((await run([...prove, '--l1', l1.url, '--l1-block-hash', '0x12'])).code).toBe(3);
      // Nobody answers on L1, and another root than the service's stands there.
      expect((await run([...prove, '--l1', 'http://127.0.0.1:1/'])).code).toBe(4);
      await setSlots(l1, world.network.rollup, { [entrySlot(block, 282)]: `00${'11'.repeat(31)}` });
      for (let i = 0; i < 3; i++) await l1.mine();
      const other = await run([...prove, '--l1', l1.url]);
      expect(other).toMatchObject({ code: 1, stdout: '' });
      expect(other.stderr).toContain('the native balance is not verified');
      const root = (await tree.stateRoot(block)).slice(2);
      await setSlots(l1, world.network.rollup, { [entrySlot(block, 282)]: root });
      for (let i = 0; i < 3; i++) await l1.mine();
      const later = await world.finalize('hash');
      for (let i = 0; i < 2; i++) await l2.mine();
      await served.feed();
      const headless = await run([...prove, '--l1', l1.url]);
      expect(headless).toMatchObject({ code: 4, stdout: '' });
      expect(headless.stderr).toContain('pass --l2, which gives the header');
      const under = await run([...prove, '--l1', l1.url, '--l2', l2.url]);
      expect({ code: under.code, stderr: under.stderr }).toEqual({ code: 0, stderr: '' });
      expect(under.stdout).toBe(called.stdout.replace(`block ${block}`, `block ${later}`));
    } finally {
      for (const close of closing) await close();
    }
  },
  patience,
);

test(
  'exit codes',
  async () => {
    const path = join(newFolder(), 'index');
    const decode = ['--decode', `a=${node.url}`];
    const cases: [string[], number, RegExp][] = [
      [['index'], 3, /--store is required/],
      [['index', '--store', path], 3, /--l2 or L2PROOF_L2 is required/],
      [['index', '--store', path, '--l2', 'nonsense'], 3, /--l2 expected a URL/],
      [['index', '--store', path, '--l2', node.url, '--metrics', 'x'], 3, /--metrics expected/],
      [['index', '--store', path, '--l2', 'http://127.0.0.1:1/', '--once'], 4, /NETWORK/],
      [['serve', ...decode, '--data', 'x'], 3, /--data expected NAME=DIR/],
      [['serve', ...decode, '--data', `b=${path}`], 3, /--data needs a node of its chain/],
      [['balances', '--chain', 'a', '--url', node.url], 3, /--address is required/],
      [['balances', '--chain', 'a', '--address', wallet], 3, /--url or L2PROOF_DATA is required/],
      [['balances', '--url', node.url, '--address', wallet], 3, /--chain is required/],
      [
        ['balances', '--chain', 'a', '--url', node.url, '--address', '0x12'],
        3,
        /--address expected an address, 20 bytes: 0x and 40 hex digits/,
      ],
    ];
    for (const [args, code, words] of cases) {
      const ended = await run(args);
      expect([args, ended.code, ended.stderr]).toEqual([args, code, expect.stringMatching(words)]);
    }
    // A state is no index, and an index of another chain is another's.
    const store = join(newFolder(), 'index');
    expect((await run(['index', '--store', store, '--l2', node.url, '--once'])).code).toBe(0);
    const other = await startAnvil('--chain-id', '7');
    const wrong = await run(['index', '--store', store, '--l2', other.url, '--once']);
    await other.close();
    expect(wrong).toMatchObject({ code: 3, stderr: expect.stringContaining('WRONG_INDEX') });
  },
  patience,
);
