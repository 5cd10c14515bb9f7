/** `l2proof allowances`, in this process: before a real node, and before a hostile server. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { runAllowances } from '../../../../../src/cli/commands/data/allowances.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { permit2, placePermit2 } from '../../../../support/contracts/permit2.js';
import { deployErc20 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { startHttp } from '../../../../support/http.js';
import { patience } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let gold: Contract;
const wallet = accounts[0] as Hex;
const [alice, bob] = ['a1', 'b0'].map((byte): Hex => `0x${byte.repeat(20)}`) as [Hex, Hex];
const until = 4_102_444_800;

beforeAll(async () => {
  node = await startAnvil();
  const permits = await placePermit2(node);
  gold = await deployErc20(node);
  await send(node, gold.call('mint', wallet, 3n * 10n ** 18n));
  await send(node, gold.call('approve', alice, 10n ** 18n));
  await send(node, gold.call('approve', permit2, 2n ** 256n - 1n));
  await send(node, permits.call('approve', gold.address, bob, 5n * 10n ** 18n, until));
  served = await serveData(node.url);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** What the command prints, by lines. */
async function run(args: readonly string[], url = served.url): Promise<string[]> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  await runAllowances([...args, '--url', url, '--chain', chainName]);
  const lines = printed.mock.calls.flatMap(([text]) => String(text).split('\n'));
  printed.mockRestore();
  return lines;
}

test(
  'a row for each spender',
  async () => {
    const [title, ...rows] = await run([wallet]);
    expect(title).toBe(
      `allowances of 1 token at block ${Number(await node.call('eth_blockNumber'))}`,
    );
    const token = `GLD ${gold.address}`;
    expect(rows.map((row) => row.trim().split(/ {2,}/)).sort()).toEqual(
      [
        ['token', 'allowance', 'at risk', 'spender', 'until', 'advice'],
        [token, 'unlimited', '3', permit2, 'CONSIDER REVOKING'],
        [token, '1', '1', alice, 'LOW RISK'],
        [token, '5', '3', `${bob} by Permit2`, '2100-01-01T00:00:00Z', 'CONSIDER REVOKING'],
      ].sort(),
    );
  },
  patience,
);

test('nothing, and lines for programs', async () => {
  expect(await run([`0x${'5e'.repeat(20)}`])).toEqual(['nothing']);
  const lines = (await run([wallet, '--json'])).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { token_address: gold.address, spenders: [{}, {}, {}] },
    { complete: true, tokens: 1 },
  ]);
});

test("a server's text cannot turn the terminal", async () => {
  const spender = {
    spender_address: alice,
    allowance: '7',
    risk_factor: '\u001b[2J',
    permit2: true,
  };
  const item = { token_address: bob, token_address_label: 'a\u202eb', spenders: [spender] };
  const data = { address: wallet, items: [item] };
  const server = await startHttp((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, error: false, error_message: null, error_code: null }));
  });
  try {
    const text = (await run([wallet], server.url)).join('\n');
    expect(text).toContain('7 smallest units');
    expect(text).toContain(`${alice} by Permit2`);
    for (const mark of ['\u001b', '\u202e']) expect(text).not.toContain(mark);
    item.token_address_label = null as never;
    expect((await run([wallet], server.url)).join('\n')).toContain(`token ${bob}`);
  } finally {
    await server.close();
  }
});
