/** What time and which fork calls run with: under a proven root, no server has a say in either. */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AnchoredRoot, defineNetwork, fetchAnchor } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import {
  createProvider,
  type ProviderError,
  type ProviderOptions,
} from '../../../src/provider/index.js';
import { createTransport, type Transport } from '../../../src/rpc/index.js';
import type { NodeLog } from '../../support/answers.js';
import { word } from '../../support/anvil.js';
import { assemble, initOf } from '../../support/contracts/assemble.js';
import { deployAnywhere } from '../../support/contracts/contract.js';
import { type Forge, startForged } from '../../support/forged.js';
import { type Living, openLiving } from '../../support/living.js';
import { patience } from '../../support/runs.js';
import { rollup } from '../../support/worlds.js';

/** Seconds: London held until then, and the newest rules since. */
const switched = 1_700_000_000;
const network = defineNetwork({
  name: 'time',
  l1ChainId: 900,
  l2ChainId: 31337,
  rollup,
  forks: { london: 0, prague: switched },
});

const answer = 'PUSH0 MSTORE 0x20 PUSH0 RETURN';
/** Before Shanghai there is no PUSH0. */
const oldAnswer = '0x00 MSTORE 0x20 0x00 RETURN';

let world: Living;
let l1: Transport;
let earlier: number;
let newest: number;
let trusted: { blockHash: Hex };
let stateRoot: Hex;
/** Answers 4200, with PUSH0. */
let inner: Hex;
/** Calls it, and answers 0 if that fails, as a multicall with `allowFailure` would. */
let outer: Hex;
beforeAll(async () => {
  world = await openLiving({ network });
  const deploy = async (source: string) =>
    (await deployAnywhere(world.l2, { abi: [], bytecode: initOf(assemble(source)) })).address;
  inner = await deploy(`0x1068 ${answer}`);
  outer = await deploy(`
    0x20 0x00 0x00 0x00 0x00 ${inner} GAS CALL POP 0x00 MLOAD ${oldAnswer}`);
  earlier = await world.finalize();
  await world.l2.mine();
  newest = await world.finalize();
  l1 = world.l1Transport;
  const head = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
  trusted = { blockHash: head.hash };
  stateRoot = head.stateRoot;
}, patience);
afterAll(() => world.close());

const closing: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});

/** L1 as a server answers that puts another time into the event. */
const lateBy =
  (time: number): Forge =>
  (method, _params, result) =>
    method === 'eth_getLogs'
      ? result.map((log: NodeLog) => ({ ...log, data: `0x${word(time)}${log.data.slice(66)}` }))
      : result;

async function lying(forge: Forge): Promise<Transport> {
  const server = await startForged(world.l1, forge);
  closing.push(server);
  return createTransport({ url: server.url });
}

function open(anchor: ProviderOptions['anchor'], more: Partial<ProviderOptions> = {}) {
  const provider = createProvider({
    l2: world.transport,
    network,
    ...(anchor && { anchor }),
    ...more,
  });
  closing.push(provider);
  return provider;
}

const timestamp = { data: assemble(`TIMESTAMP ${oldAnswer}`) };
const explain = async (provider: ReturnType<typeof open>, call: unknown, at = 'latest') => {
  const told = await provider.explain({ method: 'eth_call', params: [call, at] });
  return { value: Number(told.result), assumed: told.assumed, proven: told.proven };
};
const reason = async (work: Promise<unknown>) => {
  const error: ProviderError = await work.then(
    (value) => new Error(`a value came out: ${JSON.stringify(value)}`),
    (failure) => failure,
  );
  return error.data?.reason ?? error.message;
};

const timeOf = async (block: number) =>
  Number((await world.l2.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false)).timestamp);

describe('a server that nobody trusts says "year 2001"', () => {
  const year2001 = 1_000_000_000;

  test.each(['blockHash', 'stateRoot'])('its time is used by nobody: trusted %s', async (name) => {
    const liar = await lying(lateBy(year2001));
    const trust = name === 'blockHash' ? trusted : { stateRoot };
    const provider = open((wish) => fetchAnchor({ ...wish, l1: liar, network, trusted: trust }));
    expect((await provider.anchor()).timestamp).toBeUndefined();
    if (name === 'stateRoot') {
      // The time of the L1 block is its word, too.
      expect(await reason(explain(provider, { to: outer }))).toBe('FORK_UNKNOWN');
      return;
    }
    expect(await reason(explain(provider, timestamp))).toBe('HEADER_VALUE');
    // The newest rules that had begun when L1 took the finalization; with London's it would be 0.
    const told = await explain(provider, { to: outer });
    expect(told).toEqual({ value: 4200, assumed: ['fork'], proven: false });
  });

  test('the next endpoint is asked, and what it proves is used', async () => {
    const liar = await lying(lateBy(year2001));
    const provider = open((wish) => fetchAnchor({ ...wish, l1: [liar, l1], network, trusted }));
    const value = await timeOf(newest);
    expect(await explain(provider, timestamp)).toEqual({ value, assumed: [], proven: true });
    const told = await explain(provider, { to: outer });
    expect(told).toEqual({ value: 4200, assumed: [], proven: true });
  });

  test('an anchor made by hand, or by an older release, is read in the same way', async () => {
    const anchor = await fetchAnchor({ l1, network, trusted });
    const claimed: AnchoredRoot = {
      ...anchor,
      timestamp: { value: BigInt(year2001), proven: false },
      isNewest: false,
    };
    const provider = open(claimed);
    expect(await reason(explain(provider, timestamp))).toBe('FORK_UNKNOWN');
    const own = open(claimed, { fork: 'prague' });
    expect(await reason(explain(own, timestamp))).toBe('HEADER_VALUE');
    expect(await explain(own, { to: outer })).toMatchObject({ value: 4200, assumed: ['fork'] });
    const broken = { ...anchor, timestamp: { value: 5, proven: true } } as unknown as AnchoredRoot;
    expect(() => open(broken)).toThrow('"anchor.timestamp.value"');
  });

  test('the lie does not outlive the liar: each call runs with the time of its own anchor', async () => {
    const liar = await lying(lateBy(year2001));
    let by = await fetchAnchor({ l1: liar, network, trusted });
    const provider = open(async () => by, { refresh: 0 });
    expect(await reason(explain(provider, timestamp))).toBe('HEADER_VALUE');
    by = await fetchAnchor({ l1, network, trusted });
    const value = await timeOf(newest);
    const told = await provider.explain({ method: 'eth_call', params: [timestamp, 'latest'] });
    expect(told).toMatchObject({ proven: true, anchor: { timestamp: { value: BigInt(value) } } });
    expect(Number(told.result)).toBe(value);
    // With believed roots: the same block and root, and another time.
    const said = async (l1: Transport) => fetchAnchor({ l1, network });
    by = await said(liar);
    const believer = open(async () => by, { refresh: 0 });
    expect(await explain(believer, timestamp)).toMatchObject({ value: year2001 });
    by = await said(l1);
    const again = await believer.explain({ method: 'eth_call', params: [timestamp, 'latest'] });
    expect(Number(again.result)).toBe(value);
    expect(again.anchor?.timestamp?.value).toBe(BigInt(value));
  });
});

describe('an older finalization, whose time nothing proves', () => {
  const at = (anchor: ProviderOptions['anchor'], more: Partial<ProviderOptions> = {}) =>
    explain(open(anchor, more), { to: outer }, `0x${earlier.toString(16)}`);
  const source: ProviderOptions['anchor'] = (wish) =>
    fetchAnchor({ ...wish, l1, network, trusted });

  test('needs the word of the caller on its rules', async () => {
    expect(await reason(at(source))).toBe('FORK_UNKNOWN');
    const prague = await at(source, { fork: 'prague' });
    expect(prague).toEqual({ value: 4200, assumed: ['fork'], proven: false });
    expect(await at(source, { fork: 'london' })).toMatchObject({ value: 0, assumed: ['fork'] });
    const timed = await at(source, { header: { timestamp: switched } });
    expect(timed).toMatchObject({ value: 4200, assumed: ['fork'] });
    expect(await at(source, { header: { timestamp: switched - 1 } })).toMatchObject({ value: 0 });
  });

  test('says which option to pass', async () => {
    const error: ProviderError = await at(source).catch((failure) => failure);
    expect(error.message).toMatch(/fork: 'osaka'.*header: \{ timestamp \}/);
  });
});

test('a fork that is none is refused', () => {
  expect(() => open(undefined, { l1, fork: 'shangai' as never })).toThrow(
    /"fork" expected one of london, .*osaka.*, got "shangai"/,
  );
});

describe('the anchored block', () => {
  test('is not frozen by one false number of an L1 block', async () => {
    const huge = `0x${(2 ** 53 - 1).toString(16)}`;
    const liar = await lying((method, _, result) =>
      method === 'eth_getBlockByNumber' ? { ...result, number: huge } : result,
    );
    const older = await fetchAnchor({
      ...{ l1: liar, network, trusted: { stateRoot } },
      l2BlockNumber: earlier,
    });
    expect(older.l1.blockNumber).toBe(2 ** 53 - 1);
    let by = older;
    const provider = open(async () => by, { refresh: 0 });
    expect((await provider.anchor()).l2BlockNumber).toBe(earlier);
    by = await fetchAnchor({ l1, network, trusted });
    expect((await provider.anchor()).l2BlockNumber).toBe(newest);
    // Nor taken back by it.
    by = older;
    expect((await provider.anchor()).l2BlockNumber).toBe(newest);
  });

  test('gives way to a proven one, whatever endpoints that were believed said before', async () => {
    const claimed = await fetchAnchor({ l1, network });
    const l1Block = { ...claimed.l1, blockNumber: 2 ** 53 - 1 };
    let by: AnchoredRoot = { ...claimed, l2BlockNumber: 2 ** 53 - 1, l1: l1Block };
    const provider = open(async () => by, { refresh: 0 });
    expect((await provider.anchor()).l2BlockNumber).toBe(2 ** 53 - 1);
    by = await fetchAnchor({ l1, network, trusted });
    expect((await provider.anchor()).how).toBe('proof');
    // A lower claim does not take the place of what is proven, nor of what the caller gave.
    by = await fetchAnchor({ l1, network, l2BlockNumber: earlier });
    expect((await provider.anchor()).how).toBe('proof');
    by = { ...claimed, how: 'given' };
    const own = open(async () => by, { refresh: 0 });
    await own.anchor();
    by = await fetchAnchor({ l1, network, trusted, l2BlockNumber: earlier });
    expect((await own.anchor()).how).toBe('given');
  });

  test('is not kept in silence by one false number of an endpoint that is believed', async () => {
    const honest = await fetchAnchor({ l1, network });
    const lie = { ...honest, l1: { ...honest.l1, blockNumber: 2 ** 53 - 1 } };
    const clock = vi.spyOn(performance, 'now');
    let now = 1000;
    clock.mockImplementation(() => now);
    try {
      const anchors = [lie, honest, lie, honest, honest];
      const provider = open(async () => anchors.shift() as AnchoredRoot, { refresh: 0 });
      await provider.anchor();
      now += 3_000_000;
      expect((await provider.anchor()).l1.blockNumber).toBe(2 ** 53 - 1);
      // An endpoint that is up to date again confirms the block.
      await provider.anchor();
      now += 3_600_000;
      await provider.anchor();
      now += 1;
      await expect(provider.anchor()).rejects.toMatchObject({ data: { reason: 'STALE' } });
      const given = [lie, honest].map((anchor) => ({ ...anchor, how: 'given' as const }));
      const own = open(async () => given.shift() as AnchoredRoot, { refresh: 0 });
      await own.anchor();
      now += 3_600_001;
      expect((await own.anchor()).l1.blockNumber).toBe(2 ** 53 - 1);
    } finally {
      clock.mockRestore();
    }
  });

  test('says by which tag L1 was read, if a reorg may undo it', async () => {
    const latest = await fetchAnchor({ l1, network, l1Block: 'latest' });
    expect(latest.l1.tag).toBe('latest');
    expect((await open(latest).anchor()).l1.tag).toBe('latest');
    expect((await fetchAnchor({ l1, network })).l1.tag).toBeUndefined();
    const { number } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
    const named = await fetchAnchor({ l1, network, l1Block: Number(number) });
    expect(named.l1.tag).toBeUndefined();
  });
});

test('one endpoint twice is no quorum', async () => {
  const { url } = world.l1;
  const twice: [Transport, Transport][] = [
    [l1, l1],
    [createTransport({ url }), createTransport({ url: `${url}/` })],
    // What no server is sent makes no other endpoint.
    [createTransport({ url }), createTransport({ url: `${url}/#second` })],
    [createTransport({ url }), createTransport({ url: `${url}/?` })],
  ];
  for (const both of twice) {
    await expect(fetchAnchor({ l1: both, network })).rejects.toThrow(/^"l1" names one endpoint/);
    expect(() => open(undefined, { l1: both })).toThrow(/^"l1" names one endpoint twice/);
  }
});
