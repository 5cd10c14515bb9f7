/**
 * `npm run bench -- call`: calls on proven state, beside a bare EVM on ethereumjs' own state, by processor time; and what calls ask of the
 * L2 servers. Writes CALL.md and its plots. `--rounds 7` is faster and rougher.
 */
import { parseArgs } from 'node:util';
import { type CallWorld, first, openCallWorld, second } from '../test/support/calls/world.js';
import { loopInit } from '../test/support/contracts/samples.js';
import { type Asked, latency, requestsOf } from './callRequests.js';
import { type BenchCall, compareStates, record, type StateReport } from './callState.js';
import { proxyReport, type WarmReport, warmReports } from './callWarm.js';
import { machine, madeBy, pageOf } from './frame.js';
import type { Compared } from './httpLoad.js';
import { publish } from './pictures.js';
import { digits, time } from './report.js';
import type { Table } from './tables.js';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '21' } } });
const rounds = Number(values.rounds);
/** Most that our state may cost, as a ratio to theirs. */
const stateBar = 1.3;

async function callsOf(world: CallWorld) {
  const { gold, silver, uniswap, multicall, samples, wallet, entryPoints } = world;
  const path = [gold.address, silver.address];
  const swap = ['swapExactTokensForTokens', 10n ** 18n, 1n, path, second, 2n ** 40n] as const;
  const balances = (count: number) => {
    const calls = Array.from({ length: count }, (_, i) => ({
      ...{ target: (i % 2 ? gold : silver).address, allowFailure: true },
      callData: gold.encode('balanceOf', `0x${(i + 1).toString(16).padStart(40, '0')}`),
    }));
    return { name: `Multicall3 of ${count}`, ...multicall.call('aggregate3', calls) };
  };
  const { entryPoint, signOperation } = entryPoints['0.7'];
  const operations = [await signOperation({ to: second })];
  return {
    balanceOf: { name: 'balanceOf', ...gold.call('balanceOf', second) },
    transfer: { name: 'transfer', from: first, ...gold.call('transfer', second, 1n) },
    swap: { name: 'Uniswap v2 swap', from: first, ...uniswap.router.call(...swap) },
    balances: balances(20),
    moreBalances: balances(30),
    safe: {
      name: 'Safe execTransaction',
      from: first,
      ...(await wallet.execute({ to: second, value: 1n })),
    },
    operation: {
      name: 'handleOps (0.7)',
      from: first,
      ...entryPoint.call('handleOps', operations, first),
    },
    loop: { name: 'loop of 200 slots', to: samples.loop },
    list: { name: 'list of 100 slots', to: samples.list },
    creation: { name: 'CREATE, 200 slots written', to: samples.creator, data: loopInit },
  };
}

type Calls = Awaited<ReturnType<typeof callsOf>>;

interface RequestReport extends Asked {
  readonly call: string;
  readonly how: 'hint' | 'no hint' | 'warm';
  /** Reads that the call makes: requests if each were asked for by itself. */
  readonly reads: number;
  readonly bar: number | undefined;
}

async function readsOf(world: CallWorld, call: BenchCall): Promise<number> {
  const { accounts, codes } = await record(world, call);
  const slots = [...accounts.values()].reduce((sum, one) => sum + one.slots.size, 0);
  return accounts.size + codes.size + slots;
}

async function requestReports(world: CallWorld, calls: Calls): Promise<RequestReport[]> {
  const { balanceOf, loop, list, swap, balances, operation } = calls;
  const reports: RequestReport[] = [];
  const add = async (
    call: BenchCall,
    { hasHints, bar, warmBar }: { hasHints: boolean; bar?: number; warmBar?: number },
  ) => {
    const [cold, warm] = (await requestsOf(world, [call, call], { hasHints })) as [Asked, Asked];
    const reads = await readsOf(world, call);
    const about = { call: call.name, reads };
    reports.push({ ...about, how: hasHints ? 'hint' : 'no hint', bar, ...cold });
    if (warmBar !== undefined) reports.push({ ...about, how: 'warm', bar: warmBar, ...warm });
  };
  await add(balanceOf, { hasHints: true, bar: 4, warmBar: 0 });
  await add(balanceOf, { hasHints: false, bar: 4 });
  await add(loop, { hasHints: true, bar: 5 });
  await add(loop, { hasHints: false, bar: 6 });
  await add(list, { hasHints: true, bar: 4 });
  await add(list, { hasHints: false });
  for (const call of [balances, swap, operation]) {
    await add(call, { hasHints: true });
    await add(call, { hasHints: false });
  }
  return reports;
}

const kB = (bytes: number) => `${digits(bytes / 1e3)} kB`;
const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**');

const stateTable = (reports: readonly StateReport[]): Table => ({
  head: ['call', 'l2proof', 'SimpleStateManager', 'ratio', 'quartiles', `≤ ${stateBar}`],
  rows: reports.map(({ name, ours, theirs, ratio }) => [
    ...[name, time(ours.median), time(theirs.median), ratio.median.toFixed(2)],
    `${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}`,
    verdict(ratio.median <= stateBar),
  ]),
});

const warmTable = (reports: readonly WarmReport[]): Table => ({
  head: ['warm call', 'provider', 'bare EVM', 'ratio', 'quartiles'],
  rows: reports.map(({ name, ours, theirs, ratio }) => [
    ...[name, time(ours.median), time(theirs.median), ratio.median.toFixed(2)],
    `${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}`,
  ]),
});

const proxyTable = (name: string, all: Compared): Table => ({
  head: [
    ...['through the proxy', 'a second', 'the node, a second', 'ratio of rates'],
    ...['by processor time', 'p50', 'p99', "the node's p99", 'failed'],
  ],
  rows: [
    [
      ...[name, all.perSecond.toFixed(0), all.othersPerSecond.toFixed(0)],
      ...[all.rates.toFixed(3), all.byProcessor.toFixed(3)],
      ...[all.p50, all.p99, all.othersP99].map((ms) => `${ms} ms`),
      String(all.failed),
    ],
  ],
});

const requestTable = (reports: readonly RequestReport[]): Table => ({
  head: ['cold call', 'asked with', 'reads', 'requests', 'bar', 'bytes', 'time', ''],
  rows: reports.map(({ call, how, reads, requests, bar, bytes, time: ms }) => [
    ...[call, how, String(reads), String(requests), String(bar ?? ''), kB(bytes)],
    `${digits(ms)} ms`,
    bar === undefined ? '' : verdict(requests <= bar),
  ]),
});

const where = machine();
const world = await openCallWorld('prague');
try {
  const calls = await callsOf(world);
  const states: StateReport[] = [];
  for (const call of Object.values(calls)) states.push(await compareStates(world, call, rounds));
  const { balanceOf, moreBalances, swap } = calls;
  const warm = await warmReports(world, [balanceOf, moreBalances, swap], rounds);
  const proxied = await proxyReport(world, balanceOf);
  const requests = await requestReports(world, calls);
  const page = pageOf({
    title: 'Calls on proven state',
    about: `Four tables. _Call_: each call as a provider runs it, in a session of its own on an engine that is kept, and on one EVM of
      \`@ethereumjs/evm\`, kept as well, over its \`SimpleStateManager\`; both have what the call reads and nothing else. _Warm call_:
      a whole request to a provider that fetches nothing, beside such an EVM. _Through the proxy_: the same question to the proxy
      and to the node itself, from 16 connections. _Cold call_: a provider that knows its anchor alone, ${latency} ms from an L2 node
      and a proof service; _reads_ are the accounts, codes and slots of the call, the hint is the answer of
      \`eth_createAccessList\`, bytes are of questions and answers. Ratios are of processor time if nothing else is said: of the
      medians of ${rounds} rounds by turns, with the quartiles of the rounds' ratios.`,
    made: madeBy(`npm run bench -- call --rounds ${rounds}`, where),
    tables: [
      stateTable(states),
      warmTable(warm),
      proxyTable(balanceOf.name, proxied),
      requestTable(requests),
    ],
    shows: `A call on proven state costs no more than a third above the same call on a state that nobody proved, and mostly less. A
      provider adds some 0.4 ms to a request. The time of a cold call is that of its rounds of requests, and a node with
      \`eth_createAccessList\` saves most of them.`,
  });
  console.log(publish('CALL.md', page));
} finally {
  await world.close();
}
