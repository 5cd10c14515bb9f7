/** A chain whose answers can be proven: a real node, our follower, our service, and the roots that a reader trusts. */
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

/** The network of the chain, with the fork that it is run by. */
export const provenNetwork: Network = defineNetwork({
  name: 'own',
  l1ChainId: 1,
  l2ChainId: 31337,
  rollup: `0x${'c0'.repeat(20)}`,
  forks: { prague: 0 },
});

export interface ProvenChain<T> {
  readonly node: Anvil;
  readonly tree: StateTree;
  readonly served: ServedData;
  /** What was made on the chain. */
  readonly made: T;
  /** The newest final block. */
  readonly block: number;
  /** A block by its root in the state tree. Default: the newest final one. */
  anchorAt(block?: number): Promise<AnchoredRoot>;
  /** The same block by its header, as L1 has it once it holds block hashes. */
  headerAt(block?: number): Promise<AnchoredRoot>;
  /** Takes the node's new blocks into the state, but not into the index. */
  follow(): Promise<void>;
  /** A client of the service, which trusts nothing by itself. @param lie what its answers are changed by */
  client(lie?: Lie): DataClient;
  close(): Promise<void>;
}

/** How a chain is made. */
interface ProvenChainOptions<T> {
  /** Whether all senders have keys and sign. Default: the node takes any sender at its word, without a signature. */
  readonly isSigned?: boolean;
  /** Places code and balances before there is any block. @returns the addresses */
  readonly place?: (node: Anvil) => Promise<readonly Hex[]>;
  /** Makes what is asked about; the wallets have native tokens. */
  readonly make: (node: Anvil) => Promise<T>;
  /** Options of the service, such as prices. */
  readonly service?: (made: T) => Omit<NonNullable<Parameters<typeof serveData>[1]>, 'state'>;
}

export async function startProvenChain<T>({
  isSigned = false,
  place = async () => [],
  make,
  service = () => ({}),
}: ProvenChainOptions<T>): Promise<ProvenChain<T>> {
  const cleanups: (() => Promise<unknown>)[] = [];
  async function close() {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  }
  try {
    const node = await startAnvil(
      ...(isSigned ? [] : ['--auto-impersonate']),
      ...['--hardfork', 'prague'],
    );
    cleanups.push(() => node.close());
    for (const each of wallets) await node.call('anvil_setBalance', each, '0x56bc75e2d63100000');
    const placed = await place(node);
    const tree = await openStateTree({ keepFinal: 8 });
    cleanups.push(() => tree.close());
    const genesis = await genesisOf(node, [...genesisAddresses, ...wallets, ...placed]);
    await loadStateFile(tree, genesisLines(genesis));
    const made = await make(node);
    for (let i = 0; i < 3; i++) await node.mine();
    const l2 = createTransport({ url: node.url });
    const follow = () => createFollower({ tree, l2, fork: 'prague' }).run({ once: true });
    await follow();
    const state = { tree, finality: storeFinality(tree), fork: 'prague' } as const;
    const served = await serveData(node.url, { ...service(made), state });
    cleanups.push(() => served.close());
    const l1 = { blockNumber: 1, blockHash: `0x${'11'.repeat(32)}` } as const;
    const block = (await tree.finalBlock()) as number;
    return {
      ...{ node, tree, served, made, block, follow, close },
      client: (lie = () => {}) =>
        createDataClient({ url: served.url, chain: chainName, fetch: lyingFetch(lie) }),
      anchorAt: async (number = block) => ({
        l2ChainId: 31337,
        l2BlockNumber: number,
        stateRoot: await tree.stateRoot(number),
        hash: tree.hash,
        l1: { chainId: 1, ...l1 },
        how: 'given',
      }),
      async headerAt(number = block) {
        const header = await node.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
        const { hash: blockHash } = header;
        const named = { kind: 'header', network: provenNetwork, l2BlockNumber: number } as const;
        return givenAnchor({ ...named, blockHash, header, l1 });
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Changes the data of an answer. @param url of the question */
export type Lie = (data: Wire, url: string) => void;

/** A server that says something else. @param ask asks the honest one */
export const lyingFetch =
  (change: Lie, ask: typeof fetch = fetch): typeof fetch =>
  async (...request) => {
    const response = await ask(...request);
    const body = (await response.json()) as { data?: Wire };
    if (body.data) change(body.data, String(request[0]));
    const { status, headers } = response;
    return new Response(JSON.stringify(body), { status, headers });
  };

/** The proof of an account in an answer. */
export const entryOf = (data: Wire, address: string): Wire =>
  data.proofs.accounts.find((entry: Wire) => entry.address === address);
