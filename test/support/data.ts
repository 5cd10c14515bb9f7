/** A data interface on loopback, before a real node, and its index. */
import { createIndexer } from '../../src/indexer/indexer.js';
import { openIndex } from '../../src/indexer/openIndex.js';
import { createTransport } from '../../src/rpc/index.js';
import {
  createDataInterface,
  createDecoder,
  createService,
  type DataInterfaceOptions,
  type DecoderOptions,
  type OwnState,
  type RunningServer,
  type ServiceOptions,
  startServer,
} from '../../src/service/index.js';
import { memoryStore, type Store } from '../../src/tree/index.js';
import type { Reply } from './service.js';

/** Names of the chains under which Anvil is served. */
export const chainName = 'anvil';

export interface ServedData {
  readonly url: string;
  readonly server: RunningServer;
  readonly store: Store;
  /** Feeds the index to the node's newest block. */
  feed(): Promise<void>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** @param query with its question mark */
  balances(address: string, query?: string): Promise<Reply>;
  close(): Promise<void>;
}

/** @param node URL that the service asks @param source URL that the index is fed from; default the same */
export async function serveData(
  node: string,
  {
    source = node,
    decoder: decoderOptions = {},
    service: serviceOptions = {},
    chainId = 31337,
    name = chainName,
    state,
    recheck = 0,
    data: dataOptions = {},
    only,
    fed,
  }: {
    source?: string;
    decoder?: Partial<DecoderOptions>;
    service?: ServiceOptions;
    chainId?: number;
    /** Of the chain. */
    name?: string;
    state?: OwnState;
    /** Ms for which a look at the index' newest block holds. */
    recheck?: number;
    /** What the index holds; default: all. */
    only?: 'tokens';
    /** Holds an index that someone else feeds; it is closed with the service. Default: one in memory, fed here. */
    fed?: Store;
    /** Further options of the data interface. */
    data?: Pick<DataInterfaceOptions, 'publicUrl' | 'trace' | 'nftMetadata'>;
  } = {},
): Promise<ServedData> {
  const store = fed ?? memoryStore();
  async function openFeed() {
    const index = await openIndex({ store, chainId, ...(only && { only }) });
    const l2 = createTransport({ url: source });
    const indexer = createIndexer({ index, l2, patience: { tries: 3, delay: 1 } });
    await indexer.run({ once: true });
    return () => indexer.run({ once: true });
  }
  const feed = fed ? async () => {} : await openFeed();
  const decoder = await createDecoder({
    chains: [{ name, url: node }],
    recheck: 0,
    ...decoderOptions,
  });
  const data = await createDataInterface({
    decoder,
    chains: [{ name, store, ...(state && { state }) }],
    recheck,
    ...dataOptions,
  });
  const service = await createService({ decoder, data, ...serviceOptions });
  const server = await startServer(service);
  const url = `http://127.0.0.1:${server.port}`;
  async function get(path: string, headers = {}) {
    const ask = () => fetch(url + path, { headers });
    // A connection may have been idle for so long that the server closes it just as a request is sent on it.
    const response = await ask().catch((error) => {
      if (error?.cause?.code === 'ECONNRESET') return ask();
      throw error;
    });
    const text = await response.text();
    const { status } = response;
    return { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  }
  return {
    ...{ url, server, store, feed, get },
    balances: (address, query = '') => get(`/v1/${name}/address/${address}/balances_v2/${query}`),
    async close() {
      await server.stop();
      await data.close();
      await decoder.close();
    },
  };
}
