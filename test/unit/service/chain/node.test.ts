/** Nodes that are away, slow, wrong or endless, and tokens that are hostile: each has an answer of its own, in bounds. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { multicall3 } from '../../../../src/abi/multicall.js';
import type { TokenAmount } from '../../../../src/decode/index.js';
import { createDecoder } from '../../../../src/service/index.js';
import type { RpcAnswer } from '../../../support/answers.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { type Contract, send } from '../../../support/contracts/contract.js';
import { placeMulticall } from '../../../support/contracts/multicall.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import {
  deployCode,
  type Gateway,
  type ServedDecoder,
  serveDecoder,
  startGateway,
  tokenThat,
} from '../../../support/decoder.js';
import { startHttp } from '../../../support/http.js';
import type { Wire } from '../../../support/runs.js';
import { patience } from '../../../support/runs.js';
import type { Reply } from '../../../support/service.js';

const [first, second] = accounts;

let node: Anvil;
let gold: Contract;
let hash: string;
beforeAll(async () => {
  node = await startAnvil();
  gold = await deployErc20(node);
  await send(node, gold.call('mint', first, 1000n));
  hash = (await send(node, gold.call('transfer', second, 5n))).transactionHash;
}, patience);
afterAll(() => node?.close());

let gateway: Gateway;
let served: ServedDecoder;
beforeEach(async () => {
  gateway = await startGateway(node.url);
  served = await serveDecoder(gateway.url);
});
afterEach(async () => {
  await served.close();
  await gateway.close();
});

/** An error as every one of them is: no URL in it. */
function expectFailure({ status, body }: Reply, expected: number, words: RegExp): void {
  expect({ status, body }).toMatchObject({
    status: expected,
    body: { success: false, message: expect.stringMatching(words) },
  });
  expect(JSON.stringify(body)).not.toContain(gateway.url.replace(/^http:\/\//, ''));
}

describe('a node', () => {
  test('that is away', async () => {
    await gateway.close();
    expectFailure(await served.decode(hash), 502, /^Server Error: the L2 node does not answer/);
    gateway = await startGateway(node.url);
  });

  test('that is slow', async () => {
    const chains = [{ name: 'anvil', url: gateway.url, timeout: 200 }];
    const impatient = await serveDecoder(gateway.url, { chains });
    gateway.changes.set('eth_getTransactionReceipt', () => new Promise(() => {}));
    expectFailure(await impatient.decode(hash), 504, /in time/);
    await impatient.close();
  });

  test('that takes longer than a request may', async () => {
    const hurried = await serveDecoder(gateway.url, {}, { limits: { time: 300 } });
    gateway.changes.set('eth_getTransactionReceipt', () => new Promise(() => {}));
    expectFailure(await hurried.decode(hash), 504, /no answer within 300 ms/);
    await hurried.close();
  });

  test('that sends a receipt without end', async () => {
    const data = `0x${'ab'.repeat(9 << 20)}`;
    gateway.changes.set('eth_getTransactionReceipt', (answer) => ({
      ...answer,
      result: { ...answer.result, logs: [{ ...answer.result.logs[0], data }] },
    }));
    expectFailure(await served.decode(hash), 502, /TOO_LARGE/);
    // The next one is answered again.
    gateway.changes.clear();
    expect((await served.decode(hash)).status).toBe(200);
  });

  test('that sends more logs than are decoded', async () => {
    gateway.changes.set('eth_getTransactionReceipt', (answer) => ({
      ...answer,
      result: { ...answer.result, logs: Array(20_000).fill({}) },
    }));
    expectFailure(await served.decode(hash), 502, /TOO_LARGE/);
  });

  const other = `0x${'77'.repeat(32)}`;
  const misfit = /do not fit together/;
  const wrongAnswers: [string, string, (result: Wire) => unknown, RegExp?][] = [
    ['an invalid receipt', 'eth_getTransactionReceipt', () => 'nothing'],
    ['a list', 'eth_getTransactionReceipt', () => []],
    ['a receipt without logs', 'eth_getTransactionReceipt', ({ logs: _, ...rest }) => rest],
    [
      'a receipt of another',
      'eth_getTransactionReceipt',
      (r) => ({ ...r, transactionHash: other }),
      misfit,
    ],
    [
      'a receipt in another block',
      'eth_getTransactionReceipt',
      (r) => ({ ...r, blockHash: other }),
      misfit,
    ],
    [
      'a height that is no number',
      'eth_getTransactionReceipt',
      (r) => ({ ...r, blockNumber: 'x' }),
    ],
    ['another transaction', 'eth_getTransactionByHash', (t) => ({ ...t, hash: other }), misfit],
    ['one that waits', 'eth_getTransactionByHash', (t) => ({ ...t, blockHash: null }), misfit],
    ['a transaction without value', 'eth_getTransactionByHash', ({ value: _, ...rest }) => rest],
    ['a transaction of a number', 'eth_getTransactionByHash', () => 7],
    ['an invalid block', 'eth_getBlockByNumber', () => ({ number: '0x1' })],
    ['another block', 'eth_getBlockByNumber', (block) => ({ ...block, hash: other }), misfit],
    [
      'a block of another height',
      'eth_getBlockByNumber',
      (b) => ({ ...b, number: '0x77' }),
      misfit,
    ],
    ['no block', 'eth_getBlockByNumber', () => null, misfit],
    ['an invalid chain id', 'eth_chainId', () => 'one', /"chainId" is no number/],
    ['a chain id of zero', 'eth_chainId', () => '0x0', /"chainId" is no number/],
  ];
  test.each(wrongAnswers)(
    'that answers %s',
    async (_, method, change, words = /^Server Error: /) => {
      gateway.changes.set(method, (answer) => ({ ...answer, result: change(answer.result) }));
      expectFailure(await served.decode(hash), 502, words);
    },
  );

  test('that has a receipt of a transaction that it does not know', async () => {
    gateway.changes.set('eth_getTransactionByHash', (answer) => ({ ...answer, result: null }));
    expectFailure(await served.decode(hash), 404, /not found/i);
  });

  test('that knows no final block is asked all the same; one that does not say is not', async () => {
    const finalized = (answered: (answer: RpcAnswer) => unknown) =>
      gateway.changes.set('eth_getBlockByNumber', (answer, [tag]) =>
        tag === 'finalized' ? answered(answer) : answer,
      );
    finalized((answer) => ({ ...answer, result: null }));
    expect((await served.decode(hash)).status).toBe(200);
    finalized(() => '<html>');
    expectFailure(await served.decode(hash), 502, /NOT_JSON/);
  });

  test('that fails while contracts are asked', async () => {
    gateway.changes.set('eth_call', () => '<html>');
    expectFailure(await served.decode(hash), 502, /NOT_JSON/);
  });

  test('without Multicall3 is asked for that once', async () => {
    let asked = 0;
    gateway.changes.set('eth_call', (answer, [{ to }]) => {
      if (to === multicall3) asked++;
      return answer;
    });
    for (let i = 0; i < 3; i++) {
      const { transactionHash } = await send(node, gold.call('transfer', second, 1n));
      expect((await served.decode(transactionHash)).status).toBe(200);
    }
    expect(asked).toBe(1);
  });

  test('that answers no JSON, or an error with its own URL in it', async () => {
    gateway.changes.set('eth_getTransactionReceipt', () => '<html>');
    expectFailure(await served.decode(hash), 502, /NOT_JSON/);
    // A request that would fail again is not repeated.
    expect(gateway.asked.get('eth_getTransactionReceipt')).toBe(1);
    gateway.changes.set('eth_getTransactionReceipt', ({ id }) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32000, message: `see ${gateway.url}` },
    }));
    expectFailure(await served.decode(hash), 502, /SERVER_ERROR/);
  });

  test('of another chain than the name says', async () => {
    const chains = [{ name: 'linea-mainnet', url: node.url }];
    const wrong = await serveDecoder(node.url, { chains });
    const reply = await wrong.post({ chain_name: 'linea-mainnet', tx_hash: hash });
    expectFailure(reply, 502, /of chain 31337, not 59144/);
    await wrong.close();
  });

  test('that was away comes back', async () => {
    gateway.changes.set('eth_chainId', () => '<html>');
    expect((await served.decode(hash)).status).toBe(502);
    gateway.changes.clear();
    expect((await served.decode(hash)).status).toBe(200);
  });

  test('that has the transaction waiting, or does not know it', async () => {
    const pending = await node.call('eth_sendTransaction', {
      from: first,
      to: second,
      value: '0x1',
    });
    expectFailure(await served.decode(pending), 404, /not found/i);
    await node.mine();
    expect((await served.decode(pending)).status).toBe(200);
    expectFailure(await served.decode(`0x${'12'.repeat(32)}`), 404, /not found/i);
  });

  test('whose chain changes between two questions is asked once more', async () => {
    let times = 0;
    gateway.changes.set('eth_getTransactionReceipt', (answer) => {
      times += 1;
      return times > 1 ? answer : { ...answer, result: { ...answer.result, blockHash: other } };
    });
    expect((await served.decode(hash)).status).toBe(200);
    expect(times).toBe(2);
  });
});

describe('one node for many who ask', () => {
  test('the same question on its way is asked once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => served.decode(hash)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(gateway.asked.get('eth_chainId')).toBe(1);
    expect(gateway.asked.get('eth_getTransactionReceipt')).toBeLessThan(20);
  });
});

/** Runs a test with a node of its own, with and without Multicall3. */
describe.each([true, false])(
  'what tokens say of themselves, with Multicall3: %s',
  (hasMulticall) => {
    let own: Anvil;
    let counted: Gateway;
    let decoder: Awaited<ReturnType<typeof createDecoder>>;
    beforeAll(async () => {
      own = await startAnvil();
      if (hasMulticall) await placeMulticall(own);
      counted = await startGateway(own.url);
      decoder = await createDecoder({ chains: [{ name: 'a', url: counted.url }], recheck: 0 });
    }, patience);
    afterAll(async () => {
      await decoder?.close();
      await counted?.close();
      await own?.close();
    });

    async function tokensOf(...contracts: string[]) {
      const tokens: TokenAmount[] = [];
      for (const to of contracts) {
        const { transactionHash: txHash } = await send(own, { to });
        const response = await decoder.decodeTransaction({ chainName: 'a', txHash });
        tokens.push(...(response?.events.flatMap((event) => event.tokens ?? []) ?? []));
      }
      return tokens.map(({ ticker_symbol, decimals, value }) => [ticker_symbol, decimals, value]);
    }

    test('a few calls for all', async () => {
      const token = await deployErc20(own, 'Gold', 'GLD');
      await send(own, token.call('mint', first, 10n));
      const before = counted.asked.get('eth_call') ?? 0;
      const { transactionHash } = await send(own, token.call('transfer', second, 1n));
      await decoder.decodeTransaction({ chainName: 'a', txHash: transactionHash });
      const calls = (counted.asked.get('eth_call') ?? 0) - before;
      // At the final block and, as the token is younger, at the newest.
      expect(calls).toBeLessThanOrEqual(hasMulticall ? 8 : 11);
    });

    test('are asked one by one if the node fails at Multicall3', async () => {
      const token = await deployErc20(own, 'Iron', 'IRN');
      const { transactionHash: txHash } = await send(own, token.call('mint', first, 1n));
      counted.changes.set('eth_call', (answer, [{ to }]) => {
        const error = { code: -32000, message: 'too busy' };
        return to === multicall3 ? { jsonrpc: '2.0', id: answer.id, error } : answer;
      });
      const response = await decoder.decodeTransaction({ chainName: 'a', txHash });
      counted.changes.clear();
      expect(response?.events[0]?.tokens?.[0]?.ticker_symbol).toBe('IRN');
    });

    test('a symbol of 32 bytes, as the first tokens have it', async () => {
      // PUSH3 'MKR' PUSH1 e8 SHL PUSH0 MSTORE PUSH1 20 PUSH0 RETURN: the same for whatever is asked.
      const code = tokenThat('624d4b5260e81b5f5260205ff3');
      expect(await tokensOf(await deployCode(own, code))).toEqual([['MKR', 0, '1']]);
    });

    test.each([
      // PUSH0 PUSH0 REVERT
      ['reverts', '5f5ffd'],
      // JUMPDEST PUSH1 target JUMP, without end
      ['burns all gas', '5b60XX56'],
      // PUSH3 0fffff PUSH0 RETURN: a megabyte of zeros
      ['answers a megabyte', '620fffff5ff3'],
      // INVALID
      ['has an invalid opcode', 'fe'],
      // PUSH1 ff PUSH0 MSTORE PUSH1 20 PUSH0 RETURN: decimals of 255, and a text of one invalid character
      ['has decimals of 255', '60ff5f5260205ff3'],
      // PUSH32 2^256-1 PUSH0 MSTORE PUSH1 40 PUSH0 RETURN: an offset far outside
      ['points outside', `7f${'ff'.repeat(32)}5f5260405ff3`],
      // PUSH1 20 PUSH0 MSTORE PUSH4 ffffffff PUSH1 20 MSTORE PUSH1 40 PUSH0 RETURN: a text longer than the answer
      ['claims a text of 4 GiB', '60205f5263ffffffff60205260405ff3'],
    ])('a token that %s has no name, and costs its neighbours theirs not', async (_, answers) => {
      const target = (tokenThat('').length / 2).toString(16).padStart(2, '0');
      const hostile = await deployCode(own, tokenThat(answers.replace('XX', target)));
      const good = await deployErc20(own, 'Good', 'GOOD');
      const [symbol, decimals, value] = (await tokensOf(hostile))[0] as [string, number, string];
      expect({ decimals, value }).toEqual({ decimals: 0, value: '1' });
      expect(symbol.length).toBeLessThanOrEqual(1);
      // Both in one transaction, by a contract that calls the one and then the other.
      const calls = [hostile, good.address].map(
        (to, i) =>
          // Value 0; no data for the first, a transfer of nothing to oneself for the second.
          `5f5f${i === 0 ? '5f' : '6044'}5f5f73${to.slice(2)}5af150`,
      );
      const data = `a9059cbb${second.slice(2).padStart(64, '0')}${'0'.repeat(64)}`;
      // The call data, stored word by word.
      const words = data.padEnd(192, '0').match(/.{64}/g) as string[];
      const store = words.map((one, i) => `7f${one}60${(32 * i).toString(16).padStart(2, '0')}52`);
      const both = await deployCode(own, `${store.join('')}${calls.join('')}00`);
      const symbols = (await tokensOf(both)).map(([ticker]) => ticker);
      expect(symbols).toHaveLength(2);
      expect(symbols[1]).toBe('GOOD');
    });

    test('a name with control and bidirectional characters is cleaned', async () => {
      const token = await deployErc20(own, 'Evil\u202e\u0000\u001b[2J', 'EV\u202eIL');
      const { transactionHash: txHash } = await send(own, token.call('mint', first, 1n));
      const response = await decoder.decodeTransaction({ chainName: 'a', txHash });
      const text = JSON.stringify(response);
      expect(text).toContain('EV');
      expect(text).not.toMatch(/\\u00|\u202e/);
    });
  },
);

test('tokens of a list are not asked about, and come with their logos', async () => {
  const list = {
    tokens: [
      {
        chainId: 31337,
        address: gold.address,
        name: 'Listed Gold',
        symbol: 'LGLD',
        decimals: 3,
        logoURI: 'https://logos.example/gold.svg',
      },
    ],
  };
  const listed = await serveDecoder(gateway.url, { tokenLists: [list] });
  const { body } = await listed.decode(hash);
  expect(body.events[0]).toMatchObject({
    protocol: { name: 'Listed Gold', logo: 'https://logos.example/gold.svg' },
    tokens: [{ ticker_symbol: 'LGLD', decimals: 3, ticker_logo: 'https://logos.example/gold.svg' }],
  });
  expect(gateway.asked.get('eth_call')).toBeUndefined();
  await listed.close();
});

test.each([
  ['no list', 7, /"tokenLists\[0\]"/],
  ['a list without tokens', {}, /"tokenLists\[0\]\.tokens"/],
  ['a token without a chain', { tokens: [{}] }, /tokens\[0\]\.chainId/],
  [
    'decimals of 78',
    { tokens: [{ chainId: 1, address: `0x${'0'.repeat(40)}`, decimals: 78 }] },
    /decimals/,
  ],
  [
    'a logo that runs',
    {
      tokens: [
        {
          ...{ chainId: 1, address: `0x${'0'.repeat(40)}`, decimals: 1, name: 'a', symbol: 'a' },
          logoURI: 'javascript:alert(1)',
        },
      ],
    },
    /logoURI/,
  ],
])('a token list is read strictly: %s', async (_, list, words) => {
  const made = createDecoder({ chains: [{ name: 'a', url: node.url }], tokenLists: [list] });
  await expect(made).rejects.toThrow(words);
});

test('a price source that fails or dawdles costs the prices alone', async () => {
  for (const prices of [
    async () => {
      throw new Error('no prices today');
    },
    () => 7 as never,
  ]) {
    const priced = await serveDecoder(gateway.url, { prices });
    const { status, body } = await priced.decode(hash);
    expect(status).toBe(200);
    expect(body.events[0].tokens[0].pretty_quote).toBe('$0.00');
    await priced.close();
  }
});

test('a node that answers a redirect is not followed', async () => {
  const stranger = await startHttp((_, response) => {
    response.writeHead(307, { location: node.url }).end();
  });
  const led = await serveDecoder(stranger.url);
  expect((await led.decode(hash)).status).toBe(502);
  await led.close();
  await stranger.close();
});
