/**
 * What a follower in LMDB costs beside fetching alone: a node in another process makes blocks; the follower applies them to
 * a state of 10^5 accounts, and in turn the same answers are fetched, parsed as JSON and dropped. Processor time of this process,
 * all threads and the collection of garbage included.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFollower } from '../dist/follow/index.js';
import { lmdbStore } from '../dist/lmdb/index.js';
import { createTransport } from '../dist/rpc/index.js';
import { type Hex, openStateTree, type StateTree } from '../dist/tree/index.js';
import { ratioOf, spreadOf } from './measure.js';
import { digits } from './report.js';

const accounts = 100_000;
/** Blocks of a turn: as many as lie between two that are named final. */
const turn = 64;

const hex = (value: number): Hex => `0x${value.toString(16)}`;

async function openState(path: string): Promise<StateTree> {
  const tree = await openStateTree({ store: lmdbStore({ path }) });
  const load = await tree.openLoad();
  const perPart = 10_000;
  for (let first = 0; first < accounts; first += perPart) {
    const changes = Array.from({ length: perPart }, (_, i) => ({
      address: `0x${(1 + first + i).toString(16).padStart(40, '0')}` as const,
      account: { nonce: 0n, balance: 10n ** 18n },
    }));
    await load.add(changes);
  }
  await load.finish({ number: 0 });
  await load.close();
  return tree;
}

/** Milliseconds of processor time. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** Prints what a follower costs at blocks of several sizes. */
export async function compareWithFetching(sizes: readonly number[], rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'l2proof-follow-'));
  const script = new URL('followNode.mjs', import.meta.url).pathname;
  const node = spawn(process.execPath, [script, `${accounts}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [port] = await once(node.stdout, 'data');
    const l2 = createTransport({ url: `http://127.0.0.1:${Number(port)}` });
    const tree = await openState(join(folder, 'state'));
    const follower = createFollower({ tree, l2, fork: 'paris' });

    async function fetchBlocks(first: number, last: number): Promise<void> {
      for (let number = first; number <= last; number++) {
        await l2.call('eth_getBlockByNumber', [hex(number), false]);
        await l2.call('debug_traceBlockByNumber', [hex(number), { tracer: 'prestateTracer' }]);
        await l2.call('eth_getBlockReceipts', [hex(number)]);
        await l2.call('eth_getBlockByNumber', [hex(number), false]);
      }
    }

    for (const size of sizes) {
      const followed: number[] = [];
      const fetched: number[] = [];
      for (let round = -2; round < rounds; round++) {
        const head = (await l2.call('bench_extend', [turn, size])) as number;
        const follow = await costOf(() => follower.run({ once: true }));
        const fetch = await costOf(() => fetchBlocks(head - turn + 1, head));
        // The first rounds find neither the code compiled nor the caches warm.
        if (round < 0) continue;
        followed.push(follow / turn);
        fetched.push(fetch / turn);
      }
      const { median, low, high } = ratioOf(followed, fetched);
      const [own, alone] = [spreadOf(followed).median, spreadOf(fetched).median];
      console.log(
        `blocks of ${size} changes: ${digits(own)} ms, fetching alone ${digits(alone)} ms: x ${digits(median)} (quartiles ${digits(low)} to ${digits(high)})`,
      );
    }
    await tree.close();
  } finally {
    node.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
