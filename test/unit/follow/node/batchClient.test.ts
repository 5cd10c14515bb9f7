/** Several blocks at once, of a real node: in one request, or one by one if the transport takes no batches. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createPatientClient } from '../../../../src/follow/node/patience.js';
import { createTransport, type Transport } from '../../../../src/rpc/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import type { Wire } from '../../../support/runs.js';

let node: Anvil;
const hashes: Hex[] = [];
beforeAll(async () => {
  node = await startAnvil();
  for (let i = 1; i <= 12; i++) {
    await node.mine({ to: accounts[1], value: BigInt(i) });
    hashes.push((await node.call('eth_getBlockByNumber', `0x${i.toString(16)}`, false)).hash);
  }
});
afterAll(() => node.close());

/** How many questions each request had. */
const sent: number[] = [];
const whole = (): Transport =>
  createTransport({
    url: node.url,
    fetch: (to, init) => {
      const body: unknown = JSON.parse(String(init?.body));
      sent.push(Array.isArray(body) ? body.length : 1);
      return fetch(to, init);
    },
  });
/** A transport of a caller's own, which takes no batches. */
const single = (): Transport => {
  const { call } = whole();
  return { call };
};

describe.each([
  { name: 'in one request', open: whole, requests: [12] },
  { name: 'one by one', open: single, requests: Array(12).fill(1) },
])('$name', ({ open, requests }) => {
  const numbers = Array.from({ length: 12 }, (_, i) => i + 1);
  const client = () => createPatientClient('the node', open(), { tries: 1, delay: 0 }, undefined);

  test('blocks come in the order of their numbers, each with its own number for the reader', async () => {
    sent.length = 0;
    const read = (answer: unknown, _at: string, number: number) => [number, (answer as Wire).hash];
    const found = await client().blocks([...numbers].reverse(), read);
    expect(found).toEqual(numbers.map((number, i) => [number, hashes[i]]).reverse());
    expect(sent).toEqual(requests);
  });

  test('receipts come by the hash and by the number of a block', async () => {
    sent.length = 0;
    const named = numbers.map((number, i) => (i % 2 ? number : (hashes[i] as Hex)));
    const read = (answer: unknown) => (answer as Wire[]).map(({ blockHash }) => blockHash);
    expect(await client().receiptsOf(named, read)).toEqual(hashes.map((hash) => [hash]));
    expect(sent).toEqual(requests);
  });

  test('a failure of one question is that of all', async () => {
    await expect(
      client().receiptsOf(['0xno', hashes[0] as Hex], () => 'never counts'),
    ).rejects.toMatchObject({ code: 'NODE_FAILED' });
  });
});
