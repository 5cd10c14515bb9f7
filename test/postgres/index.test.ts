/** An index in PostgreSQL: one process feeds it, others serve it, from the server and from a standby. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexer } from '../../src/indexer/indexer.js';
import { openIndex } from '../../src/indexer/openIndex.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { postgresStore } from '../../src/postgres/index.js';
import { createTransport } from '../../src/rpc/index.js';
import { memoryStore, type Store } from '../../src/tree/index.js';
import { type Anvil, startAnvil } from '../support/anvil.js';
import { newFolder } from '../support/folder.js';
import { contentOf } from '../support/indexed.js';
import { commandOf, shellOf } from '../support/pages.js';
import { type Postgres, startPostgres } from '../support/postgres.js';
import { patience } from '../support/runs.js';
import { startHistory, type TokenHistory, wallets } from '../support/tokenHistory.js';
import { until } from '../support/until.js';
import { newDatabase } from './schemas.js';

const main = 'dist/cli/main.js';
const key = 'a-key-of-tests';

let node: Anvil;
let history: TokenHistory;
let source: string;
let standby: Postgres;

/** Runs a command to its end. */
const run = (args: readonly string[], env = {}) =>
  spawnSync(process.execPath, args, {
    ...{ env: { ...process.env, ...env }, encoding: 'utf8', timeout: 120_000 },
  });

/** Feeds an index by a process of its own. */
const feed = () => run([main, 'index', '--store', source, '--l2', node.url, '--once', '--json']);

async function fedContent(store: Store): Promise<string[]> {
  const index = await openIndex({ store, chainId: 31337 });
  const l2 = createTransport({ url: node.url });
  await createIndexer({ index, l2 }).run({ once: true });
  const content = await contentOf(store);
  await store.close();
  return content;
}

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  history = await startHistory(node, 51);
  await history.mine(40);
  source = await newDatabase();
  expect(feed()).toMatchObject({ status: 0 });
  standby = await startPostgres(['max_connections=200'], source);
}, patience);
afterAll(async () => {
  await standby?.close();
  await node?.close();
}, patience);

test(
  'it holds what an index in LMDB and one in memory hold',
  async () => {
    const store = await postgresStore({ connectionString: source, readOnly: true });
    const content = await contentOf(store);
    await store.close();
    expect(content.length).toBeGreaterThan(200);
    expect(content).toEqual(await fedContent(memoryStore()));
    expect(content).toEqual(await fedContent(lmdbStore({ path: newFolder() })));
  },
  patience,
);

test(
  '`serve` answers from it and from a standby, and goes on as another process feeds it',
  async () => {
    const replica = new URL(standby.url);
    replica.pathname = new URL(source).pathname;
    for (const url of [source, replica.href]) {
      const data = ['--decode', `anvil=${node.url}`, '--data', `anvil=${url}`];
      const env = { ...process.env, L2PROOF_KEYS: key };
      const serving = spawn(process.execPath, [main, 'serve', ...data, '--port', '0'], { env });
      try {
        const [said] = await once(serving.stdout, 'data');
        const { port } = JSON.parse(String(said).split('\n')[0] as string);
        const heightOf = async () => {
          const path = `/v1/anvil/address/${wallets[0]}/balances_v2/`;
          const headers = { authorization: `Bearer ${key}` };
          const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
          const { data } = await response.json();
          return response.status === 200 ? (data.block_height as number) : undefined;
        };
        await history.mine(2);
        expect(feed()).toMatchObject({ status: 0 });
        const newest = Number(await node.call('eth_blockNumber'));
        await until(async () => (await heightOf()) === newest, `${newest} is served`);
      } finally {
        const ended = once(serving, 'exit');
        serving.kill();
        expect(await ended).toEqual([0, null]);
      }
    }
  },
  patience,
);

test(
  'the commands of docs/data.md feed it and serve it',
  async () => {
    const store = await newDatabase();
    const [exported, index] = shellOf('docs/data.md', 'PGPASSWORD') as [string, string];
    const [serve] = shellOf(
      'docs/data.md',
      'serve --decode l2-mainnet=http://127.0.0.1:8545 --data l2-mainnet=postgres',
    ) as [string];
    const [, variable, password] = /^export (\w+)=(\w+)$/.exec(exported) as string[];
    // The server of these tests asks for no password, and takes any.
    const env = { [variable as string]: password };
    const argsOf = (line: string): string[] => {
      const there = line
        .replace('postgres://l2proof@db.example/index', store)
        .replace('http://127.0.0.1:8545', node.url);
      return commandOf(there)[1];
    };
    expect(run([...argsOf(index), '--once'], env)).toMatchObject({ status: 0 });
    const serving = spawn(process.execPath, [...argsOf(serve), '--port', '0'], {
      env: { ...process.env, ...env },
    });
    try {
      const [said] = await once(serving.stdout, 'data');
      const { port } = JSON.parse(String(said).split('\n')[0] as string);
      const path = `/v1/l2-mainnet/address/${wallets[0]}/balances_v2/`;
      const headers = { authorization: 'Bearer my-api-key' };
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      const { data } = await response.json();
      expect(data.block_height).toBe(Number(await node.call('eth_blockNumber')));
      expect(data.items.length).toBeGreaterThan(1);
    } finally {
      const ended = once(serving, 'exit');
      serving.kill();
      expect(await ended).toEqual([0, null]);
    }
  },
  patience,
);
