/** Rules of a fork that a node applies around a run: the cap of an estimate, and overrides of precompiled contracts. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineNetwork } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import type { CallFork } from '../../../src/forks.js';
import { createProvider, type Provider, ProviderError } from '../../../src/provider/index.js';
import { word } from '../../support/anvil.js';
import { assemble, initOf } from '../../support/contracts/assemble.js';
import { deployAnywhere } from '../../support/contracts/contract.js';
import { type Living, openLiving } from '../../support/living.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';
import { rejectionOf } from '../../support/thrown.js';
import { rollup } from '../../support/worlds.js';

const network = defineNetwork({ name: 'forks', l1ChainId: 900, l2ChainId: 31337, rollup });

let world: Living;
let block: Hex;
/** Takes memory up to the offset that it is given, which costs gas and no time. */
let spender: Hex;
const providers = new Map<CallFork, Provider>();
beforeAll(async () => {
  world = await openLiving({ fork: 'osaka', network });
  const code = assemble('PUSH0 PUSH0 CALLDATALOAD MSTORE STOP');
  spender = (await deployAnywhere(world.l2, { abi: [], bytecode: initOf(code) })).address;
  block = `0x${(await world.finalize()).toString(16)}`;
  const options = { l2: world.transport, l1: world.l1Transport, network };
  for (const fork of ['prague', 'osaka'] as const) {
    providers.set(fork, createProvider({ ...options, fork }));
  }
}, patience);
afterAll(async () => {
  for (const provider of providers.values()) provider.close();
  await world.close();
});

const ask = (fork: CallFork, method: string, ...params: unknown[]): Promise<Wire> =>
  (providers.get(fork) as Provider).request({ method, params });
const refusal = (fork: CallFork, method: string, ...params: unknown[]): Promise<ProviderError> =>
  rejectionOf(ProviderError, ask(fork, method, ...params));

/** Some 17.0 million gas, by w words: 3 w + w^2 / 512. */
const above = 92_650 * 32;
/** Some 16.7 million. */
const below = 91_600 * 32;
const spending = (offset: number, more: object = {}) => ({
  ...{ to: spender, data: `0x${word(offset)}` },
  ...more,
});

test('from Osaka on, no estimate is above the most gas of a transaction', async () => {
  const over = { code: -32000, message: expect.stringContaining('exceeds allowance (16777216)') };
  const just = spending(above, { gas: '0x1000001' });
  expect(await refusal('osaka', 'eth_estimateGas', just, block)).toMatchObject(over);
  for (const more of [{}, { gas: '0x2faf080' }]) {
    const call = spending(above, more);
    expect(await refusal('osaka', 'eth_estimateGas', call, block)).toMatchObject(over);
    // What only runs has no such bound.
    expect(await ask('osaka', 'eth_call', call, block)).toBe('0x');
    const { gasUsed } = await ask('osaka', 'eth_createAccessList', call, block);
    expect(Number(gasUsed)).toBeGreaterThan(2 ** 24);
    expect(Number(await ask('prague', 'eth_estimateGas', call, block))).toBeGreaterThan(2 ** 24);
  }
  const estimate = await ask('osaka', 'eth_estimateGas', spending(below), block);
  expect(estimate).toBe(await world.l2.call('eth_estimateGas', spending(below), block));
  expect(Number(estimate)).toBeGreaterThan(16_600_000);
  // A lower limit of the caller's own stays.
  const poor = spending(below, { gas: '0x7530' });
  const { message } = await refusal('osaka', 'eth_estimateGas', poor, block);
  expect(message).toContain('exceeds allowance (30000)');
});

test('an override of a precompiled contract replaces it', async () => {
  const code = assemble('0x2a PUSH0 MSTORE 0x20 PUSH0 RETURN');
  const sha256 = `0x${'02'.padStart(40, '0')}`;
  const call = { to: sha256, data: '0x' };
  const hash = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  expect(await ask('osaka', 'eth_call', call, block)).toBe(hash);
  const replaced = await ask('osaka', 'eth_call', call, block, { [sha256]: { code } });
  expect(replaced).toBe(`0x${word(42)}`);
  for (const override of [{}, { balance: '0x1' }, { nonce: '0x1' }, { stateDiff: {} }]) {
    expect(await ask('osaka', 'eth_call', call, block, { [sha256]: override })).toBe('0x');
  }
  // An ordinary account on this fork, as on a node of it.
  const p256 = `0x${'0100'.padStart(40, '0')}`;
  for (const fork of ['prague', 'osaka'] as const) {
    const given = { [p256]: { code } };
    expect(await ask(fork, 'eth_call', { to: p256 }, block, given)).toBe(`0x${word(42)}`);
    expect(await ask(fork, 'eth_call', call, block, given)).toBe(hash);
  }
  const moved = { [sha256]: { movePrecompileToAddress: `0x${'aa'.repeat(20)}` } };
  expect(await refusal('osaka', 'eth_call', call, block, moved)).toMatchObject({ code: -32602 });
});
