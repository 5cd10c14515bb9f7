/** Transactions of real contracts on a real node, decoded by the running service, over HTTP and by the client. */

import { getAddress, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDataClient } from '../../../../src/data/index.js';
import type { ChainContracts, DecodedEvent } from '../../../../src/decode/index.js';
import { toOpenDecoder } from '../../../../src/service/decoder/decoder.js';
import { createDecoder } from '../../../../src/service/index.js';
import type { NodeLog, NodeReceipt } from '../../../support/answers.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { type Contract, send, tryToSend } from '../../../support/contracts/contract.js';
import {
  type AccountAbstraction,
  deployEntryPoint,
} from '../../../support/contracts/entryPoint.js';
import { placeMulticall } from '../../../support/contracts/multicall.js';
import { deploySafe } from '../../../support/contracts/safe.js';
import {
  deployErc20,
  deployErc721,
  deployErc1155,
  deployWrappedNative,
} from '../../../support/contracts/tokens.js';
import { addPair, amountOut, deployUniswap } from '../../../support/contracts/uniswap.js';
import {
  deployCode,
  detailsOf,
  logging,
  type ServedDecoder,
  serveDecoder,
} from '../../../support/decoder.js';
import type { Wire } from '../../../support/runs.js';
import { patience } from '../../../support/runs.js';

const [first, second] = accounts;
const [me, you] = accounts.map((address) => getAddress(address)) as [string, string];

let node: Anvil;
let served: ServedDecoder;
let gold: Contract;
let multicall: Contract;
beforeAll(async () => {
  node = await startAnvil();
  multicall = await placeMulticall(node);
  gold = await deployErc20(node);
  await send(node, gold.call('mint', first, 10n ** 24n));
  served = await serveDecoder(node.url);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

/** The events of a transaction. */
async function eventsOf({ transactionHash }: NodeReceipt, query = ''): Promise<Wire[]> {
  const { status, body } = await served.decode(transactionHash, query);
  expect({ status, success: body.success }).toEqual({ status: 200, success: true });
  return body.events;
}

test('hundreds of logs are decoded in pieces, in turn with others', async () => {
  const transfer = { target: gold.address, allowFailure: false };
  const call = { ...transfer, callData: gold.encode('transfer', second, 0n) };
  const pausesOf = async (count: number) => {
    const { transactionHash: txHash } = await send(
      node,
      multicall.call(
        'aggregate3',
        Array.from({ length: count }, () => call),
      ),
    );
    let pauses = 0;
    const pause = async () => {
      pauses++;
    };
    const question = { txHash, rawLogs: false, unknown: false, minUsd: 0 };
    const chain = toOpenDecoder(served.decoder).chainOf('anvil');
    const text = await chain?.decode(question, { pause, charge: () => {} });
    expect(JSON.parse(text as string).events.length).toBe(count);
    return pauses;
  };
  // Once more for each 128 logs, when finding out what is to be asked and when decoding.
  expect((await pausesOf(300)) - (await pausesOf(1))).toBeGreaterThanOrEqual(4);
});

describe('tokens', () => {
  test('a transfer of ERC-20, with the whole of the metadata', async () => {
    const receipt = await send(node, gold.call('transfer', second, 15n * 10n ** 17n));
    const block = await node.call('eth_getBlockByHash', receipt.blockHash, false);
    const transaction = await node.call('eth_getTransactionByHash', receipt.transactionHash);
    const { body } = await served.decode(receipt.transactionHash);
    expect(body.events).toEqual([
      {
        action: 'Transferred',
        category: 'Token',
        name: 'Transfer',
        protocol: { name: 'Gold', logo: '' },
        details: [
          { heading: 'From', value: me, type: 'address' },
          { heading: 'To', value: you, type: 'address' },
        ],
        tokens: [
          {
            heading: 'Token Amount',
            value: '1500000000000000000',
            decimals: 18,
            ticker_symbol: 'GLD',
            ticker_logo: '',
            pretty_quote: '$0.00',
          },
        ],
      },
    ]);
    expect(body.tx_metadata).toMatchObject({
      block_signed_at: new Date(1000 * Number(block.timestamp)).toISOString(),
      block_height: Number(receipt.blockNumber),
      block_hash: receipt.blockHash,
      tx_hash: receipt.transactionHash,
      tx_offset: 0,
      successful: true,
      miner_address: block.miner,
      from_address: first,
      to_address: gold.address,
      value: '0',
      gas_offered: Number(transaction.gas),
      gas_spent: Number(receipt.gasUsed),
      gas_price: Number(receipt.effectiveGasPrice),
      fees_paid: String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)),
      source: 'node',
      explorers: [],
    });
  });

  test('an unlimited approval, and one of nothing', async () => {
    const all = await eventsOf(await send(node, gold.call('approve', second, 2n ** 256n - 1n)));
    expect(detailsOf(all[0])).toEqual({ Owner: me, Spender: you, Value: 'Unlimited' });
    const none = await eventsOf(await send(node, gold.call('approve', second, 0n)));
    expect(none[0].tokens).toMatchObject([{ value: '0', ticker_symbol: 'GLD' }]);
  });

  test('ERC-721 and ERC-1155', async () => {
    const deed = await deployErc721(node);
    const [minted] = await eventsOf(await send(node, deed.call('mint', second)));
    expect(minted).toMatchObject({ name: 'Transfer', protocol: { name: 'Deed' } });
    expect(minted.nfts).toMatchObject([{ token_identifier: '0', collection_name: 'Deed' }]);
    expect(minted).not.toHaveProperty('tokens');
    const goods = await deployErc1155(node);
    const batch = goods.call('mintBatch', second, [3n, 4n], [30n, 40n], '0x');
    const [moved] = await eventsOf(await send(node, batch));
    expect(moved).toMatchObject({ action: 'Transferred', name: 'Transfer Batch' });
    expect(moved.nfts.map((nft: { token_identifier: string }) => nft.token_identifier)).toEqual([
      '3',
      '4',
    ]);
  });

  test('native value comes first, and not if the transaction was reverted', async () => {
    const wrapped = await deployWrappedNative(node);
    const events = await eventsOf(await send(node, { ...wrapped.call('deposit'), value: 50n }));
    expect(events.map(({ name }) => name)).toEqual(['Native Transfer', 'Deposit']);
    expect(events[0].tokens).toMatchObject([{ value: '50', ticker_symbol: 'ETH', decimals: 18 }]);
    const failed = await tryToSend(node, { ...gold.call('mint', first, 1n), value: 7n });
    expect(failed.status).toBe('0x0');
    const { body } = await served.decode(failed.transactionHash);
    expect(body).toMatchObject({ events: [], tx_metadata: { successful: false, value: '7' } });
  });
});

test('the wrapped native token of an own chain shows amounts once it is named', async () => {
  const wrapped = await deployWrappedNative(node);
  const { transactionHash } = await send(node, { ...wrapped.call('deposit'), value: 50n });
  const named = async (contracts: ChainContracts) => {
    const chains = [{ name: 'anvil', url: node.url, contracts }];
    const decoder = await createDecoder({ chains });
    const request = { chainName: 'anvil', txHash: transactionHash as Hex };
    const events = (await decoder.decodeTransaction(request))?.events;
    await decoder.close();
    return events?.find(({ name }) => name === 'Deposit')?.tokens;
  };
  expect(await named({})).toBeUndefined();
  expect(await named({ wrappedNative: [first] })).toBeUndefined();
  const address = getAddress(wrapped.address);
  expect(await named({ wrappedNative: [first, address] })).toMatchObject([{ value: '50' }]);
});

describe('protocols', () => {
  test('a swap through the router of Uniswap v2', async () => {
    const silver = await deployErc20(node, 'Silver', 'SLV');
    await send(node, silver.call('mint', first, 10n ** 24n));
    const uniswap = await deployUniswap(node, await deployWrappedNative(node));
    const sides = [
      { token: gold, amount: 10n ** 20n },
      { token: silver, amount: 4n * 10n ** 20n },
    ];
    await addPair(node, uniswap, sides);
    await send(node, gold.call('approve', uniswap.router.address, 10n ** 24n));
    const amount = 10n ** 18n;
    const path = [gold.address, silver.address];
    const end = 2n ** 40n;
    const swap = ['swapExactTokensForTokens', amount, 0n, path, second, end] as const;
    const events = await eventsOf(await send(node, uniswap.router.call(...swap)));
    const [swapped] = events.filter(({ action }) => action === 'Swapped');
    const out = amountOut(amount, { from: 10n ** 20n, to: 4n * 10n ** 20n });
    expect(swapped.tokens).toMatchObject([
      { heading: 'Token In', value: String(amount), ticker_symbol: 'GLD' },
      { heading: 'Token Out', value: String(out), ticker_symbol: 'SLV' },
    ]);
  });

  test('a transaction of a Safe', async () => {
    const { safe, execute } = await deploySafe(node);
    await send(node, { to: safe.address, value: 100n });
    const events = await eventsOf(await send(node, await execute({ to: second, value: 3n })));
    expect(events.map(({ category }) => category)).toContain('SAFE');
  });
});

describe.each(['0.6', '0.7', '0.8'] as const)('user operations of EntryPoint %s', (version) => {
  let parts: AccountAbstraction;
  beforeAll(async () => {
    parts = await deployEntryPoint(node, version);
    await send(node, { to: parts.sender, value: 10n ** 18n });
  }, patience);

  const named = (events: DecodedEvent[]) =>
    events.filter(({ name }) => name === 'User Operation Event').map(detailsOf);

  /** What the log itself says, read by viem. */
  async function operationIn(receipt: NodeReceipt) {
    const { parseEventLogs } = await import('viem');
    const [log] = parseEventLogs({
      abi: parts.entryPoint.abi,
      logs: receipt.logs,
      eventName: 'UserOperationEvent',
    }) as Wire[];
    return log.args;
  }

  test('one that succeeds', async () => {
    const operation = await parts.signOperation({ to: second, value: 5n });
    const receipt = await send(node, parts.handleOps(operation));
    const { actualGasCost, actualGasUsed, userOpHash } = await operationIn(receipt);
    const events = await eventsOf(receipt);
    const [event] = events.filter(({ name }) => name === 'User Operation Event');
    expect(event).toMatchObject({
      action: 'Account Abstraction Transaction',
      category: 'Others',
      protocol: { name: '4337 Entry Point' },
      details: [
        { heading: 'Gas Cost', value: String(actualGasCost), type: 'text' },
        { heading: 'Gas Used', value: String(actualGasUsed), type: 'text' },
        { heading: 'Paymaster', value: `0x${'0'.repeat(40)}`, type: 'address' },
        { heading: 'Sender', value: getAddress(parts.sender), type: 'address' },
        { heading: 'User Operation Hash', value: userOpHash, type: 'address' },
      ],
    });
    expect(event).not.toHaveProperty('tokens');
  });

  test('one that fails says so', async () => {
    // Nobody may mint but the first account.
    const data = gold.encode('mint', second, 1n);
    const operation = await parts.signOperation({ to: gold.address, data });
    const events = await eventsOf(await send(node, parts.handleOps(operation)));
    expect(named(events)).toMatchObject([{ Sender: getAddress(parts.sender), Success: 'No' }]);
    expect(events.map(({ name }) => name)).toContain('User Operation Revert Reason');
  });
});

describe('the options of a request', () => {
  test('the log of an event, logs that are not known, and nothing below an amount', async () => {
    const receipt = await send(node, gold.call('transfer', second, 1n));
    const [event] = await eventsOf(receipt, '?raw_logs=true');
    const [log] = receipt.logs as [NodeLog];
    expect(event.raw_log).toMatchObject({
      raw_log_topics: log.topics,
      raw_log_data: log.data,
      sender_address: gold.address,
      sender_name: 'Gold',
      log_offset: Number(log.logIndex),
    });
    const topic = `0x${'b7'.repeat(32)}` as const;
    const strange = await send(node, { to: await deployCode(node, logging(topic)) });
    expect(await eventsOf(strange)).toEqual([]);
    const [unknown] = await eventsOf(strange, '?unknown=true');
    expect(unknown).toMatchObject({ action: 'Update', category: 'Others', name: 'Unknown Event' });
    expect(detailsOf(unknown)).toMatchObject({ 'Topic 0': topic, 'Log Index': '0' });
    // Without a price nothing is known to be below it.
    expect(await eventsOf(receipt, '?min_usd=5&raw_logs=false')).toHaveLength(1);
  });

  test('with prices, what is worth less is left out, and the rest has its quote', async () => {
    const prices = [
      { address: gold.address, usd: '2.5' },
      { address: `0x${'e'.repeat(40)}`, usd: 2000 },
    ] as const;
    const priced = await serveDecoder(node.url, { prices: async () => prices });
    const receipt = await send(node, gold.call('transfer', second, 3n * 10n ** 18n));
    const whole = await priced.decode(receipt.transactionHash);
    expect(whole.body.events[0].tokens[0].pretty_quote).toBe('$7.50');
    expect(whole.body.tx_metadata.gas_quote_rate).toBe(2000);
    const large = await priced.decode(receipt.transactionHash, '?min_usd=7.51');
    expect(large.body.events).toEqual([]);
    const exact = await priced.decode(receipt.transactionHash, '?min_usd=7.5');
    expect(exact.body.events).toHaveLength(1);
    await priced.close();
  });
});

describe('the client', () => {
  test.each(['basic', 'bearer'] as const)('decodes with a key as %s', async (auth) => {
    const key = 'some-secret-key';
    const locked = await serveDecoder(node.url, {}, { keys: [key] });
    const { transactionHash } = await send(node, gold.call('transfer', second, 4n));
    const client = createDataClient({ url: locked.url, key, auth, chain: 'anvil' });
    const decoded = await client.decodeTransaction({ txHash: transactionHash });
    expect(decoded.events).toMatchObject([{ name: 'Transfer', tokens: [{ value: '4' }] }]);
    expect(decoded.txMetadata).toMatchObject({ tx_hash: transactionHash, source: 'node' });
    expect(decoded.explorers).toEqual([]);
    const wrong = createDataClient({ url: locked.url, key: 'another-secret-key', auth });
    const refused = wrong.decodeTransaction({ chainName: 'anvil', txHash: transactionHash });
    await expect(refused).rejects.toMatchObject({ code: 'UNAUTHORIZED', status: 401 });
    await locked.close();
  });

  test('is told what is not there', async () => {
    const client = createDataClient({ url: served.url, chain: 'anvil' });
    const txHash = `0x${'12'.repeat(32)}` as const;
    const unknown = client.decodeTransaction({ txHash });
    await expect(unknown).rejects.toMatchObject({ name: 'DataError', code: 'NOT_FOUND' });
    const elsewhere = client.decodeTransaction({ chainName: 'no-chain', txHash });
    await expect(elsewhere).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      serverMessage: 'chain_name is incorrect.',
    });
  });
});
