/**
 * `npm run bench -- holders`: a million holders of a token, ranked from an index in LMDB by a service, while a ticker notes the
 * longest turn of the event loop; and pages of that ranking beside balances of wallets with as many calls, by processor
 * time of this process, in turns. The index is written by its own code. The node answers in this process: calls by the
 * hundred, whatever they ask. `--holders 2000000`: so many.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeAbiParameters, type Hex } from 'viem';
import { Changes } from '../dist/indexer/layout/changes.js';
import { blockBytes, standards } from '../dist/indexer/layout/layout.js';
import { lmdbStore } from '../dist/lmdb/index.js';
import {
  createDataInterface,
  createDecoder,
  createService,
  openIndex,
} from '../dist/service/index.js';
import { toSignedBytes } from '../test/support/signed.js';
import { ratioOf, spreadOf } from './measure.js';
import { digits } from './report.js';

const { values } = parseArgs({ options: { holders: { type: 'string', default: '1000000' } } });
const holders = Number(values.holders);
const rankings = 5;
/** Calls of a page, pages of a sample, samples, and those at first that find the code uncompiled. */
const calls = 100;
const pages = 10;
const samples = 24;
const cold = 4;
const perRange = 50_000;
const wallets = pages * samples;

const token: Hex = `0x${'70'.repeat(20)}`;
const numbered = (name: string) => createHash('sha256').update(name).digest();
const addressOf = (name: string): Hex => `0x${numbered(name).toString('hex').slice(0, 40)}`;
const hashOf = (block: number): Hex => `0x${block.toString(16).padStart(64, '0')}`;
const time = 1_700_000_000;

/** Amounts of a token with 18 decimals: most have eight or nine bytes. */
function amountOf(seed: Buffer): Uint8Array {
  const digits = seed.subarray(20, 28 + ((seed[31] as number) % 2)).toString('hex');
  return toSignedBytes(BigInt(`0x${digits}`));
}

function* ranges(): Generator<Changes> {
  for (let from = 0; from < holders; from += perRange) {
    const changes = new Changes();
    const block = blockBytes(from / perRange);
    for (let i = from; i < Math.min(holders, from + perRange); i++) {
      const seed = numbered(`holder ${i}`);
      const key = changes.key('sum').ofContract(changes.contract(token)).byte(standards.erc20);
      key.part(seed.subarray(0, 20)).put(block, amountOf(seed));
    }
    yield changes;
  }
  const changes = new Changes();
  const block = blockBytes(Math.ceil(holders / perRange));
  for (let i = 0; i < wallets * calls; i++) {
    const wallet = numbered(`wallet ${Math.floor(i / calls)}`).subarray(0, 20);
    const key = changes.key('holding').part(wallet).byte(standards.erc20);
    key.ofContract(changes.contract(addressOf(`token ${i % calls}`))).put(block);
  }
  yield changes;
}

const folder = mkdtempSync(join(tmpdir(), 'l2proof-bench-'));
const chainId = 1;
let newest = -1;

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const quantity = (value: number): Hex => `0x${value.toString(16)}`;
const aggregates = new Map<number, Hex>();

/** Answers of as many calls: of each, a number. */
function aggregate(count: number): Hex {
  const known = aggregates.get(count);
  if (known !== undefined) return known;
  const results = Array.from({ length: count }, () => ({ success: true, data: word(18) }));
  const components = [
    { type: 'bool', name: 'success' },
    { type: 'bytes', name: 'data' },
  ] as const;
  const answer = encodeAbiParameters([{ type: 'tuple[]', components }], [results]);
  aggregates.set(count, answer);
  return answer;
}

const blockAt = (number: number) => ({
  ...{ number: quantity(number), hash: hashOf(number), parentHash: hashOf(number - 1) },
  ...{ timestamp: quantity(time + number), miner: token, extraData: '0x', transactions: [] },
  ...{ gasUsed: '0x0', gasLimit: '0x1c9c380', baseFeePerGas: '0x1', size: '0x100' },
});

/** What the node answers. */
function answerOf(
  method: string,
  [first, second]: readonly (string | { data: string })[],
): unknown {
  if (method === 'eth_chainId') return quantity(chainId);
  if (method === 'eth_getBalance') return '0x5';
  // Behind the selector: where the calls begin, and how many they are.
  if (method === 'eth_call')
    return aggregate(Number(`0x${(first as { data: string }).data.slice(74, 138)}`));
  if (method !== 'eth_getBlockByNumber') throw new Error(`${method} ${second} is not answered`);
  const name = String(first);
  return blockAt(name.startsWith('0x') ? Number(name) : newest);
}

async function answer(_: unknown, init?: RequestInit): Promise<Response> {
  const { id, method, params } = JSON.parse(String(init?.body));
  return Response.json({ jsonrpc: '2.0', id, result: answerOf(method, params) });
}

/** Processor time of this process so far, in ms. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Notes the longest turn of the event loop, in ms, until it is stopped. A turn took neither longer than the clock says, which
 * counts what others do on the machine, nor than the processor time says, which counts the threads that collect and compile.
 */
function watchTurns() {
  let longest = 0;
  let isOver = false;
  let [before, start] = [used(), performance.now()];
  function tick() {
    const [now, end] = [used(), performance.now()];
    longest = Math.max(longest, Math.min(now - before, end - start));
    [before, start] = [now, end];
    if (!isOver) setImmediate(tick);
  }
  setImmediate(tick);
  return () => {
    isOver = true;
    return longest;
  };
}

const store = lmdbStore({ path: folder });
const index = await openIndex({ store, chainId });
try {
  for (const changes of ranges()) {
    newest += 1;
    const mark = { hash: hashOf(newest), time: time + newest };
    await index.apply({ to: newest, mark, changes, isFinal: true });
  }
  await index.finalize(newest);
  const chain = { name: 'bench', url: 'http://127.0.0.1:1', fetch: answer };
  const decoder = await createDecoder({ chains: [chain] });
  const data = await createDataInterface({ decoder, chains: [{ name: 'bench', store }] });
  const limits = { requestsPerSecond: Infinity, time: 60_000 };
  const service = await createService({ decoder, data, limits });

  async function get(path: string, items: number): Promise<void> {
    const response = await service.fetch(new Request(`http://127.0.0.1/v1/bench/${path}`));
    const { data: found, error_message: message } = await response.json();
    if (found?.items.length !== items)
      throw new Error(`${path}: ${message ?? 'items are missing'}`);
  }
  const holdersPage = (number: number, size: number) =>
    get(`tokens/${token}/token_holders_v2/?page-size=${size}&page-number=${number}`, size);

  // The first request of a process has Node load what answers it.
  await get(`address/${addressOf('nobody')}/balances_v2/`, 1);

  const ranked = [];
  for (let i = 0; i < rankings; i++) {
    // Another block, so that the ranking is made anew.
    newest += 1;
    const mark = { hash: hashOf(newest), time: time + newest };
    await index.apply({ to: newest, mark, changes: new Changes(), isFinal: true });
    await new Promise((resolve) => setTimeout(resolve, 300));
    const stop = watchTurns();
    const [before, start] = [used(), performance.now()];
    await get(`tokens/${token}/token_holders_v2/?page-size=${i + 1}&no-snapshot=true`, i + 1);
    const [processor, clock] = [used() - before, performance.now() - start];
    ranked.push({ processor, clock, longest: stop() });
  }
  console.log(`${holders} holders ranked, ${rankings} times; bars: 5 s, 50 ms a turn`);
  for (const { processor, clock, longest } of ranked) {
    console.log(
      `  ${digits(processor / 1000)} s of processor time (${digits(clock / 1000)} s by the clock); longest turn ${digits(longest)} ms`,
    );
  }

  const costs = { holders: [] as number[], balances: [] as number[] };
  const costOf = async (work: (page: number) => Promise<void>, sample: number) => {
    const before = used();
    for (let i = 0; i < pages; i++) await work(sample * pages + i);
    return (used() - before) / pages;
  };
  const work = {
    // `totalSupply` is a call too.
    holders: (page: number) => holdersPage(page, calls - 1),
    // The native token is an item without a call.
    balances: (page: number) =>
      get(
        `address/${addressOf(`wallet ${page}`)}/balances_v2/?page-size=${calls + 1}&page-number=0`,
        calls + 1,
      ),
  };
  for (let sample = 0; sample < samples; sample++) {
    const order = ['holders', 'balances'] as const;
    for (const name of sample % 2 === 0 ? order : [...order].reverse()) {
      costs[name].push(await costOf(work[name], sample));
    }
  }
  const [own, other] = [costs.holders.slice(cold), costs.balances.slice(cold)];
  const ratio = ratioOf(own, other);
  console.log(`pages of ${calls} calls, by processor time; bar 2`);
  console.log(
    `  holders ${digits(spreadOf(own).median)} ms, balances ${digits(spreadOf(other).median)} ms: x ${digits(ratio.median)} (quartiles ${digits(ratio.low)} to ${digits(ratio.high)})`,
  );
  await data.close();
  await decoder.close();
} finally {
  await index.close();
  rmSync(folder, { recursive: true, force: true });
}
