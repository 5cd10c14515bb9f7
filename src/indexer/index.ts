/** The events of a chain, indexed for the data interface. */
export {
  checkIndex,
  type IndexCheck,
  type IndexCheckOptions,
  type TokenDifference,
  type TokenStandings,
} from './check/checkIndex.js';
export type { Holding } from './holdings/holdings.js';
export { createIndexer, type Indexer, type IndexerOptions } from './indexer.js';
export { IndexError, type IndexErrorCode } from './layout/errors.js';
export { maxPlace } from './layout/layout.js';
export type { NftApproval, Spender } from './lists/approvals.js';
export type { ItemEnds, ItemMove, LogPlace } from './lists/itemMoves.js';
export type { ItemRun } from './lists/items.js';
export type { Sale } from './lists/sales.js';
export type { SumRecord } from './lists/sums.js';
export { type Index, type IndexOptions, openIndex } from './openIndex.js';
export {
  readFungibleTransfers,
  type SidesWish,
  sidesOf,
  type TransferSide,
} from './receipts/fungible.js';
export { type IndexedBlock, type IndexStatus, readIndexStatus } from './status.js';
