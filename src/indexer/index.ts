/** The events of a chain, indexed for the data interface. */
export { IndexError, type IndexErrorCode } from './errors.js';
export type { Holding } from './holdings.js';
export { createIndexer, type Indexer, type IndexerOptions } from './indexer.js';
export { type Index, type IndexOptions, openIndex } from './openIndex.js';
