/** Random reads of a chain that grows and reorganizes: whatever the provider answers, the node has at that block. */
// @ts-nocheck

import { expect, test } from 'vitest';
import { createProvider, type Provider } from '../../src/provider/index.js';
import { accounts, create2, slotInit, store, type Transaction, word } from '../support/anvil.js';
import { randomOf } from '../support/blocks.js';
import { slots } from '../support/chain.js';
import { type Living, openLiving } from '../support/living.js';
import { patience } from '../support/runs.js';

const isDeep = process.env.DEEP !== undefined;
const seed = isDeep ? Date.now() : 15;
const blocks = isDeep ? 50 : 12;
const readsPerFork = isDeep ? 1000 : 150;

const salts = [1, 2, 3];
const contracts = salts.map(slots);
const others = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);
const addresses = [...accounts, ...contracts, ...others];

type Random = (limit: number) => number;
const oneOf = <T>(random: Random, list: readonly T[]): T => list[random(list.length)] as T;

function transactionOf(random: Random): Transaction {
  const kind = random(4);
  if (kind === 0) return create2(oneOf(random, salts), slotInit);
  if (kind === 1) return { to: oneOf(random, others), value: BigInt(random(1000)) };
  if (kind === 2) return { from: accounts[1], to: oneOf(random, addresses), data: '0x' + word(7) };
  return store(oneOf(random, contracts), random(6), random(3) * random(1000));
}

const mine = (world: Living, random: Random) =>
  world.l2.mine(...Array.from({ length: 1 + random(4) }, () => transactionOf(random)));

/** Mines blocks that the follower sees, and that others then take the place of. */
async function reorganize(world: Living, random: Random): Promise<void> {
  const snapshot = await world.l2.call('evm_snapshot');
  for (let i = 0; i <= random(3); i++) await mine(world, random);
  await world.follow();
  await world.l2.call('evm_revert', snapshot);
}

function readOf(random: Random): [method: string, ...params: unknown[]] {
  const address = oneOf(random, addresses);
  const methods = ['eth_getBalance', 'eth_getTransactionCount', 'eth_getCode', 'eth_getStorageAt'];
  const method = oneOf(random, methods);
  return method === 'eth_getStorageAt'
    ? [method, address, `0x${word(random(8))}`]
    : [method, address];
}

/** Reads at once, and holds each against the node at the block that it was answered for. @returns how many */
async function compare(
  world: Living,
  provider: Provider,
  reads: readonly { read: [string, ...unknown[]]; at: string }[],
): Promise<number> {
  const answers = await Promise.all(
    reads.map(({ read: [method, ...params], at }) =>
      provider.explain({ method, params: [...params, at] }),
    ),
  );
  for (const [i, { result, proven, anchor }] of answers.entries()) {
    const { read, at } = reads[i] as (typeof reads)[number];
    const [method, ...params] = read;
    const block = `0x${anchor?.l2BlockNumber.toString(16)}`;
    if (at.startsWith('0x')) expect(block).toBe(at);
    expect(proven).toBe(true);
    expect(result, `${read} at ${block}, seed ${seed}`).toBe(
      await world.l2.call(method, ...params, block),
    );
  }
  return answers.length;
}

test.each(['prague', 'osaka'] as const)(
  'on %s',
  async (fork) => {
    const world = await openLiving({ fork, keepFinal: 64 });
    const provider = createProvider({
      l2: world.transport,
      l1: world.l1Transport,
      network: world.network,
      refresh: 0,
    });
    try {
      const random = randomOf(seed);
      const final: number[] = [];
      let compared = 0;
      let reorgs = 0;
      for (let mined = 0; mined < blocks; ) {
        if (random(3) === 0 && ++reorgs) await reorganize(world, random);
        const more = 1 + random(3);
        for (let i = 0; i < more; i++) await mine(world, random);
        mined += more;
        final.push(await world.finalize());
        // The node goes on beyond what L1 has.
        if (random(2) === 0) await world.l2.mine(transactionOf(random));
        const wanted =
          mined >= blocks ? readsPerFork - compared : Math.ceil((readsPerFork * more) / blocks);
        const reads = Array.from({ length: wanted }, () => ({
          read: readOf(random),
          at: random(3) === 0 ? `0x${oneOf(random, final).toString(16)}` : 'latest',
        }));
        const half = Math.ceil(wanted / 2);
        compared += await compare(world, provider, reads.slice(0, half));
        compared += await compare(world, provider, reads.slice(half));
      }
      expect(compared).toBeGreaterThanOrEqual(readsPerFork);
      expect(reorgs).toBeGreaterThan(0);
    } finally {
      provider.close();
      await world.close();
    }
  },
  patience,
);
