/** Proofs of a page by a node: what it answers is passed on only as far as it holds under the header that it gives. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createNodeClient, toAskNode } from '../../../../src/rpc/nodeClient.js';
import { headerProofs } from '../../../../src/service/proving/pageProofs.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { patience, type Wire } from '../../../support/runs.js';

let node: Anvil;
beforeAll(async () => {
  node = await startAnvil();
  await node.mine();
}, patience);
afterAll(() => node.close());

const question = { address: accounts[0] as Hex, storageKeys: [`0x${'00'.repeat(32)}`] as Hex[] };
const pause = async () => {};

/** @param change of the answer to `eth_getProof` */
async function prove(change: (answer: Wire) => unknown) {
  const ask = toAskNode(async (method, params) => {
    const answer = await node.call(method, ...params);
    return method === 'eth_getProof' ? change(answer) : answer;
  });
  const source = headerProofs(createNodeClient(ask), 1);
  return source.prove(question, await source.stateRoot(), pause);
}

test('are the answer of the node, without what nothing proves', async () => {
  const known = await node.call('eth_getProof', accounts[0], question.storageKeys, '0x1');
  expect(await prove((answer) => answer)).toEqual(known);
  const more = await prove((answer) => ({ ...answer, balance: '0x7', more: [[[]]] }));
  expect(more).toEqual(known);
});

test.each<[string, (answer: Wire) => unknown]>([
  ['none', () => null],
  [
    'that lacks a node',
    ({ accountProof, ...rest }) => ({ ...rest, accountProof: accountProof.slice(1) }),
  ],
  ['of another shape', () => ({ accountProof: 1 })],
])('%s are refused', async (_, change) => {
  await expect(prove(change)).rejects.toMatchObject({ name: 'NodeError', code: 'BAD_ANSWER' });
});
