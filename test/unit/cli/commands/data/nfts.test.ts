/** `l2proof nfts`, in this process: before a real node, and before a hostile server. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { runNfts } from '../../../../../src/cli/commands/data/nfts.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { deployErc721, deployErc1155 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { startHttp } from '../../../../support/http.js';
import { patience } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let deed: Contract;
let goods: Contract;
const wallet = accounts[0] as Hex;

beforeAll(async () => {
  node = await startAnvil();
  deed = await deployErc721(node);
  goods = await deployErc1155(node);
  for (let id = 0; id < 2; id++) await send(node, deed.call('mint', wallet));
  await send(node, goods.call('mint', wallet, 7n, 30n, '0x'));
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
  await runNfts([...args, '--url', url, '--chain', chainName]);
  const lines = printed.mock.calls.flatMap(([text]) => String(text).split('\n'));
  printed.mockRestore();
  return lines;
}

test('a row for each token', async () => {
  const [title, ...rows] = await run([wallet]);
  expect(title).toBe(`NFTs of 2 contracts at block ${Number(await node.call('eth_blockNumber'))}`);
  const seventh = `https://goods.example/${'7'.padStart(64, '0')}`;
  expect(rows.map((row) => row.trim().split(/ {2,}/))).toEqual([
    ['contract', 'of all', 'id', 'first owner', 'url'],
    [`DEED ${deed.address}`, '2', '0', wallet, await deed.read('tokenURI', 0n)],
    [`DEED ${deed.address}`, '2', '1', wallet, await deed.read('tokenURI', 1n)],
    [`NFT ${goods.address}`, '30', '7', wallet, `${seventh.slice(0, 80)}...`],
  ]);
});

test('nothing, and lines for programs', async () => {
  expect(await run([`0x${'5e'.repeat(20)}`])).toEqual(['nothing']);
  const lines = (await run([wallet, '--json'])).map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { contract_address: deed.address, nft_data: [{}, {}] },
    { contract_address: goods.address, nft_data: [{}] },
    { complete: true, contracts: 2 },
  ]);
});

test("a server's text cannot turn the terminal", async () => {
  const item = { contract_address: wallet, contract_name: 'a\u202eb', nft_data: [] as object[] };
  const data = { address: wallet, items: [item] };
  const server = await startHttp((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ data, error: false, error_message: null, error_code: null }));
  });
  try {
    expect((await run([wallet], server.url)).join('\n')).not.toContain('\u202e');
    item.nft_data.push({ token_id: '7', token_url: '\u001b[2J', original_owner: null });
    const text = (await run([wallet], server.url)).join('\n');
    expect(text).toContain('7');
    for (const mark of ['\u001b', '\u202e']) expect(text).not.toContain(mark);
    item.nft_data = null as never;
    item.contract_name = null as never;
    expect((await run([wallet], server.url)).join('\n')).toContain(`NFT ${wallet}`);
  } finally {
    await server.close();
  }
});
