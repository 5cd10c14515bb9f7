/** The status of a store that holds an index. */
import type { Hex } from '../bytes.js';
import type { Store } from '../tree/index.js';
import { openIndex } from './openIndex.js';
import { indexVersion } from './sealed/format.js';

/** A block up to which an index has come. */
export interface IndexedBlock {
  /** Its number. */
  readonly number: number;
  /** Undefined if the block was taken back meanwhile. */
  readonly hash: Hex | undefined;
}

/** The status of the index in a store. */
export interface IndexStatus {
  /** Version of the format. */
  readonly version: number;
  /** The chain that it is of. */
  readonly chainId: number;
  /** `tokens`: it only says which wallets may hold which tokens. Undefined: it was fed with whole receipts. */
  readonly only: 'tokens' | undefined;
  /** The newest block in it; undefined of a new index. */
  readonly newest: IndexedBlock | undefined;
  /** The newest one that no reorg takes back. */
  readonly final: IndexedBlock | undefined;
}

/**
 * Reads what a store says of its index, beside any writer.
 *
 * @param store may be open to read only; it stays open
 * @param name what messages about damage call the index; default `the index`
 * @throws IndexError `WRONG_INDEX`, `DAMAGED`, or any error of the store
 */
export async function readIndexStatus(store: Store, name?: string): Promise<IndexStatus> {
  const index = await openIndex({ store, ...(name !== undefined && { name }) });
  const toBlock = async (number: number | undefined) =>
    number === undefined ? undefined : { number, hash: await index.blockHash(number) };
  return {
    version: indexVersion,
    chainId: index.chainId,
    only: index.only,
    newest: await toBlock(await index.newestBlock()),
    final: await toBlock(await index.finalBlock()),
  };
}
