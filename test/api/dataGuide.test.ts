/** The programs and commands of the guide to balances, in a project that has the package from its tarball. */

import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networks } from '../../src/anchor/index.js';
import { poolPrices } from '../../src/service/index.js';
import type { HeldData } from '../support/answers.js';
import type { AnvilCalls } from '../support/anvil.js';
import { type Command, endCommands, startCommand, urlOf } from '../support/commands.js';
import { type Contract, send } from '../support/contracts/contract.js';
import { deployErc20 } from '../support/contracts/tokens.js';
import { type GuideDevnet, openGuideDevnet } from '../support/devnet.js';
import { newProject, serverCommand, writeProgram } from '../support/installed.js';
import { blocksOf, commandOf, countsOf, like, type Program, programsOf } from '../support/pages.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';

const page = 'docs/data.md';
/** The wallet that the guide asks about. */
const wallet = '0x6c6553b4934a681a4efe765efb6db43e753aa036';
/** The token that it asks about. */
const token = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
const [client, lists, verified, service] = programsOf(page) as [Program, Program, Program, Program];
const [index, serve, indexThere, serveThere, ask, serveState, prove] = blocksOf(page)
  .filter(({ language, code }) => language === 'sh' && !/^(npm install|echo) /.test(code))
  .map(({ code }) => code.trim()) as [string, string, string, string, string, string, string];

let project: string;
let command: string;
let world: GuideDevnet;
let node: AnvilCalls;
let gold: Contract;
beforeAll(async () => {
  project = await newProject();
  command = await serverCommand();
  world = await openGuideDevnet(networks.mainnet);
  node = world.l2;
  copyFileSync(world.genesis, join(project, 'genesis.json'));
  gold = await deployErc20(node);
  await send(node, gold.call('mint', wallet, 77n));
  await world.finalize();
  // The newest block whose root L1 has is the newest final one by the L2 node's own word, too.
  for (let i = 0; i < 2; i++) await node.mine();
}, patience);

afterAll(async () => {
  endCommands();
  await world?.close();
});

/** Starts a program in the project. */
const start = (args: readonly string[], env = {}) => startCommand(args, { cwd: project, env });

/** Starts a command of the page, on the node and in folders of this test. */
function startLine(line: string, more: readonly string[] = [], env = {}): Command {
  const here = line.replaceAll('http://127.0.0.1:8545', node.url).replaceAll('./index', './guide');
  const [, args] = commandOf(here, command);
  return start([...args, ...more], env);
}

test(
  'the programs do what the page says',
  async () => {
    expect(countsOf(page)).toEqual({ sh: 9, ts: 4, text: 4, json: 1, js: 1 });
    const [pools] = blocksOf(page).filter(({ language }) => language === 'json');
    const chains = [{ name: 'l2-mainnet', url: node.url }];
    expect(poolPrices({ file: JSON.parse(pools?.code ?? ''), chains })).toBeTypeOf('function');
    writeProgram(project, 'client', client.code);
    // Any free port, so that nothing else is in the way.
    writeProgram(project, 'service', service.code.replace('port: 8645', 'port: 0'));
    const served = start(['service.js'], { L2_URL: node.url });
    await until(() => served.said.text.includes('/v1/l2-mainnet/'), 'the service listens');
    expect(served.said.text.trim()).toMatch(like(service.prints));
    const DATA_URL = new URL(served.said.text.trim()).origin;
    const asked = start(['client.js'], { DATA_URL });
    expect(await asked.ended, asked.said.text).toBe(0);
    expect(asked.said.text).toBe('0 ETH\n77 GLD\n');
    expect(asked.said.text.trim()).toBe(client.prints);
    writeProgram(project, 'lists', lists.code.replace(token, gold.address));
    const listed = start(['lists.js'], { DATA_URL });
    expect(await listed.ended, listed.said.text).toBe(0);
    expect(listed.said.text.trim()).toMatch(like(lists.prints));
    served.child.kill('SIGKILL');
  },
  patience,
);

test(
  'the commands do, too',
  async () => {
    const fed = startLine(index, ['--once']);
    expect(await fed.ended, fed.said.text).toBe(0);
    const served = startLine(serve, ['--port', '0']);
    const url = await urlOf(served);
    const path = `/v1/l2-mainnet/address/${wallet}/balances_v2/`;
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: 'Bearer my-api-key' },
    });
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as { data: HeldData };
    expect(data.items.map(({ balance }) => balance)).toEqual(['0', '77']);
    expect(serve).toContain('my-api-key');
    const env = { L2PROOF_DATA: url, L2PROOF_DATA_KEY: 'my-api-key' };
    const tables: string[] = [];
    for (const line of ask.split('\n')) {
      const asked = startLine(line.replace(token, gold.address), [], env);
      expect(await asked.ended, asked.said.text).toBe(0);
      tables.push(asked.said.text);
    }
    expect(tables).toMatchObject([
      expect.stringContaining('1 transaction at block'),
      expect.stringContaining('transfers in 1 transaction at block'),
      expect.stringContaining(`1 holder at block`),
      // The wallet of the guide has no NFT.
      expect.stringMatching(/^nothing$/m),
      expect.stringContaining('activity on 1 chain'),
      expect.stringContaining('2 tokens over 7 days at block'),
    ]);
  },
  patience,
);

// test/postgres/index.test.ts runs them.
test('the commands for PostgreSQL are those for a folder, with another store', () => {
  const store = 'postgres://l2proof@db.example/index';
  expect(indexThere).toBe(`export PGPASSWORD=secret\n${index.replace('./index', store)}`);
  expect(serveThere).toBe(serve.replace('./index', store));
});

test(
  'a service with a state of its own proves what it answers, to the command and the program of the page',
  async () => {
    const [follow, serve] = serveState.split('\n') as [string, string];
    for (const [line, more] of [
      [index, ['--once']],
      [follow, []],
    ] as const) {
      const fed = startLine(line, more);
      expect(await fed.ended, fed.said.text).toBe(0);
    }
    const served = startLine(serve, ['--port', '0']);
    const url = await urlOf(served);
    const [key, L1_URL] = ['my-api-key', world.l1.url];
    const env = { L2PROOF_L1: L1_URL, L2PROOF_DATA: url, L2PROOF_DATA_KEY: key };
    const asked = startLine(prove, ['--json'], env);
    expect(await asked.ended, asked.said.text).toBe(0);
    const items = asked.said.text.split('\n').filter((line) => line.startsWith('{'));
    expect(items.map((line) => JSON.parse(line))).toMatchObject([
      { balance: '0', verified: true },
      { balance: '77', verified: true },
    ]);
    writeProgram(project, 'verified', verified.code);
    const run = start(['verified.js'], { L1_URL, DATA_URL: url, DATA_KEY: key });
    expect(await run.ended, run.said.text).toBe(0);
    expect(run.said.text.trim()).toMatch(like(verified.prints));
    expect(run.said.text).toContain(`true 77 ${gold.address}\n`);
  },
  patience,
);

test('the table has the codes of the errors', () => {
  const codes = [...readFileSync('src/indexer/layout/errors.ts', 'utf8').matchAll(/'([A-Z_]+)'/g)];
  const rows = [...readFileSync(page, 'utf8').matchAll(/^\| `IndexError` \| `([A-Z_]+)` +\|/gm)];
  expect(rows.map(([, code]) => code).sort()).toEqual(codes.map(([, code]) => code).sort());
});
