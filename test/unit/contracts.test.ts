/** The contracts that other tests use are alive on a real node. */

import { parseEventLogs } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../support/anvil.js';
import { type Contract, send, tryToSend } from '../support/contracts/contract.js';
import { deployEntryPoint } from '../support/contracts/entryPoint.js';
import { placeMulticall } from '../support/contracts/multicall.js';
import { deployRebasing } from '../support/contracts/rebasing.js';
import { deploySafe } from '../support/contracts/safe.js';
import {
  deployErc20,
  deployErc721,
  deployErc1155,
  deployWrappedNative,
} from '../support/contracts/tokens.js';
import { addPair, amountOut, deployUniswap } from '../support/contracts/uniswap.js';
import type { Wire } from '../support/runs.js';
import { patience } from '../support/runs.js';

let node: Anvil;
let multicall: Contract;
beforeAll(async () => {
  node = await startAnvil();
  multicall = await placeMulticall(node);
}, patience);
afterAll(() => node.close());

const [first, second] = accounts;
const stranger: Hex = `0x${'5e'.repeat(20)}`;
const balanceOf = async (address: string) =>
  BigInt(await node.call('eth_getBalance', address, 'latest'));

test('ERC-20, ERC-721, ERC-1155', async () => {
  const gold = await deployErc20(node);
  await send(node, gold.call('mint', first, 1000n));
  await send(node, gold.call('transfer', second, 300n));
  expect(await gold.read('balanceOf', first)).toBe(700n);
  expect(await gold.read('balanceOf', second)).toBe(300n);
  expect((await tryToSend(node, gold.call('transfer', second, 701n))).status).toBe('0x0');
  const deed = await deployErc721(node);
  await send(node, deed.call('mint', second));
  expect((await deed.read('ownerOf', 0n)).toLowerCase()).toBe(second);
  const goods = await deployErc1155(node);
  await send(node, goods.call('mintBatch', second, [3n, 4n], [30n, 40n], '0x'));
  expect(await goods.read('balanceOfBatch', [second, second], [3n, 4n])).toEqual([30n, 40n]);
});

test('wrapped native', async () => {
  const wrapped = await deployWrappedNative(node);
  await send(node, { ...wrapped.call('deposit'), value: 50n });
  await send(node, wrapped.call('withdraw', 20n));
  expect(await wrapped.read('balanceOf', first)).toBe(30n);
  expect(await balanceOf(wrapped.address)).toBe(30n);
});

test('a rebasing token', async () => {
  const token = await deployRebasing(node);
  await send(node, token.call('mint', first, 1000n));
  const { logs } = await send(node, token.call('transfer', stranger, 400n));
  const events = parseEventLogs({ abi: token.abi, logs }) as Wire[];
  expect(events[0].args.amount).toBe(400n);
  expect(events[0].args.to.toLowerCase()).toBe(stranger);
  expect((await tryToSend(node, token.call('transfer', stranger, 601n))).status).toBe('0x0');
  expect(await token.read('balanceOf', stranger)).toBe(400n);
  const { logs: silence } = await send(node, token.call('rebase', 15n * 10n ** 17n));
  expect(silence).toEqual([]);
  expect(await token.read('balanceOf', stranger)).toBe(600n);
  expect(await token.read('balanceOf', first)).toBe(900n);
  expect(await token.read('totalSupply')).toBe(1500n);
  await send(node, token.call('transfer', stranger, 300n));
  expect(await token.read('balanceOf', stranger)).toBe(900n);
  const texts = await Promise.all(['name', 'symbol', 'decimals'].map((name) => token.read(name)));
  expect(texts).toEqual(['Rebasing', 'RBS', 18]);
});

test('a Uniswap v2 pair and its router', async () => {
  const [a, b] = [await deployErc20(node, 'A', 'A'), await deployErc20(node, 'B', 'B')];
  for (const token of [a, b]) await send(node, token.call('mint', first, 10n ** 24n));
  const wrapped = await deployWrappedNative(node);
  const uniswap = await deployUniswap(node, wrapped);
  const pair = await addPair(node, uniswap, [
    { token: a, amount: 10n ** 20n },
    { token: b, amount: 4n * 10n ** 20n },
  ]);
  const [from, to] = (await pair.contract.read('getReserves')) as [bigint, bigint];
  expect(new Set([from, to])).toEqual(new Set([10n ** 20n, 4n * 10n ** 20n]));
  const [give, take] = pair.tokens;
  const out = amountOut(10n ** 18n, { from, to });
  const path = [give.address, take.address];
  await send(node, give.call('approve', uniswap.router.address, 10n ** 18n));
  const args = [10n ** 18n, out, path, second, 2n ** 64n];
  await send(node, uniswap.router.call('swapExactTokensForTokens', ...args));
  expect(await take.read('balanceOf', second)).toBe(out);
});

test('a Safe of two owners executes a transaction', async () => {
  const { safe, execute } = await deploySafe(node);
  expect(await safe.read('getThreshold')).toBe(2n);
  expect(await safe.read('VERSION')).toBe('1.4.1');
  await send(node, { to: safe.address, value: 100n });
  const before = await balanceOf(stranger);
  await send(node, await execute({ to: stranger, value: 60n }));
  expect((await balanceOf(stranger)) - before).toBe(60n);
  expect(await safe.read('nonce')).toBe(1n);
});

const canonical = {
  '0.6': '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0.7': '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0.8': '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
} as const;

test.each(['0.6', '0.7', '0.8'] as const)('EntryPoint %s', async (version) => {
  const { entryPoint, sender, signOperation, handleOps } = await deployEntryPoint(node, version);
  expect(entryPoint.address).toBe(canonical[version]);
  const gold = await deployErc20(node);
  await send(node, gold.call('mint', sender, 10n));
  const outcomeOf = async (data: Hex) => {
    const operation = await signOperation({ to: gold.address, data });
    const { logs } = await send(node, handleOps(operation));
    const { abi } = entryPoint;
    const [event] = parseEventLogs({ abi, logs, eventName: 'UserOperationEvent' }) as Wire[];
    return event.args;
  };
  const good = await outcomeOf(gold.encode('transfer', stranger, 7n));
  expect(good.sender.toLowerCase()).toBe(sender);
  expect(good.success).toBe(true);
  const bad = await outcomeOf(gold.encode('transfer', stranger, 7n));
  expect(bad.success).toBe(false);
  expect(await gold.read('balanceOf', stranger)).toBe(7n);
  expect(await entryPoint.read('getNonce', sender, 0n)).toBe(2n);
});

test('Multicall3', async () => {
  const gold = await deployErc20(node);
  const calls = [
    { target: gold.address, allowFailure: true, callData: gold.encode('symbol') },
    { target: gold.address, allowFailure: true, callData: gold.encode('transfer', first, 1n) },
  ];
  const results = await multicall.read('aggregate3', calls);
  expect(results.map(({ success }: { success: boolean }) => success)).toEqual([true, false]);
});
