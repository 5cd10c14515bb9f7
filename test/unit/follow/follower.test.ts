/** Follows real nodes: every account and slot that a chain touched is held against the node, block by block. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createFollower,
  type Fork,
  genesisLines,
  loadStateFile,
} from '../../../src/follow/index.js';
import { createTransport } from '../../../src/rpc/index.js';
import {
  type Hex,
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../../src/tree/index.js';
import { type Anvil, startAnvil, word } from '../../support/anvil.js';
import {
  beaconRoots,
  beaconRootsCode,
  delegations,
  expectEqual,
  genesisAddresses,
  genesisOf,
  life,
  slots,
  type Touched,
  touchBlock,
  touchLife,
} from '../../support/chain.js';
import { newFolder } from '../../support/folder.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';

/** A genesis file for Anvil with the contract of EIP-4788, which it does not bring itself. */
function genesisFile(): string {
  const file = join(newFolder(), 'genesis.json');
  const zero = `0x${word(0)}`;
  const genesis = {
    config: { chainId: 31337 },
    nonce: '0x0',
    timestamp: '0x65000000',
    extraData: '0x',
    gasLimit: '0x1c9c380',
    difficulty: '0x0',
    mixHash: zero,
    coinbase: `0x${'0'.repeat(40)}`,
    number: '0x0',
    gasUsed: '0x0',
    parentHash: zero,
    alloc: { [beaconRoots]: { balance: '0x0', nonce: '0x1', code: beaconRootsCode } },
  };
  writeFileSync(file, JSON.stringify(genesis));
  return file;
}

const beaconRootOf = (block: number) => `0x${word(0xbeac00n + BigInt(block))}`;

/** Anvil's headers have a beacon root of zero: this puts one of each block's own in its place. */
const withBeaconRoots: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { method } = JSON.parse(init?.body as string);
  if (method !== 'eth_getBlockByNumber') return response;
  const answer: Wire = await response.json();
  const header = answer.result;
  if (header?.parentBeaconBlockRoot) {
    header.parentBeaconBlockRoot = beaconRootOf(Number(header.number));
  }
  return new Response(JSON.stringify(answer));
};

/** Writes what EIP-4788 says, which Anvil leaves out, into the block that is mined next. */
async function writeBeaconRoot(node: Anvil): Promise<void> {
  const block = Number(await node.call('eth_blockNumber')) + 1;
  const time = 0x65000000 + 12 * block;
  const slot = time % 8191;
  await node.call('evm_setNextBlockTimestamp', time);
  await node.call('anvil_setStorageAt', beaconRoots, `0x${word(slot)}`, `0x${word(time)}`);
  const root = `0x${word(slot + 8191)}`;
  await node.call('anvil_setStorageAt', beaconRoots, root, beaconRootOf(block));
}

async function openLoaded(node: Anvil, store: Store): Promise<StateTree> {
  const tree = await openStateTree({ store });
  await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
  return tree;
}

describe.each<Fork>(['shanghai', 'cancun', 'prague'])('on %s', (fork) => {
  const blocks = fork === 'prague' ? [...life, ...delegations] : life;
  let node: Anvil;
  beforeAll(async () => {
    node = await startAnvil('--hardfork', fork, '--init', genesisFile());
  });
  afterAll(() => node.close());

  test(
    "every account and slot is the node's, after every block",
    async () => {
      const store = { ...memoryStore(), close: async () => {} };
      const l2 = createTransport({ url: node.url, fetch: withBeaconRoots });
      const touched: Touched = new Map();
      touchLife(touched);
      let tree = await openLoaded(node, store);
      // Anvil shows what is set from outside before block 1 in block 0 as well, so its word for the genesis is wrong then.
      const genesisRoot = (await tree.headerRoot(0)) as Hex;
      let compared = 0;
      for (const [i, transactions] of blocks.entries()) {
        if (fork !== 'shanghai') await writeBeaconRoot(node);
        const block = await node.mine(...transactions);
        await touchBlock(node, touched, block);
        // A follower that begins anew goes on where the last one was.
        if (i % 4 === 3) {
          await tree.close();
          tree = await openStateTree({ store });
        }
        await createFollower({ tree, l2, fork, genesisRoot }).run({ once: true });
        expect(await tree.newestBlock()).toBe(block);
        expect(await tree.finalBlock()).toBe(Math.max(0, block - 2));
        compared += await expectEqual(node, tree, touched, block);
      }
      // The chain did what it was to do: the contract lives, dies and comes back where it can.
      const alive = await node.callEach(
        'eth_getCode',
        [1, 2, 5, 6, 8, 9, 10].map((block) => [slots(1), `0x${block.toString(16)}`]),
      );
      expect(alive.map((code) => code !== '0x')).toEqual(
        [false, true, false, true, true, false, true].map((isAlive, i) =>
          i > 0 && fork !== 'shanghai' ? true : isAlive,
        ),
      );
      // What was set from outside for one block shows in the node's answers for the block before, too.
      touched.delete(beaconRoots);
      for (let block = 0; block <= blocks.length; block++) {
        compared += await expectEqual(node, tree, touched, block);
      }
      expect(compared).toBeGreaterThan(100 * blocks.length);

      // In one go, from the genesis on, to the same root.
      const again = await openLoaded(node, memoryStore());
      const seen: number[] = [];
      const follower = createFollower({
        tree: again,
        l2,
        fork,
        genesisRoot,
        onProgress: ({ block }) => seen.push(block),
      });
      await follower.run({ once: true });
      // The last two blocks are not final. Those before go in together.
      expect(seen).toEqual([0, blocks.length - 2, blocks.length - 1, blocks.length]);
      expect(await again.stateRoot()).toBe(await tree.stateRoot());
    },
    patience,
  );
});
