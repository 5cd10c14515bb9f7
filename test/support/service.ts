/** A small state on a memory store, served on loopback. */

import type { Hex } from '../../src/index.js';
import {
  createService,
  fixedFinality,
  type RunningServer,
  type ServerOptions,
  type ServiceOptions,
  startServer,
} from '../../src/service/index.js';
import { memoryStore, openStateTree, type StateTree, type Store } from '../../src/tree/index.js';
import type { Wire } from './runs.js';

const word = (value: number | bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/** What the state holds, block by block. */
export const world = {
  wallet: `0x${'a1'.repeat(20)}` as Hex,
  contract: `0x${'Cc'.repeat(20)}` as Hex,
  /** A contract that never wrote a slot. */
  pristine: `0x${'de'.repeat(20)}` as Hex,
  nobody: `0x${'00'.repeat(19)}01` as Hex,
  /** Slots 1 to 3 of the contract hold 11, 12, 13 from block 10 on; slot 1 holds n + 100 after block n. */
  slot: word,
  /** Final in the tree. */
  final: [10, 11],
  /** Applied since. */
  open: [12, 13],
  /** L1 has finalized up to here: one block further than the tree was told. */
  finality: 12,
};

/** The world on a store. */
export async function openWorld(store: Store = memoryStore()): Promise<StateTree> {
  const tree = await openStateTree({ store });
  const { wallet, contract, pristine, slot, final, open } = world;
  const code = '0x6001' as Hex;
  await tree.applyBlock({
    number: 10,
    changes: [
      { address: wallet, account: { nonce: 1n, balance: 10n ** 18n } },
      { address: pristine, account: { nonce: 1n, balance: 0n, code } },
      {
        address: contract,
        account: { nonce: 1n, balance: 5n, code },
        storage: [1, 2, 3].map((i) => ({ key: slot(i), value: slot(10 + i) })),
      },
    ],
  });
  await tree.finalize(10);
  for (const number of [...final.slice(1), ...open]) {
    await tree.applyBlock({
      number,
      changes: [
        {
          address: contract,
          account: { nonce: 1n, balance: BigInt(number) },
          storage: [{ key: slot(1), value: slot(number + 100) }],
        },
      ],
    });
    if (final.includes(number)) await tree.finalize(number);
  }
  return tree;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed, or undefined if it is empty. */
  readonly body: Wire;
}

export interface Served {
  readonly url: string;
  readonly tree: StateTree;
  readonly server: RunningServer;
  /** Posts a body as it is, or as JSON. */
  post(body: unknown, path?: string, init?: RequestInit): Promise<Reply>;
  close(): Promise<void>;
}

/** One well-formed request. */
export const ask = (params: unknown, id: unknown = 1, method = 'l2_getProof') => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** Serves the world on a free port. */
export async function serveWorld(
  options: Partial<ServiceOptions> = {},
  serverOptions: ServerOptions = {},
): Promise<Served> {
  const tree = await openWorld();
  const finality = fixedFinality(world.finality);
  const service = await createService({ tree, finality, ...options });
  const server = await startServer(service, serverOptions);
  const url = `http://127.0.0.1:${server.port}`;
  const [key = 'anything'] = options.keys ?? [];
  return {
    url,
    tree,
    server,
    async post(body, path = `/v3/${key}`, init = {}) {
      const response = await fetch(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
      });
      const text = await response.text();
      const { status, headers } = response;
      return { status, headers, body: text === '' ? undefined : JSON.parse(text) };
    },
    async close() {
      await server.stop();
      await tree.close();
    },
  };
}
