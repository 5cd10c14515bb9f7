/** Parts of the data interface by themselves: the block that is meant, and where amounts come from. */
import { afterEach, describe, expect, test } from 'vitest';
import { multicall3 } from '../../../../src/abi/multicall.js';
import type { Hex } from '../../../../src/bytes.js';
import { openIndex } from '../../../../src/indexer/openIndex.js';
import { RpcError } from '../../../../src/rpc/index.js';
import { createNodeClient, toAskNode } from '../../../../src/rpc/nodeClient.js';
import { type Amounts, createNodeAmounts } from '../../../../src/service/chain/amounts.js';
import type { ContractCall } from '../../../../src/service/chain/node.js';
import { createIndexHead } from '../../../../src/service/data/indexHead.js';
import {
  createDataInterface,
  createDecoder,
  createService,
} from '../../../../src/service/index.js';
import { createStateAmounts, loadEngine } from '../../../../src/service/proving/ownState.js';
import { memoryStore, openStateTree, type StateTree } from '../../../../src/tree/index.js';
import { startHttp } from '../../../support/http.js';

const wallet: Hex = `0x${'5e'.repeat(20)}`;
const contract: Hex = `0x${'cc'.repeat(20)}`;
const hash: Hex = `0x${'05'.repeat(32)}`;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('amounts by a node', () => {
  const failure = (serverMessage?: string) =>
    serverMessage === undefined
      ? new RpcError('NETWORK', 'eth_call', 'away')
      : new RpcError('SERVER_ERROR', 'eth_call', serverMessage, { serverMessage });
  const one = new Uint8Array(32).fill(1);
  const pause = async () => {};
  const ask = [{ to: contract, data: '0x70a08231' as Hex }];

  /** @param answer what a call gives */
  function amountsBy(answer: (call: ContractCall) => Uint8Array) {
    const asked: Hex[] = [];
    const amounts = createNodeAmounts({
      async callAt(call) {
        asked.push(call.to);
        return answer(call);
      },
      balanceAt: async () => 7n,
    });
    return { asked, amounts };
  }

  test('without Multicall3 are asked for one by one, and that is asked for once', async () => {
    const { asked, amounts } = amountsBy(({ to }) => (to === multicall3 ? new Uint8Array(0) : one));
    for (let i = 0; i < 3; i++) expect(await amounts.call(ask, 5, pause)).toEqual([one]);
    expect(asked).toEqual([multicall3, contract, contract, contract]);
  });

  test('are asked for one by one if the node fails at them together', async () => {
    const { asked, amounts } = amountsBy(({ to }) => {
      if (to === multicall3) throw failure('too busy');
      return one;
    });
    expect(await amounts.call(ask, 5, pause)).toEqual([one]);
    expect(asked).toEqual([multicall3, contract]);
  });

  test('of a contract that fails with a message of the node are missing', async () => {
    const { amounts } = amountsBy(({ to }) => {
      if (to === multicall3) return new Uint8Array(0);
      throw failure('the contract is odd');
    });
    expect(await amounts.call(ask, 5, pause)).toEqual([undefined]);
  });

  test('fail if the node is away', async () => {
    for (const away of [multicall3, contract]) {
      const { amounts } = amountsBy(({ to }) => {
        if (to === away) throw failure();
        return new Uint8Array(0);
      });
      await expect(amounts.call(ask, 5, pause)).rejects.toMatchObject({ code: 'NETWORK' });
    }
  });
});

/** A state of two blocks, in which a contract has the code given. */
async function stateWith(code: Hex = '0x6001'): Promise<StateTree> {
  const tree = await openStateTree();
  closing.push(() => tree.close());
  const changes = [{ address: contract, account: { nonce: 1n, balance: 5n, code } }];
  await tree.applyBlock({ number: 5, hash, changes });
  await tree.finalize(5);
  return tree;
}

describe('the block that balances are of', () => {
  const node = { hashAt: async () => hash };
  const busy = (message: string) => ({ status: 503, message: expect.stringContaining(message) });

  async function headOf(
    tree?: StateTree,
    finality: () => Promise<number | undefined> = async () => 5,
  ) {
    const index = await openIndex({ store: memoryStore(), chainId: 1 });
    closing.push(() => index.close());
    const state = tree && ({ tree, finality, fork: 'prague' } as const);
    return createIndexHead({ index, state, recheck: 0 });
  }

  test('is there once the index holds one', async () => {
    const head = await headOf();
    await expect(head.newest(node)).rejects.toMatchObject(busy('the index holds no block yet'));
  });

  test('is there once the own state holds one', async () => {
    const empty = await openStateTree();
    const head = await headOf(empty);
    await expect(head.newest(node)).rejects.toMatchObject(busy('no finalized block is held'));
    await empty.close();
  });

  test('waits for the index', async () => {
    const head = await headOf(await stateWith());
    const waits = busy('the index is behind the state');
    await expect(head.newest(node)).rejects.toMatchObject(waits);
    await expect(head.final(5, node)).rejects.toMatchObject(waits);
  });

  test('that is asked for and not held is not found; other failures are what they are', async () => {
    const tree = await stateWith();
    const missing = (await headOf(tree)).final(6, node);
    await expect(missing).rejects.toMatchObject({ status: 404, code: -32600 });
    const unknown = await headOf(tree, () => Promise.reject(new Error('L1 is away')));
    await expect(unknown.final(5, node)).rejects.toMatchObject({ status: 200, code: -32603 });
    // The code is not enough: a tree elsewhere may have codes of its own.
    const own = Object.assign(new Error('elsewhere'), { code: -32600 });
    const far = await headOf({ ...tree, newestBlock: () => Promise.reject(own) });
    await expect(far.final(5, node)).rejects.toBe(own);
  });
});

describe('amounts by an own state', () => {
  const call = { to: contract, data: '0x70a08231' as Hex };
  const pause = async () => {};
  const told = new Uint8Array(32).fill(9);
  const other: Amounts = {
    balanceAt: async () => 0n,
    call: async (calls) => calls.map(() => told),
  };

  const client = createNodeClient(toAskNode(async () => null));

  const amountsOf = (tree: StateTree, code: unknown) =>
    createStateAmounts({
      state: { tree, finality: async () => 5, fork: 'prague' },
      ...{ chainId: 1, other, node: { codeAt: async () => code, client } },
    });

  test.each<[string, unknown]>([
    ['of another length', '0x6001ff'],
    ['of another hash', '0x6002'],
    ['that is missing', null],
  ])('are not worked out with code %s', async (_, code) => {
    const amounts = amountsOf(await stateWith(), code);
    const refused = { name: 'NodeError', code: 'BAD_ANSWER' };
    await expect(amounts.call([call], 5, pause)).rejects.toMatchObject(refused);
    await expect(amounts.prover(5, 'tree').call([call], 5, pause)).rejects.toMatchObject(refused);
  });

  // TIMESTAMP PUSH0 MSTORE PUSH1 20 PUSH0 RETURN: the time of the block, which no state holds.
  const clock: Hex = '0x425f5260205ff3';

  test('that need more than a state are those of the node, and are not proven', async () => {
    const amounts = amountsOf(await stateWith(clock), clock);
    expect(await amounts.call([call], 5, pause)).toEqual([told]);
    const prover = amounts.prover(5, 'tree');
    expect(await prover.call([call], 5, pause)).toEqual([told]);
    expect(prover.cite([call])).toBeUndefined();
    expect(prover.size).toBe(0);
  });

  test('are proven up to the room of a page', async () => {
    // PUSH1 7 PUSH0 MSTORE PUSH1 20 PUSH0 RETURN
    const seven: Hex = '0x60075f5260205ff3';
    const prover = amountsOf(await stateWith(seven), seven).prover(5, 'tree');
    const [answer] = await prover.call([call], 5, pause);
    expect(answer?.at(-1)).toBe(7);
    expect(prover.cite([call])).toEqual([contract]);
    // 4,096 accounts and slots, of which the contract is one.
    for (let i = 1; i < 4096; i++) prover.citeAccount(`0x${i.toString(16).padStart(40, '0')}`);
    expect(prover.size).toBe(4096);
    expect(prover.cite([call])).toEqual([contract]);
    prover.citeAccount(wallet);
    expect(prover.cite([call])).toBeUndefined();
  });

  test('begin with an engine whose failure is told as it is', async () => {
    const tree = await stateWith();
    const failing = loadEngine({ tree, finality: async () => 5, fork: 'none' as never });
    const error = await failing.then(
      () => undefined,
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(error.name).not.toBe('ServiceError');
  });
});

describe('a route', () => {
  test('of an index of another chain than the node is refused, by GET and HEAD alone', async () => {
    const node = await startHttp((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end('{"jsonrpc":"2.0","id":1,"result":"0x7a69"}');
    });
    closing.push(() => node.close());
    const store = memoryStore();
    await openIndex({ store, chainId: 5 });
    const decoder = await createDecoder({ chains: [{ name: 'a', url: node.url }] });
    const data = await createDataInterface({ decoder, chains: [{ name: 'a', store }] });
    const service = await createService({ decoder, data, keys: ['an-api-key'] });
    const ask = (method: string, chain = 'a', key = 'an-api-key') =>
      service.fetch(
        new Request(`http://x/v1/${chain}/address/${wallet}/balances_v2/`, {
          method,
          headers: { authorization: `Bearer ${key}` },
        }),
      );
    const answer = await ask('GET');
    expect(answer.status).toBe(502);
    expect(((await answer.json()) as { error_message: string }).error_message).toMatch(
      /of chain 31337, its index of 5 /,
    );
    expect((await ask('HEAD')).status).toBe(502);
    expect((await ask('POST')).status).toBe(405);
    expect((await ask('GET', 'b')).status).toBe(404);
    expect((await ask('GET', 'a', 'another-key')).status).toBe(401);
    await data.close();
    await decoder.close();
  });
});
