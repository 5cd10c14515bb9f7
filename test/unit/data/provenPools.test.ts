/** Prices of real pools that prove themselves, and what says of itself that nothing of it can be proven. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import type { PoolPricesItem } from '../../../src/data/index.js';
import { type Anvil, accounts } from '../../support/anvil.js';
import { assemble, initOf } from '../../support/contracts/assemble.js';
import {
  artifact,
  contractAt,
  deploy,
  deployAnywhere,
  send,
} from '../../support/contracts/contract.js';
import { deployErc20, deployWrappedNative } from '../../support/contracts/tokens.js';
import { addPair, deployUniswap } from '../../support/contracts/uniswap.js';
import { chainName } from '../../support/data.js';
import { issuesOf } from '../../support/openApi.js';
import {
  provenNetwork as network,
  type ProvenChain,
  startProvenChain,
} from '../../support/provenChain.js';
import { patience, type Wire } from '../../support/runs.js';

const minter = accounts[0] as Hex;
const stranger: Hex = `0x${'77'.repeat(20)}`;
const whole = 10n ** 18n;

const v3Artifact = (name: string) =>
  artifact(`@uniswap/v3-core/artifacts/contracts/${name}.sol/${name}.json`);

/** A pool of itself whose reserves are 1 and the time of the block. */
const timedPool = initOf(
  assemble(`
    PUSH0 CALLDATALOAD 0xe0 SHR
    DUP1 0x0902f1ac EQ @reserves JUMPI
    ADDRESS PUSH0 MSTORE
    0x313ce567 EQ @decimals JUMPI
    0x20 PUSH0 RETURN
decimals: 0x12 PUSH0 MSTORE 0x20 PUSH0 RETURN
reserves: 0x01 PUSH0 MSTORE TIMESTAMP 0x20 MSTORE 0x60 PUSH0 RETURN`),
);

async function make(node: Anvil) {
  const wrapped = await deployWrappedNative(node);
  const uniswap = await deployUniswap(node, wrapped);
  const usd = await deployErc20(node, 'Dollar', 'USD');
  const gold = await deployErc20(node, 'Gold', 'GLD');
  for (const token of [usd, gold]) await send(node, token.call('mint', minter, 10n ** 30n));
  const v2 = await addPair(node, uniswap, [
    { token: gold, amount: 300n * whole },
    { token: usd, amount: 700n * whole + 1n },
  ]);
  const factory = await deploy(node, v3Artifact('UniswapV3Factory'));
  await send(node, factory.call('createPool', gold.address, usd.address, 3000));
  const address: Hex = await factory.read('getPool', gold.address, usd.address, 3000);
  const v3 = contractAt(node, v3Artifact('UniswapV3Pool').abi, address);
  await send(node, v3.call('initialize', 123456789n * 2n ** 70n));
  const { address: timed } = await deployAnywhere(node, { abi: [], bytecode: timedPool });
  return { gold, usd, v2: v2.contract, v3, tokens: v2.tokens, timed };
}

let chain: ProvenChain<Awaited<ReturnType<typeof make>>>;
let anchor: AnchoredRoot;
beforeAll(async () => {
  chain = await startProvenChain({
    make,
    service: ({ usd }) => ({
      decoder: { prices: async () => [{ address: usd.address, usd: '1' }] },
    }),
  });
  anchor = await chain.anchorAt();
}, patience);
afterAll(() => chain?.close());

const ask = (
  pool: Hex,
  change: (item: Wire) => void = () => {},
  trust: { anchor: AnchoredRoot } = { anchor },
): Promise<PoolPricesItem> =>
  chain.client((data) => change(data[0])).poolPrices({ pool, network, ...trust });

/** 18 digits of a quotient, cut. */
function digitsOf(above: bigint, below: bigint): string {
  const scaled = String((above * 10n ** 60n) / below).padStart(61, '0');
  const text = `${scaled.slice(0, -60)}.${scaled.slice(-60)}`;
  const first = text.search(/[1-9]/);
  const point = text.indexOf('.');
  const end = first + 18 + Number(first < point && first + 18 > point);
  return text.slice(0, end).replace(/0+$/, '').replace(/\.$/, '');
}

describe('prices of a pool', () => {
  test('follow from what the node says of its reserves, or of its price', async () => {
    const { v2, v3, tokens } = chain.made;
    const [first, second]: [bigint, bigint] = await v2.read('getReserves');
    const [root]: [bigint] = await v3.read('slot0');
    for (const [pool, above, below] of [
      [v2, second, first],
      [v3, root * root, 2n ** 192n],
    ] as const) {
      for (const trust of [{ anchor }, { anchor: await chain.headerAt() }]) {
        const item = await ask(pool.address, undefined, trust);
        expect(item).toMatchObject({
          ...{ verified: true, assumed: ['names', 'quotes'], pool_address: pool.address },
          ...{ token_0_address: tokens[0].address, token_1_address: tokens[1].address },
          ...{ token_0_price: digitsOf(above, below), token_1_price: digitsOf(below, above) },
          ...{ block_height: chain.block, quote_currency: 'USD' },
        });
        expect([item.token_0_ticker, item.token_1_ticker].sort()).toEqual(['GLD', 'USD']);
        expect(Object.keys(item)).not.toContain('proofs');
      }
    }
  });

  test('that depend on the time are not proven', async () => {
    const item = await ask(chain.made.timed);
    expect([item.verified, item.assumed]).toEqual([undefined, ['everything']]);
    const told = ask(chain.made.timed, (lie) => {
      lie.proof = { block: chain.block, accounts: [chain.made.timed] };
    });
    await expect(told).rejects.toMatchObject({ code: 'NOT_VERIFIED' });
  });

  test('that a service lies about are refused', async () => {
    const { v2, v3, gold, timed } = chain.made;
    const entryOf = (item: Wire, address: Hex) =>
      item.proofs.accounts.find((one: Wire) => one.address === address);
    for (const { address } of [v2, v3]) {
      const honest = await ask(address);
      const lies: ((item: Wire) => void)[] = [
        (item) => (item.token_0_price = '1'),
        (item) => (item.token_1_price = '1'),
        (item) =>
          ([item.token_0_price, item.token_1_price] = [item.token_1_price, item.token_0_price]),
        (item) => (item.token_0_address = stranger),
        (item) => (item.token_1_address = item.token_0_address),
        (item) => (item.block_height -= 1),
        (item) => (item.proofs.block -= 1),
        (item) => delete item.proofs,
        (item) => item.proofs.codes.splice(0),
        (item) => item.proofs.accounts.splice(0),
        (item) => entryOf(item, address).storageKeys.pop(),
        (item) => (entryOf(item, address).proof = entryOf(item, gold.address).proof),
      ];
      for (const lie of lies) {
        const told = await ask(address, lie).catch((error) => error);
        expect(told, String(lie)).toMatchObject({ code: 'NOT_VERIFIED' });
      }
      for (const lie of [{ verified: true, invented: '1', block_hash: `0x${'42'.repeat(32)}` }]) {
        expect(await ask(address, (item) => Object.assign(item, lie))).toEqual(honest);
      }
      const without = await ask(address, (item) => delete item.proof);
      expect([without.verified, without.assumed]).toEqual([undefined, ['everything']]);
    }
    const other = ask(v2.address, (item) => (item.pool_address = timed));
    await expect(other).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  });

  test('have those of a day before by the word of the node, at its own block', async () => {
    const { address } = chain.made.v2;
    const { node, served } = chain;
    await node.call('evm_increaseTime', 86_400 + 60);
    await send(node, chain.made.gold.call('transfer', address, 100n * whole));
    await send(node, chain.made.v2.call('sync'));
    for (let i = 0; i < 3; i++) await node.mine();
    await chain.follow();
    await served.feed();
    const block = (await chain.tree.finalBlock()) as number;
    const later = await ask(address, undefined, { anchor: await chain.anchorAt(block) });
    const before = await ask(address);
    expect(later.token_0_price).not.toBe(before.token_0_price);
    expect(later.token_0_price_24h).toBe(before.token_0_price);
    expect([later.verified, later.assumed]).toEqual([true, ['names', 'quotes']]);
  });
});

test('prices of tokens by days, and of gas, say that nothing of them can be proven', async () => {
  const client = chain.client();
  const tokens = [chain.made.usd.address];
  const prices = await client.tokenPrices({ tokens, anchor, network });
  expect(prices.map(({ assumed }) => assumed)).toEqual([['everything']]);
  expect((await client.gasPrices({ kind: 'erc20', anchor, network })).assumed).toEqual([
    'everything',
  ]);
  const [plain] = await client.tokenPrices({ tokens });
  expect([plain?.assumed, (await client.gasPrices({ kind: 'erc20' })).assumed]).toEqual([
    ...[undefined, undefined],
  ]);
});

test('the answer is as the document says', async () => {
  const { body: api } = await chain.served.get('/openapi.json');
  const { get } = api.paths['/v1/pricing/spot_prices/{chain_name}/pools/{pool_address}/'];
  for (const query of ['', '?proofs=true', '?proofs=true&proof-kind=header']) {
    const path = `/v1/pricing/spot_prices/${chainName}/pools/${chain.made.v2.address}/${query}`;
    expect(issuesOf(api, get, await chain.served.get(path)), query).toEqual([]);
  }
});
