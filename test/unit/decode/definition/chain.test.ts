/** Real transactions of real contracts on a real node, decoded. Expected values are what the contracts say, read by viem. */

import { type Abi, getAddress, type Hex, numberToHex, parseEventLogs } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Chain,
  type DecodedEvent,
  type DecodeInput,
  decodeTransaction,
  describeChain,
  missingMetadata,
} from '../../../../src/decode/index.js';
import type { NodeReceipt } from '../../../support/answers.js';
import { type Anvil, accounts, startAnvil, type Transaction } from '../../../support/anvil.js';
import {
  artifact,
  type Contract,
  contractAt,
  deploy,
  send,
  tryToSend,
} from '../../../support/contracts/contract.js';
import { deployEntryPoint, type Version } from '../../../support/contracts/entryPoint.js';
import { deploySafe } from '../../../support/contracts/safe.js';
import {
  deployErc20,
  deployErc721,
  deployErc1155,
  deployWrappedNative,
} from '../../../support/contracts/tokens.js';
import { addPair, amountOut, deployUniswap } from '../../../support/contracts/uniswap.js';
import { detailsOf } from '../../../support/logs.js';
import type { Wire } from '../../../support/runs.js';
import { patience } from '../../../support/runs.js';

let node: Anvil;
let chain: Chain;
beforeAll(async () => {
  node = await startAnvil();
  chain = describeChain({ name: 'dev', id: Number(await node.call('eth_chainId')) });
}, patience);
afterAll(() => node.close());

const [first, second] = accounts;
const [First, Second] = [getAddress(first), getAddress(second)];
const none: Hex = `0x${'0'.repeat(40)}`;

/** Decodes the transaction of a receipt, by what the node says of it. */
async function decode(receipt: NodeReceipt, options: Partial<DecodeInput> = {}) {
  const [transaction, block] = await Promise.all([
    node.call('eth_getTransactionByHash', receipt.transactionHash),
    node.call('eth_getBlockByHash', receipt.blockHash, false),
  ]);
  const input = { receipt, transaction, block, chain, unknown: true, ...options };
  const response = decodeTransaction(input);
  expect(response.tx_metadata).toMatchObject({
    tx_hash: receipt.transactionHash,
    block_height: Number(receipt.blockNumber),
    block_signed_at: new Date(Number(block.timestamp) * 1000).toISOString(),
    successful: receipt.status === '0x1',
    fees_paid: String(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)),
    source: 'node',
  });
  return response;
}

/** Mines a transaction and decodes it. */
const events = async (transaction: Transaction, options: Partial<DecodeInput> = {}) =>
  (await decode(await send(node, transaction), options)).events;

/** An event in one line. */
function told({ name, details, tokens = [], nfts = [] }: DecodedEvent): string {
  const amounts = tokens.map((token) => `${token.heading} ${token.value} ${token.ticker_symbol}`);
  const items = nfts.map((nft) => `${nft.heading} ${nft.token_identifier}`);
  return [name, ...detailsOf({ details }), ...amounts, ...items].join(' | ');
}

/** What a token says of itself. */
const metadataOf = async (token: Contract) => ({
  address: token.address,
  name: await token.read('name'),
  symbol: await token.read('symbol'),
  decimals: Number(await token.read('decimals')),
});

test('ERC-20: minted, moved, approved, paused', async () => {
  const gold = await deployErc20(node);
  const tokens = [await metadataOf(gold)];
  const of = async (name: string, ...args: unknown[]) =>
    (await events(gold.call(name, ...args), { tokens })).map(told);
  expect(await of('mint', first, 1000n)).toEqual([
    `Transfer | From: ${none} | To: ${First} | Token Amount 1000 GLD`,
  ]);
  expect(await of('transfer', second, 300n)).toEqual([
    `Transfer | From: ${First} | To: ${Second} | Token Amount 300 GLD`,
  ]);
  expect(await of('transfer', second, 0n)).toEqual([
    `Transfer | From: ${First} | To: ${Second} | Token Amount 0 GLD`,
  ]);
  expect(await of('approve', second, 7n)).toEqual([
    `Approval | Owner: ${First} | Spender: ${Second} | Value 7 GLD`,
  ]);
  expect(await of('approve', second, 2n ** 256n - 1n)).toEqual([
    `Approval | Owner: ${First} | Spender: ${Second} | Value: Unlimited`,
  ]);
  expect(await of('burn', 5n)).toEqual([
    `Transfer | From: ${First} | To: ${none} | Token Amount 5 GLD`,
  ]);
  expect(await of('pause')).toEqual([`Paused | Account: ${First}`]);
});

test('ERC-721: id 0 is an id', async () => {
  const deed = await deployErc721(node);
  const of = async (name: string, ...args: unknown[]) =>
    (await events(deed.call(name, ...args))).map(told);
  expect(await of('mint', first)).toEqual([
    `Transfer | From: ${none} | To: ${First} | NFT Transferred 0`,
  ]);
  expect(await of('approve', second, 0n)).toEqual([
    `Approval | Owner: ${First} | Spender: ${Second} | NFT Approved 0`,
  ]);
  expect(await of('approve', none, 0n)).toEqual([
    `Approval | Owner: ${First} | Spender: ${none} | NFT Approved 0`,
  ]);
  expect(await of('setApprovalForAll', second, true)).toEqual([
    `Approval For All | Owner: ${First} | Operator: ${Second} | Approved: Yes`,
  ]);
  expect((await of('transferFrom', first, second, 0n)).at(-1)).toBe(
    `Transfer | From: ${First} | To: ${Second} | NFT Transferred 0`,
  );
});

test('ERC-1155: single and in batches', async () => {
  const goods = await deployErc1155(node);
  const of = async (name: string, ...args: unknown[]) =>
    (await events(goods.call(name, ...args))).map(told);
  const big = 2n ** 255n + 1n;
  expect(await of('mintBatch', first, [0n, big, 4n], [30n, 40n, 0n], '0x')).toEqual([
    `Transfer Batch | Operator: ${First} | From: ${none} | To: ${First} | Amount: 30 | Amount: 40 | Amount: 0 | NFT Transferred 0 | NFT Transferred ${big} | NFT Transferred 4`,
  ]);
  expect(await of('safeTransferFrom', first, second, big, 3n, '0x')).toEqual([
    `Transfer Single | Operator: ${First} | From: ${First} | To: ${Second} | Amount: 3 | NFT Transferred ${big}`,
  ]);
  expect(await of('setApprovalForAll', second, false)).toEqual([
    `Approval For All | Owner: ${First} | Operator: ${Second} | Approved: No`,
  ]);
});

test('wrapped native, known and not', async () => {
  const wrapped = await deployWrappedNative(node);
  const known = { ...chain, contracts: { wrappedNative: [wrapped.address] } };
  const deposit = { ...wrapped.call('deposit'), value: 50n };
  const tokens = [await metadataOf(wrapped)];
  expect((await events(deposit, { chain: known, tokens })).map(told)).toEqual([
    `Native Transfer | From: ${first} | To: ${wrapped.address} | Value 50 ETH`,
    `Deposit | To: ${First} | Amount 50 WETH`,
  ]);
  expect((await events(wrapped.call('withdraw', 20n), { chain: known, tokens })).map(told)).toEqual(
    [`Withdrawal | From: ${First} | Amount 20 WETH`],
  );
  expect((await events(deposit)).map(told)[1]).toBe(`Deposit | To: ${First} | Amount: 50`);
});

test('a token behind a proxy speaks as the proxy', async () => {
  const gold = await deployErc20(node);
  const proxyArtifact = artifact('@openzeppelin/contracts/build/contracts/ERC1967Proxy.json');
  const proxy = await deploy(node, proxyArtifact, gold.address, '0x');
  const created = await node.call('eth_getBlockByNumber', 'latest', false);
  const receipt = await node.call('eth_getTransactionReceipt', created.transactions[0]);
  expect((await decode(receipt)).events.map(told)).toEqual([
    `Upgraded | Implementation: ${getAddress(gold.address)}`,
  ]);
  const token = contractAt(node, gold.abi, proxy.address);
  const [event] = await events(token.call('approve', second, 5n));
  expect(event?.protocol.name).toBe(getAddress(proxy.address));
});

describe('a Uniswap v2 pair', () => {
  test('made, filled, swapped at, emptied: its tokens are told by the receipt', async () => {
    const [a, b] = [await deployErc20(node, 'A', 'AAA'), await deployErc20(node, 'B', 'BBB')];
    for (const token of [a, b]) await send(node, token.call('mint', first, 10n ** 24n));
    const uniswap = await deployUniswap(node, await deployWrappedNative(node));
    const pair = await addPair(node, uniswap, [
      { token: a, amount: 10n ** 20n },
      { token: b, amount: 4n * 10n ** 20n },
    ]);
    const { router } = uniswap;
    const [give, take] = pair.tokens;
    const tokens = await Promise.all([give, take].map(metadataOf));
    const [G, T] = tokens.map(({ symbol }) => symbol);
    const [Router, Pair] = [getAddress(router.address), getAddress(pair.contract.address)];
    for (const token of [give, take]) {
      await send(node, token.call('approve', router.address, 2n ** 256n - 1n));
    }

    const [from, to] = (await pair.contract.read('getReserves')) as [bigint, bigint];
    const out = amountOut(10n ** 18n, { from, to });
    const path = [give.address, take.address];
    const swap = router.call('swapExactTokensForTokens', 10n ** 18n, 0n, path, second, 2n ** 64n);
    const swapped = await events(swap, { tokens });
    expect(swapped.map(told)).toEqual([
      `Transfer | From: ${First} | To: ${Pair} | Token Amount ${10n ** 18n} ${G}`,
      `Transfer | From: ${Pair} | To: ${Second} | Token Amount ${out} ${T}`,
      `Swap | Sender: ${Router} | To: ${Second} | Token In ${10n ** 18n} ${G} | Token Out ${out} ${T}`,
    ]);
    expect(swapped[2]?.protocol.name).toBe('Uniswap V2 style pool');

    const add = [give.address, take.address, 10n ** 15n, 10n ** 16n, 0n, 0n, first, 2n ** 64n];
    const added = await events(router.call('addLiquidity', ...add), { tokens });
    const mint = added.at(-1) as DecodedEvent;
    const moved = added.filter(({ name }) => name === 'Transfer').slice(0, 2);
    expect(mint).toMatchObject({ name: 'Mint', action: 'Add Liquidity' });
    expect(mint.tokens?.map((token) => [token.ticker_symbol, token.value])).toEqual(
      moved.map(({ tokens: [token] = [] }) => [token?.ticker_symbol, token?.value]),
    );

    await send(node, pair.contract.call('transfer', pair.contract.address, 10n ** 15n));
    const removed = await events(pair.contract.call('burn', second), { tokens });
    expect(removed.at(-1)).toMatchObject({ name: 'Burn', action: 'Remove Liquidity' });
    expect(removed.at(-1)?.tokens?.map((token) => token.ticker_symbol)).toEqual([G, T]);
    const receipt = await send(node, swap);
    const tokensOfPair = [give.address, take.address];
    expect(missingMetadata({ receipt, chain })).toEqual({
      tokens: tokensOfPair,
      pools: [],
      prices: [],
    });
  });

  test('is made by its factory', async () => {
    const [a, b] = [await deployErc20(node), await deployErc20(node)];
    const { factory } = await deployUniswap(node, await deployWrappedNative(node));
    const [event] = await events(factory.call('createPair', a.address, b.address));
    const pair = await factory.read('getPair', a.address, b.address);
    const sorted = [a.address, b.address].sort().map((address) => getAddress(address));
    const count = await factory.read('allPairsLength');
    expect(told(event as DecodedEvent)).toBe(
      `Pair Created | Token 0: ${sorted[0]} | Token 1: ${sorted[1]} | Pair: ${pair} | Pair Number: ${count}`,
    );
  });
});

test('Uniswap v3: a pool made, filled, swapped at, emptied', async () => {
  const contract = (name: string) =>
    artifact(`@uniswap/v3-${name.replace('/', '/artifacts/contracts/')}.json`);
  const [a, b] = [await deployErc20(node, 'A', 'AAA'), await deployErc20(node, 'B', 'BBB')];
  const [zero, one] = (a.address < b.address ? [a, b] : [b, a]) as [Contract, Contract];
  const wrapped = await deployWrappedNative(node);
  const factory = await deploy(node, contract('core/UniswapV3Factory.sol/UniswapV3Factory'));
  const positions = await deploy(
    node,
    contract('periphery/NonfungiblePositionManager.sol/NonfungiblePositionManager'),
    factory.address,
    wrapped.address,
    none,
  );
  const router = await deploy(
    node,
    contract('periphery/SwapRouter.sol/SwapRouter'),
    factory.address,
    wrapped.address,
  );
  for (const token of [zero, one]) {
    await send(node, token.call('mint', first, 10n ** 24n));
    for (const { address } of [positions, router]) {
      await send(node, token.call('approve', address, 2n ** 256n - 1n));
    }
  }
  const tokens = await Promise.all([zero, one].map(metadataOf));
  const [Z, O] = tokens.map(({ symbol }) => symbol);

  const pair = [zero.address, one.address];
  const start = [...pair, 3000, 2n ** 96n];
  const made = await events(positions.call('createAndInitializePoolIfNecessary', ...start));
  const pool: Hex = await factory.read('getPool', ...pair, 3000);
  expect(made.map(told)).toEqual([
    `Pool Created | Token 0: ${getAddress(zero.address)} | Token 1: ${getAddress(one.address)} | Fee: 0.3% | Tick Spacing: 60 | Pool: ${pool}`,
    `Initialize | sqrtPriceX96: ${2n ** 96n} | Tick: 0`,
  ]);

  const ether = 10n ** 18n;
  const deadline = 2n ** 64n;
  const amounts = [100n * ether, 100n * ether, 0n, 0n];
  const filled = await events(
    positions.call('mint', {
      ...{ token0: zero.address, token1: one.address, fee: 3000, recipient: first, deadline },
      ...{
        tickLower: -600,
        tickUpper: 1200,
        amount0Desired: amounts[0],
        amount1Desired: amounts[1],
      },
      ...{ amount0Min: 0n, amount1Min: 0n },
    }),
    { tokens },
  );
  const paid = filled.filter(({ tokens: [token] = [], name }) => name === 'Transfer' && token);
  const mint = filled.find(({ name }) => name === 'Mint');
  expect(mint?.protocol.name).toBe('Uniswap V3 style pool');
  expect(mint?.tokens?.map((token) => [token.ticker_symbol, token.value])).toEqual(
    paid.map(({ tokens: [token] = [] }) => [token?.ticker_symbol, token?.value]),
  );
  expect(filled.map(({ name }) => name)).toContain('Increase Liquidity');
  expect(filled.flatMap(({ nfts = [] }) => nfts.map((nft) => nft.token_identifier))).toEqual(['1']);

  // Both ways: the sign of the amounts says which token is paid in.
  for (const [give, take] of [
    [zero, one],
    [one, zero],
  ] as const) {
    const before: bigint = await take.read('balanceOf', second);
    const swapped = await events(
      router.call('exactInputSingle', {
        ...{
          tokenIn: give.address,
          tokenOut: take.address,
          fee: 3000,
          recipient: second,
          deadline,
        },
        ...{ amountIn: ether, amountOutMinimum: 0n, sqrtPriceLimitX96: 0n },
      }),
      { tokens },
    );
    const out = (await take.read('balanceOf', second)) - before;
    const swap = swapped.find(({ name }) => name === 'Swap');
    const [G, T] = give === zero ? [Z, O] : [O, Z];
    expect(
      swap?.tokens?.map((token) => `${token.heading} ${token.value} ${token.ticker_symbol}`),
    ).toEqual([`Token In ${ether} ${G}`, `Token Out ${out} ${T}`]);
  }

  const { liquidity } = decodedPosition(await positions.read('positions', 1n));
  const decrease = { tokenId: 1n, liquidity, amount0Min: 0n, amount1Min: 0n, deadline };
  const emptied = await events(positions.call('decreaseLiquidity', decrease), { tokens });
  expect(emptied.map(({ name, action }) => `${name}, ${action}`)).toEqual([
    'Burn, Remove Liquidity',
    'Decrease Liquidity, Remove Liquidity',
  ]);
  const most = 2n ** 128n - 1n;
  const collect = { tokenId: 1n, recipient: first, amount0Max: most, amount1Max: most };
  const collected = await events(positions.call('collect', collect), { tokens });
  expect(collected.map(({ name }) => name)).toEqual([
    'Transfer',
    'Transfer',
    'Collect Fees',
    'Collect',
  ]);
  expect(collected[2]?.tokens?.map((token) => token.ticker_symbol)).toEqual([Z, O]);
});

/** A position as viem gives it, by its place in the ABI. */
const decodedPosition = (values: readonly unknown[]) => ({ liquidity: values[7] as bigint });

test('Safe 1.4.1: made, paid, executed, with another owner', async () => {
  const before = Number(await node.call('eth_blockNumber'));
  const { safe, singleton, proxyFactory, execute } = await deploySafe(node);
  const after = Number(await node.call('eth_blockNumber'));
  expect(after).toBeGreaterThan(before);
  const [receipt] = await node.call('eth_getBlockReceipts', numberToHex(after));
  const made = (await decode(receipt)).events;
  const Singleton = getAddress(singleton.address);
  expect(made.map(({ name }) => name)).toEqual(['Safe Setup', 'Proxy Creation']);
  expect(detailsOf(made[0] as DecodedEvent)).toEqual([
    `Initiator: ${getAddress(proxyFactory.address)}`,
    `Owner: ${First}`,
    `Owner: ${Second}`,
    'Threshold: 2',
    `Initializer: ${none}`,
    expect.stringMatching(/^Fallback Handler: 0x/),
  ]);
  expect(told(made[1] as DecodedEvent)).toBe(
    `Proxy Creation | Proxy: ${getAddress(safe.address)} | Singleton: ${Singleton}`,
  );

  expect((await events({ to: safe.address, value: 100n })).map(told)).toEqual([
    `Native Transfer | From: ${first} | To: ${safe.address} | Value 100 ETH`,
    `Safe Received | Sender: ${First} | Value 100 ETH`,
  ]);
  const paid = await send(node, await execute({ to: second, value: 60n }));
  const [{ args }] = parseEventLogs({ abi: singleton.abi, logs: paid.logs }) as Wire[];
  const [event] = (await decode(paid)).events;
  expect(event).toMatchObject({
    action: 'MultiSig',
    category: 'SAFE',
    protocol: { name: 'Safe style wallet' },
  });
  expect(told(event as DecodedEvent)).toBe(
    `Execution Success | Transaction Hash: ${args.txHash} | Payment 0 ETH`,
  );
  const owner: Hex = `0x${'5e'.repeat(20)}`;
  const data = safe.encode('addOwnerWithThreshold', owner, 1n);
  const added = await events(await execute({ to: safe.address, data }));
  expect(added.map(told).slice(0, 2)).toEqual([
    `Added Owner | Owner: ${getAddress(owner)}`,
    'Changed Threshold | Threshold: 1',
  ]);
});

describe.each(['0.6', '0.7', '0.8'] as Version[])('EntryPoint %s', (version) => {
  test('a user operation that succeeds, and one that fails', async () => {
    const { entryPoint, accountFactory, sender, signOperation, handleOps } = await deployEntryPoint(
      node,
      version,
    );
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', sender, 10n));
    const run = async () => {
      const data = gold.encode('transfer', second, 7n);
      const operation = await signOperation({ to: gold.address, data });
      const receipt = await send(node, handleOps(operation));
      const raw = parseEventLogs({ abi: entryPoint.abi as Abi, logs: receipt.logs }) as Wire[];
      const { args } = raw.find(({ eventName }) => eventName === 'UserOperationEvent');
      return { args, events: (await decode(receipt)).events };
    };
    const five = (args: Wire) =>
      `Gas Cost: ${args.actualGasCost} | Gas Used: ${args.actualGasUsed} | Paymaster: ${args.paymaster} | Sender: ${getAddress(sender)} | User Operation Hash: ${args.userOpHash}`;

    const good = await run();
    const lines = good.events.map(told);
    expect(lines.at(-1)).toBe(`User Operation Event | ${five(good.args)}`);
    expect(good.events.at(-1)).toMatchObject({
      action: 'Account Abstraction Transaction',
      category: 'Others',
      protocol: { name: '4337 Entry Point', logo: '' },
    });
    expect(good.events.at(-1)).not.toHaveProperty('tokens');
    expect(lines).toContain(
      `Transfer | From: ${getAddress(sender)} | To: ${Second} | Token Amount 7 `,
    );
    expect(lines).toContain(
      `Account Deployed | Factory: ${getAddress(accountFactory.address)} | Paymaster: ${none} | Sender: ${getAddress(sender)} | User Operation Hash: ${good.args.userOpHash}`,
    );

    const bad = await run();
    expect(bad.args.success).toBe(false);
    expect(bad.events.map(told)).toEqual([
      `User Operation Revert Reason | Sender: ${getAddress(sender)} | Nonce: ${bad.args.nonce} | Revert Reason: ERC20: transfer amount exceeds balance | User Operation Hash: ${bad.args.userOpHash}`,
      `User Operation Event | ${five(bad.args)} | Success: No`,
    ]);
  });
});

test('a transaction that failed moved nothing', async () => {
  const gold = await deployErc20(node);
  const receipt = await tryToSend(node, { ...gold.call('transfer', second, 1n) });
  const { events: list, tx_metadata } = await decode(receipt);
  expect(list).toEqual([]);
  expect(tx_metadata.successful).toBe(false);
  const paid = await tryToSend(node, { to: gold.address, value: 5n });
  expect(paid.status).toBe('0x0');
  const response = await decode(paid);
  expect(response.events).toEqual([]);
  expect(response.tx_metadata.value).toBe('5');
});

test('a plain payment is one native transfer', async () => {
  expect((await events({ to: second, value: 10n ** 18n })).map(told)).toEqual([
    `Native Transfer | From: ${first} | To: ${second} | Value ${10n ** 18n} ETH`,
  ]);
});
