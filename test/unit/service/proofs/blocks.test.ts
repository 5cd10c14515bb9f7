/** Blocks by number and by hash, held against recorded answers of the real proof server about the same chain. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/index.js';
import {
  createService,
  type RunningServer,
  startServer,
  storeFinality,
} from '../../../../src/service/index.js';
import { type AccountChange, openStateTree, type StateTree } from '../../../../src/tree/index.js';
import type { RpcAnswer } from '../../../support/answers.js';
import type { Wire } from '../../../support/runs.js';

interface Recorded {
  readonly request: { readonly body: string };
  readonly response: { readonly status: number; readonly body: string };
}

const read = (path: string) => JSON.parse(readFileSync(`test/recorded/${path}.json`, 'utf8'));
const recorded = (name: string): Recorded => read(`proof-server/${name}`);
const chain: { blocks: { number: number; hash: Hex; changes: Wire[]; stateRoot: Hex }[] } =
  read('chain-poseidon2-1');

let tree: StateTree;
let server: RunningServer;
beforeAll(async () => {
  tree = await openStateTree();
  for (const { number, hash, changes, stateRoot } of chain.blocks) {
    const checked = changes.map((change) => ({
      ...change,
      account: change.account && {
        ...change.account,
        nonce: BigInt(change.account.nonce),
        balance: BigInt(change.account.balance),
      },
    })) as AccountChange[];
    expect((await tree.applyBlock({ number, hash, changes: checked })).stateRoot).toBe(stateRoot);
    await tree.finalize(number);
  }
  const service = await createService({
    tree,
    finality: storeFinality(tree),
    aliases: ['linea_getProof'],
  });
  server = await startServer(service);
}, 120_000);
afterAll(async () => {
  await server.stop();
  await tree.close();
});

const post = async (body: string) => {
  const response = await fetch(`http://127.0.0.1:${server.port}/v3/`, { method: 'POST', body });
  const block = response.headers.get('l2-block-number');
  return { status: response.status, block, body: (await response.json()) as Wire };
};
const ask = (block: unknown) =>
  post(
    JSON.stringify({
      ...JSON.parse(recorded('block-hash').request.body),
      params: [...JSON.parse(recorded('block-hash').request.body).params.slice(0, 2), block],
    }),
  );

describe('the real server and this one give the same answer', () => {
  test.each([
    ['block-hash', '59'],
    ['block-hash-object', '59'],
    ['block-hash-object-canonical', '59'],
    ['block-number-object', '59'],
    ['block-number-leading-zeros', '59'],
    ['block-number-upper', '59'],
    ['block-latest', '59'],
    ['block-zero', '0'],
    ['ok-contract', '59'],
    ['ok-contract-absent-slot', '59'],
  ])('%s', async (name, block) => {
    const { request, response } = recorded(name);
    expect(response.status).toBe(200);
    const reply = await post(request.body);
    expect(reply).toEqual({ status: 200, block, body: JSON.parse(response.body) });
  });

  test('to a hash that is not held: the same error, but with status 200', async () => {
    const { request, response } = recorded('block-hash-unknown');
    const reply = await post(request.body);
    expect(reply).toMatchObject({ status: 200, block: null, body: JSON.parse(response.body) });
  });
});

test('each block held is found by its hash', async () => {
  for (const { number, hash } of chain.blocks) {
    expect((await ask(hash)).block).toBe(String(number));
    expect((await ask({ blockHash: hash.toUpperCase().replace('X', 'x') })).block).toBe(
      String(number),
    );
  }
});

test('a tag that the real server does not answer: finalized', async () => {
  const { request, response } = recorded('block-tag-finalized');
  expect(JSON.parse(response.body).error.message).toMatch(/^BLOCK_MISSING_IN_CHAIN/);
  expect(await post(request.body)).toMatchObject({ status: 200, block: '59' });
});

test.each<[string, unknown]>([
  ['both members', { blockHash: chain.blocks[1]?.hash, blockNumber: '0x1' }],
  ['neither', {}],
  [
    'a hash that is misspelt beside a number',
    { blockhash: chain.blocks[1]?.hash, blockNumber: '0x1' },
  ],
  ['an invalid number', { blockNumber: 1 }],
  ['a tag as a number', { blockNumber: 'latest' }],
  ['a short hash', { blockHash: '0x12' }],
  ['a hash of 31 bytes', `0x${'12'.repeat(31)}`],
  ['a list', ['0x1']],
])('a block parameter with %s: -32602', async (_, block) => {
  const { status, body } = await ask(block);
  expect([status, body.error.code]).toEqual([200, -32602]);
  expect(body.error.message).toMatch(/^params\[2\] expected/);
});

test('the hash of a block that is not final is missing', async () => {
  const hash: Hex = `0x${'77'.repeat(32)}`;
  await tree.applyBlock({ number: 60, hash, changes: [] });
  expect((await ask(hash)).body.error.message).toMatch(/^BLOCK_MISSING_IN_CHAIN/);
  await tree.finalize(60);
  expect((await ask(hash)).block).toBe('60');
});

test('while the follower has marked no block final, every block is missing', async () => {
  const empty = await openStateTree();
  await empty.applyBlock({ number: 1, changes: [] });
  const service = await createService({ tree: empty, finality: storeFinality(empty) });
  const body = recorded('block-hash').request.body.replace('linea', 'l2');
  const asked = () => service.fetch(new Request('http://x/v3/', { method: 'POST', body }));
  expect(((await (await asked()).json()) as RpcAnswer).error?.message).toMatch(
    /^BLOCK_MISSING_IN_CHAIN/,
  );
  expect((await service.fetch(new Request('http://x/ready'))).status).toBe(503);
  await empty.finalize(1);
  expect((await service.fetch(new Request('http://x/ready'))).status).toBe(200);
  await empty.close();
});
