/** The operator's commands: they end well with what the nodes have, and refuse a node that lies. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '../support/ports.js';
import { bob, copyExample, type Example, l2, shared } from './example.js';
import { startLiar } from './liar.js';
import { endLines, type Running, untilSaid } from './shell.js';

let operator: Example;
let run: string;
let port: number;
beforeAll(async () => {
  operator = copyExample('operator');
  port = await freePorts(1);
  operator.edit('operator.env', (text) => text.replace(/(?<=^PORT=).*/m, String(port)));
});
afterAll(endLines);

/** Begun again, it goes on from where it was. */
async function startAll(env?: NodeJS.ProcessEnv): Promise<Running> {
  const running = operator.start(run, env);
  await untilSaid(running, /"msg":"listening"/);
  return running;
}

async function end(running: Running): Promise<void> {
  running.signal('SIGINT');
  expect([await running.ended, running.said.text]).toEqual([0, expect.any(String)]);
}

test('from the genesis to a proof that a client verifies, and a backup', async () => {
  const [install, begin, all] = operator.lines('npm install') as [string, string, string];
  run = all;
  expect(await operator.run(install)).toMatchObject({ code: 0 });
  const from = begin.replace(/\/tmp\/\S+/, shared.genesis);
  expect(await operator.run(from)).toMatchObject({ code: 0 });

  const running = await startAll();
  const [check, snapshot] = operator.lines('check') as [string, string];
  const checked = await operator.run(check);
  expect(checked.code, checked.text).toBe(0);
  const wei = BigInt(await l2.call('eth_getBalance', bob, 'latest'));
  expect(checked.text).toMatch(new RegExp(`^verified\\n[^]*^ {2}balance +${wei} wei$`, 'm'));
  expect(checked.text).toContain('checked: what was looked at fits together');

  const taken = await operator.run(snapshot);
  expect(taken.code, taken.text).toBe(0);
  expect(taken.text).toMatch(/^verified \d+ accounts and \d+ slots$/m);
  const backups = readdirSync(join(operator.folder, 'data/backup'));
  expect(backups).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT\d{6}Z\.snapshot$/)]);
  await end(running);

  const again = await startAll();
  expect(await operator.run(check)).toMatchObject({ code: 0 });
  await end(again);
  expect(operator.unused()).toEqual([]);
});

test('a key of the environment takes the place of the one in the file', async () => {
  const keys = { L2PROOF_KEYS: 'key-of-the-environment' };
  const running = await startAll(keys);
  const statusFor = async (key: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] });
    const headers = { 'content-type': 'application/json' };
    const url = `http://127.0.0.1:${port}/v3/${key}`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  expect(operator.read('operator.env')).toContain('key-of-a-client');
  expect(await statusFor('key-of-a-client')).toBe(401);
  expect(await statusFor('key-of-the-environment')).toBe(200);
  expect(await operator.run('./operate.sh check', keys)).toMatchObject({ code: 0 });
  await end(running);
});

test('a part that ends takes the others with it', async () => {
  // Of another chain: the index refuses it.
  const liar = await startLiar(shared.l2, (answer, asked) =>
    asked?.method === 'eth_chainId' ? { ...answer, result: '0x1' } : answer,
  );
  operator.edit('operator.env', (text) => text.replace(shared.l2, liar.url));
  const { code, text } = await operator.run(run);
  operator.edit('operator.env', (text) => text.replace(liar.url, shared.l2));
  await liar.close();
  expect([code, text]).toEqual([3, expect.stringContaining('WRONG_INDEX')]);
});

test('a node that lies about the state is found out by the root on L1, and nothing is served', async () => {
  // One wei less than it is, in the last block that is final.
  const liar = await startLiar(shared.l2, (answer, asked) => {
    if (asked?.method !== 'debug_traceBlockByNumber' || asked.params[0] !== '0xe') return answer;
    const changed = Object.values(answer.result[0].result.post) as { balance?: string }[];
    const account = changed.find(({ balance }) => balance !== undefined) as { balance: string };
    account.balance = `0x${(BigInt(account.balance) - 1n).toString(16)}`;
    return answer;
  });
  operator.edit('operator.env', (text) =>
    text.replace(shared.l2, liar.url).replace(/(?<=^DATA=).*/m, 'lies'),
  );
  const { code, text } = await operator.run(`./operate.sh begin ${shared.genesis}`);
  expect([code, text]).toEqual([1, expect.stringContaining('ROOT_MISMATCH')]);
  const served = await operator.run('./operate.sh run');
  await liar.close();
  expect([served.code === 0, served.text]).toEqual([false, expect.stringContaining('DISTRUSTED')]);
});
