/** A rollup that goes on: an L2 node, followed and served, whose roots an operator puts on a real L1 node. */

import { defineNetwork, type Network } from '../../src/anchor/index.js';
import { createFollower, type Fork, genesisLines, loadStateFile } from '../../src/follow/index.js';
import { slotKey } from '../../src/index.js';
import { createTransport, type Transport } from '../../src/rpc/index.js';
import { createService, startServer, storeFinality } from '../../src/service/index.js';
import { memoryStore, openStateTree, type StateTree, type Store } from '../../src/tree/index.js';
import type { RpcAnswer } from './answers.js';
import { type Anvil, startAnvil } from './anvil.js';
import { genesisAddresses, genesisOf } from './chain.js';
import { startHttp } from './http.js';
import { deployRollup, finalizeOnL1 } from './rollup.js';
import type { Wire } from './runs.js';
import { implementation, rollup } from './worlds.js';

/** What becomes of an answer of the gateway: its `result` or `error`. */
export type Meddle = (method: string, params: Wire[], answer: RpcAnswer<Wire>) => unknown;

/** Changes the results of some methods. */
export const edit =
  (methods: RegExp, change: (result: Wire, params: Wire[]) => unknown): Meddle =>
  async (method, params, answer) =>
    methods.test(method) && 'result' in answer
      ? { result: await change(structuredClone(answer.result), params) }
      : answer;

export interface Living {
  readonly l1: Anvil;
  readonly l2: Anvil;
  readonly tree: StateTree;
  /** Of the tree. */
  readonly store: Store;
  readonly network: Network;
  readonly l1Transport: Transport;
  /** Asks the gateway: proofs come from the service, all else from the L2 node. */
  readonly transport: Transport;
  /** Of the gateway, with a key in it. */
  readonly url: string;
  /** Of the service alone, which answers compact bytes. */
  readonly proofs: string;
  /** What reached the gateway, in order. */
  readonly requests: { method: string; params: Wire[] }[];
  /** Edits the gateway's answers from now on; nothing: no more. */
  meddle(edit?: Meddle): void;
  /** Follows the L2 node to its newest block. */
  follow(): Promise<void>;
  /**
   * Follows the L2 node, puts the root of its newest block on L1, and lets L1 finalize it. @returns its number
   *
   * @param writes what the contract keeps: the root, as to version 8; both, as the finalization that migrates; or the hash
   */
  finalize(writes?: 'root' | 'both' | 'hash'): Promise<number>;
  close(): Promise<void>;
}

export const gatewayKey = 'k3y-that-must-not-leak';

/** A network of our own. */
export const living = defineNetwork({ name: 'living', l1ChainId: 900, l2ChainId: 31337, rollup });

const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

/**
 * @param keepFinal final blocks that the tree keeps
 * @param network whose chain ids, contract and method these have
 * @param prepare changes L2 before its first block, and returns the addresses that the genesis then has, too
 */
export async function openLiving({
  fork = 'prague',
  keepFinal = 8,
  network = living,
  prepare = async () => [],
}: {
  fork?: Fork;
  keepFinal?: number;
  network?: Network;
  prepare?: (l2: Anvil) => Promise<readonly string[]>;
} = {}): Promise<Living> {
  const { rollup, method: proofMethod } = network;
  const l2 = await startAnvil('--hardfork', fork, '--chain-id', String(network.l2ChainId));
  const l1 = await startAnvil('--chain-id', String(network.l1ChainId));
  await deployRollup(l1, rollup, implementation);
  const store = memoryStore();
  const tree = await openStateTree({ store, keepFinal, hash: network.hash });
  const genesis = await genesisOf(l2, [...genesisAddresses, ...(await prepare(l2))]);
  await loadStateFile(tree, genesisLines(genesis));
  const l1Transport = createTransport({ url: l1.url });
  const follower = createFollower({
    tree,
    l2: createTransport({ url: l2.url }),
    l1: { transport: l1Transport, rollup },
    fork,
  });
  const finality = storeFinality(tree);
  const aliases = proofMethod === 'l2_getProof' ? [] : [proofMethod];
  const server = await startServer(await createService({ tree, finality, aliases }));
  const proofs = `http://127.0.0.1:${server.port}/v3/any`;
  const requests: { method: string; params: Wire[] }[] = [];
  let meddling: Meddle = (_method, _params, answer) => answer;
  const gateway = await startHttp(async (request, response) => {
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') {
      response.end();
      return;
    }
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method, params } = JSON.parse(body);
    requests.push({ method, params });
    const answer = await fetch(method === proofMethod ? proofs : l2.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { result, error } = (await answer.json()) as RpcAnswer<Wire>;
    const edited = await meddling(method, params, error ? { error } : { result });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(edited as object) }));
  });
  const url = `${gateway.url}/${gatewayKey}`;
  let last = 0;
  return {
    l1,
    l2,
    tree,
    store,
    network,
    l1Transport,
    transport: createTransport({ url }),
    url,
    proofs,
    requests,
    meddle(next = (_method, _params, answer) => answer) {
      meddling = next;
    },
    follow: () => follower.run({ once: true }),
    async finalize(writes = 'root') {
      await follower.run({ once: true });
      const end = (await tree.newestBlock()) as number;
      const number = `0x${end.toString(16)}`;
      const { timestamp, hash } = await l2.call('eth_getBlockByNumber', number, false);
      const stateRoot = writes === 'hash' ? slotKey(0) : await tree.stateRoot(end);
      await finalizeOnL1(l1, rollup, {
        start: last + 1,
        end,
        stateRoot,
        timestamp: Number(timestamp),
        ...(writes !== 'root' && { blockHash: hash }),
      });
      await l1.mine();
      await follower.run({ once: true });
      last = end;
      return end;
    },
    async close() {
      await gateway.close();
      await server.stop();
      await tree.close();
      await Promise.all([l1.close(), l2.close()]);
    },
  };
}
