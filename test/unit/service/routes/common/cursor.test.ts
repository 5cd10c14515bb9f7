/** Cursors of every list: each leads on in its own list alone, while the block of its answer is on the chain. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { deployErc20 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker } from '../../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../../support/runs.js';
import { events } from '../../../../support/transferModel.js';

const wallet = accounts[0];
const transactions = 120;

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
/** Path of each list, with a query. */
let paths: Record<string, string>;
/** The cursor of its first page. */
let given: Record<string, string>;

beforeAll(async () => {
  node = await startAnvil();
  const gold = await deployErc20(node);
  for (let i = 0; i < 4; i++) await node.mine(gold.call('mint', wallet, 5n));
  const mints = Array.from({ length: transactions }, () => ({
    ...{ ...gold.call('mint', wallet, 1n), gas: '0x30000' },
  }));
  const newest = await node.mine(...mints);
  served = await serveData(node.url);
  ask = await askData(served);
  const topic = `events/topics/${events.transfer}/`;
  const lists = {
    transfers: `address/${wallet}/transfers_v2/?page-size=2`,
    'transfers of a contract': `address/${wallet}/transfers_v2/?contract-address=${gold.address}&page-size=2`,
    'transfers of a range': `address/${wallet}/transfers_v2/?starting-block=1&page-size=2`,
    'logs of a contract': `events/address/${gold.address}/?starting-block=1&page-size=2`,
    'logs of a topic': `${topic}?page-size=2`,
    'logs of further topics': `${topic}?secondary-topics=${wallet}&page-size=2`,
    blocks: 'block_v2/1970-01-01/latest/?page-size=2',
    'transactions of a wallet': `address/${wallet}/transactions_v3/?no-logs=true`,
    'transactions of a block': `block/${newest}/transactions_v3/page/0/?no-logs=true`,
    'transactions of the newest block': 'block/latest/transactions_v3/page/0/?no-logs=true',
  };
  paths = Object.fromEntries(
    Object.entries(lists).map(([name, path]) => [name, `${chainName}/${path}`]),
  );
  given = {};
  for (const [name, path] of Object.entries(paths)) {
    given[name] = (await ask.data(path)).pagination.cursor;
  }
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const wrong = {
  status: 400,
  message: 'cursor must be one that an answer of this very list gave',
};
const changed = { status: 400, message: 'the chain has changed; begin again' };

const behind = (name: string, cursor: string | undefined) => `${paths[name]}&cursor=${cursor}`;

/** Digits of the parts of a cursor, in order; its key follows. */
const widths = { list: 32, page: 8, number: 12, hash: 64 };

/** A cursor with other parts. */
function forge(name: string, parts: Partial<Record<keyof typeof widths | 'key', string>>): string {
  const cursor = given[name] as string;
  let at = 0;
  const texts = Object.entries(widths).map(([part, width]) => {
    at += width;
    return parts[part as keyof typeof widths] ?? cursor.slice(at - width, at);
  });
  const key = cursor.slice(at);
  return `${texts.join('')}${(parts.key ?? key).padEnd(key.length, '0')}`;
}

const byList =
  (names: () => readonly string[], check: (name: string) => Promise<void>) => async () => {
    for (const name of names()) await check(name);
  };
const all = () => Object.keys(paths);

describe('a cursor', () => {
  test(
    'leads to the next page of its list, and to that of no other one',
    byList(all, async (name) => {
      const first = await ask.data(paths[name] as string);
      const next = await ask.data(behind(name, given[name]));
      expect(next.items.length).toBeGreaterThan(0);
      const texts = first.items.map((item: Wire) => JSON.stringify(item));
      for (const item of next.items) expect(texts).not.toContain(JSON.stringify(item));
      for (const [other, cursor] of Object.entries(given)) {
        if (other !== name) expect(await ask.failure(behind(name, cursor)), other).toEqual(wrong);
      }
    }),
    patience,
  );

  test(
    'is refused if it is something else',
    byList(all, async (name) => {
      const cursor = given[name] as string;
      for (const other of [cursor.slice(2), `${cursor}00`, 'ab', 'f'.repeat(cursor.length)]) {
        expect(await ask.failure(behind(name, other)), other).toEqual(wrong);
      }
      for (const other of ['', 'x', cursor.toUpperCase(), 'a'.repeat(513)]) {
        expect(await ask.failure(behind(name, other)), other).toEqual({
          status: 400,
          message: 'cursor must be one that an answer gave',
        });
      }
    }),
    patience,
  );

  test(
    'is refused if what it says cannot be',
    byList(all, async (name) => {
      expect(await ask.failure(behind(name, forge(name, { page: 'f'.repeat(8) })))).toEqual(wrong);
      expect(await ask.failure(behind(name, forge(name, { number: 'f'.repeat(12) })))).toEqual(
        wrong,
      );
      for (const parts of [
        { hash: '0'.repeat(64) },
        { number: '1'.padStart(12, '0') },
        { number: 'ffff'.padStart(12, '0') },
      ]) {
        expect(await ask.failure(behind(name, forge(name, parts)))).toEqual(changed);
      }
    }),
    patience,
  );

  test.each([
    ['transfers of a range', { key: '' }, 'before the range'],
    ['transfers of a range', { key: 'f'.repeat(24) }, 'behind the newest block'],
    ['logs of a contract', { key: '' }, 'before the range'],
    ['logs of a contract', { key: `${'2'.padStart(12, '0')}ffffff` }, 'behind the logs of a block'],
    ['transactions of a wallet', { page: '1'.padStart(8, '0') }, 'of the newest page'],
    ['transactions of a wallet', { key: '' }, 'before the first transaction'],
  ])('of %s leads to no place %o %s', async (name, parts, _) => {
    expect(await ask.failure(behind(name, forge(name, parts)))).toEqual(wrong);
  });

  test('stands without a number', async () => {
    for (const name of ['transfers', 'logs of a topic', 'blocks']) {
      expect(await ask.failure(`${behind(name, given[name])}&page-number=0`)).toEqual({
        status: 400,
        message: 'cursor must stand without page-number',
      });
    }
  });

  test(
    'is of no use once the block of its answer was taken back',
    async () => {
      await node.call('anvil_reorg', 1, []);
      await served.feed();
      for (const name of all()) {
        expect(await ask.failure(behind(name, given[name])), name).toEqual(changed);
      }
    },
    patience,
  );
});
