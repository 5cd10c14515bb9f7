/** The blocks that a page proves, of a real node; and of one that lies about them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { createNodeClient, toAskNode } from '../../../../src/rpc/nodeClient.js';
import { createHistoryProver } from '../../../../src/service/proving/history.js';
import type { Prover } from '../../../../src/service/proving/prover.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { patience, type Wire } from '../../../support/runs.js';

let node: Anvil;
let block: Wire;
beforeAll(async () => {
  node = await startAnvil('--hardfork', 'prague');
  const gold = await deployErc20(node);
  const from = accounts[0] as Hex;
  await node.mine(
    { ...gold.call('mint', from, 5n), from },
    { ...gold.call('transfer', from, 1n), from },
    { to: from, value: 3n, from },
  );
  block = await node.call('eth_getBlockByNumber', 'latest', false);
}, patience);
afterAll(() => node.close());

const lists = ['transactions', 'receipts'] as const;

/** Proves blocks by a node whose answers are edited. @param slot what the state holds at each slot */
function proverOf(edit: (method: string, answer: Wire) => unknown, slot: Hex = block.hash) {
  const transport = createTransport({ url: node.url });
  const charged: number[] = [];
  const context = { pause: async () => {}, charge: (units: number) => charged.push(units) };
  const contract = '0x0000f90827f1c53a10cb7a02335b175320002935' as const;
  const prover = { slots: async () => [slot], citeSlots: () => [contract] };
  const number = Number(block.number);
  const history = createHistoryProver({
    prover: prover as unknown as Prover,
    node: createNodeClient(
      toAskNode(async (method, params) => edit(method, await transport.call(method, [...params]))),
    ),
    ...{ block: number + 1, kind: 'tree' },
  });
  return { history, charged, cite: (at = number) => history.cite({ block: at }, lists, context) };
}

const honest = (_: string, answer: Wire) => answer;

/** The bytes of the block's transactions, as the node has them. */
const rawTransactions = (): Promise<Hex[]> =>
  Promise.all(
    block.transactions.map((hash: Hex) => node.call('eth_getRawTransactionByHash', hash)),
  );

test(
  'what is sent is what the node has, once, and a request pays for each list',
  async () => {
    const number = Number(block.number);
    const { cite, history, charged } = proverOf(honest);
    const place = { accounts: [expect.any(String)], history: { block: number } };
    expect([await cite(), await cite()]).toEqual([place, place]);
    expect(charged).toEqual([1, 1, 1]);
    expect(history.history.transactions).toEqual({ [number]: await rawTransactions() });
    expect(history.history.receipts[number]?.length).toBe(3);
    expect(Object.keys(history.history.headers)).toEqual([String(number)]);
    // By themselves the receipts are the same.
    const single = proverOf((method, answer) => {
      if (method !== 'eth_getBlockReceipts') return answer;
      throw Object.assign(new Error('the method does not exist'), { code: -32601 });
    });
    await single.cite();
    expect(single.history.history).toEqual(history.history);
  },
  patience,
);

test(
  'a block that the state holds no hash of is not proven, nor is a type that is not known',
  async () => {
    const number = Number(block.number);
    for (const at of [number + 1, number + 2, number + 1 - 8192]) {
      expect(await proverOf(honest).cite(at), String(at)).toEqual({ accounts: undefined });
    }
    const empty = proverOf(honest, `0x${'00'.repeat(32)}`);
    expect(await empty.cite()).toEqual({ accounts: undefined });
    const later = proverOf((_, answer) => {
      for (const one of answer.transactions ?? []) if (one.hash) one.type = '0x7e';
      return answer;
    });
    expect(await later.cite()).toEqual({ accounts: undefined });
    expect(later.history.history).toEqual({ headers: {}, transactions: {}, receipts: {} });
  },
  patience,
);

test(
  'a node that answers what no hash or root covers is an error, and nothing of it is sent',
  async () => {
    const lies: Record<string, (method: string, answer: Wire) => unknown> = {
      'another time': (_, answer) => {
        if (answer.timestamp) answer.timestamp = '0x1';
        return answer;
      },
      'another amount': (_, answer) => {
        if (answer.transactions?.[0].hash) answer.transactions[2].value = '0x4';
        return answer;
      },
      'a transaction less': (_, answer) => {
        if (answer.transactions?.[0].hash) answer.transactions.pop();
        return answer;
      },
      'a log less': (_, answer) => {
        if (Array.isArray(answer)) answer[0].logs.pop();
        return answer;
      },
      'another outcome': (_, answer) => {
        if (Array.isArray(answer)) answer[0].status = '0x0';
        return answer;
      },
      'nothing at all': () => null,
      'no receipts': (_, answer) => (Array.isArray(answer) ? null : answer),
      'no object': () => 5,
    };
    for (const [what, lie] of Object.entries(lies)) {
      const { cite, history } = proverOf(lie);
      await expect(cite(), what).rejects.toMatchObject({ name: 'NodeError', code: 'BAD_ANSWER' });
      expect(history.history, what).toEqual({ headers: {}, transactions: {}, receipts: {} });
    }
    await expect(proverOf(honest, `0x${'11'.repeat(32)}`).cite()).rejects.toMatchObject({
      code: 'BAD_ANSWER',
    });
  },
  patience,
);
