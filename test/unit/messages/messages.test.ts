/** Messages of a real L2 node, whose trees have their roots on a real L1 node: what becomes of them, and lies about them. */
import { decodeFunctionData, encodeFunctionData, parseAbi, toEventSelector } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { defineNetwork } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { messageSender as service } from '../../../src/cli/devnet/contracts.js';
import {
  createMessages,
  type Message,
  type MessageProgress,
  type MessageStatus,
  type MessagesOptions,
  messageHash,
} from '../../../src/messages/index.js';
import { messageSent } from '../../../src/messages/logs.js';
import { createTransport } from '../../../src/rpc/index.js';
import { accounts, word } from '../../support/anvil.js';
import { type Evm, openMessagesContract } from '../../support/contracts/messages.js';
import { startHttp } from '../../support/http.js';
import { edit, type Living, type Meddle, openLiving } from '../../support/living.js';
import { entrySlot, setSlots } from '../../support/rollup.js';
import { patience, type Wire } from '../../support/runs.js';
import { rollup } from '../../support/worlds.js';

const messageService = '0x1000000000000000000000000000000000000003';
const network = defineNetwork({
  ...{ name: 'living', l1ChainId: 900, l2ChainId: 31337, rollup, messageService },
});
const sending = parseAbi(['function sendMessage(address, uint256, bytes) payable']);
const claiming = parseAbi([
  'struct Claim { bytes32[] proof; uint256 messageNumber; uint32 leafIndex; address from; address to; uint256 fee; uint256 value; address feeRecipient; bytes32 merkleRoot; bytes data; }',
  'function claimMessageWithProof(Claim)',
]);
const depth = 5;
const [alice, bob] = accounts;

/** Calls the message service twice with what it is called with, and 50 wei each. */
const twice = '0x1000000000000000000000000000000000000022';
const callService = `60006000366000603273${messageService.slice(2)}5af150`;
const twiceCode = `0x366000600037${callService.repeat(2)}00`;

let world: Living;
let contract: Evm;
/** Hashes of all messages, and their transactions, in order. */
const hashes: Hex[] = [];
const transactions: Hex[] = [];
let finalizedTo = 0;
/** Ends of finalizations. */
const ends: number[] = [];

/** Sends so many messages in one block. @returns its number */
async function send(count: number, more: object = {}): Promise<number> {
  const messages = Array.from({ length: count }, (_, i) => ({
    to: messageService,
    value: 100n,
    data: encodeFunctionData({
      abi: sending,
      functionName: 'sendMessage',
      args: [bob, BigInt(i), `0x${'ab'.repeat(i)}`],
    }),
    ...more,
  }));
  const block = await world.l2.mine(...messages);
  const at = `0x${block.toString(16)}`;
  for (const { topics, transactionHash } of await world.l2.call('eth_getLogs', {
    ...{ fromBlock: at, toBlock: at, address: messageService },
  })) {
    hashes.push(topics[3]);
    transactions.push(transactionHash);
  }
  return block;
}

/** As the rollup does: the roots of the trees, and of the state, or the hash of the block. */
async function finalize(writes: 'root' | 'hash' = 'root'): Promise<void> {
  const roots = await contract.read('rootsOf', hashes.slice(finalizedTo), BigInt(depth));
  for (const root of roots) {
    await setSlots(world.l1, rollup, { [entrySlot(BigInt(root), 336)]: word(depth) });
  }
  finalizedTo = hashes.length;
  ends.push(await world.finalize(writes));
}

const claimed = 2;
beforeAll(async () => {
  contract = await openMessagesContract();
  world = await openLiving({
    ...{ network, keepFinal: 64 },
    prepare: async (l2) => {
      await l2.call('anvil_setCode', messageService, service.code);
      await l2.call('anvil_setCode', twice, twiceCode);
      return [messageService, twice];
    },
  });
  await send(3);
  await world.l2.mine({ to: bob, value: 1n });
  await finalize();
  await send(20);
  await world.l2.mine();
  await send(17, { from: bob });
  await world.l2.mine();
  await finalize();
  // The last block of this finalization has a message: no state proves its header yet.
  await send(1);
  await send(2);
  await setSlots(world.l1, rollup, { [entrySlot(0, 335)]: word(1n << BigInt(claimed + 1)) });
  await finalize();
  await send(1);
}, patience);
afterAll(() => world.close());
afterEach(() => world.meddle());

/** New each time: it must not know the honest answers. */
const open = (more: Partial<MessagesOptions> = {}) =>
  createMessages({ l1: world.l1Transport, l2: world.transport, network, ...more });

const codeOf = async (question: Promise<unknown>): Promise<unknown> =>
  question.then(
    (value) => `answered ${(value as MessageStatus).status}`,
    (error) => error.code ?? error.name,
  );

describe('an honest node', () => {
  test('the event is the published one', () => {
    const types = 'address indexed, address indexed, uint256, uint256, uint256, bytes';
    expect(messageSent).toBe(toEventSelector(`MessageSent(${types}, bytes32 indexed)`));
  });

  test.each([...[0, 1, 2, 3, 22, 23, 34, 35, 39, 40, 41, 42]])(
    'message %i is claimable or claimed, and its proof holds on chain',
    async (i) => {
      const hash = hashes[i] as Hex;
      const messages = open();
      const status = await messages.status(hash);
      expect(status).toMatchObject({
        status: i === claimed ? 'claimed' : 'claimable',
        ...{ hash, depth, finalizedBlock: ends.at(-1), how: 'call', assumed: [] },
      });
      const { proof, leafIndex, calldata, ...rest } = await messages.prove(hash);
      expect(rest).toEqual(status);
      const { message, root } = rest;
      expect(messageHash(message)).toBe(hash);
      const first = i < 3 ? 0 : i < 40 ? 3 : 40;
      expect(leafIndex).toBe((i - first) % 32);
      expect(await contract.read('verify', hash, proof, leafIndex, root, BigInt(depth))).toBe(true);
      const { args } = decodeFunctionData({ abi: claiming, data: calldata });
      const { from, to, data } = message;
      expect(JSON.parse(JSON.stringify(args[0], text).toLowerCase())).toEqual(
        JSON.parse(
          JSON.stringify(
            {
              ...{ proof, messageNumber: message.messageNumber, leafIndex, from, to },
              ...{ fee: message.fee, value: message.value, data },
              ...{ feeRecipient: `0x${'00'.repeat(20)}`, merkleRoot: root },
            },
            text,
          ).toLowerCase(),
        ),
      );
    },
  );

  test('a message is found by itself and by its transaction, too', async () => {
    const messages = open();
    const byHash = await messages.status(hashes[4] as Hex);
    expect(await messages.status({ transaction: transactions[4] as Hex })).toEqual(byHash);
    const { message } = byHash as { message: Message };
    expect(message).toMatchObject({ from: alice, to: bob, fee: 1n, value: 99n, messageNumber: 5n });
    expect(await messages.status(message)).toEqual(byHash);
    const { calldata } = await messages.prove(message, { feeRecipient: bob });
    const { args } = decodeFunctionData({ abi: claiming, data: calldata });
    expect(args[0].feeRecipient.toLowerCase()).toBe(bob);
  });

  test('one proof of L1, no question to anyone else, nothing without bounds', async () => {
    const asked: { method: string; params: Wire[] }[] = [];
    const l1 = {
      call: (method: string, params: readonly unknown[], options: object) => {
        asked.push({ method, params: params as Wire[] });
        return world.l1Transport.call(method, params, options);
      },
    };
    world.requests.length = 0;
    const progress: MessageProgress[] = [];
    await open({ l1, maxBlocks: 4 }).status(hashes[41] as Hex, {
      onProgress: (one) => progress.push(one),
    });
    expect(asked.filter(({ method }) => method === 'eth_getProof')).toHaveLength(1);
    const ranges = world.requests.filter(({ method }) => method === 'eth_getLogs');
    expect(ranges).toHaveLength(2);
    for (const { params } of ranges) {
      expect(Number(params[0].toBlock) - Number(params[0].fromBlock)).toBeLessThan(4);
    }
    expect(progress.map(({ part }) => part)).toEqual(['search', 'list']);
    for (const { checked, total } of progress) expect(checked).toBe(total);
  });

  test('a trusted hash of L1 proves all of it', async () => {
    const { hash: blockHash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
    const status = await open({ trusted: { blockHash } }).status(hashes[7] as Hex);
    expect(status).toMatchObject({ status: 'claimable', how: 'proof', l1: { proven: true } });
    const other = open({ trusted: { blockHash: `0x${'12'.repeat(32)}` } });
    expect(await codeOf(other.status(hashes[7] as Hex))).toBe('L1_BLOCK_NOT_HELD');
  });

  test('a message that is not finalized yet', async () => {
    const hash = hashes.at(-1) as Hex;
    const status = await open().status(hash);
    expect(status).toMatchObject({ status: 'pending', hash, assumed: ['inclusion'] });
    expect(await codeOf(open().prove(hash))).toBe('NOT_FINALIZED');
    const transaction = transactions.at(-1) as Hex;
    expect(await open().status({ transaction })).toMatchObject({
      status: 'pending',
      assumed: ['transaction', 'inclusion'],
    });
  });

  test('that there is no message is proven for named blocks alone', async () => {
    const hash: Hex = `0x${'77'.repeat(32)}`;
    await expect(open().status(hash)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      assumed: ['absence'],
    });
    const toBlock = (ends[2] as number) - 1;
    expect(await open().status(hash, { fromBlock: 1, toBlock })).toMatchObject({
      ...{ status: 'unknown', hash, blocks: { from: 1, to: toBlock }, assumed: [] },
    });
    await expect(open().prove(hash, { fromBlock: 1, toBlock })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      assumed: [],
    });
    // The header of the last block is not proven yet.
    expect(await codeOf(open().status(hash, { fromBlock: 1, toBlock: toBlock + 1 }))).toBe(
      'TOO_NEW',
    );
    const transaction: Hex = `0x${'78'.repeat(32)}`;
    expect(await codeOf(open().status({ transaction }))).toBe('NOT_FOUND');
  });

  test('that a transaction has sent none is proven', async () => {
    const { blockNumber } = await world.l2.call('eth_getTransactionReceipt', transactions[2]);
    const next = `0x${(Number(blockNumber) + 1).toString(16)}`;
    const block = await world.l2.call('eth_getBlockByNumber', next, false);
    const [transaction] = block.transactions as Hex[];
    await expect(open().status({ transaction: transaction as Hex })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      assumed: [],
      message: expect.stringMatching(/has sent no message/),
    });
  });

  test('of a transaction that has sent several, one must be named', async () => {
    const args = [bob, 0n, '0xcd'] as const;
    const data = encodeFunctionData({ abi: sending, functionName: 'sendMessage', args });
    await world.l2.mine({ to: twice, value: 100n, data });
    const logs = await world.l2.call('eth_getLogs', { address: messageService });
    const [one, other] = logs.map(({ topics }: Wire) => topics[3]);
    const { transactionHash: transaction } = logs[0];
    hashes.push(one, other);
    transactions.push(transaction, transaction);
    await expect(open().status({ transaction })).rejects.toMatchObject({
      code: 'SEVERAL_MESSAGES',
      message: expect.stringContaining(`${one}, ${other}`),
    });
    expect(await open().status(other)).toMatchObject({ status: 'pending', hash: other });
  });

  test('what is asked is bounded, and can be aborted', async () => {
    expect(await codeOf(open({ maxBlocks: 2 }).status(hashes[4] as Hex))).toBe('NOT_FOUND');
    const question = { fromBlock: 1, toBlock: ends[1] as number };
    expect(await codeOf(open({ maxBlocks: 2 }).status(hashes[4] as Hex, question))).toBe(
      'TOO_MANY_BLOCKS',
    );
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const { signal } = controller;
    await expect(open().status(hashes[4] as Hex, { signal })).rejects.toThrow('enough');
    const later = new AbortController();
    world.meddle(async (method, _, answer) => {
      if (method === 'eth_getLogs') later.abort(new Error('later'));
      return answer;
    });
    await expect(open().status(hashes[4] as Hex, { signal: later.signal })).rejects.toThrow(
      'later',
    );
  });

  test('a node that refuses wide ranges is asked for narrower ones', async () => {
    world.meddle(async (method, [filter], answer) =>
      method === 'eth_getLogs' && Number(filter.toBlock) - Number(filter.fromBlock) >= 2
        ? { error: { code: -32005, message: 'query exceeds max block range' } }
        : answer,
    );
    const status = await open().status(hashes[4] as Hex);
    expect(status).toMatchObject({ status: 'claimable', hash: hashes[4] });
  });

  test('an endpoint of L1 that knows no finalization', async () => {
    const gateway = await startHttp(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { id, method } = JSON.parse(body);
      const answer = await fetch(world.l1.url, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body },
      });
      const { result } = (await answer.json()) as { result: unknown };
      const told = method === 'eth_getLogs' ? [] : result;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: told }));
    });
    const l1 = createTransport({ url: gateway.url });
    expect(await codeOf(open({ l1 }).status(hashes[4] as Hex))).toBe('NOT_PROVABLE');
    await gateway.close();
  });
});

const text = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Changes lists of all messages, and leaves the search for one alone. */
const editLists = (change: (logs: Wire[]) => Wire[]): Meddle =>
  edit(/^eth_getLogs$/, (logs, [filter]) => (filter.topics.length > 1 ? logs : change(logs)));

/** A log of a message that was never sent, after another's. */
function invent(log: Wire): Wire {
  const message: Message = {
    ...{ from: alice, to: alice, fee: 0n, value: 10n ** 24n, messageNumber: 77n, data: '0x' },
  };
  const data = [0n, 10n ** 24n, 77n, 128n, 0n].map(word).join('');
  const topics = [messageSent, `0x${word(BigInt(alice))}`, `0x${word(BigInt(alice))}`];
  return { ...log, topics: [...topics, messageHash(message)], data: `0x${data}` };
}

describe('a node that lies about', () => {
  const hash = () => hashes[10] as Hex;
  let honest: unknown;
  beforeAll(async () => {
    honest = await open().prove(hash());
  });

  test.each<[string, (logs: Wire[]) => Wire[]]>([
    ['one left out', (logs) => logs.filter((_, i) => i !== 1)],
    ['all left out', () => []],
    ['one put in', (logs) => [...logs.slice(0, 1), invent(logs[0]), ...logs.slice(1)]],
    ['two swapped', (logs) => [...logs].reverse()],
    ['one twice', (logs) => [logs[0], ...logs]],
  ])('its list, %s: proven logs show the true one, or it is refused', async (_, change) => {
    world.meddle(editLists(change));
    expect(await open().prove(hash())).toEqual(honest);
    // The receipts, too: then nothing is said.
    const lists = editLists(change);
    const receipts = edit(/^eth_getBlockReceipts$/, ([first, ...others]: Wire[]) => {
      const logs = change([first, ...others].flatMap((one) => one.logs));
      return [{ ...first, logs }, ...others.map((one) => ({ ...one, logs: [] }))];
    });
    world.meddle(async (method, params, answer) =>
      receipts(method, params, (await lists(method, params, answer)) as typeof answer),
    );
    expect(await codeOf(open().prove(hash()))).toBe('WRONG_RECEIPTS');
  });

  test('the last block, which no state proves yet', async () => {
    const last = hashes[40] as Hex;
    world.meddle(editLists((logs) => logs.slice(0, -1)));
    expect(await codeOf(open().prove(last))).toBe('NOT_PROVABLE');
  });

  test('where a message is', async () => {
    const lie = (change: (log: Wire) => Wire) =>
      world.meddle(edit(/^eth_getLogs$/, (logs: Wire[]) => logs.map(change)));
    lie((log) => ({ ...log, blockNumber: '0x1' }));
    expect(await codeOf(open().prove(hash()))).toMatch(/^(BAD_ANSWER|NOT_PROVABLE)$/);
    lie((log) => ({ ...log, blockNumber: '0xffffff' }));
    expect(await codeOf(open().prove(hash()))).toBe('NOT_FOUND');
    lie((log) => ({ ...log, data: log.data.replace(/.$/, '1') }));
    expect(await codeOf(open().prove(hash()))).toMatch(/^(BAD_ANSWER|answered)/);
  });

  test('a message that was never sent', async () => {
    const [log] = await world.l2.call('eth_getLogs', {
      ...{ fromBlock: '0x3', toBlock: '0x9', address: messageService },
    });
    const invented = invent(log);
    const wanted = invented.topics[3];
    world.meddle(
      edit(/^eth_getLogs$/, (logs: Wire[], [filter]) =>
        filter.topics[3] === wanted ? [invented] : [...logs, invented],
      ),
    );
    expect(await codeOf(open().status(wanted))).toBe('BAD_ANSWER');
    // In a block to come it is no more than the node's word, which the answer says.
    world.meddle(
      edit(/^eth_getLogs$/, () => [
        { ...invented, blockNumber: `0x${((ends[2] as number) + 1).toString(16)}` },
      ]),
    );
    expect(await open().status(wanted)).toMatchObject({
      status: 'pending',
      assumed: ['inclusion'],
    });
  });

  test('a message that it denies, in blocks that are named', async () => {
    const { l2BlockNumber } = honest as { l2BlockNumber: number };
    world.meddle(edit(/^eth_getLogs$/, (logs, [filter]) => (filter.topics.length > 1 ? [] : logs)));
    const question = { fromBlock: l2BlockNumber - 1, toBlock: l2BlockNumber };
    expect(await open().prove(hash(), question)).toEqual(honest);
    expect(await codeOf(open().prove(hash()))).toBe('NOT_FOUND');
  });

  test('what a transaction has sent', async () => {
    const transaction = transactions[10] as Hex;
    const other = await world.l2.call('eth_getTransactionReceipt', transactions[11]);
    world.meddle(edit(/^eth_getTransactionReceipt$/, () => other));
    // It is proven by the receipts of its block.
    expect(await open().prove({ transaction })).toEqual(honest);
    world.meddle(async (method, params, answer) => {
      if (method === 'eth_getTransactionByHash') return { error: { code: -32000, message: 'no' } };
      return edit(/^eth_getTransactionReceipt$/, () => other)(method, params, answer);
    });
    expect(await open().prove({ transaction })).toMatchObject({
      ...{ hash: hashes[11], assumed: ['transaction'] },
    });
    world.meddle(edit(/^eth_getTransactionReceipt$/, () => ({ ...other, logs: [] })));
    expect(await open().prove({ transaction })).toEqual(honest);
    world.meddle(edit(/^eth_getTransactionReceipt$/, () => ({ ...other, logs: 7 })));
    expect(await codeOf(open().prove({ transaction }))).toBe('BAD_ANSWER');
  });
});

test('an L1 endpoint that lies about the storage is refused', async () => {
  const { hash: blockHash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
  const lying = (change: (result: Wire) => void) => ({
    async call(method: string, params: readonly unknown[], options: object) {
      const result = structuredClone(await world.l1Transport.call(method, params, options)) as Wire;
      if (method === 'eth_getProof') change(result);
      return result;
    },
  });
  for (const change of [
    (result: Wire) => result.storageProof.pop(),
    (result: Wire) => {
      for (const entry of result.storageProof) entry.proof = result.storageProof[0].proof;
    },
    (result: Wire) => result.accountProof.pop(),
    (result: Wire) => {
      const [first, second] = result.storageProof;
      [first.proof, second.proof] = [second.proof, first.proof];
    },
  ]) {
    for (const trusted of [{ trusted: { blockHash } }, {}]) {
      const messages = open({ l1: lying(change), ...trusted });
      expect(await codeOf(messages.status(hashes[claimed] as Hex))).toMatch(/^BAD_(ANSWER|PROOF)$/);
    }
  }
});

test('wrong options and questions are named before anyone is asked', async () => {
  const { messageService: _, ...without } = network;
  expect(() => open({ network: without })).toThrow(RangeError);
  expect(() => open({ maxBlocks: 0 })).toThrow(RangeError);
  expect(() => open({ l2: {} as never })).toThrow(TypeError);
  expect(() => open({ trusted: undefined as never })).toThrow(TypeError);
  expect(() => open({ unknown: 1 } as never)).toThrow(TypeError);
  const hash = hashes[0] as Hex;
  await expect(open().status('0x12')).rejects.toThrow(RangeError);
  await expect(open().status(hash, { fromBlock: 2, toBlock: 1 })).rejects.toThrow(RangeError);
  await expect(open().status(hash, { fromBlock: -1 })).rejects.toThrow(RangeError);
  await expect(open().prove(hash, { feeRecipient: '0x' })).rejects.toThrow(RangeError);
  await expect(open().status({ transaction: 5 as never })).rejects.toThrow(TypeError);
});

describe('once L1 stores block hashes', () => {
  const own = defineNetwork({ ...network, slots: { blockHashes: 456 } });
  const ask = () => open({ network: own });
  /** Of the last block of the finalization, whose header is proven now. */
  const last = () => hashes.at(-1) as Hex;
  let honest: MessageStatus;
  beforeAll(async () => {
    await send(2);
    await finalize('hash');
    honest = await ask().prove(last());
  }, patience);

  test('messages of before and of then are claimable, and their proofs hold on chain', async () => {
    for (const hash of [hashes[0], hashes[10], hashes.at(-3), last()] as Hex[]) {
      const { status, proof, leafIndex, root, assumed } = await ask().prove(hash);
      expect([status, assumed]).toEqual(['claimable', []]);
      expect(await contract.read('verify', hash, proof, leafIndex, root, BigInt(depth))).toBe(true);
    }
    expect(await ask().status(hashes[claimed] as Hex)).toMatchObject({ status: 'claimed' });
  });

  test('a list that lacks one is made good by proven logs, of the last block too', async () => {
    world.meddle(editLists((logs) => logs.slice(0, -1)));
    expect(await ask().prove(last())).toEqual(honest);
    world.meddle(editLists(() => []));
    expect(await ask().prove(last())).toEqual(honest);
  });

  test('that there is no message is proven up to the last block', async () => {
    const hash: Hex = `0x${'77'.repeat(32)}`;
    const range = { fromBlock: (ends[2] as number) + 1, toBlock: ends.at(-1) as number };
    expect(await ask().status(hash, range)).toMatchObject({ status: 'unknown', assumed: [] });
    const beyond = { ...range, toBlock: range.toBlock + 1 };
    expect(await codeOf(ask().status(hash, beyond))).toBe('TOO_NEW');
  });
});
