/**
 * `npm run bench -- routes`: remembered answers of each group of routes of the data interface under load from 64 connections on
 * loopback, turn by turn with a bare hono answer of the same bytes in the same process; the client is a process of its own,
 * the node a real Anvil. The bar is 0.3, by this process's own time per request.
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

const transfers = 100;

const node = await startAnvil();
const loader = startLoader();
try {
  await placeMulticall(node);
  const token = await deployErc20(node, 'Token', 'T');
  await send(node, token.call('mint', accounts[0], 10n ** 18n));
  for (let i = 0; i < transfers; i++) {
    await send(node, { ...token.call('transfer', accounts[1], BigInt(1 + i)), from: accounts[0] });
  }
  const newest = Number(await node.call('eth_blockNumber'));
  const block = (await node.call('eth_getBlockByNumber', `0x${newest.toString(16)}`, false)) as {
    hash: string;
    transactions: string[];
  };
  const store = memoryStore();
  const index = await openIndex({ store, chainId: 31337 });
  await createIndexer({ index, l2: createTransport({ url: node.url }) }).run({ once: true });
  const decoder = await createDecoder({ chains: [{ name: 'anvil', url: node.url }] });
  const data = await createDataInterface({ decoder, chains: [{ name: 'anvil', store }] });
  const limits = { requestsPerSecond: Infinity };
  const metrics = await createMetrics();
  const server = await startServer(await createService({ decoder, data, limits, metrics }));

  const wallet = `/v1/anvil/address/${accounts[0]}`;
  const paths: Readonly<Record<string, readonly string[]>> = {
    Transactions: [
      `/v1/anvil/transaction_v2/${block.transactions[0]}/`,
      `${wallet}/transactions_v3/`,
      `${wallet}/transactions_summary/`,
      `/v1/anvil/bulk/transactions/${accounts[0]}/`,
      `/v1/anvil/block/${newest}/transactions_v3/page/0/`,
    ],
    Blockchain: [
      `/v1/anvil/block_v2/${newest}/`,
      `/v1/anvil/events/address/${token.address}/`,
      '/v1/anvil/event/erc20/gas_prices/',
      '/v1/chains/',
    ],
    Wallet: [
      `${wallet}/balances_v2/`,
      `${wallet}/balances_native/`,
      `${wallet}/transfers_v2/`,
      `/v1/anvil/tokens/${token.address}/token_holders_v2/`,
    ],
  };
  console.log(`remembered answers, ${connections} connections; bar 0.3`);
  for (const [group, own] of Object.entries(paths)) {
    for (const path of own) {
      const found = await fetch(`http://127.0.0.1:${server.port}${path}`);
      const answer = await found.text();
      if (found.status !== 200) throw new Error(`${path}: ${answer}`);
      const bare = await startBare('/v1/*', answer);
      const check = '"error":false';
      const jobs = [
        { port: server.port, path, check },
        { port: bare.port, path, check },
      ] as const;
      console.log(
        `${group} ${path} (${answer.length} bytes)\n  ${comparedText(await loader.compare(...jobs))}`,
      );
      bare.close();
    }
  }
  await server.stop();
  await data.close();
  await decoder.close();
} finally {
  loader.close();
  await node.close();
}
