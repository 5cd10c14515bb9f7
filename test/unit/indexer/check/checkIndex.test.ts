/** A check of an index: silent about one that was fed from a real node, and not about one in which something is amiss. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkIndex, createIndexer, openIndex } from '../../../../src/indexer/index.js';
import { signedIn } from '../../../../src/indexer/layout/combine.js';
import { type KeyKind, keyOf, kinds, within } from '../../../../src/indexer/layout/layout.js';
import { bodyIn, stateWidth } from '../../../../src/indexer/layout/record.js';
import { openSizedIndex } from '../../../../src/indexer/openIndex.js';
import { sealed } from '../../../../src/indexer/sealed/sealedStore.js';
import { createTransport, RpcError, type Transport } from '../../../../src/rpc/index.js';
import { type Entry, memoryStore, type Store } from '../../../../src/tree/index.js';
import { type Anvil, startAnvil } from '../../../support/anvil.js';
import { modelOf } from '../../../support/chainModel.js';
import { answersOf } from '../../../support/indexAnswers.js';
import { patience } from '../../../support/runs.js';
import { toSignedBytes } from '../../../support/signed.js';
import { entriesOf, rangeOf } from '../../../support/stores.js';
import { startHistory, type TokenHistory } from '../../../support/tokenHistory.js';

let node: Anvil;
let history: TokenHistory;
const l2 = () => createTransport({ url: node.url });

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  history = await startHistory(node, 77);
  await history.mine(50);
  await node.mine({ ...history.rebasing.call('rebase', 9n * 10n ** 18n) });
}, patience);
afterAll(() => node?.close());

async function fed(open = openIndex): Promise<Store> {
  const store = memoryStore();
  const index = await open({ store, chainId: 31337 });
  await createIndexer({ index, l2: l2() }).run({ once: true });
  return store;
}

const small = { loose: 8, page: 200, fanIn: 2, step: 7 };

describe('an index as it was fed', () => {
  test.each([
    ['with segments as ever', openIndex],
    [
      'with segments of a few records',
      (options: Parameters<typeof openIndex>[0]) => openSizedIndex(options, small),
    ],
  ])(
    'fits together, %s, and is what the contracts say',
    async (_, open) => {
      const store = await fed(open);
      const newest = Number(await node.call('eth_blockNumber'));
      const { emitted, touched } = await modelOf(node, newest);
      const steps: number[] = [];
      const found = await checkIndex({
        ...{ store, l2: l2() },
        onProgress: ({ done, total }) => steps.push(total - done),
      });
      expect(found).toMatchObject({
        ...{ chainId: 31337, block: newest },
        ...{ contracts: emitted.size, knownContracts: emitted.size, wallets: emitted.size },
        // Gold and wrapped; what the rebasing one does leaves no event.
        tokens: { equal: 2, different: [], moving: 1, silent: 0 },
      });
      expect(touched.size).toBeGreaterThan(5);
      expect(found.sums).toBeGreaterThanOrEqual(5);
      // How many more there are is chance: some wallets and moves are looked at.
      const pairs = [...emitted.values()].reduce((sum, { size }) => sum + size, 0);
      expect(pairs).toBeGreaterThan(20);
      expect(found.records).toBeGreaterThan(pairs);
      expect(steps).toEqual(steps.map((_, i) => steps.length - 1 - i));
      const some = await checkIndex({ store, contracts: 2 });
      expect(some).toMatchObject({ contracts: 2, knownContracts: emitted.size, tokens: undefined });
      await store.close();
    },
    patience,
  );

  test(
    'is checked as it was at the beginning, whatever is written meanwhile',
    async () => {
      const store = memoryStore();
      const index = await openIndex({ store, chainId: 31337 });
      const indexer = createIndexer({ index, l2: l2() });
      await indexer.run({ once: true });
      const newest = await index.newestBlock();
      const writing: Promise<unknown>[] = [];
      await history.mine(3);
      const found = await checkIndex({
        ...{ store, l2: l2() },
        onProgress({ done }) {
          if (done === 1) writing.push(indexer.run({ once: true }));
        },
      });
      await Promise.all(writing);
      expect(await index.newestBlock()).toBe((newest as number) + 3);
      expect(found).toMatchObject({ block: newest, tokens: { different: [] } });
      await index.close();
    },
    patience,
  );

  test('is read from its store, whatever pages an open index keeps', async () => {
    const store = memoryStore();
    const index = await openSizedIndex({ store, chainId: 31337 }, small);
    await createIndexer({ index, l2: l2() }).run({ once: true });
    const before = await answersOf(index);
    for (const { key, value } of await entriesOf(store)) {
      if (key[0] !== kinds.page) continue;
      const damaged = Uint8Array.from(value);
      damaged[7] = (damaged[7] as number) ^ 1;
      await store.write({ puts: [{ key, value: damaged }], deletes: [] });
    }
    const refusal = { name: 'IndexError', code: 'DAMAGED' };
    await expect(checkIndex({ store })).rejects.toMatchObject(refusal);
    const other = await openSizedIndex({ store }, small);
    await expect(answersOf(other)).rejects.toMatchObject(refusal);
    // An index that is open goes on with what it has checked, or sees the damage.
    const after = await answersOf(index).catch((error) => error);
    if (after instanceof Error) expect(after).toMatchObject(refusal);
    else expect(after).toEqual(before);
    await index.close();
  });

  test('of tokens alone, or of no block, has numbers that fit', async () => {
    const store = memoryStore();
    const index = await openIndex({ store, chainId: 31337, only: 'tokens' });
    expect(await checkIndex({ store, l2: l2() })).toMatchObject({ block: undefined, contracts: 0 });
    await createIndexer({ index, l2: l2() }).run({ once: true });
    const found = await checkIndex({ store });
    expect(found).toMatchObject({ sums: 0, wallets: 0, tokens: undefined });
    expect(found.contracts).toBeGreaterThan(4);
    await index.close();
    await expect(checkIndex({ store: memoryStore() })).rejects.toMatchObject({
      code: 'WRONG_INDEX',
    });
  });

  test('stops when it is told to, and takes no wrong options', async () => {
    const store = await fed();
    const ending = new AbortController();
    const reason = new Error('enough');
    const work = checkIndex({
      ...{ store, signal: ending.signal },
      onProgress: ({ done }) => done === 2 && ending.abort(reason),
    });
    await expect(work).rejects.toBe(reason);
    for (const contracts of [0, 1.5, 100_001]) {
      await expect(checkIndex({ store, contracts })).rejects.toThrow('"contracts" expected');
    }
    await expect(checkIndex({ store, node: l2() } as never)).rejects.toThrow(TypeError);
    await expect(checkIndex({ store, l2: undefined } as never)).rejects.toThrow(TypeError);
    await store.close();
  });
});

/** A transport to the node, some of whose answers are others. */
function answering(edit: (method: string, params: readonly unknown[]) => unknown): Transport {
  const inner = l2();
  return {
    ...inner,
    async call(method, params, options) {
      const other = edit(method, params);
      if (other instanceof Error) throw other;
      return other === undefined ? inner.call(method, params, options) : other;
    },
  };
}
const asksSupply = (method: string, params: readonly unknown[]) =>
  method === 'eth_call' && (params[0] as { data?: string }).data === '0x18160ddd';

describe('a node', () => {
  test.each<[string, unknown]>([
    ['fails', new RpcError('SERVER_ERROR', 'eth_call', 'reverted', { serverCode: 3 })],
    ['has an answer without end', new RpcError('TOO_LARGE', 'eth_call', 'too long')],
    ['answers nothing', '0x'],
  ])(
    'of which the question for a supply %s leaves the token out, and nothing else',
    async (_, answer) => {
      const store = await fed();
      const node = answering((method, params) => (asksSupply(method, params) ? answer : undefined));
      const { tokens } = await checkIndex({ store, l2: node });
      expect(tokens).toMatchObject({ equal: 0, different: [], moving: 0, silent: 3 });
      await store.close();
    },
    patience,
  );

  test('that is away in the middle, or names no chain, ends the check', async () => {
    const store = await fed();
    const gone = new RpcError('UNAUTHORIZED', 'eth_call', 'no');
    const away = answering((method) => (method === 'eth_call' ? gone : undefined));
    await expect(checkIndex({ store, l2: away })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    for (const odd of ['7', null, `0x${'f'.repeat(20)}`]) {
      const work = checkIndex({
        store,
        l2: answering((method) => (method === 'eth_chainId' ? odd : undefined)),
      });
      await expect(work).rejects.toMatchObject({
        code: 'WRONG_CHAIN',
        message: expect.stringContaining('none that is known'),
      });
    }
    await store.close();
  });

  test(
    'of another chain or on another block is told',
    async () => {
      const store = await fed();
      const other = await startAnvil('--chain-id', '7');
      const same = await startAnvil();
      const ask = (url: string) => checkIndex({ store, l2: createTransport({ url }) });
      await expect(ask(other.url)).rejects.toMatchObject({ code: 'WRONG_CHAIN' });
      await expect(ask(same.url)).rejects.toMatchObject({ code: 'NODE_FAILED' });
      const { url } = same;
      await Promise.all([other.close(), same.close()]);
      await expect(ask(url)).rejects.toMatchObject({ code: 'NETWORK' });
      await store.close();
    },
    patience,
  );
});

describe('an index in which something is amiss', () => {
  /** Changes some entries of an index, with their seals: as if it had been fed so. */
  async function changed(
    kind: KeyKind,
    change: (entry: Entry, all: readonly Entry[]) => Entry | undefined,
  ): Promise<Store> {
    const store = await fed();
    const { from, to } = within(kind);
    const all = await rangeOf(sealed(store), from, to, { limit: 10_000 });
    const pairs = all.map((entry) => [entry, change(entry, all)] as const);
    const puts = pairs.flatMap(([, after]) => after ?? []);
    const deletes = pairs
      .filter(([{ key }, after]) => !after || Buffer.compare(after.key, key) !== 0)
      .map(([{ key }]) => key);
    expect(all.length).toBeGreaterThan(0);
    await sealed(store).write({ puts, deletes });
    return store;
  }
  const numberOf = async (store: Store, address: string) => {
    const key = keyOf('contract', Buffer.from(address.slice(2), 'hex'));
    return (await sealed(store).read({ keys: [key], ranges: [] })).values[0] as Uint8Array;
  };
  /** Another body behind the state and block of a value. */
  const withBody = (value: Uint8Array, body: Uint8Array) =>
    Buffer.concat([value.subarray(0, stateWidth), body]);
  const first = (all: readonly Entry[], entry: Entry) => entry === all[0];
  const last = (all: readonly Entry[], entry: Entry) => entry === all.at(-1);

  test.each<[string, KeyKind, (entry: Entry, all: readonly Entry[]) => Entry | undefined, RegExp]>([
    [
      'a sum of a wallet',
      'sum',
      ({ key, value }) => {
        const more = toSignedBytes(signedIn(bodyIn(value)) + 2n ** 64n);
        return { key, value: withBody(value, more) };
      },
      /does not fit together: the transfers of 0x\w{40} add up to -?\d+, and its sum is \d+/,
    ],
    ['transfers that are lost', 'moved', () => undefined, /the transfers of 0x\w{40} add up to 0/],
    ['moves of tokens that are lost', 'item', () => undefined, /its tokens are 0 by their moves/],
    [
      'a total that counts too many',
      'total',
      ({ key, value }) => {
        const body = Uint8Array.from(bodyIn(value));
        body[5] = (body[5] as number) + 1;
        return { key, value: withBody(value, body) };
      },
      /the index lists \d+ transactions, \d+ of them sent of 0x\w{40}, and its totals say/,
    ],
    [
      'a transaction without the part of its sender',
      'touched',
      ({ key, value }) => ({ key, value: withBody(value, Uint8Array.of(8)) }),
      /the index lists \d+ transactions, 0 of them sent/,
    ],
    [
      'a block with logs that has none',
      'emitted',
      ({ key, value }) => ({ key, value: withBody(value, new Uint8Array(3)) }),
      /a block with logs has none/,
    ],
    [
      'a record of a block that is still to come',
      'emitted',
      ({ key, value }) => {
        const later = Uint8Array.from(value);
        later[1] = 1;
        return { key, value: later };
      },
      /a record is of a block that the index does not have/,
    ],
    [
      'an address that has the number of another',
      'contract',
      (entry, all) =>
        first(all, entry) ? { key: entry.key, value: (all[1] as Entry).value } : entry,
      /it has another number than its address/,
    ],
    [
      'the last contract that is lost',
      'address',
      (entry, all) => (last(all, entry) ? undefined : entry),
      /the index does not hold the \d+ contracts that its head says/,
    ],
    [
      'another contract that is lost',
      'address',
      (entry, all) => (first(all, entry) ? undefined : entry),
      /nothing as the address of contract 0/,
    ],
    [
      'half a transaction',
      'touched',
      ({ key, value }) => ({ key, value: Buffer.concat([value, Buffer.of(1)]) }),
      /half a transaction/,
    ],
    [
      'a total of no address',
      'total',
      ({ key, value }) => ({ key: key.subarray(0, -1), value }),
      /a total of no address/,
    ],
    [
      'a sum of a wrong width',
      'sum',
      ({ key, value }) => ({ key: key.subarray(0, -1), value }),
      /as a sum/,
    ],
  ])(
    '%s',
    async (_, kind, change, text) => {
      const store = await changed(kind, change);
      // Chance names the wallets that are looked at, and some have nothing amiss.
      let failure: Error | undefined;
      for (let check = 0; check < 50 && failure === undefined; check++) {
        await checkIndex({ store, name: 'the index of a test' }).catch((error) => {
          failure = error;
        });
      }
      expect(failure).toMatchObject({ name: 'IndexError', code: 'DAMAGED' });
      const { message } = failure as Error;
      expect(message).toMatch(text);
      expect(message).toMatch(/^the index of a test: .*feed a new one/);
      await store.close();
    },
    patience,
  );

  test('a transfer that nobody fed is seen by its contract alone', async () => {
    const store = await fed();
    const gold = await numberOf(store, history.gold.address);
    // Whoever has least of it loses what it has, and the transfers with it.
    const { from, to } = within('sum', gold);
    const sums = await rangeOf(sealed(store), from, to, { limit: 100 });
    const lost = sums.find(({ value }) => signedIn(bodyIn(value)) > 0n) as Entry;
    const wallet = lost.key.subarray(-20);
    const moved = within('moved', wallet, gold);
    const moves = await rangeOf(sealed(store), moved.from, moved.to, { limit: 1000 });
    await sealed(store).write({ puts: [], deletes: [lost.key, ...moves.map(({ key }) => key)] });
    expect((await checkIndex({ store })).tokens).toBeUndefined();
    const { tokens } = await checkIndex({ store, l2: l2() });
    const supply = BigInt(await history.gold.read('totalSupply'));
    expect(tokens).toMatchObject({ equal: 1, moving: 1, silent: 0 });
    expect(tokens?.different).toEqual([
      {
        contract: history.gold.address,
        sums: supply - signedIn(bodyIn(lost.value)),
        supply,
        wallet: undefined,
      },
    ]);
    await store.close();
  });

  test('a byte of the store', async () => {
    const store = await fed();
    const all = await entriesOf(store);
    const entry = all.find(({ key }) => key[0] === kinds.emitted) as Entry;
    const value = Uint8Array.from(entry.value);
    value[8] = (value[8] as number) ^ 1;
    await store.write({ puts: [{ key: entry.key, value }], deletes: [] });
    await expect(checkIndex({ store })).rejects.toMatchObject({ code: 'DAMAGED' });
    await store.close();
  });
});
