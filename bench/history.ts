/**
 * `npm run bench -- history`: logs of many blocks of a real node, proven. Requests and bytes as ratios to the least that must
 * be asked for, in the same form; and how long the event loop is kept at a time, by processor time.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AnchoredRoot } from '../src/anchor/index.js';
import { type HistoryView, openViews } from '../src/history/client/view.js';
import { whileAsked } from '../src/history/client/work.js';
import { checkFilter } from '../src/history/verify/filter.js';
import { createTransport, type Transport } from '../src/rpc/index.js';
import { emit, putEmitter } from '../test/support/allTypes.js';
import { type Anvil, startAnvil, word } from '../test/support/anvil.js';
import { digits } from './report.js';

const ranges = [1000, 5000] as const;
/** A topic of logs in each 40th block, and one whose logs are in all that have any. */
const topics = { rare: 1, common: 7 };

const quantity = (number: number) => `0x${number.toString(16)}`;

/** A chain on which each twentieth block has logs. @returns the number of the last block */
async function mine(node: Anvil): Promise<number> {
  await putEmitter(node);
  for (let i = 0; i < 255; i++) {
    await node.mine(emit([i % 2, 7], word(i)), emit([2 + (i % 5), 7]));
    await node.call('anvil_mine', quantity(19));
  }
  return Number(await node.call('eth_blockNumber'));
}

interface Cost {
  requests: number;
  bytes: number;
}

function metered(url: string): { transport: Transport; cost: Cost } {
  const cost = { requests: 0, bytes: 0 };
  const transport = createTransport({
    url,
    fetch: async (to, init) => {
      const response = await fetch(to, init);
      const bytes = await response.arrayBuffer();
      cost.requests += 1;
      cost.bytes += bytes.byteLength;
      return new Response(bytes, response);
    },
  });
  return { transport, cost };
}

/** What must be asked for, one by one: all headers, and receipts and transactions of blocks with a log. */
async function leastCost(
  node: Anvil,
  { from, to }: { from: number; to: number },
  topic: number,
): Promise<Cost> {
  const { transport, cost } = metered(node.url);
  const logs = await node.call('eth_getLogs', {
    ...{ fromBlock: quantity(from), toBlock: quantity(to), topics: [null, `0x${word(topic)}`] },
  });
  for (let number = from; number <= to; number++) {
    await transport.call('eth_getBlockByNumber', [quantity(number), false]);
  }
  const blocks = new Set<string>(logs.map((log: { blockNumber: string }) => log.blockNumber));
  for (const block of blocks) {
    await transport.call('eth_getBlockReceipts', [block]);
    await transport.call('eth_getBlockByNumber', [block, true]);
  }
  return cost;
}

function viewOf(node: Anvil, transport: Transport, last: number): HistoryView {
  const options = {
    l2: transport,
    readSlots: (
      { l2BlockNumber }: AnchoredRoot,
      question: { address: string; storageKeys: readonly string[] },
    ) =>
      Promise.all(
        question.storageKeys.map((key) =>
          node.call('eth_getStorageAt', question.address, key, quantity(l2BlockNumber)),
        ),
      ),
    maxBlocks: 50_000,
    maxRange: 10_000,
  };
  return openViews(options)({
    l2BlockNumber: last,
    stateRoot: `0x${word(last)}`,
    hash: 'poseidon2',
  } as AnchoredRoot);
}

/** Ms of processor time of this thread: the wall clock would count whatever else the machine does. */
const threadTime = (): number =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;

/** Ms of processor time for which the event loop was kept at a time, the longest first. */
function watchLoop() {
  const pauses: number[] = [];
  let before = threadTime();
  let timer: NodeJS.Timeout;
  const look = () => {
    const now = threadTime();
    pauses.push(now - before);
    before = now;
    timer = setTimeout(look, 1);
  };
  timer = setTimeout(look, 1);
  return () => {
    clearTimeout(timer);
    look();
    clearTimeout(timer);
    return pauses.sort((a, b) => b - a);
  };
}

async function serve(node: Anvil) {
  const child = fork(new URL('./historyChild.ts', import.meta.url), [node.url]);
  const [port] = await once(child, 'message');
  return { url: `http://127.0.0.1:${port}/v3/any`, stop: () => child.kill() };
}

const node = await startAnvil('--hardfork', 'prague');
const last = await mine(node);
const server = await serve(node);
const urls = { node: node.url, server: server.url };
console.log(
  '| asked | blocks | logs | requests | of the least | bytes | of the least | processor time a block | longest turns of the loop |',
);
console.log(`|${' --- |'.repeat(9)}`);
for (const length of ranges) {
  const range = { from: last - length, to: last - 1 };
  const least = await leastCost(node, range, topics.common);
  for (const [name, url] of Object.entries(urls)) {
    const { transport, cost } = metered(url);
    const view = viewOf(node, transport, last);
    for (const round of ['', ', again']) {
      const before = { ...cost };
      const filter = checkFilter({ topics: [null, `0x${word(topics.common)}`] });
      const start = process.cpuUsage();
      const stop = watchLoop();
      const logs = await whileAsked(undefined, (work) => view.logs({ filter, range }, work));
      const pauses = stop().slice(0, 3);
      const { user, system } = process.cpuUsage(start);
      const requests = cost.requests - before.requests;
      const bytes = cost.bytes - before.bytes;
      const cells = [
        `${name}${round}`,
        ...[length, logs.length, requests, digits(requests / least.requests)],
        ...[bytes, digits(bytes / least.bytes), `${digits((user + system) / length)} µs`],
        `${pauses.map(digits).join(', ')} ms`,
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }
  }
}
server.stop();
await node.close();
