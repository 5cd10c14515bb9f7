/** Uses viem, zod and @hono/zod-openapi: a transaction decoded by the service, and asked for by the client. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDataClient, DataError } from 'l2proof/data';
import { createDecoder, createService, startServer } from 'l2proof/service';
import * as z from 'zod/mini';

const txHash = `0x${'ab'.repeat(32)}` as const;
const blockHash = `0x${'cd'.repeat(32)}`;
const place = { blockHash, blockNumber: '0x5', transactionIndex: '0x0' };
const [from, to, token] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`);
const topicOf = (address = '') => `0x${address.slice(2).padStart(64, '0')}`;
const log = {
  ...place,
  address: token,
  logIndex: '0x0',
  // keccak-256 of Transfer(address,address,uint256)
  topics: [
    '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    topicOf(from),
    topicOf(to),
  ],
  data: topicOf('0x05'),
};
const gas = { gasUsed: '0x1', effectiveGasPrice: '0x1', status: '0x1' };
const answers: Record<string, unknown> = {
  eth_chainId: '0x7',
  eth_getTransactionByHash: { ...place, hash: txHash, from, to, value: '0x0', gas: '0x5208' },
  eth_getTransactionReceipt: { ...place, ...gas, transactionHash: txHash, from, to, logs: [log] },
  eth_getBlockByNumber: { number: '0x5', hash: blockHash, timestamp: '0x1', miner: from },
  eth_call: '0x',
};
const node = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { id, method } = JSON.parse(text) as { id: number; method: string };
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method] ?? null }));
});
await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(node.address() as AddressInfo).port}`;

const decoder = await createDecoder({ chains: [{ name: 'some-chain', url }] });
const server = await startServer(await createService({ decoder }));
const service = `http://127.0.0.1:${server.port}`;
const client = createDataClient({ url: service, chain: 'some-chain' });
const { events, txMetadata } = await client.decodeTransaction({ txHash });
assert.equal(events[0]?.tokens?.[0]?.value, '5');
assert.equal(txMetadata.tx_hash, txHash);
const unknown = client.decodeTransaction({ txHash, chainName: 'another' });
await assert.rejects(unknown, (error) => error instanceof DataError && error.status === 400);
// No envelope: a schema of the caller's is not even looked at.
await assert.rejects(client.get('/api/v1/healthcheck', {}, z.string()), DataError);
interface Described {
  paths: Record<string, { post: { responses: object } }>;
  components: { schemas: { Failure: { required: string[] } } };
}
const described = (await (await fetch(`${service}/openapi.json`)).json()) as Described;
assert.ok('200' in (described.paths['/api/v1/tx/decode']?.post.responses ?? {}));
assert.deepEqual(described.components.schemas.Failure.required, ['success', 'message']);
await server.stop();
await decoder.close();
node.close();
console.log('all used');
