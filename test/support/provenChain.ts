/** A chain whose answers prove themselves: a real node, our follower, our service, and clients that trust a root alone. */
import {
  type AnchoredRoot,
  defineNetwork,
  givenAnchor,
  type Network,
} from '../../src/anchor/index.js';
import type { Hex } from '../../src/bytes.js';
import { createDataClient, type DataClient } from '../../src/data/index.js';
import { createFollower, genesisLines, loadStateFile } from '../../src/follow/index.js';
import { createTransport } from '../../src/rpc/index.js';
import { storeFinality } from '../../src/service/index.js';
import { openStateTree, type StateTree } from '../../src/tree/index.js';
import { type Anvil, startAnvil } from './anvil.js';
import { genesisAddresses, genesisOf } from './chain.js';
import { chainName, type ServedData, serveData } from './data.js';
import type { Wire } from './runs.js';
import { wallets } from './tokenHistory.js';

/** The network of the chain. Anvil's hard fork is its only one. */
export const network: Network = defineNetwork({
  name: 'own',
  l1ChainId: 1,
  l2ChainId: 31337,
  rollup: `0x${'c0'.repeat(20)}`,
  forks: { prague: 0 },
});

/** Changes the data of an answer. @param url of the question */
export type Lie = (data: Wire, url: string) => void;

/** A server that says something else. */
export function lying(change: Lie): typeof fetch {
  return async (...request) => {
    const response = await fetch(...request);
    const body = (await response.json()) as { data?: Wire };
    if (body.data) change(body.data, String(request[0]));
    const { status, headers } = response;
    return new Response(JSON.stringify(body), { status, headers });
  };
}

/** The proof of an account in an answer. */
export const entryOf = (data: Wire, address: string): Wire =>
  data.proofs.accounts.find((entry: Wire) => entry.address === address);

export interface ProvenChain<Built> {
  readonly node: Anvil;
  readonly tree: StateTree;
  readonly served: ServedData;
  /** What was built on the chain. */
  readonly built: Built;
  /** The newest block that is final. */
  readonly block: number;
  /** The root of a block, as L1 has it. Default: of the newest that is final. */
  anchorAt(number?: number): Promise<AnchoredRoot>;
  /** The same block by its header, as L1 has it once it holds block hashes. */
  headerAt(number?: number): Promise<AnchoredRoot>;
  /** Brings the state to the node's newest final block; the index goes on by `served.feed`. */
  follow(): Promise<void>;
  /** A client of the service, which trusts nothing by itself. @param lie what its answers are changed by */
  client(lie?: Lie): DataClient;
  close(): Promise<void>;
}

/** @param build what is on the chain; three blocks are mined behind it */
export async function startProvenChain<Built>(
  build: (node: Anvil) => Promise<Built>,
): Promise<ProvenChain<Built>> {
  const opened: { close(): Promise<unknown> }[] = [];
  async function close() {
    for (const one of opened.splice(0).reverse()) await one.close();
  }
  async function start(): Promise<ProvenChain<Built>> {
    const node = await startAnvil('--auto-impersonate', '--hardfork', 'prague');
    opened.push(node);
    for (const each of wallets) await node.call('anvil_setBalance', each, '0x56bc75e2d63100000');
    const tree = await openStateTree({ keepFinal: 8 });
    opened.push(tree);
    const genesis = await genesisOf(node, [...genesisAddresses, ...wallets]);
    await loadStateFile(tree, genesisLines(genesis));
    const built = await build(node);
    for (let i = 0; i < 3; i++) await node.mine();
    const l2 = createTransport({ url: node.url });
    const follow = async () => {
      await createFollower({ tree, l2, fork: 'prague' }).run({ once: true });
    };
    await follow();
    const state = { tree, finality: storeFinality(tree), fork: 'prague' } as const;
    const served = await serveData(node.url, { state });
    opened.push(served);
    const block = (await tree.finalBlock()) as number;
    const l1: AnchoredRoot['l1'] = {
      ...{ chainId: 1, blockNumber: 1, blockHash: `0x${'11'.repeat(32)}` },
    };
    return {
      ...{ node, tree, served, built, block, follow, close },
      anchorAt: async (number = block) => ({
        ...{ l2ChainId: 31337, l2BlockNumber: number, l1, how: 'given' },
        ...{ stateRoot: await tree.stateRoot(number), hash: tree.hash },
      }),
      async headerAt(number = block) {
        const header = await node.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
        const of = { l2BlockNumber: number, blockHash: header.hash as Hex, header, l1 };
        return givenAnchor({ kind: 'header', network, ...of });
      },
      client: (lie = () => {}) =>
        createDataClient({ url: served.url, chain: chainName, fetch: lying(lie) }),
    };
  }
  try {
    return await start();
  } catch (error) {
    await close();
    throw error;
  }
}
