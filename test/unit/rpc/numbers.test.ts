/** Servers that answer a numeric key of their own URL or of a header where a number is asked for. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { fetchAnchor, networks } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/index.js';
import { createTransport, type Transport } from '../../../src/rpc/index.js';
import { numberText } from '../../../src/rpc/transport.js';
import { createDecoder, createIndexer, openIndex } from '../../../src/service/index.js';
import { memoryStore } from '../../../src/tree/index.js';

const key = 20_251_125_987;
const word: Hex = `0x${'11'.repeat(32)}`;

/** What fails while a server answers the key as this member. */
async function failing(
  answered: 'chainId' | 'number',
  work: (url: string) => Promise<unknown>,
): Promise<{ message: string; all: string }> {
  const hex = `0x${key.toString(16)}`;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const block = { number: hex, hash: word, stateRoot: word, parentHash: word };
      const id1 = answered === 'chainId' ? hex : '0x1';
      const numbers: Record<string, string> = { eth_chainId: id1, eth_blockNumber: '0x5' };
      const result = numbers[method] ?? { ...block, timestamp: '0x1', transactions: [] };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const error = await work(`http://127.0.0.1:${port}/v2/${key}`).then(
      () => new Error('it succeeded'),
      (failure: unknown) => failure,
    );
    const all = `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)}`;
    return { message: (error as Error).message, all };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const anchored = (url: string, more: object = {}) =>
  fetchAnchor({ l1: createTransport({ url }), network: networks.mainnet, ...more });

test.each([
  ['the chain id of L1', 'chainId', (url: string) => anchored(url), /chain id .*left out.* is 1 /],
  ['the block of L1, too old', 'number', (url: string) => anchored(url, { maxAge: 1 }), /STALE/],
  [
    'the block of L1 that two name',
    'number',
    (url: string) =>
      fetchAnchor({
        l1: [createTransport({ url }), createTransport({ url: `${url}?other=1` })],
        network: networks.mainnet,
        maxAge: 1,
      }),
    /STALE/,
  ],
  [
    'the chain id of an index',
    'chainId',
    async (url: string) => {
      const index = await openIndex({ store: memoryStore(), chainId: 5 });
      await createIndexer({
        index,
        l2: createTransport({ url }),
        patience: { tries: 1, delay: 1 },
      }).run({ once: true });
    },
    /the node serves chain .*left out.*, and the index is of chain 5/,
  ],
  [
    'the chain id of a decoder',
    'chainId',
    async (url: string) => {
      const decoder = await createDecoder({ chains: [{ name: 'linea-mainnet', url }] });
      try {
        return await decoder.decodeTransaction({ chainName: 'linea-mainnet', txHash: word });
      } finally {
        await decoder.close();
      }
    },
    /is of chain .*left out.*, not 59144/,
  ],
] as const)('%s', async (_, answered, work, text) => {
  const { message, all } = await failing(answered, work);
  expect(message).toMatch(text);
  expect(all).not.toContain(String(key));
  expect(all).not.toContain(key.toString(16));
});

test('a number that is no part of the URL or of a header is shown', async () => {
  const transport = createTransport({
    url: 'http://127.0.0.1/v3/4242424242',
    headers: { 'x-api-key': '0xbeef77' },
  });
  const own: Transport = { call: async () => null };
  expect(numberText([transport], 1337)).toBe('1337');
  expect(numberText([transport], 3)).toBe('3');
  expect(numberText([own, transport], 4_242_424_242)).toMatch(/left out/);
  expect(numberText([transport], 0xbeef77)).toMatch(/left out/);
  expect(numberText([transport], 10n ** 20n + 4_242_424_242n)).toMatch(/left out/);
  expect(numberText([own], 4_242_424_242)).toBe('4242424242');
  expect(numberText([], 17n)).toBe('17');
});
