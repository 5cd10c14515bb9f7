/** Uniswap v2: factory, router and pairs. */
// @ts-nocheck

import type { Hex } from '../../../src/bytes.js';
import { type Anvil, accounts } from '../anvil.js';
import { artifact, type Contract, contractAt, deployAnywhere, send } from './contract.js';

export interface Uniswap {
  readonly factory: Contract;
  readonly router: Contract;
}

export interface Pair {
  readonly contract: Contract;
  /** In the order of their addresses, as the pair has them. */
  readonly tokens: readonly [Contract, Contract];
}

/** @param wrappedNative see `deployWrappedNative` */
export async function deployUniswap(node: Anvil, wrappedNative: Contract): Promise<Uniswap> {
  const factory = await deployAnywhere(
    node,
    artifact('@uniswap/v2-core/build/UniswapV2Factory.json'),
    { args: [accounts[0]] },
  );
  const router = await deployAnywhere(
    node,
    artifact('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
    { args: [factory.address, wrappedNative.address] },
  );
  return { factory, router };
}

/** Makes a pair, to which the first account gives an amount of each token. */
export async function addPair(
  node: Anvil,
  { factory }: Uniswap,
  sides: readonly { token: Contract; amount: bigint }[],
): Promise<Pair> {
  const [a, b] = sides.map(({ token }) => token) as [Contract, Contract];
  await send(node, factory.call('createPair', a.address, b.address));
  const address: Hex = await factory.read('getPair', a.address, b.address);
  const { abi } = artifact('@uniswap/v2-core/build/UniswapV2Pair.json');
  const contract = contractAt(node, abi, address);
  for (const { token, amount } of sides) await send(node, token.call('transfer', address, amount));
  await send(node, contract.call('mint', accounts[0]));
  const isInOrder = BigInt(a.address) < BigInt(b.address);
  return { contract, tokens: isInOrder ? [a, b] : [b, a] };
}

/** What a pair gives for an amount, by the formula of the protocol (0.3 % stay with it). */
export function amountOut(amount: bigint, { from, to }: { from: bigint; to: bigint }): bigint {
  const paid = amount * 997n;
  return (paid * to) / (from * 1000n + paid);
}
