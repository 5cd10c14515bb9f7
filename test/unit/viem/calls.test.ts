/** viem's ways to call contracts, over a provider that executes them on proven state, and over the node. */
import {
  BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  defineChain,
  http,
  type PublicClient,
  toFunctionSelector,
} from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifiedTransport } from '../../../src/viem/index.js';
import {
  type CallWorld,
  first,
  openCallWorld,
  second,
  stranger,
} from '../../support/calls/world.js';
import { assemble, initOf } from '../../support/contracts/assemble.js';
import { patience } from '../../support/runs.js';

let world: CallWorld;
let ours: PublicClient;
let node: PublicClient;
let blockNumber: bigint;
beforeAll(async () => {
  world = await openCallWorld('prague');
  const { living, multicall, resolver } = world;
  const url = living.l2.url;
  const chain = defineChain({
    id: living.network.l2ChainId,
    name: 'calls',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
    contracts: {
      multicall3: { address: multicall.address },
      ensUniversalResolver: { address: resolver.address },
    },
  });
  const options = { l2: living.transport, l1: living.l1Transport, network: living.network };
  ours = createPublicClient({ chain, transport: verifiedTransport(options) }) as PublicClient;
  node = createPublicClient({ chain, transport: http(url) }) as PublicClient;
  blockNumber = BigInt(world.block);
}, patience);
afterAll(() => world.close());

/** Asks both. @returns what the provider's client says, which the node's says, too */
async function both<T>(ask: (client: PublicClient) => Promise<T>): Promise<T> {
  const result = await ask(ours);
  expect(result).toEqual(await ask(node));
  return result;
}

/** @returns what viem makes of the revert */
async function reverted(ask: (client: PublicClient) => Promise<unknown>) {
  const of = async (client: PublicClient) => {
    const error = await ask(client).then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(BaseError);
    const cause = error.walk((one: unknown) => one instanceof ContractFunctionRevertedError);
    return { name: cause?.data?.errorName, args: cause?.data?.args, reason: cause?.reason };
  };
  return both(of);
}

test('readContract', async () => {
  const { address, abi } = world.gold;
  const read = (functionName: string, args: unknown[] = []) =>
    both((client) => client.readContract({ address, abi, functionName, args, blockNumber }));
  expect(await read('symbol')).toBe('GLD');
  expect(await read('balanceOf', [second])).toBe(5n * 10n ** 18n);
});

describe('simulateContract', () => {
  test('of a call that goes well', async () => {
    const { address, abi } = world.gold;
    const { result } = await both(async (client) => {
      const what = { address, abi, functionName: 'transfer', args: [stranger, 5n] };
      const { result } = await client.simulateContract({ ...what, account: first, blockNumber });
      return { result };
    });
    expect(result).toBe(true);
  });

  test('of one that reverts with a reason', async () => {
    const { address, abi } = world.gold;
    const what = { address, abi, functionName: 'transfer', args: [first, 5n] };
    const { reason } = await reverted((client) =>
      client.simulateContract({ ...what, account: stranger, blockNumber }),
    );
    expect(reason).toBe('ERC20: transfer amount exceeds balance');
  });

  test('of one that reverts with a custom error', async () => {
    const { entryPoint, accountFactory } = world.entryPoints['0.8'];
    const { address, abi } = entryPoint;
    const create = accountFactory.encode('createAccount', second, 9n).slice(2);
    const args = [`${accountFactory.address}${create}`];
    const what = { address, abi, functionName: 'getSenderAddress', args };
    const { name } = await reverted((client) => client.simulateContract({ ...what, blockNumber }));
    expect(name).toBe('SenderAddressResult');
  });
});

describe('multicall', () => {
  const contractsOf = () => {
    const { gold, silver, deed } = world;
    return [
      { address: gold.address, abi: gold.abi, functionName: 'balanceOf', args: [first] },
      { address: silver.address, abi: silver.abi, functionName: 'totalSupply' },
      { address: deed.address, abi: deed.abi, functionName: 'ownerOf', args: [77n] },
      { address: deed.address, abi: deed.abi, functionName: 'balanceOf', args: [second] },
    ];
  };

  test.each([false, true])('over Multicall3 (deployless: %s)', async (deployless) => {
    const results = await both(async (client) => {
      const what = { contracts: contractsOf(), allowFailure: true, blockNumber } as const;
      const all = await client.multicall(deployless ? { ...what, deployless } : what);
      return all.map(({ status, result }) => ({ status, result }));
    });
    expect(results.map(({ status }) => status)).toEqual([
      ...['success', 'success', 'failure', 'success'],
    ]);
    expect(results[3]?.result).toBe(2n);
  });

  test('of a client that batches by itself', async () => {
    const { living, gold } = world;
    const options = { l2: living.transport, l1: living.l1Transport, network: living.network };
    const client = createPublicClient({
      chain: ours.chain as never,
      batch: { multicall: true },
      transport: verifiedTransport(options),
    }) as unknown as PublicClient;
    const { address, abi } = gold;
    const balances = await Promise.all(
      [first, second, stranger].map((owner) =>
        client.readContract({ address, abi, functionName: 'balanceOf', args: [owner] }),
      ),
    );
    const known = await Promise.all(
      [first, second, stranger].map((owner) =>
        node.readContract({ address, abi, functionName: 'balanceOf', args: [owner], blockNumber }),
      ),
    );
    expect(balances).toEqual(known);
  });
});

test('ENS', async () => {
  const name = 'gold.eth';
  const found = await both((client) => client.getEnsAddress({ name, blockNumber }));
  expect(found?.toLowerCase()).toBe(world.gold.address);
  const absent = { name: 'nobody.eth', blockNumber };
  expect(await both((client) => client.getEnsAddress(absent))).toBeNull();
});

test('a call of code that is not deployed', async () => {
  const { address, abi } = world.gold;
  // It asks the token for its supply, and gives that on.
  const code = initOf(
    assemble(`
      ${toFunctionSelector('totalSupply()')} 0xe0 SHL PUSH0 MSTORE
      0x20 PUSH0 0x04 PUSH0 ${address} GAS STATICCALL
      0x20 PUSH0 RETURN`),
  );
  const { data } = await both((client) => client.call({ code, data: '0x', blockNumber }));
  const asked = { address, abi, functionName: 'totalSupply', blockNumber };
  expect(BigInt(data as string)).toBe(await node.readContract(asked));
});

test('gas and access lists', async () => {
  const { address, abi } = world.gold;
  const what = { address, abi, functionName: 'transfer', args: [stranger, 5n], account: first };
  const gas = await both((client) => client.estimateContractGas({ ...what, blockNumber } as never));
  expect(gas).toBeGreaterThan(21_000n);
  const data = world.gold.encode('balanceOf', second);
  const { accessList } = await both((client) =>
    client.createAccessList({ to: address, data, blockNumber } as never),
  );
  expect(accessList).toHaveLength(1);
});
