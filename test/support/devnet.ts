/** A devnet for the guides, in this process: all of them can be followed on one, under the name of a public network. */
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { networks } from '../../src/anchor/index.js';
import { type Devnet, openDevnet } from '../../src/cli/devnet/devnet.js';
import type { DevNetwork } from '../../src/cli/devnet/network.js';
import { createSupervisor } from '../../src/cli/devnet/supervisor.js';
import { type AnvilCalls, anvilAt } from './anvil.js';
import { newFolder } from './folder.js';
import { until } from './until.js';

export interface GuideDevnet {
  readonly devnet: Devnet;
  /** The genesis.json that the L2 node was started with. */
  readonly genesis: string;
  readonly l1: AnvilCalls;
  /** It mines on demand. */
  readonly l2: AnvilCalls;
  /** Puts the root of L2's newest block on L1, and waits until the follower knows it to be final. @returns its number */
  finalize(): Promise<number>;
  close(): Promise<void>;
}

/** @param network whose chain ids, contract and method it has */
export async function openGuideDevnet(network: DevNetwork): Promise<GuideDevnet> {
  const folder = join(newFolder(), 'devnet');
  mkdirSync(folder);
  const [main = '', keeperFile = ''] = ['main', 'keeper'].map((name) =>
    resolve(`dist/cli/${name}.js`),
  );
  const supervisor = createSupervisor({ main, keeperFile, folder });
  const devnet = await openDevnet({ supervisor, folder, network }).catch(async (error) => {
    await supervisor.stop();
    throw error;
  });
  const [l1, l2] = [anvilAt(devnet.l1), anvilAt(devnet.l2)] as const;
  await l2.call('evm_setAutomine', false);
  return {
    devnet,
    genesis: join(folder, 'genesis.json'),
    l1,
    l2,
    async finalize() {
      const newest = Number(await l2.call('eth_blockNumber'));
      await until(async () => {
        await devnet.finalize();
        const response = await fetch(`${devnet.data}/ready`);
        return ((await response.json()) as { block: number }).block >= newest;
      }, `block ${newest} is final`);
      return newest;
    },
    async close() {
      await devnet.close();
      await supervisor.stop();
    },
  };
}

/** All that changes in a program once the contract stores hashes of blocks, as docs/migration.md says: the slot is named. */
function withSlot(code: string): string {
  return code
    .replaceAll(
      'networks.mainnet',
      'defineNetwork({ ...networks.mainnet, slots: { blockHashes: 456 } })',
    )
    .replace(/import \{(.*)networks \}/, 'import { defineNetwork,$1networks }');
}

/** Chains that the programs of a guide run on, and how a program is changed for each. */
export const guideKinds = [
  {
    stores: 'roots',
    isHeader: false,
    network: networks.mainnet,
    toKind: (code: string) => code,
  },
  {
    stores: 'hashes of blocks',
    isHeader: true,
    network: { ...networks.mainnet, slots: { blockHashes: 456 } },
    toKind: withSlot,
  },
] as const;
