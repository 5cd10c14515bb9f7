/** Which of some contracts a wallet has holdings of: looked up together, also among very many others. */
import { afterEach, expect, test } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import { createIndexer } from '../../../src/indexer/indexer.js';
import { type Index, openSizedIndex } from '../../../src/indexer/openIndex.js';
import { defaultSizes } from '../../../src/indexer/segments/sizes.js';
import { createTransport } from '../../../src/rpc/index.js';
import { memoryStore } from '../../../src/tree/index.js';
import { type Anvil, startAnvil } from '../../support/anvil.js';
import { modelOf } from '../../support/chainModel.js';
import { spam, spamToken } from '../../support/contracts/hostile.js';
import { patience } from '../../support/runs.js';
import { startHistory, wallets } from '../../support/tokenHistory.js';

const nodes: Anvil[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

const nobody: Hex = `0x${'99'.repeat(20)}`;

async function indexOf(node: Anvil, sizes = defaultSizes): Promise<Index> {
  const index = await openSizedIndex({ store: memoryStore(), chainId: 31337 }, sizes);
  await createIndexer({ index, l2: createTransport({ url: node.url }) }).run({ once: true });
  return index;
}

test(
  'a wallet has those that came to it or left it, by their standard',
  async () => {
    const node = await startAnvil('--auto-impersonate');
    nodes.push(node);
    const history = await startHistory(node, 33);
    await history.mine(30);
    const index = await indexOf(node, { loose: 8, page: 200, fanIn: 2, step: 7 });
    const { moves } = await modelOf(node, Number(await node.call('eth_blockNumber')));
    const contracts = [...new Set(moves.map(({ contract }) => contract)), nobody] as Hex[];
    let count = 0;
    for (const wallet of wallets) {
      for (const standard of ['erc20', 'erc721', 'erc1155'] as const) {
        const own = moves.filter(
          (move) => move.standard === standard && [move.from, move.to].includes(wallet),
        );
        const expected = new Set(own.map(({ contract }) => contract));
        expect(await index.heldContracts(wallet, { standard, contracts })).toEqual(expected);
        expect(await index.heldContracts(wallet, { standard, contracts: [] })).toEqual(new Set());
        count += expected.size;
      }
    }
    expect(count).toBeGreaterThan(5);
  },
  patience,
);

test(
  'among more than a thousand others each is found',
  async () => {
    const node = await startAnvil();
    nodes.push(node);
    const [wallet] = wallets as [Hex];
    await spam(node, { wallet, count: 2300, code: spamToken });
    const index = await indexOf(node);
    const held = await index.holdings(wallet, { limit: 3000 });
    expect(held).toHaveLength(2300);
    const all = held.map(({ contract }) => contract);
    const heldOf = async (contracts: readonly Hex[], standard: 'erc20' | 'erc721' = 'erc20') => [
      ...(await index.heldContracts(wallet, { standard, contracts })),
    ];
    expect(await heldOf(all)).toEqual(all);
    const some = [2299, 0, 1, 1200, 1199].map((i) => all[i] as Hex);
    expect(await heldOf([...some, nobody])).toEqual(some);
    expect(await heldOf([nobody])).toEqual([]);
    expect(await heldOf(all, 'erc721')).toEqual([]);
  },
  patience,
);
