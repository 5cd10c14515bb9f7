/**
 * `npm run bench -- pages`: 100,000 transfers of one wallet and token, read from an index in LMDB a page of 100 at a time, by
 * processor time of this process: a page beside 100 entries of an LMDB file that has an entry a record, at places of the list
 * that were read before, at such as were not, and as the first one of an index that was just opened; then, for itself, a walk
 * through 1,000 pages, each from where the one before ended, beside one reading of the whole list. The node is a process of its
 * own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open } from 'lmdb';
import type { Hex } from '../dist/index.js';
import { createIndexer } from '../dist/indexer/indexer.js';
import { openIndex } from '../dist/indexer/openIndex.js';
import { lmdbStore } from '../dist/lmdb/index.js';
import { createTransport } from '../dist/rpc/index.js';
import { ratioOf, spreadOf } from './measure.js';
import { digits } from './report.js';

const perBlock = 20;
const transactions = 160_000;
const size = 100;
const pages = 1000;
const rounds = 15;
/** Places of the list at which pages are read. */
const many = 100;
/** How often a sample reads the page at each place: in short samples, the unrest of a machine hides all else. */
const times = 5;

const wallets = 2;
const node = spawn(process.execPath, [
  new URL('logNode.mjs', import.meta.url).pathname,
  ...[perBlock, wallets, 1, 1].map(String),
]);
node.stderr.pipe(process.stderr);
const [port] = await once(node.stdout, 'data');
const folder = mkdtempSync(join(tmpdir(), 'l2proof-bench-'));

async function costOf(work: () => Promise<void>): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const l2 = createTransport({ url: `http://127.0.0.1:${port}` });
const store = lmdbStore({ path: join(folder, 'index') });
const index = await openIndex({ store, chainId: 1 });
const entries = open({ path: join(folder, 'entries'), keyEncoding: 'binary', encoding: 'binary' });
try {
  await l2.call('bench_head', [transactions / perBlock]);
  await createIndexer({ index, l2 }).run({ once: true });
  const [log] = (await l2.call('eth_getBlockReceipts', ['0x1'])) as {
    logs: { address: Hex; topics: Hex[] }[];
  }[];
  const contract = log?.logs[0]?.address as Hex;
  const wallet: Hex = `0x${(log?.logs[0]?.topics[1] as string).slice(26)}`;
  const wanted = { contract, limit: size };

  /** Reads pages one behind the other. @returns how many transfers there were */
  async function walk(most: number): Promise<number> {
    let count = 0;
    let after: Awaited<ReturnType<typeof index.moved>>[number] | undefined;
    for (let page = 0; page < most; page++) {
      const found = await index.moved(wallet, after ? { ...wanted, after } : wanted);
      count += found.length;
      after = found.at(-1);
      if (found.length < size) break;
    }
    return count;
  }

  const count = await walk(pages);
  if (count !== pages * size) throw new Error(`the wallet has ${count} transfers`);
  const all = await index.moved(wallet, { contract, limit: pages * size });
  // An entry a record, as a plain database would have it: key and value of as many bytes.
  await entries.transaction(() => {
    all.forEach((_, place) => {
      const key = Buffer.alloc(38, wallet.slice(2, 22));
      key.writeUInt32BE(place, 25);
      entries.put(key, Buffer.alloc(32, place));
    });
  });

  const step = Math.floor(all.length / many);
  const placeOf = (i: number) => (i % many) * step;
  /** Ms of each page, by the clock. */
  const clock: number[] = [];
  /** Reads a page of each index. @returns microseconds a page */
  async function readPages(indexes: readonly (typeof index)[]): Promise<number> {
    const cost = await costOf(async () => {
      for (const [i, of] of indexes.entries()) {
        const after = all[placeOf(i)];
        const start = performance.now();
        await of.moved(wallet, after ? { ...wanted, after } : wanted);
        clock.push(performance.now() - start);
      }
    });
    return cost / indexes.length;
  }
  /** Reads as many entries as a page has records. @returns microseconds each time */
  async function readEntries(): Promise<number> {
    const cost = await costOf(async () => {
      for (let i = 0; i < many * times; i++) {
        const start = Buffer.alloc(38, wallet.slice(2, 22));
        start.writeUInt32BE(placeOf(i), 25);
        Array.from(entries.getRange({ start, limit: size }));
      }
    });
    return cost / (many * times);
  }

  const samples = {
    page: [] as number[],
    place: [] as number[],
    first: [] as number[],
    entries: [] as number[],
    walk: [] as number[],
    whole: [] as number[],
  };
  for (let round = 0; round < rounds; round++) {
    samples.page.push(await readPages(Array(many * times).fill(index)));
    samples.entries.push(await readEntries());
  }
  const openIndexes = (count: number) =>
    Promise.all(Array.from({ length: count }, () => openIndex({ store })));
  for (let round = 0; round < rounds; round++) {
    const fresh = await openIndexes(times);
    for (const one of fresh) await one.moved(wallet, { ...wanted, order: 'oldest' });
    samples.place.push(await readPages(fresh.flatMap((one) => Array(many).fill(one))));
  }
  for (let round = 0; round < rounds; round++) {
    samples.first.push(await readPages(await openIndexes(many * times)));
  }
  for (let round = 0; round < rounds; round++) {
    samples.walk.push(await costOf(async () => void (await walk(pages))));
    samples.whole.push(
      await costOf(async () => void (await index.moved(wallet, { contract, limit: pages * size }))),
    );
  }
  const warm = (values: readonly number[]) => values.slice(3);
  const tell = (what: string, values: readonly number[], bar = '') => {
    const { median, low, high } = ratioOf(warm(values), warm(samples.entries));
    console.log(
      `${what}: ${digits(spreadOf(warm(values)).median)} µs, x ${digits(median)} of ${size} entries (quartiles ${digits(low)} to ${digits(high)})${bar}`,
    );
  };
  tell(`a page of ${size} transfers`, samples.page, ', bar 3');
  tell('at a place that was not read before', samples.place);
  tell('the first of an index that was just opened', samples.first);
  console.log(`by the clock, all: p50 ${digits(spreadOf(clock).median)} ms, bar 5`);
  const walked = ratioOf(warm(samples.walk), warm(samples.whole));
  console.log(
    `a walk of ${pages} pages: ${digits(spreadOf(warm(samples.walk)).median / 1000)} ms, x ${digits(walked.median)} of one reading (quartiles ${digits(walked.low)} to ${digits(walked.high)}), bar 1.5`,
  );
} finally {
  await index.close();
  await entries.close();
  node.kill();
  rmSync(folder, { recursive: true, force: true });
}
