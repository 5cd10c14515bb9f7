/** A data interface of several chains on loopback, before real nodes. */
import { createIndexer } from '../../src/indexer/indexer.js';
import { openIndex } from '../../src/indexer/openIndex.js';
import { createTransport } from '../../src/rpc/index.js';
import {
  createDataInterface,
  createDecoder,
  createService,
  type DecoderOptions,
  startServer,
} from '../../src/service/index.js';
import { memoryStore, type Store } from '../../src/tree/index.js';
import type { ServedData } from './data.js';

export interface FedChain {
  readonly name: string;
  readonly chainId: number;
  /** Of its node. */
  readonly url: string;
  /** What its index holds; default: all. */
  readonly only?: 'tokens';
}

export interface ServedChains extends Pick<ServedData, 'url' | 'get' | 'close'> {
  /** Feeds the index of a chain to its node's newest block. */
  feed(name: string): Promise<void>;
}

/** @param chains in the order in which they are served */
export async function serveChains(
  chains: readonly FedChain[],
  options: Partial<DecoderOptions> = {},
): Promise<ServedChains> {
  const stores: { name: string; store: Store }[] = [];
  const feeds = new Map<string, () => Promise<unknown>>();
  for (const { name, chainId, url, only } of chains) {
    const store = memoryStore();
    const index = await openIndex({ store, chainId, ...(only && { only }) });
    const indexer = createIndexer({
      ...{ index, l2: createTransport({ url }), patience: { tries: 3, delay: 1 } },
    });
    await indexer.run({ once: true });
    stores.push({ name, store });
    feeds.set(name, () => indexer.run({ once: true }));
  }
  const nodes = chains.map(({ name, url }) => ({ name, url }));
  const decoder = await createDecoder({ chains: nodes, recheck: 0, ...options });
  const data = await createDataInterface({ decoder, chains: stores, recheck: 0 });
  const server = await startServer(await createService({ decoder, data }));
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    async feed(name) {
      await feeds.get(name)?.();
    },
    async get(path, headers = {}) {
      const response = await fetch(url + path, { headers });
      const { status } = response;
      return { status, headers: response.headers, body: await response.json() };
    },
    async close() {
      await server.stop();
      await data.close();
      await decoder.close();
    },
  };
}
