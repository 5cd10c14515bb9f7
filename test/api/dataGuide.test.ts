/** The programs and commands of the guide to balances, in a project that has the package from its tarball. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '../support/anvil.js';
import { endCommands, startCommand, urlOf } from '../support/commands.js';
import { send } from '../support/contracts/contract.js';
import { deployErc20 } from '../support/contracts/tokens.js';
import { newProject, writeProgram } from '../support/installed.js';
import { blocksOf, commandOf, countsOf } from '../support/pages.js';
import { patience } from '../support/runs.js';
import { until } from '../support/until.js';

const page = 'docs/data.md';
/** The wallet that the guide asks about. */
const wallet = '0x6c6553b4934a681a4efe765efb6db43e753aa036';
const [client, , service] = blocksOf(page)
  .filter(({ language }) => language === 'ts')
  .map(({ code }) => code) as [string, string, string];
const [index, serve] = blocksOf(page)
  .filter(({ language }) => language === 'sh')
  .map(({ code }) => code.trim()) as [string, string];

let project: string;
let node: Anvil;
beforeAll(async () => {
  project = await newProject();
  node = await startAnvil();
  const gold = await deployErc20(node);
  await send(node, gold.call('mint', wallet, 77n));
}, patience);

afterAll(async () => {
  endCommands();
  await node?.close();
});

/** Starts a program in the project. */
const start = (args: readonly string[], env = {}) => startCommand(args, { cwd: project, env });

test(
  'the programs do what the page says',
  async () => {
    expect(countsOf(page)).toEqual({ sh: 2, ts: 3 });
    writeProgram(project, 'client', client);
    // Any free port, so that nothing else is in the way.
    writeProgram(project, 'service', service.replace('port: 8645', 'port: 0'));
    const served = start(['service.js'], { L2_URL: node.url });
    await until(() => served.said.text.includes('/v1/l2-mainnet/'), 'the service listens');
    const DATA_URL = new URL(served.said.text.trim()).origin;
    const asked = start(['client.js'], { DATA_URL });
    expect(await asked.ended, asked.said.text).toBe(0);
    expect(asked.said.text).toBe('0 ETH\n77 GLD\n');
    served.child.kill('SIGKILL');
  },
  patience,
);

test(
  'the commands do, too',
  async () => {
    const at = (line: string) =>
      commandOf(
        line.replaceAll('http://127.0.0.1:8545', node.url).replaceAll('./index', './guide'),
        join(project, 'node_modules/l2proof'),
      )[1];
    const fed = start([...at(index), '--once']);
    expect(await fed.ended, fed.said.text).toBe(0);
    const served = start([...at(serve), '--port', '0']);
    const url = await urlOf(served);
    const path = `/v1/l2-mainnet/address/${wallet}/balances_v2/`;
    const answer = await fetch(`${url}${path}`, {
      headers: { authorization: 'Bearer my-api-key' },
    });
    expect(answer.status).toBe(200);
    const { data } = (await answer.json()) as any;
    expect(data.items.map(({ balance }: any) => balance)).toEqual(['0', '77']);
    expect(serve).toContain('my-api-key');
  },
  patience,
);

test('the table has the codes of the errors', () => {
  const codes = [...readFileSync('src/indexer/errors.ts', 'utf8').matchAll(/'([A-Z_]+)'/g)];
  const rows = [...readFileSync(page, 'utf8').matchAll(/^\| `IndexError` \| `([A-Z_]+)` +\|/gm)];
  expect(rows.map(([, code]) => code).sort()).toEqual(codes.map(([, code]) => code).sort());
});
