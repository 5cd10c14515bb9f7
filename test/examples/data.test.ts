/** The data script: its rows are what the nodes say, and of a server that lies none comes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { like } from '../support/pages.js';
import type { Wire } from '../support/runs.js';
import { alice, bob, copyExample, dollar, type Example, l2, shared } from './example.js';
import { startLiar } from './liar.js';
import { endLines } from './shell.js';

let data: Example;
beforeAll(() => {
  data = copyExample('data');
});
afterAll(endLines);

const word = (hex: string) => hex.slice(2).padStart(64, '0');
/** What a node says that an account has of a token, at its newest block. */
const held = async (token: string, owner: string): Promise<string> => {
  const call = { to: token, data: `0x70a08231${word(owner)}` };
  return String(BigInt(await l2.call('eth_call', call, 'latest')));
};
/** keccak256('Transfer(address,address,uint256)') */
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

test('it is installed, its types hold, and it writes what the nodes say', async () => {
  const [install, ...lists] = data.lines('npm install') as [string, ...string[]];
  const [check] = data.lines('npm run check') as [string];
  for (const line of [install, check]) expect(await data.run(line)).toMatchObject({ code: 0 });
  expect(lists).toHaveLength(3);
  const said = [];
  for (const line of lists) said.push(await data.run(line));
  const proven = expect.stringMatching(/proven at L2 block \d+, root by call\n$/);
  expect(said).toEqual(lists.map(() => ({ code: 0, text: proven })));
  expect(said[2]?.text).toMatch(/^these are all holders\n/);

  const balances = data.read('balances.csv');
  expect(balances.trim()).toMatch(like(data.shows.trim()));
  const rows = balances.trim().split('\n').slice(1);
  const ether = BigInt(await l2.call('eth_getBalance', bob, 'latest'));
  const amounts = [String(ether)];
  for (const row of rows.slice(1)) amounts.push(await held(row.split(',')[0] as string, bob));
  expect(rows.map((row) => row.split(',')[1])).toEqual(amounts);
  expect(rows.map((row) => row.split(',')[4])).toEqual(rows.map(() => 'true'));

  const transfers = data
    .read('transfers.jsonl')
    .trim()
    .split('\n')
    .map((row): Wire => JSON.parse(row));
  const filter = { address: dollar, fromBlock: '0x0', toBlock: 'latest' };
  const ends = [`0x${word(bob)}`];
  const logs: Wire[] = [
    ...(await l2.call('eth_getLogs', { ...filter, topics: [transfer, ends] })),
    ...(await l2.call('eth_getLogs', { ...filter, topics: [transfer, null, ends] })),
  ];
  const known = logs.map((log) => [log.transactionHash, BigInt(log.data), Number(log.blockNumber)]);
  const own = transfers.filter(({ token }) => token === dollar);
  const written = own.map(({ transaction, amount, block }) => [transaction, BigInt(amount), block]);
  const inOrder = (list: Wire[][]) => [...list].sort((a, b) => a[2] - b[2]);
  expect(inOrder(written)).toEqual(inOrder(known));
  expect(transfers.every(({ verified }) => verified === true)).toBe(true);

  const holders = data.read('holders.csv').trim().split('\n').slice(1);
  expect(holders.some((row) => row.startsWith(alice))).toBe(true);
  for (const row of holders) {
    const [holder = '', balance] = row.split(',');
    expect([holder, balance]).toEqual([holder, await held(dollar, holder)]);
  }
  expect(data.unused()).toEqual([]);
});

test('of a server that lies about an amount, no row is written', async () => {
  const liar = await startLiar(shared.data, (answer) => {
    for (const item of answer.data?.items ?? []) {
      if (item.contract_address === dollar) item.balance = '9000000000';
    }
    return answer;
  });
  data.edit('.env', (text) => text.replace(shared.data, liar.url));
  const { code, text } = await data.run(`npm start -s balances ${bob} >lies.csv`);
  await liar.close();
  expect(code).toBe(1);
  expect(text).toMatch(new RegExp(`DataError: [^]*${dollar}[^]*\\(NOT_VERIFIED\\)`));
  expect(data.read('lies.csv')).toBe('');
});

test('a name that a spreadsheet would run is no formula', async () => {
  const liar = await startLiar(shared.data, (answer) => {
    for (const item of answer.data?.items ?? []) item.contract_ticker_symbol = '=1+1,"x"';
    return answer;
  });
  data.edit('.env', (text) => text.replace(/(?<=^DATA_URL=).*/m, liar.url));
  const { code } = await data.run(`npm start -s balances ${bob} >names.csv`);
  await liar.close();
  expect(code).toBe(0);
  expect(data.read('names.csv')).toMatch(/,true,"'=1\+1,""x"""\n/);
});
