/** Calls that a provider executes on proven state, beside the same calls executed by the node. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askNode, askProvider, asSets, type Outcome } from '../../support/calls/ask.js';
import type { CallCase } from '../../support/calls/case.js';
import { opcodeCases } from '../../support/calls/opcodes.js';
import { overrideCases } from '../../support/calls/overrides.js';
import { precompileCases } from '../../support/calls/precompiles.js';
import { tokenCases } from '../../support/calls/tokens.js';
import { walletCases } from '../../support/calls/wallets.js';
import { type CallWorld, openCallWorld } from '../../support/calls/world.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';

/** Cases in which the node estimates gas for a value that its sender does not have; geth does not, and neither do we. */
const unfunded = ['a value from an account without balance', 'more value than there is'];

/** Cases that the provider refuses on purpose, unless it is told what they read of the header. */
const untold = [
  'EntryPoint 0.8 handleOps',
  'EntryPoint 0.8 handleOps with an operation that fails',
  'EntryPoint 0.8 simulateHandleOp, which is code that is set over it',
  'COINBASE, which the caller tells',
  'PREVRANDAO, which the caller tells',
  'GASLIMIT, which the caller tells',
  'BASEFEE, which the caller tells',
  'BLOBBASEFEE, which the caller tells',
];

/** Multicall3's questions for what no proof covers of the header. */
const questions = [
  'getBasefee',
  'getCurrentBlockCoinbase',
  'getCurrentBlockDifficulty',
  'getCurrentBlockGasLimit',
];

async function casesOf(world: CallWorld): Promise<CallCase[]> {
  const wallets = await walletCases(world);
  const precompiles = await precompileCases(world);
  return [
    ...[...tokenCases(world), ...wallets, ...opcodeCases(world)],
    ...[...precompiles, ...overrideCases(world)],
  ];
}

describe.each(['prague', 'osaka'] as const)('on %s', (fork) => {
  let world: CallWorld;
  let cases: CallCase[];
  beforeAll(async () => {
    world = await openCallWorld(fork);
    cases = await casesOf(world);
  }, patience);
  afterAll(() => world.close());

  const paramsOf = ({ call, overrides }: CallCase) =>
    overrides ? [call, world.block, overrides] : [call, world.block];

  const text = (value: unknown) => JSON.stringify(value);

  /** The block is named, so the node is asked for each outcome once. */
  const asked = new Map<string, Promise<Outcome>>();
  function ofNode(method: string, params: unknown[]): Promise<Outcome> {
    const name = text([method, params]);
    const outcome = asked.get(name) ?? askNode(world.living.l2.url, method, params);
    asked.set(name, outcome);
    return outcome;
  }

  /** Cases in which the two differ, with what each says. */
  async function differences(
    some: readonly CallCase[],
    ask: { method: string; form?: (result: Wire) => unknown },
  ): Promise<unknown[]> {
    const { method, form = (result: unknown) => result } = ask;
    const formed = (outcome: Outcome) => ('result' in outcome ? form(outcome.result) : outcome);
    const found: unknown[] = [];
    for (const one of some) {
      const node = await ofNode(method, paramsOf(one));
      const provider = one.isTold ? world.told : world.provider;
      const ours = await askProvider(provider, method, paramsOf(one));
      const isEqual =
        'failure' in node ? 'failure' in ours : text(formed(node)) === text(formed(ours));
      if (!isEqual) found.push({ name: one.name, node: formed(node), ours: formed(ours) });
    }
    return found;
  }

  test(
    'each call answers on the node as its name says',
    async () => {
      const wrong: unknown[] = [];
      for (const one of cases) {
        const outcome = await ofNode('eth_call', paramsOf(one));
        if (!((one.gives ?? 'result') in outcome)) wrong.push([one.name, outcome]);
      }
      expect(wrong).toEqual([]);
      expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
      expect(cases.length).toBeGreaterThanOrEqual(60);
    },
    patience,
  );

  test(
    'calls give the same results, and the same data of reverts',
    async () => {
      expect(await differences(cases, { method: 'eth_call' })).toEqual([]);
    },
    patience,
  );

  test(
    'calls that read what no proof covers of the header are refused on purpose',
    async () => {
      const some = cases.filter(({ isTold }) => isTold);
      expect(some.map(({ name }) => name)).toEqual(untold);
      for (const one of some) {
        const outcome = await askProvider(world.provider, 'eth_call', paramsOf(one));
        expect(outcome, one.name).toHaveProperty('failure');
      }
    },
    patience,
  );

  test(
    'gas is estimated to the unit',
    async () => {
      const measured = cases.filter(({ isMeasured }) => isMeasured);
      expect(measured.length).toBeGreaterThanOrEqual(30);
      expect(await differences(measured, { method: 'eth_estimateGas' })).toEqual([]);
    },
    patience,
  );

  test(
    'calls that fail cannot be estimated',
    async () => {
      const failing = cases.filter(({ gives, call }) => gives && call.gas === undefined);
      for (const one of failing.filter(({ name }) => unfunded.includes(name))) {
        expect(await ofNode('eth_estimateGas', paramsOf(one)), one.name).toHaveProperty('result');
        expect(await askProvider(world.provider, 'eth_estimateGas', paramsOf(one))).toHaveProperty(
          'failure',
        );
      }
      const others = failing.filter(({ name }) => !unfunded.includes(name));
      expect(await differences(others, { method: 'eth_estimateGas' })).toEqual([]);
    },
    patience,
  );

  test(
    'access lists are the same sets, with the same gas',
    async () => {
      const measured = cases.filter(({ isMeasured, overrides }) => isMeasured && !overrides);
      expect(await differences(measured, { method: 'eth_createAccessList', form: asSets })).toEqual(
        [],
      );
    },
    patience,
  );

  test(
    'what the caller told is listed as assumed',
    async () => {
      const one = cases.find(({ name }) => name.startsWith('BASEFEE')) as CallCase;
      const params = paramsOf(one);
      const { assumed } = await world.told.explain({ method: 'eth_call', params });
      expect(assumed).toEqual(['baseFee']);
    },
    patience,
  );

  test.each(questions)('%s is refused on purpose, also if failures are allowed', async (name) => {
    const { multicall, block } = world;
    const call = multicall.call(name);
    expect(await ofNode('eth_call', [call, block])).toHaveProperty('result');
    expect(await askProvider(world.provider, 'eth_call', [call, block])).toHaveProperty('failure');
    const inner = { target: multicall.address, allowFailure: true, callData: call.data };
    const outer = multicall.call('aggregate3', [inner]);
    expect(await ofNode('eth_call', [outer, block])).toHaveProperty('result');
    expect(await askProvider(world.provider, 'eth_call', [outer, block])).toHaveProperty('failure');
  });
});
