/** An L2 full of contracts, anchored on L1: what a node says of a call, and what a provider says. */
// @ts-nocheck

import { defineNetwork } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import type { Fork } from '../../../src/follow/index.js';
import { createProvider, type Provider } from '../../../src/provider/index.js';
import { type Anvil, accounts } from '../anvil.js';
import { delegate } from '../chain.js';
import { type Contract, send } from '../contracts/contract.js';
import {
  type AccountAbstraction,
  deployEntryPoint,
  type Version,
} from '../contracts/entryPoint.js';
import { multicallAddress, placeMulticall } from '../contracts/multicall.js';
import { deployRebasing } from '../contracts/rebasing.js';
import { deployResolver, nameHash } from '../contracts/resolver.js';
import { deploySafe, type SafeWallet } from '../contracts/safe.js';
import { deploySamples, type Samples } from '../contracts/samples.js';
import {
  deployErc20,
  deployErc721,
  deployErc1155,
  deployWrappedNative,
} from '../contracts/tokens.js';
import { addPair, deployUniswap, type Pair, type Uniswap } from '../contracts/uniswap.js';
import { type Living, openLiving } from '../living.js';
import { rollup } from '../worlds.js';

export const [first, second] = accounts;
/** It has nothing, and nobody has its key. */
export const stranger: Hex = `0x${'5e'.repeat(20)}`;

/** It has a wei, and nothing else. */
export const saver: Hex = `0x${'5a'.repeat(20)}`;

export interface CallWorld {
  readonly living: Living;
  readonly provider: Provider;
  /** One that is told the node's header. */
  readonly told: Provider;
  /** The anchored block, in hex. */
  readonly block: Hex;
  readonly gold: Contract;
  readonly silver: Contract;
  readonly deed: Contract;
  readonly goods: Contract;
  readonly wrapped: Contract;
  readonly rebasing: Contract;
  readonly uniswap: Uniswap;
  readonly pair: Pair;
  readonly wallet: SafeWallet;
  readonly entryPoints: Readonly<Record<Version, AccountAbstraction>>;
  readonly multicall: Contract;
  readonly resolver: Contract;
  readonly samples: Samples;
  close(): Promise<void>;
}

/** Deploys everything, and does with each contract what gives it a state. */
async function populate({ l2: node }: Living, multicall: Contract) {
  const ether = 10n ** 18n;
  const gold = await deployErc20(node, 'Gold', 'GLD');
  const silver = await deployErc20(node, 'Silver', 'SLV');
  const deed = await deployErc721(node);
  const goods = await deployErc1155(node);
  const wrapped = await deployWrappedNative(node);
  const rebasing = await deployRebasing(node);
  const uniswap = await deployUniswap(node, wrapped);
  await send(node, { to: saver, value: 1n });
  await send(node, gold.call('mint', first, 1000n * ether));
  await send(node, silver.call('mint', first, 1000n * ether));
  await send(node, gold.call('transfer', second, 5n * ether));
  await send(node, gold.call('approve', second, 3n * ether));
  await send(node, gold.call('approve', uniswap.router.address, 10n * ether));
  const pair = await addPair(node, uniswap, [
    { token: gold, amount: 100n * ether },
    { token: silver, amount: 400n * ether },
  ]);
  for (const to of [first, second, second]) await send(node, deed.call('mint', to));
  await send(node, goods.call('mintBatch', second, [3n, 4n], [30n, 40n], '0x'));
  await send(node, { ...wrapped.call('deposit'), value: 7n });
  await send(node, rebasing.call('mint', first, 1000n));
  await send(node, rebasing.call('rebase', 15n * 10n ** 17n));
  const wallet = await deploySafe(node);
  await send(node, { to: wallet.safe.address, value: 10n * ether });
  const entryPoints = {
    '0.6': await deployEntryPoint(node, '0.6'),
    '0.7': await deployEntryPoint(node, '0.7'),
    '0.8': await deployEntryPoint(node, '0.8'),
  };
  // The account of 0.7 is there, those of the others are not.
  const { handleOps, signOperation } = entryPoints['0.7'];
  await send(node, handleOps(await signOperation({ to: stranger })));
  const resolver = await deployResolver(node);
  await send(node, resolver.call('set', nameHash('gold.eth'), BigInt(gold.address)));
  const samples = await deploySamples(node);
  const tokens = { gold, silver, deed, goods, wrapped, rebasing };
  return { ...tokens, uniswap, pair, wallet, entryPoints, multicall, resolver, samples };
}

/** What no proof covers of a block's header, from the node. */
async function headerOf(node: Anvil, block: Hex) {
  const header = await node.call('eth_getBlockByNumber', block, false);
  return {
    coinbase: header.miner as Hex,
    prevRandao: header.mixHash as Hex,
    gasLimit: BigInt(header.gasLimit),
    baseFee: BigInt(header.baseFeePerGas),
    blobBaseFee: 1n,
  };
}

/** @param fork also the provider's: the network names it */
export async function openCallWorld(fork: Fork): Promise<CallWorld> {
  const chains = { l1ChainId: 900, l2ChainId: 31337 };
  const network = defineNetwork({ name: 'calls', ...chains, rollup, forks: { [fork]: 0 } });
  let multicall: Contract | undefined;
  const living = await openLiving({
    fork,
    network,
    async prepare(l2) {
      multicall = await placeMulticall(l2);
      return [multicallAddress];
    },
  });
  const contracts = await populate(living, multicall as unknown as Contract);
  await send(living.l2, delegate(contracts.samples.look, 0));
  const block: Hex = `0x${(await living.finalize()).toString(16)}`;
  // The node is ahead of L1.
  await send(living.l2, contracts.gold.call('burn', 1n));
  const options = { l2: living.transport, l1: living.l1Transport, network };
  const provider = createProvider(options);
  const told = createProvider({ ...options, header: await headerOf(living.l2, block) });
  return {
    ...{ living, provider, told, block, ...contracts },
    async close() {
      provider.close();
      told.close();
      await living.close();
    },
  };
}
