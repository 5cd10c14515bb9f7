/** Opens an index: what a feeder writes, and what a service reads. */
import { wrongRange } from '../errors.js';
import { ownOptions } from '../foreign/argument.js';
import type { Store } from '../tree/index.js';
import { createApply } from './blocks/apply.js';
import { BlockEntries } from './blocks/blockEntries.js';
import { createEnds } from './blocks/ends.js';
import { createHeldTokens } from './holdings/heldTokens.js';
import { createHoldings } from './holdings/holdings.js';
import type { Index } from './holdings/indexTypes.js';
import { named, naming } from './holdings/naming.js';
import { createApprovalLists } from './lists/approvals.js';
import { createItemLists } from './lists/items.js';
import { createLogBlockLists } from './lists/logBlocks.js';
import { createSaleLists } from './lists/sales.js';
import { createSumLists } from './lists/sums.js';
import { createTransactionLists } from './lists/transactions.js';
import { createTransferLists } from './lists/transfers.js';
import { openFormat } from './sealed/format.js';
import { readHead } from './sealed/head.js';
import { Numbers, numberedContracts, numberedTopics } from './sealed/numbers.js';
import { sealed } from './sealed/sealedStore.js';
import { defaultSizes, type Sizes } from './segments/sizes.js';

export type { Index } from './holdings/indexTypes.js';

/** Options of {@link openIndex}. */
export interface IndexOptions {
  /** A store of `l2proof/lmdb`, or another that keeps the contract. To read the index, it may be read only. */
  store: Store;
  /** The chain that is indexed; needed to begin an index. An index that is there must be of this chain. */
  chainId?: number;
  /**
   * `tokens`: the index only says which wallets may hold which tokens, and is fed with `eth_getLogs`. Default: a new index
   * holds all that receipts say, and one that is there keeps what it was begun with.
   */
  only?: 'tokens';
  /** Name of the index in messages about damage, for example its folder. Default: `the index`. */
  name?: string;
}

/**
 * Opens an index of a chain in a store, or begins one in an empty store.
 *
 * @throws IndexError `WRONG_INDEX`, or any error of the store
 */
export const openIndex = (options: IndexOptions): Promise<Index> =>
  openSizedIndex(options, defaultSizes);

/** @param sizes others than the default in tests, whose chains are short */
export async function openSizedIndex(options: IndexOptions, sizes: Sizes): Promise<Index> {
  const names = ['store', 'chainId', 'only', 'name'] as const;
  const given = ownOptions(options, names, 'options', ['chainId', 'only']);
  const { name } = given;
  if (given.only !== undefined && given.only !== 'tokens') {
    throw wrongRange('only', 'expected "tokens"');
  }
  const { chainId, only } = await naming(name, () =>
    openFormat(given.store, {
      ...(given.chainId !== undefined && { chainId: given.chainId }),
      only: given.only,
    }),
  );
  const store = sealed(given.store);
  const blocks = new BlockEntries(store);
  const contracts = new Numbers(store, numberedContracts);
  const topics = new Numbers(store, numberedTopics);
  const { finalize, revert } = createEnds(store, blocks, [contracts, topics]);
  const known = (block: number) => (block < 0 ? undefined : block);
  return named(name, {
    ...{ chainId, only },
    ...createHoldings(store),
    ...createHeldTokens(store),
    ...createTransactionLists(store),
    ...createTransferLists(store),
    ...createSumLists(store),
    ...createLogBlockLists(store),
    ...createApprovalLists(store),
    ...createItemLists(store),
    ...createSaleLists(store),
    newestBlock: async () => known((await readHead(store)).newest),
    finalBlock: async () => known((await readHead(store)).final),
    blockTime: (block) => blocks.time(block),
    blockAt: (time) => blocks.at(time),
    blockHash: async (block) => (await blocks.mark(block))?.hash,
    apply: createApply(store, { blocks, contracts, topics, finalize, sizes }),
    finalize,
    revert,
    close: () => store.close(),
  });
}
