/** Laws of calls: random programs and calls that a provider runs on proven state come to what they do on the node. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AccessListAnswer,
  askNode,
  askProvider,
  asSets,
  type Outcome,
} from '../support/calls/ask.js';
import { contractCall } from '../support/calls/randomCalls.js';
import {
  accountsAround,
  callData,
  program,
  programAddress,
} from '../support/calls/randomPrograms.js';
import { type CallWorld, first, openCallWorld, second, stranger } from '../support/calls/world.js';
import { patience, runsOf } from '../support/runs.js';

const sender = fc.constantFrom(first, second, stranger);
const value = fc.constantFrom('0x0', '0x0', '0x1');
/** From too little for most programs to enough for all. */
const gas = fc.constantFrom('0xc350', '0x30d40', '0x100000', '0x200000');

/** Failures are alike, whatever the words. */
const formOf = (outcome: Outcome) => ('failure' in outcome ? { failure: '' } : outcome);

describe.each(['prague', 'osaka'] as const)('on %s', (fork) => {
  // Osaka has all that Prague has.
  const numRuns = Math.ceil(runsOf().numRuns / (fork === 'osaka' ? 1 : 5));
  let world: CallWorld;
  beforeAll(async () => {
    world = await openCallWorld(fork);
  }, patience);
  afterAll(() => world.close());

  async function both(method: string, params: unknown[]): Promise<[node: Outcome, ours: Outcome]> {
    const { living, told } = world;
    return [await askNode(living.l2.url, method, params), await askProvider(told, method, params)];
  }

  test(
    'any function with any arguments: results, reverts, estimates and access lists are equal',
    async () => {
      const property = fc.asyncProperty(contractCall(world), async (call) => {
        const params = [call, world.block];
        for (const method of ['eth_call', 'eth_estimateGas']) {
          const [node, ours] = await both(method, params);
          expect(formOf(ours)).toEqual(formOf(node));
        }
        const [node, ours] = await both('eth_createAccessList', params);
        if (!('result' in node)) return;
        expect(asSets((ours as { result: AccessListAnswer }).result)).toEqual(asSets(node.result));
      });
      await fc.assert(property, { numRuns });
    },
    patience,
  );

  test(
    'programs: results, reverts, the gas left inside, and estimates are equal',
    async () => {
      const property = fc.asyncProperty(
        ...[program(world), callData, sender, value, gas],
        async (code, data, from, value, gas) => {
          const overrides = accountsAround(code);
          const call = { from, to: programAddress, data, value };
          const called = await both('eth_call', [{ ...call, gas }, world.block, overrides]);
          expect(formOf(called[1])).toEqual(formOf(called[0]));
          // Not more: some programs use up all that they have, in each run of the search.
          const most = { ...call, gas: '0x100000' };
          const estimated = await both('eth_estimateGas', [most, world.block, overrides]);
          expect(formOf(estimated[1])).toEqual(formOf(estimated[0]));
        },
      );
      await fc.assert(property, { numRuns });
    },
    patience,
  );

  test(
    'programs: access lists name all that the node names',
    async () => {
      const property = fc.asyncProperty(program(world), sender, async (data, from) => {
        const params = [{ from, data, gas: '0x500000' }, world.block];
        const [node, ours] = await both('eth_createAccessList', params);
        // If the node fails, we give the list up to there, as geth does.
        if (!('result' in node)) return;
        const { accessList: theirs, isError } = asSets(node.result);
        const { accessList: mine, ...rest } = asSets((ours as { result: AccessListAnswer }).result);
        expect(rest.isError).toBe(isError);
        // The node runs the call once. With a list, a call has other gas, and may get further: we run it until that ends.
        const slotsOf = new Map<string, string[]>(mine);
        for (const [address, slots] of theirs) {
          expect(slotsOf.get(address) ?? []).toEqual(expect.arrayContaining(slots));
          expect([...slotsOf.keys()]).toContain(address);
        }
      });
      await fc.assert(property, { numRuns });
    },
    patience,
  );
});
