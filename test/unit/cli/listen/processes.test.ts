/** `l2proof serve --processes`: several processes on one port and one store. */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { verifyProof } from '../../../../src/index.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { newFolder } from '../../../support/folder.js';
import { ask, openWorld, world } from '../../../support/service.js';
import { bareEnv, main, serveStore } from '../../../support/serving.js';
import { until } from '../../../support/until.js';

const { contract, slot } = world;
const { own, start: startServing } = serveStore();
const store = own.path;

const start = (args: readonly string[], path = store) =>
  startServing(['--processes', '2', ...args], { store: path });

/** One request on a connection of its own. */
async function call(port: number, path: string, body?: unknown, timeout?: number) {
  const agent = new Agent();
  const method = body === undefined ? 'GET' : 'POST';
  const request = httpRequest({ host: '127.0.0.1', port, path, method, agent, timeout });
  request.on('timeout', () => request.destroy(new Error('no answer')));
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = await once(request, 'response');
  let text = '';
  for await (const chunk of response) text += chunk;
  agent.destroy();
  return { status: response.statusCode as number, text };
}

const post = async (port: number, block: string) => {
  const { status, text } = await call(port, '/v3/', ask([contract, [slot(1)], block]));
  expect(status).toBe(200);
  return JSON.parse(text).result;
};

const claim = () => ({ stateRoot: own.stateRoot, address: contract, storageKeys: [slot(1)] });

/** Processes that serve. */
const servingOf = ({ pid }: ChildProcess): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .split(' ')
    .filter((text) => text !== '')
    .map(Number);

/** What a process has used of the processor, in ticks. */
const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
};

const seen = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);

test('both answer, their metrics are summed, and SIGTERM ends them without an error', async () => {
  const { child, port, output } = await start(['--finality', '12']);
  expect(servingOf(child)).toHaveLength(2);
  for (let i = 0; i < 10; i++) {
    expect(verifyProof(await post(port, 'latest'), claim()).storage[0]?.value).toBe(slot(112));
  }
  // Whichever of them is asked.
  for (let i = 0; i < 4; i++) {
    const { text } = await call(port, '/metrics');
    expect(seen(text, 'l2proof_requests_total{status="200",code="0"}')).toBe(10);
    expect(seen(text, 'l2proof_request_seconds_count')).toBe(10);
    expect(seen(text, 'l2proof_newest_block')).toBe(12);
  }
  const health = await Promise.all(Array.from({ length: 8 }, () => call(port, '/health')));
  expect(new Set(health.map(({ status }) => status))).toEqual(new Set([200]));
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
  const names = output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(names).toEqual(['listening', ...new Array(10).fill('request'), 'stopping', 'stopped']);
});

test('connections are spread over both', async () => {
  const { child, port } = await start(['--finality', '12', '--log', 'warn']);
  const before = servingOf(child).map(ticksOf);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let i = 0; i < 100; i++) await post(port, 'latest');
    }),
  );
  const used = servingOf(child).map((pid, i) => ticksOf(pid) - (before[i] as number));
  for (const ticks of used) expect(ticks).toBeGreaterThan(0.2 * (used[0] as number));
});

test('one that is killed is started again, and the other answers meanwhile', async () => {
  const { child, port, output } = await start(['--finality', '12', '--log', 'error']);
  const [victim, other] = servingOf(child) as [number, number];
  process.kill(victim, 'SIGKILL');
  let serving: number[] = [];
  do {
    // A connection that was being handed to the victim is lost.
    await call(port, '/health', undefined, 1000).catch(() => sleep(10));
    serving = servingOf(child);
  } while (serving.length < 2 || serving.includes(victim));
  expect(serving).toContain(other);
  for (let i = 0; i < 6; i++) verifyProof(await post(port, 'latest'), claim());
  expect(output()).toContain('"signal":"SIGKILL"');
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('one that hangs is ended after half a minute, and started again; the other is left alone', async () => {
  const { child, output } = await start(['--finality', '12', '--log', 'error']);
  const [victim, other] = servingOf(child) as [number, number];
  process.kill(victim, 'SIGSTOP');
  try {
    await until(
      () => {
        expect({ ended: child.exitCode ?? child.signalCode, output: output() }).toMatchObject({
          ended: null,
        });
        const serving = servingOf(child);
        return serving.length === 2 && !serving.includes(victim);
      },
      'the one that hangs is replaced',
      180_000,
    );
  } finally {
    // Only if it was not replaced: a stopped process would outlive the test.
    if (child.exitCode === null && servingOf(child).includes(victim)) {
      process.kill(victim, 'SIGKILL');
    }
  }
  expect(servingOf(child)).toContain(other);
  expect(output()).toContain(`{"level":50`);
  expect(output()).toContain('a serving process does not answer for 30 s');
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
}, 240_000);

test('one that hangs does not keep the others from ending', async () => {
  const { child, output } = await start(['--finality', '12', '--log', 'error']);
  const [victim] = servingOf(child) as [number, number];
  process.kill(victim, 'SIGSTOP');
  try {
    child.kill('SIGTERM');
    const told = performance.now();
    expect(await once(child, 'exit')).toEqual([0, null]);
    // Half a minute is what a hanging process has while the others serve.
    expect(performance.now() - told).toBeLessThan(25_000);
    expect(output()).toContain('a serving process does not hear that it should end');
  } finally {
    // Only if nobody has ended it.
    if (child.exitCode === null) process.kill(victim, 'SIGKILL');
  }
}, 120_000);

test('while the first process hangs, those who are connected are answered, and others once it goes on', async () => {
  const { child, port } = await start(['--finality', '12', '--log', 'error']);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (through: Agent | false) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: '/health', agent: through });
    request.end();
    const [response] = await once(request, 'response');
    response.resume();
    await once(response, 'end');
    return response.statusCode as number;
  };
  expect(await ask(agent)).toBe(200);
  process.kill(child.pid as number, 'SIGSTOP');
  let late: Promise<number>;
  try {
    let isAnswered = false;
    late = ask(false).finally(() => {
      isAnswered = true;
    });
    for (let i = 0; i < 20; i++) expect(await ask(agent)).toBe(200);
    expect(isAnswered).toBe(false);
  } finally {
    process.kill(child.pid as number, 'SIGCONT');
  }
  expect(await late).toBe(200);
  agent.destroy();
  child.kill();
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a killed first process takes the others with it', async () => {
  const { child } = await start(['--finality', '12']);
  const serving = servingOf(child);
  expect(serving).toHaveLength(2);
  child.kill('SIGKILL');
  await once(child, 'exit');
  const isAlive = (pid: number) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  await until(() => !serving.some(isAlive), 'all of them have ended');
});

test('both answer the blocks that another process writes meanwhile', async () => {
  const path = join(newFolder(), 'state');
  const tree = await openWorld(lmdbStore({ path }));
  const { port } = await start(['--finality', '14'], path);
  for (let i = 0; i < 4; i++) await post(port, '0xd');
  await tree.applyBlock({ number: 14, changes: [{ address: contract, account: null }] });
  await tree.finalize(14);
  const gone = { stateRoot: await tree.stateRoot(14), address: contract, storageKeys: [slot(1)] };
  for (let i = 0; i < 4; i++) {
    expect(verifyProof(await post(port, 'latest'), gone).account).toBeNull();
  }
  await tree.close();
});

test('limits are divided', async () => {
  const { port } = await start(['--finality', '12', '--max-rate', '4']);
  const begun = performance.now();
  const crowd = Array.from({ length: 60 }, () => call(port, '/v3/', ask([contract, [], 'latest'])));
  const answered = (await Promise.all(crowd)).filter(({ status }) => status === 200).length;
  // A second's worth at once, and what came meanwhile.
  expect(answered).toBeGreaterThanOrEqual(2);
  expect(answered).toBeLessThanOrEqual(4 + 2 + Math.ceil((4 * (performance.now() - begun)) / 1000));
});

test.each<[string, string[], RegExp]>([
  ['a store that is not there', ['--store', '/nowhere', '--finality', '1'], /no store at/],
  ['an invalid alias', ['--store', store, '--finality', '1', '--alias', '-x'], /alias/],
  ['no process', ['--store', store, '--finality', '1', '--processes', '0'], /from 1 to/],
])('what keeps it from starting is said once, and ends it with 3: %s', (_, args, message) => {
  const rest = args.includes('--processes') ? args : [...args, '--processes', '2'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [main, 'serve', '--port', '0', ...rest],
    { env: bareEnv, encoding: 'utf8', timeout: 60_000 },
  );
  expect([status, stdout]).toEqual([3, '']);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^ +at /m);
});
