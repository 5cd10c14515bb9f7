/** An index in PostgreSQL under a service: every answer is that of an index in memory, also after what fed it was killed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { postgresStore } from '../../src/postgres/index.js';
import { type ServedData, serveData } from '../support/data.js';
import { type DataLife, deepest, linked, startLife } from '../support/dataLife.js';
import { everyAnswer } from '../support/everyRoute.js';
import { patience } from '../support/runs.js';
import { newDatabase } from './schemas.js';

const main = 'dist/cli/main.js';
const isDeep = process.env.DEEP !== undefined;
const kills = isDeep ? 20 : 2;

let life: DataLife;
let source: string;
let served: ServedData;

const feeding = () => [main, 'index', '--store', source, '--l2', life.node.url];
/** Feeds to the end. A writer that was killed keeps its lease for some seconds. */
async function feed(): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const { status, stderr } = spawnSync(process.execPath, [...feeding(), '--once'], {
      encoding: 'utf8',
    });
    if (status === 0) return;
    expect([status, stderr]).toEqual([4, expect.stringContaining('OTHER_WRITER')]);
    await sleep(1000);
  }
  throw new Error('the lease of the writer that was killed does not run out');
}

beforeAll(async () => {
  life = await startLife(475);
  await life.history.mine(20);
  source = await newDatabase();
  await feed();
  const fed = await postgresStore({ connectionString: source, readOnly: true });
  served = await serveData(life.node.url, { data: linked, fed });
}, patience);
afterAll(async () => {
  await served?.close();
  await life?.node.close();
});

test(
  'every route answers byte for byte as from an index in memory',
  async () => {
    const paths = await life.paths(served);
    expect(paths.length).toBeGreaterThan(60);
    const answers = await everyAnswer(served, paths);
    expect(answers).toEqual(await life.expected(paths, answers));
  },
  patience,
);

test(
  '`index --check` finds that it fits together, beside the command that feeds it',
  async () => {
    const feeder = spawn(process.execPath, feeding());
    try {
      await once(feeder.stderr, 'data');
      const args = [main, 'index', '--store', source, '--check', '--l2', life.node.url, '--json'];
      const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        ...{ chainId: 31337, block: await life.newest(), knownContracts: 5 },
        tokens: { different: [] },
      });
    } finally {
      const ended = once(feeder, 'exit');
      feeder.kill();
      await ended;
    }
  },
  patience,
);

test(
  `after ${kills} kills of what feeds it and reorgs, so it does`,
  async () => {
    for (let kill = 0; kill < kills; kill++) {
      const feeder = spawn(process.execPath, feeding());
      const ended = once(feeder, 'exit');
      const killing = sleep(500 + Math.random() * 1500).then(() => feeder.kill('SIGKILL'));
      await life.history.mine(3);
      await life.reorg(1 + Math.floor(Math.random() * deepest), 1);
      await killing;
      await ended;
      await feed();
      const paths = await life.paths(served);
      const answers = await everyAnswer(served, paths);
      expect(answers).toEqual(await life.expected(paths, answers));
    }
  },
  isDeep ? 1_200_000 : 2 * patience,
);
