/**
 * Whole lives of a service: whatever it has remembered, however its index was fed, killed and taken back, it answers what
 * a service does that was begun just now. `DEEP=1` makes them longer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { createIndexer } from '../../../../src/indexer/indexer.js';
import { openSizedIndex } from '../../../../src/indexer/openIndex.js';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { memoryStore, type Store } from '../../../../src/tree/index.js';
import { modelOf } from '../../../support/chainModel.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { deepest, linked, startLife } from '../../../support/dataLife.js';
import { everyAnswer } from '../../../support/everyRoute.js';
import { newFolder } from '../../../support/folder.js';
import { startScript } from '../../../support/processes.js';
import { patience, type Wire } from '../../../support/runs.js';
import { wallets } from '../../../support/tokenHistory.js';
import { until } from '../../../support/until.js';

const isDeep = process.env.DEEP !== undefined;
const time = isDeep ? 1_200_000 : patience;

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function begin(seed: number) {
  const life = await startLife(seed);
  cleanups.push(() => life.node.close());
  return life;
}

async function serve(url: string, fed?: Store): Promise<ServedData> {
  const served = await serveData(url, { data: linked, ...(fed && { fed }) });
  cleanups.push(() => served.close());
  return served;
}

/** Small segments, so that they are merged. */
const small = { loose: 8, page: 200, fanIn: 2, step: 7 };

async function feedSmall(store: Store, url: string): Promise<void> {
  const index = await openSizedIndex({ store, chainId: 31337 }, small);
  await createIndexer({ index, l2: createTransport({ url }) }).run({ once: true });
}

type Step = { readonly mine: number } | { readonly reorg: number; readonly more: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ mine: fc.integer({ min: 1, max: 9 }) }),
    fc.record({
      reorg: fc.integer({ min: 1, max: deepest }),
      more: fc.integer({ min: 0, max: 3 }),
    }),
  ),
  { minLength: 2, maxLength: isDeep ? 12 : 2 },
);

/** Holds lists against what the node's transactions, logs and contracts say one by one. */
async function expectTrue(served: ServedData, life: Awaited<ReturnType<typeof begin>>) {
  const { node, history } = life;
  const newest = await life.newest();
  const held = await history.held(newest);
  for (const { address } of [history.gold, history.wrapped]) {
    const path = `/v1/${chainName}/tokens/${address}/token_holders_v2/?no-snapshot=true`;
    const { data } = (await served.get(path)).body;
    expect(data.block_height).toBe(newest);
    const of = held.filter(({ contract }) => contract === address);
    expect(data.items.map((one: Wire) => `${one.address} ${one.balance}`).sort()).toEqual(
      of.map(({ wallet, amount }) => `${wallet} ${amount}`).sort(),
    );
  }
  const { touched, fees, sent } = await modelOf(node, newest);
  const { hash } = await node.call('eth_getBlockByNumber', `0x${newest.toString(16)}`, false);
  for (const wallet of wallets.slice(1, 4)) {
    const at = `/v1/${chainName}/address/${wallet}`;
    const places = [...(touched.get(wallet) ?? new Map()).keys()];
    const listed: string[] = [];
    for (let page = 0; page * 100 < Math.max(places.length, 1); page++) {
      const path = `${at}/transactions_v3/page/${page}/?block-signed-at-asc=true`;
      const { data } = (await served.get(path)).body;
      listed.push(...data.items.map((one: Wire) => `${one.block_height} ${one.tx_offset}`));
    }
    expect(listed).toEqual(places);
    const { data } = (await served.get(`${at}/transactions_summary/?with-gas=true`)).body;
    expect(data).toMatchObject({
      ...{ block_height: newest, block_hash: hash },
      items: [
        {
          total_count: places.length,
          gas_summary: {
            total_sent_count: sent.get(wallet) ?? 0,
            total_fees_paid: String(fees.get(wallet) ?? 0n),
          },
        },
      ],
    });
  }
}

test(
  'over random histories and reorgs, every route answers as a fresh service does, also what it has remembered',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), steps, async (seed, life) => {
        const one = await begin(seed);
        await one.history.mine(deepest + 3);
        const served = await serve(one.node.url);
        for (const step of life) {
          if ('mine' in step) await one.history.mine(step.mine);
          else await one.reorg(step.reorg, step.more);
          await served.feed();
          const paths = await one.paths(served);
          const answers = await everyAnswer(served, paths);
          const expected = await one.expected(paths, answers);
          expect(answers).toEqual(expected);
          expect(await everyAnswer(served, paths)).toEqual(expected);
          expect(
            expected.filter((answer) => answer.split(' ')[1] === '200').length,
          ).toBeGreaterThan(40);
        }
        await expectTrue(served, one);
        for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
      }),
      { numRuns: isDeep ? 40 : 1, endOnFailure: true },
    );
  },
  time,
);

describe('laws', () => {
  test(
    'in memory or in LMDB, block by block or in ranges, taken back or never applied: every answer is the same',
    async () => {
      const life = await begin(Number(process.env.HISTORY_SEED ?? 472));
      const { node, history } = life;
      const grown = memoryStore();
      for (let block = 0; block < 12; block++) {
        await history.mine(2);
        await feedSmall(grown, node.url);
        if (block % 3 === 2) {
          await life.reorg(1 + (block % deepest), 0);
          await feedSmall(grown, node.url);
        }
      }
      const disk = lmdbStore({ path: newFolder() });
      await feedSmall(disk, node.url);
      const byBlocks = await serve(node.url, grown);
      const inLmdb = await serve(node.url, disk);
      const paths = await life.paths(byBlocks);
      const answers = await everyAnswer(byBlocks, paths);
      const expected = await life.expected(paths, answers);
      expect(paths.length).toBeGreaterThan(60);
      expect(answers).toEqual(expected);
      expect(await everyAnswer(inLmdb, paths)).toEqual(expected);
    },
    time,
  );
});

const kills = isDeep ? 20 : 2;

test(
  `while what feeds its index is killed ${kills} times and the chain is taken back, a service goes on to answer what is right`,
  async () => {
    const life = await begin(Math.floor(Math.random() * 2 ** 31));
    await life.history.mine(deepest + 3);
    const path = newFolder();
    const first = lmdbStore({ path });
    await feedSmall(first, life.node.url);
    await first.close();
    const served = await serve(life.node.url, lmdbStore({ path, readOnly: true }));
    const start = () => startScript('test/support/indexChild.ts', path, life.node.url);
    for (let kill = 0; kill < kills; kill++) {
      const child = start();
      await child.next('block');
      const killing = sleep(Math.random() * 200).then(() => child.process.kill('SIGKILL'));
      await life.history.mine(2);
      await life.reorg(1 + Math.floor(Math.random() * deepest), 1);
      await killing;
      await child.end;
      const next = start();
      const newest = await life.newest();
      await until(() => next.lines.includes(`block ${newest}`), `block ${newest} is in the index`);
      const paths = await life.paths(served);
      const answers = await everyAnswer(served, paths);
      expect(answers).toEqual(await life.expected(paths, answers));
      next.process.kill('SIGKILL');
      await next.end;
    }
    await expectTrue(served, life);
  },
  time,
);
