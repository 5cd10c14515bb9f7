/** `l2proof portfolio` and `l2proof activity`, in this process: before a real node, and before a hostile server. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { runActivity } from '../../../../../src/cli/commands/data/activity.js';
import { runPortfolio } from '../../../../../src/cli/commands/data/portfolio.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { deployErc20 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { timeOf } from '../../../../support/dataRoutes.js';
import { startHttp } from '../../../../support/http.js';
import { patience } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let gold: Contract;
const wallet = accounts[0] as Hex;
const friend: Hex = `0x${'f1'.repeat(20)}`;

beforeAll(async () => {
  node = await startAnvil('--timestamp', String(Math.floor(Date.now() / 1000) - 4 * 86_400));
  gold = await deployErc20(node);
  await send(node, gold.call('mint', friend, 3n * 10n ** 18n));
  await node.call('evm_setNextBlockTimestamp', Math.floor(Date.now() / 1000) - 2 * 86_400);
  await send(node, gold.call('mint', friend, 2n * 10n ** 18n));
  await send(node, gold.call('mint', wallet, 1n));
  const prices = async () => [{ address: gold.address, usd: '2.5' }];
  served = await serveData(node.url, { decoder: { prices } });
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** What a command prints, by lines. */
async function run(command: typeof runPortfolio, args: readonly string[], url = served.url) {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  await command([...args, '--url', url]);
  const lines = printed.mock.calls.flatMap(([text]) => String(text).split('\n'));
  printed.mockRestore();
  return lines;
}

const cellsOf = (rows: readonly string[]) => rows.map((row) => row.trim().split(/ {2,}/));

test('a row for each token, with what it was before, the least, the most, and now', async () => {
  const [title, ...rows] = await run(runPortfolio, [friend, '--days', '4', '--chain', chainName]);
  expect(title).toBe(`2 tokens over 4 days at block ${Number(await node.call('eth_blockNumber'))}`);
  expect(cellsOf(rows)).toEqual([
    ['token', 'before', 'least', 'most', 'now', 'worth'],
    [`ETH 0x${'e'.repeat(40)}`, '0', '0', '0', '0'],
    [`GLD ${gold.address}`, '3', '3', '5', '5', '$12.50'],
  ]);
  const args = [friend, '--chain', chainName, '--json'];
  const lines = (await run(runPortfolio, args)).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    {},
    { contract_address: gold.address },
    { complete: true, tokens: 2 },
  ]);
  expect(lines[1].holdings).toHaveLength(30);
  await expect(run(runPortfolio, [friend, '--chain', chainName, '--days', '0'])).rejects.toThrow(
    '--days expected a whole number from 1 to 366',
  );
});

test('a row for each chain', async () => {
  const [title, ...rows] = await run(runActivity, [wallet]);
  expect(title).toBe('activity on 1 chain');
  const { timestamp } = await node.call('eth_getBlockByNumber', 'latest', false);
  expect(cellsOf(rows)).toEqual([
    ['chain', 'number', 'last transaction'],
    [chainName, '31337', timeOf(timestamp)],
  ]);
  expect(await run(runActivity, [`0x${'77'.repeat(20)}`, '--testnets'])).toEqual(['nothing']);
  const lines = (await run(runActivity, [wallet, '--json'])).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ name: chainName }, { complete: true, chains: 1 }]);
});

test("a server's text cannot turn the terminal, and amounts that are not known are left empty", async () => {
  const token = { contract_address: friend, contract_name: 'a\u202eb', contract_decimals: 2 };
  const chain = { name: 'c\u001b[2J', chain_id: 5, last_seen_at: '\u202e' };
  let items: unknown[] = [{ ...token, holdings: [] }];
  const server = await startHttp((_, response) => {
    response.setHeader('content-type', 'application/json');
    const data = { address: wallet, items };
    response.end(JSON.stringify({ data, error: false, error_message: null, error_code: null }));
  });
  try {
    const shown = await run(runPortfolio, [wallet, '--chain', 'x'], server.url);
    expect(shown.join('\n')).toContain(friend);
    expect(shown.join('\n')).not.toContain('\u202e');
    items = [chain];
    const chains = (await run(runActivity, [wallet], server.url)).join('\n');
    for (const mark of ['\u001b', '\u202e']) expect(chains).not.toContain(mark);
  } finally {
    await server.close();
  }
});
