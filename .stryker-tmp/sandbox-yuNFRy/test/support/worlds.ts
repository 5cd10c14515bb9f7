/** An L2 node that is followed, the service over it, and an L1 node with the rollup contract; all are real. */
// @ts-nocheck

import { defineNetwork, type Network } from '../../src/anchor/index.js';
import type { Hex } from '../../src/bytes.js';
import { createFollower, genesisLines, loadStateFile } from '../../src/follow/index.js';
import { createTransport } from '../../src/rpc/index.js';
import { createService, type RunningServer, startServer } from '../../src/service/index.js';
import { openStateTree, type StateTree } from '../../src/tree/index.js';
import { type Anvil, accounts, create2, slotInit, startAnvil, store } from './anvil.js';
import { genesisAddresses, genesisOf, slots } from './chain.js';
import { deployRollup, finalizeOnL1 } from './rollup.js';

export const rollup: Hex = '0xd19d4b5d358258f05d7b411e21a1460d11b0876f';
export const implementation: Hex = '0x59290394ddc1cf84e671701a929710643c343530';

/** The contract on L2 that the chain writes to. */
export const contract: Hex = slots(1);

/** Last block of each finalization. */
export const ends = [2, 4, 6, 8] as const;

export interface Worlds {
  readonly l1: Anvil;
  readonly l2: Anvil;
  readonly network: Network;
  /** Of the proof service. */
  readonly proofs: string;
  readonly tree: StateTree;
  /** State roots as the contract has them, by block. */
  readonly roots: ReadonlyMap<number, Hex>;
  /** Time of a block of L2, in seconds. */
  timeOf(block: number): Promise<number>;
  /** Highest block that the service answers; all at first. */
  holdUpTo(block: number): void;
  close(): Promise<void>;
}

async function openTree(l2: Anvil): Promise<StateTree> {
  const tree = await openStateTree();
  await loadStateFile(tree, genesisLines(await genesisOf(l2, genesisAddresses)));
  return tree;
}

/** Mines eight blocks, and gives the root after each as a tree has it that follows. */
async function growL2(l2: Anvil): Promise<Map<number, Hex>> {
  const tree = await openTree(l2);
  const transport = createTransport({ url: l2.url });
  const follower = createFollower({ tree, l2: transport, fork: 'prague' });
  const roots = new Map<number, Hex>();
  for (let block = 1; block <= 8; block++) {
    await (block === 1
      ? l2.mine(create2(1, slotInit))
      : l2.mine(store(contract, 1, 100 + block), { to: accounts[1], value: BigInt(block) }));
    await follower.run({ once: true });
    roots.set(block, await tree.stateRoot(block));
  }
  await tree.close();
  return roots;
}

/** @param l1ChainId also that of the network */
export async function openWorlds(l1ChainId = 900): Promise<Worlds> {
  const l2 = await startAnvil('--hardfork', 'prague');
  const l1 = await startAnvil('--chain-id', String(l1ChainId));
  const roots = await growL2(l2);
  const timeOf = async (block: number) =>
    Number((await l2.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false)).timestamp);
  await deployRollup(l1, rollup, implementation);
  for (const end of ends) {
    const stateRoot = roots.get(end) as Hex;
    await finalizeOnL1(l1, rollup, {
      start: end - 1,
      end,
      stateRoot,
      timestamp: await timeOf(end),
    });
  }
  // The last finalization is final two blocks later.
  await l1.mine();
  const tree = await openTree(l2);
  const [transport, l1Transport] = [l2, l1].map(({ url }) => createTransport({ url }));
  await createFollower({
    tree,
    l2: transport as NonNullable<typeof transport>,
    l1: { transport: l1Transport as NonNullable<typeof l1Transport>, rollup },
    fork: 'prague',
  }).run({ once: true });
  let height = Number.MAX_SAFE_INTEGER;
  const service = await createService({
    tree,
    finality: async () => height,
    aliases: ['linea_getProof'],
  });
  const server: RunningServer = await startServer(service);
  return {
    l1,
    l2,
    tree,
    roots,
    timeOf,
    network: defineNetwork({
      name: 'testing',
      l1ChainId,
      l2ChainId: 31337,
      rollup,
      method: 'linea_getProof',
    }),
    proofs: `http://127.0.0.1:${server.port}/v3/anything`,
    holdUpTo(block) {
      height = block;
    },
    async close() {
      await server.stop();
      await tree.close();
      await Promise.all([l1.close(), l2.close()]);
    },
  };
}
