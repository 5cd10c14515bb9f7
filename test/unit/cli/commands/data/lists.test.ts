/** `l2proof transactions`, `transfers` and `holders`, as the built commands: before a real node, and before hostile servers. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { deployErc20 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { timeOf } from '../../../../support/dataRoutes.js';
import { startHttp } from '../../../../support/http.js';
import { withoutProgress } from '../../../../support/progress.js';
import { patience, type Wire } from '../../../../support/runs.js';

const main = resolve('dist/cli/main.js');
const [wallet, other] = accounts as unknown as [Hex, Hex];
const key = 'k3y-that-must-not-leak';

let node: Anvil;
let served: ServedData;
let gold: Contract;
let blocks: Wire[];
beforeAll(async () => {
  node = await startAnvil();
  gold = await deployErc20(node);
  await send(node, gold.call('mint', wallet, 3n * 10n ** 18n));
  await send(node, gold.call('transfer', other, 10n ** 18n));
  await send(node, gold.call('transfer', wallet, 7n));
  await node.mine({ to: other, value: 5n * 10n ** 17n });
  await node.mine({ from: other, to: wallet, value: 1n });
  served = await serveData(node.url, { service: { keys: [key] } });
  const count = Number(await node.call('eth_blockNumber')) + 1;
  const numbers = Array.from({ length: count }, (_, i) => [`0x${i.toString(16)}`, true]);
  blocks = await node.callEach('eth_getBlockByNumber', numbers);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function run(args: readonly string[], url = served.url) {
  const all = [main, ...args, '--chain', chainName];
  const env = { ...process.env, L2PROOF_DATA: url, L2PROOF_DATA_KEY: key };
  const { code, stdout, stderr } = await promisify(execFile)(process.execPath, all, { env }).then(
    (output) => ({ code: 0, ...output }),
    (error) => error as { code: number; stdout: string; stderr: string },
  );
  return { code, stdout, stderr: withoutProgress(stderr) };
}

/** Cells of a table, without the line above it. */
const cellsOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/ {2,}/));
const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const sentIn = (block: number): Wire => blocks[block].transactions[0];
const placeOf = (block: number) => [String(block), timeOf(blocks[block].timestamp)];

test(
  'transactions, from the side of the wallet',
  async () => {
    const { code, stdout, stderr } = await run(['transactions', wallet]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^6 transactions at block 6\n/);
    expect(cellsOf(stdout)).toEqual([
      ['block', 'time', 'value', 'token', 'what', 'transaction'],
      [...placeOf(6), '0.000000000000000001', 'ETH', `from ${other}`, sentIn(6).hash],
      [...placeOf(5), '0.5', 'ETH', `to ${other}`, sentIn(5).hash],
      ...[4, 3, 2].map((n) => [...placeOf(n), '0', 'ETH', `to ${gold.address}`, sentIn(n).hash]),
      [...placeOf(1), '0', 'ETH', 'creates a contract', sentIn(1).hash],
    ]);
    const cut = await run(['transactions', wallet, '--limit', '1', '--auth', 'bearer']);
    expect(cut.stdout).toMatch(/^the newest 1 transaction at block 6\n/);
    expect(cellsOf(cut.stdout)).toHaveLength(2);
    expect(cut.stderr).toBe('there are more than 1 transaction: --limit shows more\n');
    const lines = linesOf((await run(['transactions', wallet, '--limit', '2', '--json'])).stdout);
    expect(lines).toMatchObject([
      { tx_hash: sentIn(6).hash, log_events: [] },
      { tx_hash: sentIn(5).hash },
      { complete: false, transactions: 2, blockNumber: 6, blockHash: blocks[6].hash },
    ]);
  },
  patience,
);

test(
  'transfers of a token, and one to oneself twice',
  async () => {
    const { code, stdout, stderr } = await run(['transfers', wallet, '--token', gold.address]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^transfers in 3 transactions at block 6\n/);
    const token = `GLD ${gold.address}`;
    const rows = cellsOf(stdout).slice(1);
    expect(new Set(rows.slice(0, 2).map((row) => row[4]))).toEqual(
      new Set(['to itself, transfer-out', 'to itself, transfer-in']),
    );
    expect(rows.slice(2)).toEqual([
      [...placeOf(3), '1', token, `to ${other}`, sentIn(3).hash],
      [...placeOf(2), '3', token, `from 0x${'00'.repeat(20)}`, sentIn(2).hash],
    ]);
    const some = await run(['transfers', wallet, '--from', '2', '--to', '2', '--json']);
    expect(linesOf(some.stdout)).toMatchObject([
      { tx_hash: sentIn(2).hash, transfers: [{ transfer_type: 'transfer-in' }] },
      { complete: true, transactions: 1 },
    ]);
    const none = await run(['transfers', `0x${'5e'.repeat(20)}`]);
    expect(none).toMatchObject({ code: 0, stdout: 'nothing\n' });
  },
  patience,
);

test(
  'holders of a token, with their shares',
  async () => {
    const { code, stdout, stderr } = await run(['holders', gold.address]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(`^2 holders at block 6 of GLD ${gold.address}, total supply 3\n`),
    );
    expect(cellsOf(stdout)).toEqual([
      ['rank', 'amount', 'share', 'holder'],
      ['1', '2', '66.66%', wallet],
      ['2', '1', '33.33%', other],
    ]);
    const lines = linesOf((await run(['holders', gold.address, '--json'])).stdout);
    expect(lines).toMatchObject([
      { address: wallet, balance: String(2n * 10n ** 18n) },
      { address: other },
      { complete: true, holders: 2, blockNumber: 6, blockHash: blocks[6].hash },
    ]);
  },
  patience,
);

test(
  'a server that refuses ends with 3, one without receipts with 4, and no key is shown',
  async () => {
    const tokens = await serveData(node.url, { only: 'tokens' });
    closing.push(() => tokens.close());
    const without = await run(['holders', gold.address, '--json'], tokens.url);
    expect(without).toMatchObject({ code: 4, stdout: expect.stringContaining('SERVER_ERROR') });
    const open = await serveData(node.url, { service: { keys: ['another-key'] } });
    closing.push(() => open.close());
    const refused = await run(['transactions', wallet], open.url);
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('UNAUTHORIZED') });
    for (const { stdout, stderr } of [without, refused]) expect(stdout + stderr).not.toContain(key);
  },
  patience,
);

describe('a hostile server', () => {
  async function hostile(data: (page: number) => object) {
    let asked = 0;
    const server = await startHttp((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ data: data(asked++), error: false }));
    });
    closing.push(() => server.close());
    return { url: server.url, asked: () => asked };
  }
  const hash = `0x${'ab'.repeat(32)}`;
  const evil = '\u001b[2J\u202eGLD\nverified';
  const contract = `0x${'60'.repeat(20)}`;
  const token = {
    contract_address: contract,
    contract_ticker_symbol: evil,
    contract_name: evil,
    contract_decimals: 9e15,
  };

  test(
    'draws nothing on the terminal, and no amount by decimals that are none',
    async () => {
      const item = {
        ...{ block_height: 5, tx_hash: hash, from_address: wallet, to_address: evil, value: '1' },
        ...{ block_signed_at: evil, gas_metadata: token },
        transfers: [
          {
            ...{ ...token, tx_hash: hash, from_address: wallet, to_address: wallet, delta: '5' },
            transfer_type: evil,
          },
        ],
      };
      const holder = {
        ...token,
        address: wallet,
        balance: '5',
        total_supply: '0',
        block_height: 5,
      };
      const cases: [readonly string[], object, string][] = [
        [
          ['transactions', wallet],
          { address: wallet, current_page: 0, items: [item] },
          '1 smallest unit',
        ],
        [['transfers', wallet], { address: wallet, items: [item] }, '5 smallest units'],
        [['holders', contract], { items: [holder] }, '5 smallest units'],
      ];
      for (const [args, data, amount] of cases) {
        const { url } = await hostile(() => data);
        const { code, stdout } = await run(args, url);
        expect([args[0], code]).toEqual([args[0], 0]);
        expect(stdout).toContain('\\u001b[2J\\u202eGLD\\u000averified');
        expect(stdout).toContain(amount);
        expect(stdout).not.toMatch(/[\u001b\u202e]/);
        expect(stdout.trim().split('\n')).toHaveLength(3);
      }
    },
    patience,
  );

  test(
    'that never ends is asked for no more than the limit',
    async () => {
      const { url, asked } = await hostile((page) => ({
        items: [{ ...token, contract_ticker_symbol: null, address: wallet, block_height: 5 }],
        pagination: { has_more: true, page_number: page, page_size: 1 },
      }));
      const { code, stdout } = await run(['holders', contract, '--limit', '7', '--json'], url);
      expect(code).toBe(0);
      expect(linesOf(stdout).at(-1)).toEqual({
        ...{ complete: false, holders: 7, blockNumber: null, blockHash: null },
      });
      expect(asked()).toBe(7);
    },
    patience,
  );

  test(
    'that answers about another wallet or token is refused with 2',
    async () => {
      const { url } = await hostile(() => ({ address: other, current_page: 0, items: [] }));
      for (const args of [
        ['transactions', wallet],
        ['transfers', wallet],
      ]) {
        expect(await run(args, url)).toMatchObject({
          ...{ code: 2, stdout: '', stderr: expect.stringContaining('BAD_ANSWER') },
        });
      }
      const held = await hostile(() => ({
        items: [{ ...token, address: wallet, block_height: 5 }],
      }));
      expect((await run(['holders', gold.address], held.url)).code).toBe(2);
    },
    patience,
  );
});
