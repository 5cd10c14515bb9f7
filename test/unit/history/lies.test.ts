/** A node that lies: whatever it leaves out, puts in or changes, no answer is another than the honest one. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type AnchoredRoot, fetchAnchor } from '../../../src/anchor/index.js';
import { createHistory, type History } from '../../../src/history/index.js';
import { createTransport } from '../../../src/rpc/index.js';
import { emit, emitter, putEmitter } from '../../support/allTypes.js';
import { accounts, startAnvil, word } from '../../support/anvil.js';
import { startHttp } from '../../support/http.js';
import { edit, type Living, type Meddle, openLiving } from '../../support/living.js';
import { patience, type Wire } from '../../support/runs.js';

let world: Living;
let anchor: AnchoredRoot;
let honest: Record<string, unknown>;
let hash: `0x${string}`;
const zero = `0x${word(0)}`;

/** A new one each time: it must not know the honest answers. */
function open(): History {
  const { transport: l2, network } = world;
  return createHistory({ l2, network, anchor });
}

/** What is asked of each lie. */
const questions: Record<string, (history: History) => Promise<unknown>> = {
  header: (history) => history.header(2),
  block: (history) => history.block(2, { transactions: 'whole' }),
  transaction: (history) => history.transaction(hash),
  receipt: (history) => history.receipt(hash),
  receipts: (history) => history.receipts(2),
  logs: (history) => history.logs({ fromBlock: 0, topics: [`0x${word(1)}`] }),
};

beforeAll(async () => {
  world = await openLiving({ keepFinal: 64, prepare: putEmitter });
  await world.l2.mine(emit([1]), { to: accounts[1], value: 1n });
  await world.l2.mine(emit([1], 'aa'), emit([1, 2]), emit([3]), { to: accounts[1], value: 2n });
  await world.l2.mine({ to: accounts[1], value: 3n });
  await world.l2.mine(emit([1, 2], 'bb'));
  await world.l2.mine();
  await world.finalize();
  const { l1Transport: l1, network } = world;
  anchor = await fetchAnchor({ l1, network });
  hash = (await world.l2.call('eth_getBlockByNumber', '0x2', false)).transactions[1];
  const answers = Object.entries(questions).map(async ([name, ask]) => [name, await ask(open())]);
  honest = Object.fromEntries(await Promise.all(answers));
  expect(honest.logs).toHaveLength(4);
}, patience);
afterAll(() => world.close());
afterEach(() => world.meddle());

/** Asks all questions. @returns the code of each error; no answer is another than the honest one */
async function ask(lie: Meddle): Promise<Record<string, string>> {
  world.meddle(lie);
  const codes: Record<string, string> = {};
  for (const [name, question] of Object.entries(questions)) {
    try {
      expect(await question(open()), name).toEqual(honest[name]);
      codes[name] = 'honest';
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      codes[name] = String(error.code);
    }
  }
  return codes;
}

const receipts = /^eth_getBlockReceipts$/;
const blocks = /^eth_getBlockBy/;
const all = (code: string, ...names: string[]) =>
  Object.fromEntries(
    Object.keys(questions).map((name) => [name, names.includes(name) ? code : 'honest']),
  );
const ofReceipts = ['receipt', 'receipts', 'logs'];

test('an omitted log', async () => {
  const lie = edit(receipts, (list) => [{ ...list[0], logs: [] }, ...list.slice(1)]);
  expect(await ask(lie)).toEqual(all('WRONG_RECEIPTS', ...ofReceipts));
});

test('a foreign log', async () => {
  const lie = edit(receipts, (list) => {
    list[0].logs.push({ ...list[0].logs[0], data: '0xdead' });
    return list;
  });
  expect(await ask(lie)).toEqual(all('WRONG_RECEIPTS', ...ofReceipts));
});

test('a changed status, and gas', async () => {
  for (const change of [{ status: '0x0' }, { cumulativeGasUsed: '0x1' }, { type: '0x1' }]) {
    const lie = edit(receipts, (list) => [{ ...list[0], ...change }, ...list.slice(1)]);
    expect(await ask(lie)).toEqual(all('WRONG_RECEIPTS', ...ofReceipts));
  }
});

test('a relabelled hash beside a true log changes no answer', async () => {
  const labels = { transactionHash: zero, blockHash: zero, blockNumber: '0x63', from: emitter };
  const lie = edit(receipts, (list) =>
    list.map((one: Wire) => ({
      ...one,
      ...labels,
      gasUsed: '0x1',
      logsBloom: '0x',
      logs: one.logs.map((log: Wire) => ({ ...log, ...labels, logIndex: '0x9', removed: true })),
    })),
  );
  expect(await ask(lie)).toEqual(all(''));
});

test('receipts of another block, none, or of a type of another chain', async () => {
  const other = edit(receipts, () => world.l2.call('eth_getBlockReceipts', '0x3'));
  expect(await ask(other)).toEqual(all('WRONG_RECEIPTS', ...ofReceipts));
  const none = edit(receipts, () => []);
  expect(await ask(none)).toEqual(all('WRONG_RECEIPTS', ...ofReceipts));
  const missing = edit(receipts, () => null);
  expect(await ask(missing)).toEqual(all('BLOCK_HELD_BACK', ...ofReceipts));
  const unknown = edit(receipts, (list) => [{ ...list[0], type: '0x7e' }, ...list.slice(1)]);
  expect(await ask(unknown)).toEqual(all('UNKNOWN_TYPE', ...ofReceipts));
  const rubbish = edit(receipts, () => ({ length: 1 }));
  expect(await ask(rubbish)).toEqual(all('BAD_ANSWER', ...ofReceipts));
});

test('a bloom that hides', async () => {
  const lie = edit(blocks, (block) => ({ ...block, logsBloom: `0x${'00'.repeat(256)}` }));
  expect(await ask(lie)).toEqual(all('WRONG_HEADER', ...Object.keys(questions)));
});

test('a gap in a range, and a header of another chain', async () => {
  const gap = edit(blocks, (block, [number]) =>
    number === '0x3' ? world.l2.call('eth_getBlockByNumber', '0x2', false) : block,
  );
  expect(await ask(gap)).toEqual(all('WRONG_HEADER', 'logs'));
  const missing = edit(blocks, (block, [number]) => (number === '0x3' ? null : block));
  expect(await ask(missing)).toEqual(all('BLOCK_HELD_BACK', 'logs'));
  const other = edit(blocks, (block) => ({ ...block, parentHash: zero }));
  expect(await ask(other)).toEqual(all('WRONG_HEADER', ...Object.keys(questions)));
});

test('transactions of another block, a changed one, a false place', async () => {
  const whole = (change: (list: Wire[]) => unknown) =>
    edit(blocks, (block, [, isWhole]) =>
      isWhole ? { ...block, transactions: change(block.transactions) } : block,
    );
  const ofBodies = ['block', 'transaction', 'receipt', 'receipts', 'logs'];
  for (const lie of [
    whole((list) => list.slice(1)),
    whole((list) => list.map((one) => ({ ...one, value: '0x77' }))),
    whole(() => []),
  ]) {
    expect(await ask(lie)).toEqual(all('WRONG_TRANSACTIONS', ...ofBodies));
  }
  const place = edit(/^eth_getTransactionByHash$/, (one) => ({ ...one, blockNumber: '0x1' }));
  expect(await ask(place)).toEqual(all('NOT_PROVEN', 'transaction', 'receipt'));
  const pending = edit(/^eth_getTransactionByHash$/, (one) => ({ ...one, blockNumber: null }));
  expect(await ask(pending)).toEqual(all('NOT_PROVEN', 'transaction', 'receipt'));
  for (const answer of [{ blockNumber: 'x' }, { blockNumber: {} }, 7]) {
    const rubbish = edit(/^eth_getTransactionByHash$/, () => answer);
    expect(await ask(rubbish)).toEqual(all('BAD_ANSWER', 'transaction', 'receipt'));
  }
  const late = edit(/^eth_getTransactionByHash$/, (one) => ({ ...one, blockNumber: '0xffff' }));
  expect(await ask(late)).toEqual(all('TOO_NEW', 'transaction', 'receipt'));
});

test('withdrawals that are none', async () => {
  const entry = { index: '0x1', validatorIndex: '0x1', address: emitter, amount: '0x1' };
  const lie = edit(blocks, (block) => ({ ...block, withdrawals: [entry] }));
  const ofBodies = ['block', 'transaction', 'receipt', 'receipts', 'logs'];
  expect(await ask(lie)).toEqual(all('WRONG_WITHDRAWALS', ...ofBodies));
  // Null stands for an empty list, which the root in the header proves.
  const none = edit(blocks, (block) => ({ ...block, withdrawals: null }));
  expect(await ask(none)).toEqual(all(''));
});

test('a block whose header is shown, and whose transactions are not', async () => {
  const lie = edit(blocks, (block, [, isWhole]) => (isWhole ? null : block));
  const ofBodies = ['block', 'transaction', 'receipt', 'receipts', 'logs'];
  expect(await ask(lie)).toEqual(all('BLOCK_HELD_BACK', ...ofBodies));
});

test('a state that the server has dropped, and no newer one', async () => {
  const error = { code: -32600, message: 'BLOCK_MISSING_IN_CHAIN - block is missing' };
  const lie: Meddle = (method, _params, answer) => (method === 'l2_getProof' ? { error } : answer);
  expect(await ask(lie)).toEqual(all('BLOCK_NOT_HELD', ...Object.keys(questions)));
});

test('another slot of the contract, or none', async () => {
  const lie: Meddle = (method, params, answer) =>
    method === 'l2_getProof' && 'result' in answer
      ? world.tree
          .getProof(params[0], [`0x${word(1)}`], Number(params[2]))
          .then((result) => ({ result }))
      : answer;
  const codes = await ask(lie);
  expect(new Set(Object.values(codes))).toEqual(new Set(['KEY_MISMATCH']));
});

test('a block by its hash of another chain is none of this one', async () => {
  const block = await world.l2.call('eth_getBlockByNumber', '0x3', false);
  const other = await startAnvil('--hardfork', 'prague');
  for (let i = 0; i < 3; i++) await other.mine();
  const side = await other.call('eth_getBlockByNumber', '0x3', false);
  await other.close();
  expect(side.hash).not.toBe(block.hash);
  world.meddle(edit(/^eth_getBlockByHash$/, () => side));
  await expect(open().header(side.hash)).rejects.toMatchObject({ code: 'NOT_PROVEN' });
  await expect(open().header(block.hash)).rejects.toMatchObject({ code: 'WRONG_HEADER' });
});

test(
  'an answer without end is read no further than the gas of the block pays for',
  async () => {
    let sent = 0;
    const endless = await startHttp(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method } = JSON.parse(body);
      if (method !== 'eth_getBlockReceipts') {
        const answer = await fetch(world.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        response.setHeader('content-type', 'application/json');
        response.end(await answer.text());
        return;
      }
      response.write('{"jsonrpc":"2.0","id":1,"result":[');
      const chunk = `${'{},'.repeat(20_000)}`;
      while (!response.destroyed && sent < 200_000_000) {
        sent += chunk.length;
        if (response.write(chunk)) continue;
        await new Promise((resolve) => {
          response.once('drain', resolve);
          response.once('close', resolve);
        });
      }
      response.end();
    });
    try {
      const l2 = createTransport({ url: endless.url });
      const history = createHistory({ l2, network: world.network, anchor });
      await expect(history.receipts(2)).rejects.toMatchObject({ code: 'TOO_LARGE' });
      // What the kernel takes is added.
      expect(sent).toBeLessThan(20_000_000);
    } finally {
      await endless.close();
    }
  },
  patience,
);
