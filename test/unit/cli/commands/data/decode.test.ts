/** `l2proof decode` and `l2proof serve --decode`, as the built command, before a real node. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { getAddress } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { NodeReceipt } from '../../../../support/answers.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import {
  deployErc20,
  deployErc721,
  deployWrappedNative,
} from '../../../../support/contracts/tokens.js';
import { deployCode, logging } from '../../../../support/decoder.js';
import { newFolder } from '../../../../support/folder.js';
import { startHttp, type TestServer } from '../../../../support/http.js';
import { patience } from '../../../../support/runs.js';
import { until } from '../../../../support/until.js';

const main = resolve('dist/cli/main.js');
const [first, second] = accounts;
const topic = `0x${'b7'.repeat(32)}` as const;
let node: Anvil;
let gold: Contract;
let moved: NodeReceipt;
let strange: string;
beforeAll(async () => {
  node = await startAnvil();
  gold = await deployErc20(node);
  await send(node, gold.call('mint', first, 10n ** 21n));
  moved = await send(node, gold.call('transfer', second, 15n * 10n ** 17n));
  strange = (await send(node, { to: await deployCode(node, logging(topic)) })).transactionHash;
}, patience);
afterAll(() => node?.close());

let child: ChildProcess | undefined;
let prices: TestServer | undefined;
afterEach(async () => {
  child?.kill('SIGKILL');
  await prices?.close();
  child = undefined;
  prices = undefined;
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(args: readonly string[], env = {}): Promise<Ended> {
  const options = { env: { ...process.env, L2PROOF_L2: '', ...env } };
  try {
    return { code: 0, ...(await promisify(execFile)(process.execPath, [main, ...args], options)) };
  } catch (error) {
    return error as unknown as Ended;
  }
}

test(
  'a table that a person can read',
  async () => {
    const { code, stdout, stderr } = await run(['decode', moved.transactionHash, '--l2', node.url]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const time = new Date(
      1000 * Number((await node.call('eth_getBlockByHash', moved.blockHash, false)).timestamp),
    ).toISOString();
    const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, '  ').trimEnd());
    expect(lines).toContain(`transaction  ${moved.transactionHash}`);
    expect(lines).toContain('status  successful');
    expect(lines).toContain(`block  ${Number(moved.blockNumber)}, ${time}`);
    expect(lines).toContain('value  0 ETH');
    expect(lines.slice(lines.indexOf('') + 1)).toEqual([
      '1. Transfer (Transferred), Gold',
      `  From  ${getAddress(first)}`,
      `  To  ${getAddress(second)}`,
      '  Token Amount  1.5 GLD',
      '',
    ]);
  },
  patience,
);

test(
  'NFTs, unknown logs, and the response as JSON',
  async () => {
    const deed = await deployErc721(node);
    const { transactionHash } = await send(node, deed.call('mint', second));
    const env = { L2PROOF_L2: node.url };
    const shown = await run(['decode', transactionHash], env);
    expect(shown.stdout).toMatch(/NFT Transferred +number 0 of Deed/);
    expect((await run(['decode', strange], env)).stdout).toContain('no event that is known');
    expect((await run(['decode', strange, '--unknown'], env)).stdout).toContain(topic);
    const { stdout } = await run(['decode', moved.transactionHash, '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      events: [{ name: 'Transfer', tokens: [{ value: '1500000000000000000' }] }],
      tx_metadata: { tx_hash: moved.transactionHash },
    });
  },
  patience,
);

test(
  'ABIs of a folder',
  async () => {
    const abis = join(newFolder(), 'abis');
    mkdirSync(abis);
    // A selector as topic would not fit; the event is of the contract's own.
    const abi = gold.abi.filter((item) => item.type === 'event');
    writeFileSync(join(abis, 'gold.json'), JSON.stringify({ contractName: 'Gold', abi }));
    writeFileSync(join(abis, 'notes.txt'), 'no ABI');
    const ok = await run(['decode', moved.transactionHash, '--l2', node.url, '--abis', abis]);
    expect(ok.code).toBe(0);
    // One odd event fails neither its file nor the others.
    writeFileSync(join(abis, 'odd.json'), JSON.stringify([...abi, 'event Odd(fixed a)']));
    const odd = await run(['decode', moved.transactionHash, '--l2', node.url, '--abis', abis]);
    expect(odd).toMatchObject({ code: 0, stdout: ok.stdout });
    expect(odd.stderr).toMatch(
      /^an event of an ABI was left out: "odd\.json\[\d+\]" expected types/,
    );
    writeFileSync(join(abis, 'none.json'), JSON.stringify([{}]));
    const none = await run(['decode', moved.transactionHash, '--l2', node.url, '--abis', abis]);
    expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('none.json[0].type') });
    writeFileSync(join(abis, 'bad.json'), '{');
    const bad = await run(['decode', moved.transactionHash, '--l2', node.url, '--abis', abis]);
    expect(bad).toMatchObject({ code: 3, stderr: expect.stringContaining('--abis') });
  },
  patience,
);

test(
  'exit codes',
  async () => {
    const secret = 'secret-path-of-mine';
    const broken = await startHttp((_, response) => response.end('<html>'));
    const cases: [string[], number, RegExp][] = [
      [['decode'], 3, /TX is required/],
      [['decode', moved.transactionHash], 3, /--l2 or L2PROOF_L2 is required/],
      [['decode', '0x12', '--l2', node.url], 3, /TX expected 0x and 64 hex digits/],
      [['decode', moved.transactionHash, '--l2', 'nonsense'], 3, /--l2 expected a URL/],
      [
        ['decode', moved.transactionHash, '--l2', node.url, '--chain', 'A b'],
        3,
        /--chain expected/,
      ],
      [['decode', moved.transactionHash, '--l2', node.url, '--chain', 'linea-mainnet'], 3, /31337/],
      [['decode', `0x${'12'.repeat(32)}`, '--l2', node.url], 4, /no such transaction/],
      [['decode', moved.transactionHash, '--l2', `http://127.0.0.1:1/${secret}`], 4, /NETWORK/],
      [['decode', moved.transactionHash, '--l2', `${broken.url}/${secret}`], 2, /NOT_JSON/],
      [['serve'], 3, /--store is required/],
      [['serve', '--decode', `x${secret}`], 3, /--decode expected NAME=URL/],
      [['serve', '--decode', `a=http:${secret}`, '--finality', '1'], 3, /need --store/],
      [['serve', '--decode', `a=http:${secret}`, '--node', secret], 3, /--node needs --store/],
      ...['x', 'a', 'a=', 'a=0x12', `b=0x${'12'.repeat(20)}`].map(
        (text): [string[], number, RegExp] => [
          ['serve', '--decode', 'a=http://127.0.0.1:1', '--wrapped-native', text],
          3,
          /--wrapped-native (expected NAME=ADDRESS|needs a node of its chain)/,
        ],
      ),
      [
        ['serve', '--wrapped-native', `a=0x${'12'.repeat(20)}`],
        3,
        /--wrapped-native needs|--store/,
      ],
      [
        ['decode', moved.transactionHash, '--l2', node.url, '--wrapped-native', '0x1'],
        3,
        /--wrapped-native expected an address, 20 bytes: 0x and 40 hex digits/,
      ],
      [['serve', '--prices', 'x'], 3, /--prices needs --decode|--store is required/],
    ];
    for (const [args, code, words] of cases) {
      const ended = await run(args);
      expect([args, ended.code]).toEqual([args, code]);
      expect(ended.stderr).toMatch(words);
      expect(ended.stderr).not.toContain(secret);
    }
    await broken.close();
    for (const name of ['decode', 'serve']) {
      const { code, stdout } = await run([name, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain(
        name === 'decode' ? 'l2proof decode TX --l2 URL' : '--decode NAME=URL',
      );
    }
  },
  patience,
);

/** Starts `serve` and waits until it listens. */
async function serve(args: readonly string[], env = {}) {
  const started = spawn(process.execPath, [main, 'serve', '--port', '0', ...args], {
    env: { ...process.env, ...env },
  });
  child = started;
  let output = '';
  for (const stream of [started.stdout, started.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const port = () => /"port":(\d+).*listening/.exec(output)?.[1];
  await until(() => port() !== undefined || started.exitCode !== null, 'it listens');
  const url = `http://127.0.0.1:${port()}`;
  return {
    url,
    output: () => output,
    decode: async (hash: string) => {
      const body = JSON.stringify({ chain_name: 'anvil', tx_hash: hash });
      const response = await fetch(`${url}/api/v1/tx/decode`, { method: 'POST', body });
      return { status: response.status, body: await response.json() };
    },
    async stop() {
      started.kill('SIGTERM');
      await until(() => started.exitCode !== null, 'it ended');
      return started.exitCode;
    },
  };
}

test(
  'the service decodes without a store of proofs, with prices, lists and a database',
  async () => {
    const folder = newFolder();
    const list = join(folder, 'list.json');
    const named = {
      chainId: 31337,
      address: gold.address,
      name: 'Listed',
      symbol: 'LST',
      decimals: 18,
    };
    writeFileSync(list, JSON.stringify({ tokens: [named] }));
    const file = join(folder, 'prices.json');
    writeFileSync(file, JSON.stringify({ anvil: [{ address: gold.address, usd: '4' }] }));
    const args = [
      '--decode-store',
      join(folder, 'decoded'),
      '--token-list',
      list,
      '--prices',
      file,
    ];
    await node.callEach('evm_mine', [[], [], []]);
    for (let i = 0; i < 2; i++) {
      const served = await serve([...args, '--drain', '0'], {
        L2PROOF_DECODE: `anvil=${node.url}`,
      });
      const { status, body } = await served.decode(moved.transactionHash);
      expect(status).toBe(200);
      expect(body.events[0].tokens).toMatchObject([
        { ticker_symbol: 'LST', pretty_quote: '$6.00' },
      ]);
      expect(await served.stop()).toBe(0);
      expect(served.output()).not.toContain(node.url.slice(7));
    }
  },
  patience,
);

test(
  'the wrapped native token of the chain, and an odd event of an ABI',
  async () => {
    const wrapped = await deployWrappedNative(node);
    const { transactionHash } = await send(node, { ...wrapped.call('deposit'), value: 50n });
    const abis = newFolder();
    writeFileSync(join(abis, 'odd.json'), JSON.stringify(['event Odd(fixed a)']));
    const args = ['--decode', `anvil=${node.url}`, '--abis', abis];
    const flag = ['--wrapped-native', `anvil=${wrapped.address}`];
    const served = await serve([...args, ...flag, '--log', 'warn']);
    const deposit = (await served.decode(transactionHash)).body.events.at(-1);
    expect(deposit).toMatchObject({ name: 'Deposit', tokens: [{ value: '50' }] });
    expect(served.output()).toContain('odd.json[0]');
    const env = { L2PROOF_L2: node.url };
    const own = ['decode', transactionHash, '--json', '--wrapped-native', wrapped.address];
    const shown = JSON.parse((await run(own, env)).stdout);
    expect(shown.events.at(-1)).toMatchObject({ name: 'Deposit', tokens: [{ value: '50' }] });
  },
  patience,
);

test(
  'prices of a data interface, on the day of the transaction',
  async () => {
    const asked: { url: string; authorization: string | undefined }[] = [];
    prices = await startHttp((request, response) => {
      asked.push({ url: request.url ?? '', authorization: request.headers.authorization });
      const items = [{ date: '2026-01-01', price: 3.5, pretty_price: '$3.50' }];
      const data = [
        { contract_address: gold.address, items },
        { contract_address: '0x00', items: null },
      ];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data, error: false, error_message: null, error_code: null }));
    });
    const env = { L2PROOF_PRICES_KEY: 'price-secret-key' };
    const served = await serve(['--decode', `anvil=${node.url}`, '--prices', prices.url], env);
    const { body } = await served.decode(moved.transactionHash);
    expect(body.events[0].tokens[0].pretty_quote).toBe('$5.25');
    const day = body.tx_metadata.block_signed_at.slice(0, 10);
    const native = `0x${'e'.repeat(40)}`;
    expect(asked[0]).toEqual({
      url: `/v1/pricing/historical_by_addresses_v2/anvil/USD/${native},${gold.address}/?from=${day}&to=${day}`,
      authorization: `Basic ${Buffer.from('price-secret-key:').toString('base64')}`,
    });
    expect(served.output()).not.toContain('price-secret-key');
  },
  patience,
);
