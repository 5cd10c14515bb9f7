/**
 * `npm run bench -- balances`: the balances of a wallet with five tokens under load from 64 connections on loopback, turn by
 * turn with a bare hono answer of the same bytes in the same process; the client is a process of its own, the node a real
 * Anvil. On a machine that others load too, the second ratio is steadier: it is of this process's own time per request.
 */
import { createTransport } from '../dist/rpc/index.js';
import {
  createDataInterface,
  createDecoder,
  createIndexer,
  createMetrics,
  createService,
  openIndex,
  startServer,
} from '../dist/service/index.js';
import { memoryStore } from '../dist/tree/index.js';
import { accounts, startAnvil } from '../test/support/anvil.js';
import { send } from '../test/support/contracts/contract.js';
import { placeMulticall } from '../test/support/contracts/multicall.js';
import { deployErc20 } from '../test/support/contracts/tokens.js';
import { comparedText, connections, startBare, startLoader } from './httpLoad.js';

const path = `/v1/anvil/address/${accounts[0]}/balances_v2/`;

const node = await startAnvil();
const loader = startLoader();
try {
  await placeMulticall(node);
  for (let i = 0; i < 5; i++) {
    const token = await deployErc20(node, `Token ${i}`, `T${i}`);
    await send(node, token.call('mint', accounts[0], BigInt(1000 + i)));
  }
  const store = memoryStore();
  const index = await openIndex({ store, chainId: 31337 });
  await createIndexer({ index, l2: createTransport({ url: node.url }) }).run({ once: true });
  const decoder = await createDecoder({ chains: [{ name: 'anvil', url: node.url }] });
  const data = await createDataInterface({ decoder, chains: [{ name: 'anvil', store }] });
  const limits = { requestsPerSecond: Infinity };
  const metrics = await createMetrics();
  const server = await startServer(await createService({ decoder, data, limits, metrics }));
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`).then((one) => one.text());
  if (JSON.parse(answer).data.items.length !== 6) throw new Error('six items were expected');
  const bare = await startBare('/v1/:chain/address/:address/balances_v2/', answer);
  const check = '"error":false';
  const figures = await loader.compare(
    { port: server.port, path, check },
    { port: bare.port, path, check },
  );
  console.log(
    `balances of five tokens, cached, ${connections} connections; bar 0.3\n  ${comparedText(figures)}`,
  );
  bare.close();
  await server.stop();
  await data.close();
  await decoder.close();
} finally {
  loader.close();
  await node.close();
}
