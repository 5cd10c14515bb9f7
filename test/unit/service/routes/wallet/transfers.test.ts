/** Transfers of wallets: each list is what the logs of a real node say. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import {
  type Anvil,
  accounts,
  startAnvil,
  type Transaction,
  word,
} from '../../../../support/anvil.js';
import { assemble, initOf } from '../../../../support/contracts/assemble.js';
import { type Contract, deployAnywhere, send } from '../../../../support/contracts/contract.js';
import { deployEmitter, type Emitter } from '../../../../support/contracts/emitter.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import {
  deployErc20,
  deployErc721,
  deployWrappedNative,
} from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import {
  askData,
  type DataAsker,
  itemsOf,
  pagesOf,
  timeOf,
} from '../../../../support/dataRoutes.js';
import { patience, runsOf, type Wire } from '../../../../support/runs.js';
import {
  events,
  type ModelTransaction,
  nobody,
  readModel,
} from '../../../../support/transferModel.js';

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
let multicall: Contract;
let gold: Contract;
let deed: Contract;
let wrapped: Contract;
let emitters: readonly Emitter[];

const [alice, bob] = accounts as readonly [Hex, Hex];
const carol: Hex = `0x${'ca'.repeat(20)}`;
const stranger: Hex = `0x${'5e'.repeat(20)}`;
const most = 2n ** 256n - 1n;

beforeAll(async () => {
  node = await startAnvil('--timestamp', String(Math.floor(Date.now() / 1000) - 86_400));
  multicall = await placeMulticall(node);
  gold = await deployErc20(node);
  deed = await deployErc721(node);
  wrapped = await deployWrappedNative(node);
  emitters = [await deployEmitter(node, 1), await deployEmitter(node, 2)];
  served = await serveData(node.url);
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const pathOf = (wallet: Hex) => `${chainName}/address/${wallet}/transfers_v2/`;

interface Wanted {
  readonly wallet: Hex;
  readonly contract?: Hex | undefined;
  readonly isAscending?: boolean;
}

const queryOf = ({ contract, isAscending = false }: Wanted) =>
  `?block-signed-at-asc=${isAscending}${contract === undefined ? '' : `&contract-address=${contract}`}`;

/** What a list must hold: the hash of each transaction, and the transfers in it. */
function expected(
  transactions: readonly ModelTransaction[],
  { wallet, contract, isAscending = false }: Wanted,
) {
  // To and from it, tokens are made and burnt: it has no list.
  if (wallet === nobody) return [];
  const items = transactions.flatMap(({ sent, transfers }) => {
    const own = transfers.filter((one) => contract === undefined || one.contract === contract);
    const sides = own.flatMap(({ contract: contract_address, from, to, amount }) => {
      const shared = {
        contract_address,
        from_address: from,
        to_address: to,
        delta: String(amount),
      };
      return [
        ...(from === wallet ? [{ ...shared, transfer_type: 'transfer-out' }] : []),
        ...(to === wallet ? [{ ...shared, transfer_type: 'transfer-in' }] : []),
      ];
    });
    const ordered = isAscending ? sides : sides.reverse();
    return sides.length === 0 ? [] : [{ tx_hash: sent.hash, transfers: ordered }];
  });
  return isAscending ? items : items.reverse();
}

/** The same members of an answer's items. */
const shown = (items: readonly Wire[]) =>
  items.map(({ tx_hash, transfers }) => ({
    tx_hash,
    transfers: transfers.map(
      ({ contract_address, from_address, to_address, delta, transfer_type }: Wire) => ({
        ...{ contract_address, from_address, to_address, delta, transfer_type },
      }),
    ),
  }));

/** Every list of some wallets, against what the node says now. */
async function compare(
  wallets: readonly Hex[],
  { size, contracts }: { size: number; contracts: readonly (Hex | undefined)[] },
): Promise<void> {
  const { transactions, newest } = await readModel(node);
  const lists: Wanted[] = wallets.flatMap((wallet) =>
    contracts.flatMap((contract) =>
      [false, true].map((isAscending) => ({ wallet, contract, isAscending })),
    ),
  );
  for (const list of lists) {
    const items = expected(transactions, list);
    const path = pathOf(list.wallet) + queryOf(list);
    const whole = await ask.data(`${path}&page-size=1000`);
    expect(shown(whole.items), path).toEqual(items);
    expect(whole).toMatchObject({
      ...{ address: list.wallet, quote_currency: 'USD' },
      ...{ block_height: Number(newest.number), block_hash: newest.hash },
      pagination: {
        ...{ has_more: false, page_number: 0, page_size: 1000, cursor: null },
        total_count: list.contract === undefined ? null : items.length,
      },
    });
    expect(shown(await itemsOf(ask, `${path}&page-size=${size}`)), path).toEqual(items);
    if (list.isAscending) continue;
    const numbered: Wire[] = [];
    for (let number = 0; ; number++) {
      const data = await ask.data(`${path}&page-size=${size}&page-number=${number}`);
      numbered.push(...data.items);
      if (list.contract !== undefined) {
        expect(data.pagination.has_more).toBe(size * (number + 1) < items.length);
      }
      if (!data.pagination.has_more) break;
    }
    expect(shown(numbered), path).toEqual(items);
  }
}

const inWord = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const amountOf = (amount: bigint): Hex => `0x${word(amount)}`;

/** A log of an emitter. */
interface Said {
  readonly emitter: number;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const transferLog = (emitter: number, [from, to]: readonly [Hex, Hex], amount: bigint): Said => ({
  emitter,
  topics: [events.transfer, inWord(from), inWord(to)],
  data: amountOf(amount),
});
const wrapLog = (event: 'deposit' | 'withdrawal', wallet: Hex, amount: bigint): Said => ({
  ...{ emitter: 0, topics: [events[event], inWord(wallet)], data: amountOf(amount) },
});

/** A transaction that emits these logs. */
function emitAll(logs: readonly Said[]): Transaction {
  const calls = logs.map(({ emitter, topics, data }) => {
    const { address, emit } = emitters[emitter] as Emitter;
    return { target: address, allowFailure: false, callData: emit(topics, data).data };
  });
  return { ...multicall.call('aggregate3', calls), gas: '0x800000' };
}

test(
  'transfers, mints, burns and wrappings are listed as the logs say',
  async () => {
    await node.mine(
      gold.call('mint', alice, 1000n) as Transaction,
      gold.call('transfer', bob, 10n),
      gold.call('transfer', bob, 0n),
      gold.call('transfer', alice, 5n),
      gold.call('burn', 7n),
      gold.call('transfer', bob, 10_000n),
      deed.call('mint', alice),
    );
    await node.mine(
      { ...wrapped.call('deposit'), value: 90n },
      wrapped.call('withdraw', 40n),
      wrapped.call('transfer', bob, 3n),
      emitAll([
        transferLog(0, [nobody, alice], most),
        transferLog(0, [nobody, alice], most),
        transferLog(0, [alice, alice], most),
        transferLog(0, [alice, bob], 1n),
        transferLog(1, [carol, alice], 2n),
      ]),
      // Both events for one wrapping, in either order; the second of them twice.
      emitAll([
        wrapLog('deposit', bob, 8n),
        transferLog(0, [nobody, bob], 8n),
        transferLog(0, [bob, nobody], 6n),
        wrapLog('withdrawal', bob, 6n),
        wrapLog('withdrawal', bob, 6n),
      ]),
    );
    await served.feed();
    const contracts = [undefined, gold, deed, wrapped, emitters[0]].map((one) => one?.address);
    await compare([alice, bob], { size: 2, contracts });
    await compare([carol, stranger, nobody, gold.address], { size: 1, contracts: [undefined] });
    // What the model says is not empty, and in the words of the interface.
    const { items } = await ask.data(`${pathOf(alice)}?contract-address=${gold.address}`);
    expect(
      items.map(({ transfers }: Wire) =>
        transfers.map(({ transfer_type: type, delta }: Wire) => `${type} ${delta}`),
      ),
    ).toEqual([
      ['transfer-out 7'],
      ['transfer-in 5', 'transfer-out 5'],
      ['transfer-out 0'],
      ['transfer-out 10'],
      ['transfer-in 1000'],
    ]);
    const twice = await ask.data(`${pathOf(bob)}?contract-address=${emitters[0]?.address}`);
    expect(twice.items[0].transfers.map(({ delta }: Wire) => delta)).toEqual(['6', '6', '8']);
  },
  patience,
);

test(
  'an item says of its transaction what the node says',
  async () => {
    const { transactions } = await readModel(node);
    const { items } = await ask.data(`${pathOf(alice)}?contract-address=${gold.address}`);
    for (const item of items) {
      const told = transactions.find(({ sent }) => sent.hash === item.tx_hash);
      const { block, sent, receipt } = told as ModelTransaction;
      const fees = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
      const { transfers, gas_metadata, ...rest } = item;
      expect(rest).toEqual({
        ...{ block_signed_at: timeOf(block.timestamp), block_height: Number(block.number) },
        ...{ block_hash: block.hash, tx_hash: sent.hash, tx_offset: Number(sent.transactionIndex) },
        ...{ successful: true, miner_address: block.miner },
        ...{ from_address: sent.from, from_address_label: null },
        ...{ to_address: sent.to, to_address_label: null },
        ...{ value: String(BigInt(sent.value)), value_quote: null, pretty_value_quote: null },
        ...{ gas_offered: Number(sent.gas), gas_spent: Number(receipt.gasUsed) },
        ...{ gas_price: Number(receipt.effectiveGasPrice), fees_paid: String(fees) },
        ...{ gas_quote: null, pretty_gas_quote: null, gas_quote_rate: null },
      });
      expect(gas_metadata.contract_ticker_symbol).toBe('ETH');
      expect(transfers[0]).toMatchObject({
        ...{ block_signed_at: rest.block_signed_at, tx_hash: sent.hash },
        ...{ contract_name: 'Gold', contract_ticker_symbol: 'GLD', contract_decimals: 18 },
        ...{ balance: null, balance_quote: null, method_calls: null, quote_rate: null },
      });
    }
  },
  patience,
);

describe('a range of blocks', () => {
  test('bounds the list, and a final one never changes', async () => {
    const { transactions, newest } = await readModel(node);
    const top = Number(newest.number);
    const list = { wallet: alice, contract: gold.address };
    for (const [from, to] of [
      [0, top - 2],
      [top - 1, top],
      [top, top],
    ] as const) {
      const path = `${pathOf(alice)}${queryOf(list)}&starting-block=${from}&ending-block=${to}`;
      const inside = transactions.filter(
        ({ block }) => Number(block.number) >= from && Number(block.number) <= to,
      );
      expect(shown((await ask.data(path)).items)).toEqual(expected(inside, list));
      const { headers, body } = await served.get(`/v1/${path}`);
      const isFinal = to <= top - 2;
      expect(headers.get('cache-control')).toBe(
        isFinal ? 'private, max-age=31536000, immutable' : 'no-store',
      );
      expect(body.data.block_height).toBe(isFinal ? to : top);
    }
  });

  test.each([
    ['upside down', 'starting-block=5&ending-block=4', 400, 'must not be before'],
    ['of no form', 'starting-block=x', 400, 'must be the number of a block'],
    ['beyond the newest block', 'ending-block=9999999', 404, 'beyond the newest block'],
  ])('%s is refused', async (_, query, status, message) => {
    const failure = await ask.failure(`${pathOf(alice)}?${query}`);
    expect(failure).toEqual({ status, message: expect.stringContaining(message) });
  });

  test.each([
    ['contract-address=0x12', 'contract-address must be 0x and 40 hex digits'],
    ['page-size=1001', 'page-size must be a whole number from 1 to 1000'],
    ['page-size=0', 'page-size must be a whole number from 1 to 1000'],
    ['page-number=-1', 'page-number must be a whole number from 0'],
    ['block-signed-at-asc=yes', 'block-signed-at-asc must be true or false'],
    ['quote-currency=XXX', 'quote-currency must be one of'],
  ])('and so is %s', async (query, message) => {
    const failure = await ask.failure(`${pathOf(alice)}?${query}`);
    expect(failure).toEqual({ status: 400, message: expect.stringContaining(message) });
  });
});

test(
  'after random histories and reorgs, every list is what the logs of the node say',
  async () => {
    const wallet = fc.constantFrom(nobody, alice, bob, carol);
    const amount = fc.oneof(fc.bigInt(0n, 2n), fc.constantFrom(most, 2n ** 255n));
    const pair = fc.tuple(wallet, wallet);
    const emitter = fc.constantFrom(0, 1);
    const log: fc.Arbitrary<Said> = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(emitter, pair, amount).map((args) => transferLog(...args)) },
      {
        weight: 4,
        arbitrary: fc
          .tuple(fc.constantFrom('deposit' as const, 'withdrawal' as const), wallet, amount)
          .map((args) => wrapLog(...args)),
      },
      // Old, with nothing indexed; with an id; with a word that is no address; with too much data.
      fc.tuple(emitter, pair, amount).map(([emitter, [from, to], amount]) => ({
        ...{ emitter, topics: [events.transfer] },
        data: `${inWord(from)}${inWord(to).slice(2)}${word(amount)}` as Hex,
      })),
      fc.tuple(emitter, pair, amount).map(([emitter, [from, to], id]) => ({
        ...{ emitter, topics: [events.transfer, inWord(from), inWord(to), amountOf(id)] },
        data: '0x' as Hex,
      })),
      fc.tuple(emitter, wallet, amount).map(([emitter, to, amount]) => ({
        ...{ emitter, topics: [events.transfer, `0x01${inWord(to).slice(4)}` as Hex, inWord(to)] },
        data: amountOf(amount),
      })),
      fc.tuple(emitter, pair, amount).map(([emitter, [from, to], amount]) => ({
        ...{ emitter, topics: [events.transfer, inWord(from), inWord(to)] },
        data: `${amountOf(amount)}00` as Hex,
      })),
    );
    const block = fc.array(fc.array(log, { minLength: 1, maxLength: 6 }), { maxLength: 4 });
    const history = fc.record({
      reorg: fc.integer({ min: 0, max: 2 }),
      blocks: fc.array(block, { minLength: 1, maxLength: 4 }),
      size: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(history, async ({ reorg, blocks, size }) => {
        if (reorg > 0) await node.call('anvil_reorg', reorg, []);
        for (const transactions of blocks) await node.mine(...transactions.map(emitAll));
        await served.feed();
        const contracts = [undefined, ...emitters.map(({ address }) => address)];
        await compare([alice], { size, contracts });
      }),
      { numRuns: Math.ceil(runsOf().numRuns / 20) },
    );
  },
  patience,
);

test(
  'a page of too many transfers asks for a smaller one; a transaction alone is never too large',
  async () => {
    const many = 5050;
    const code = assemble(`
      PUSH0 CALLDATALOAD
      loop:
        DUP1 PUSH0 MSTORE ${carol} ${carol} ${events.transfer} 0x20 PUSH0 LOG3
        0x01 SWAP1 SUB DUP1 @loop JUMPI STOP`);
    const { address } = await deployAnywhere(node, { abi: [], bytecode: initOf(code) });
    for (let i = 0; i < 2; i++) {
      await send(node, { to: address, data: amountOf(BigInt(many)), gas: '0x1000000' });
    }
    await served.feed();
    for (const query of ['', `contract-address=${address}&`]) {
      const path = `${pathOf(carol)}?${query}`;
      expect(await ask.failure(`${path}page-size=2`)).toEqual({
        status: 400,
        message: 'this page has more than 20000 transfers: name a smaller page-size',
      });
    }
    // To hold so long an answer against the description would take longer than all the rest.
    const { body } = await served.get(`/v1/${pathOf(carol)}?page-size=1&page-number=1`);
    const [item] = body.data.items;
    expect(item.transfers.map(({ delta }: Wire) => Number(delta))).toEqual(
      Array.from({ length: 2 * many }, (_, i) => 1 + Math.floor(i / 2)),
    );
  },
  patience,
);

describe('a walk by cursor', () => {
  const list: Wanted = { wallet: alice };
  const path = `${pathOf(alice)}${queryOf(list)}&page-size=2`;
  const more = () => node.mine(emitAll([transferLog(1, [alice, bob], 1n)]));

  test(
    'at a moving head has nothing twice, and lacks nothing',
    async () => {
      const before = expected((await readModel(node)).transactions, list);
      const found: Wire[] = [];
      for await (const page of pagesOf(ask, path)) {
        found.push(...page.items);
        await more();
        await served.feed();
      }
      expect(shown(found)).toEqual(before);
      // From the oldest on, those that came meanwhile follow.
      const rising = { ...list, isAscending: true };
      const risen: Wire[] = [];
      let left = 3;
      for await (const page of pagesOf(ask, `${pathOf(alice)}${queryOf(rising)}&page-size=9`)) {
        risen.push(...page.items);
        if (page.pagination.has_more && left-- > 0) {
          await more();
          await served.feed();
        }
      }
      expect(shown(risen)).toEqual(expected((await readModel(node)).transactions, rising));
    },
    patience,
  );

  test(
    'goes on in another process that serves the chain, and with other sizes',
    async () => {
      const other = await serveData(node.url);
      try {
        const { pagination, items } = await ask.data(path);
        const others = await askData(other);
        const rest = await itemsOf(others, `${pathOf(alice)}?page-size=1000`);
        const data = await others.data(
          `${pathOf(alice)}?page-size=1000&cursor=${pagination.cursor}`,
        );
        expect(data.pagination).toMatchObject({ page_number: 1, has_more: false, cursor: null });
        expect([...items, ...data.items]).toEqual(rest);
      } finally {
        await other.close();
      }
    },
    patience,
  );

  test(
    'ends once the block of its answer was taken back, and begins again',
    async () => {
      const { pagination } = await ask.data(path);
      await node.call('anvil_reorg', 1, []);
      await served.feed();
      expect(await ask.failure(`${path}&cursor=${pagination.cursor}`)).toEqual({
        status: 400,
        message: 'the chain has changed; begin again',
      });
      expect(shown(await itemsOf(ask, path))).toEqual(
        expected((await readModel(node)).transactions, list),
      );
    },
    patience,
  );

  test(
    'waits for an index that is behind',
    async () => {
      const other = await serveData(node.url);
      try {
        await more();
        await served.feed();
        const { pagination } = await ask.data(path);
        const { status, headers, body } = await other.get(
          `/v1/${path}&cursor=${pagination.cursor}`,
        );
        expect([status, headers.get('retry-after')]).toEqual([503, '1']);
        expect(body.error_message).toContain('has not come to the block of this cursor');
      } finally {
        await other.close();
      }
    },
    patience,
  );
});
