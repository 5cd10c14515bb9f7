/** Uses each optional package through the entry that needs it. `run.ts` compiles and runs it beside the tarball. */
import assert from 'node:assert/strict';
import { slotKey, verifyProof } from 'l2proof';
import { defineNetwork, givenAnchor } from 'l2proof/anchor';
import { lmdbStore } from 'l2proof/lmdb';
import { createPool } from 'l2proof/pool';
import { postgresStore } from 'l2proof/postgres';
import { createProvider } from 'l2proof/provider';
import { createTransport } from 'l2proof/rpc';
import {
  createLog,
  createMetrics,
  createService,
  fixedFinality,
  startServer,
} from 'l2proof/service';
import { openStateTree } from 'l2proof/tree';

const address = '0x00000000000000000000000000000000000a11ce';
const storageKeys = [slotKey(0), slotKey(1)];
const storage = [{ key: slotKey(0), value: slotKey(42) }];

// lmdb: a writer, then a reader.
const path = 'state';
const writer = await openStateTree({ store: lmdbStore({ path }) });
const changes = [{ address, account: { nonce: 7, balance: 10n ** 18n }, storage }] as const;
const { stateRoot } = await writer.applyBlock({ number: 1, changes });
await writer.close();
const tree = await openStateTree({ store: lmdbStore({ path, readOnly: true }) });
const claim = { stateRoot, address, storageKeys } as const;
const saved = await tree.getProof(address, storageKeys, 1);
assert.equal(verifyProof(saved, claim).account?.nonce, 7n);

// pg: it is found, and says that no server is there.
const nowhere = 'postgres://l2proof@127.0.0.1:1/l2proof';
await assert.rejects(
  postgresStore({ connectionString: nowhere }),
  /ECONNREFUSED \(STORE_FAILED\)$/,
);

// piscina: two threads, and a pool that is closed while it starts.
const pool = await createPool({ workers: 2 });
const outcomes = await pool.verifyProofs([
  { result: saved, claim },
  { result: saved, claim: { ...claim, address: `0x${'11'.repeat(20)}` } },
]);
assert.deepEqual(
  outcomes.map(({ ok }) => ok),
  [true, false],
);
await pool.close();
await (await createPool({ workers: 2 })).close();

// hono, @hono/node-server, pino and prom-client: a request, as a page of another origin sends it.
const log = await createLog('info');
const metrics = await createMetrics();
const service = await createService({
  tree,
  finality: fixedFinality(1),
  cors: ['https://example.org'],
  log,
  metrics,
});
const server = await startServer(service);
const url = `http://127.0.0.1:${server.port}`;
const params = [address, storageKeys, 'latest'];
const response = await fetch(`${url}/v3/`, {
  method: 'POST',
  headers: { origin: 'https://example.org' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'l2_getProof', params }),
});
assert.equal(response.headers.get('access-control-allow-origin'), 'https://example.org');
const { result } = (await response.json()) as { result: unknown };
assert.equal(BigInt(verifyProof(result, claim).storage[0]?.value ?? 0), 42n);
const huge = await fetch(`${url}/v3/`, { method: 'POST', body: 'x'.repeat(1 << 17) });
assert.equal(huge.status, 413);
assert.equal(huge.headers.get('connection'), 'close');
const counted = await (await fetch(`${url}/metrics`)).text();
assert.match(counted, /l2proof_requests_total\{status="200",code="0"\} 1/);
assert.match(counted, /l2proof_request_seconds_bucket/);
assert.match(counted, /process_cpu_seconds_total/);

// @ethereumjs/evm, common, util: a program that is set over the account, and reads its slot 0.
const network = defineNetwork({
  l1ChainId: 1,
  l2ChainId: 2,
  rollup: `0x${'22'.repeat(20)}`,
  forks: { prague: 0 },
});
const l1 = { blockNumber: 1, blockHash: `0x${'11'.repeat(32)}` } as const;
const provider = createProvider({
  l2: createTransport({ url: `${url}/v3/any` }),
  network,
  anchor: givenAnchor({ network, l2BlockNumber: 1, stateRoot, l1 }),
});
const program = { [address]: { code: '0x5f545f5260205ff3' } };
const call = { method: 'eth_call', params: [{ to: address }, 'latest', program] };
assert.equal(BigInt((await provider.request(call)) as string), 42n);
provider.close();
await server.stop();
await tree.close();
console.log('all used');
