/** Programs of viem and ethers over the proven history, unchanged: what they look up, watch and wait for. */
import { BrowserProvider, Contract, type ContractEventPayload, Wallet } from 'ethers';
import { createPublicClient, parseAbi, parseAbiItem, toEventSelector } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AnchoredRoot, fetchAnchor } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import {
  type AnchorSource,
  createProvider,
  type ProviderOptions,
} from '../../../src/provider/index.js';
import { verifiedTransport } from '../../../src/viem/index.js';
import { emit, emitter, putEmitter } from '../../support/allTypes.js';
import { accounts, type Transaction } from '../../support/anvil.js';
import { type Living, openLiving } from '../../support/living.js';
import { secondKey } from '../../support/programs.js';
import { patience } from '../../support/runs.js';
import { until } from '../../support/until.js';

const event = 'event Marked(uint256 indexed id)';
const abi = parseAbi([event]);
const marked = BigInt(toEventSelector(parseAbiItem(event)));
const mark = (id: number): Transaction => emit([marked as never, id]);
const address = emitter as Hex;

let world: Living;
let options: ProviderOptions;
let newest: AnchoredRoot;
beforeAll(async () => {
  world = await openLiving({ keepFinal: 64, prepare: putEmitter });
  await world.l2.mine(mark(1), mark(2));
  await world.l2.mine(mark(3));
  await goOn();
  const { transport: l2, l1Transport: l1, network } = world;
  // An anchor whose state the server holds: L1 has it a moment earlier.
  const anchor: AnchorSource = async (wish) =>
    wish.before === undefined ? newest : fetchAnchor({ ...wish, l1, network });
  options = { l2, anchor, network, absence: 'server', refresh: 0 };
}, patience);
afterAll(() => world.close());

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Finalizes, and a block more, so that what was mined before is proven. */
async function goOn(...transactions: Transaction[]): Promise<void> {
  await world.l2.mine(...transactions);
  await world.l2.mine();
  await world.finalize();
  newest = await fetchAnchor({ l1: world.l1Transport, network: world.network });
}

const viem = () =>
  createPublicClient({ transport: verifiedTransport(options), pollingInterval: 50 });

function ethers(more: Partial<ProviderOptions> = {}): BrowserProvider {
  const own = createProvider({ ...options, ...more } as ProviderOptions);
  const provider = new BrowserProvider(own, undefined, { pollingInterval: 50 });
  closing.push(() => {
    provider.destroy();
    own.close();
  });
  return provider;
}

/** Sends a transaction that L1 finalizes later. */
const send = async ({ to, data }: Transaction): Promise<Hex> => {
  const hash = await world.l2.call('eth_sendTransaction', { from: accounts[0], to, data });
  await world.l2.mine();
  return hash;
};

describe('viem', () => {
  test('looks up blocks, transactions, receipts and events', async () => {
    const client = viem();
    const block = await client.getBlock({ blockNumber: 1n, includeTransactions: true });
    expect(block.transactions.map(({ to }) => to)).toEqual([emitter, emitter]);
    const hash = block.transactions[0]?.hash as Hex;
    expect((await client.getTransactionReceipt({ hash })).status).toBe('success');
    expect((await client.getTransaction({ hash })).blockHash).toBe(block.hash);
    expect(await client.getTransaction({ blockNumber: 1n, index: 0 })).toMatchObject({ hash });
    expect(await client.getBlockTransactionCount({ blockNumber: 1n })).toBe(2);
    const events = await client.getContractEvents({ address, abi, fromBlock: 0n });
    expect(events.slice(0, 3).map(({ args }) => args.id)).toEqual([1n, 2n, 3n]);
    const filter = await client.createContractEventFilter({ address, abi, fromBlock: 0n });
    expect((await client.getFilterLogs({ filter })).length).toBe(events.length);
    const fees = await client.getFeeHistory({ blockCount: 2, rewardPercentiles: [] });
    expect(fees.baseFeePerGas).toHaveLength(3);
  });

  test(
    'waits for a receipt until it is final',
    async () => {
      const client = viem();
      const hash = await send(mark(10));
      const told: unknown[] = [];
      client.transport.provider.on('unproven', (one) => told.push(one));
      let isDone = false;
      const waiting = client.waitForTransactionReceipt({ hash }).finally(() => {
        isDone = true;
      });
      await until(() => told.length > 2, 'viem has asked, and there is no proven receipt');
      expect(isDone).toBe(false);
      await goOn();
      const receipt = await waiting;
      const { blockHash } = await world.l2.call('eth_getTransactionReceipt', hash);
      expect(receipt).toMatchObject({ status: 'success', blockHash, transactionHash: hash });
      expect(receipt.logs).toHaveLength(1);
    },
    patience,
  );

  test(
    'watches events',
    async () => {
      const client = viem();
      const seen: unknown[] = [];
      const onLogs = (logs: readonly { args: { id?: bigint | undefined } }[]) =>
        void seen.push(...logs.map(({ args }) => args.id));
      const onError = (error: Error) => seen.push(error);
      const unwatch = client.watchContractEvent({ address, abi, onLogs, onError });
      const other = client.watchEvent({ address, event: abi[0], onLogs, onError });
      await until(async () => {
        await goOn(mark(20));
        return seen.length >= 2;
      }, 'both have seen an event');
      unwatch();
      other();
      expect(new Set(seen)).toEqual(new Set([20n]));
    },
    patience,
  );
});

describe('ethers', () => {
  test('queries events, and looks up what they stand in', async () => {
    const provider = ethers();
    const contract = new Contract(emitter, [event], provider);
    const [first] = await contract.queryFilter('Marked', 1, 2);
    expect((first as ContractEventPayload['log']).args.id).toBe(1n);
    const transaction = await first?.getTransaction();
    expect(transaction).toMatchObject({ to: emitter, blockNumber: 1 });
    const receipt = await transaction?.wait();
    expect(receipt).toMatchObject({ status: 1, hash: first?.transactionHash });
    expect((await first?.getBlock())?.hash).toBe(first?.blockHash);
    expect(await provider.getTransactionReceipt(`0x${'ab'.repeat(32)}`)).toBe(null);
  });

  test(
    'sends, and waits until the receipt is final',
    async () => {
      const passthrough = [
        { method: 'eth_getTransactionCount', tag: 'pending' },
        { method: 'eth_getBlockByNumber', tag: 'latest' },
        ...['eth_gasPrice', 'eth_maxPriorityFeePerGas'],
      ];
      const provider = ethers({ passthrough });
      const wallet = new Wallet(secondKey, provider);
      const { to, data } = mark(30);
      const gasLimit = 100_000;
      const sent = await wallet.sendTransaction({
        to: to as string,
        data: data as string,
        gasLimit,
      });
      await world.l2.mine();
      let isDone = false;
      const waiting = sent.wait().finally(() => {
        isDone = true;
      });
      // It looks at blocks that come after it has begun to wait, and nobody hears when that is.
      await until(async () => {
        await goOn();
        return isDone;
      }, 'ethers has the receipt');
      const receipt = await waiting;
      expect(receipt).toMatchObject({ status: 1, hash: sent.hash });
      expect(receipt?.logs).toHaveLength(1);
    },
    patience,
  );

  test(
    'listens to events, if all of the current block is proven',
    async () => {
      const provider = ethers({ current: 'whole' });
      const contract = new Contract(emitter, [event], provider);
      const seen: bigint[] = [];
      await contract.on('Marked', (id: bigint) => seen.push(id));
      closing.unshift(() => contract.removeAllListeners());
      await until(async () => {
        await goOn(mark(40));
        return seen.length > 0;
      }, 'an event is seen');
      expect(seen.at(-1)).toBe(40n);
    },
    patience,
  );
});
