/** Says of damage which index it is, and what to do. */
import { wordFor } from '../../errors.js';
import { TreeError } from '../../tree/index.js';
import { IndexError } from '../layout/errors.js';
import type { Index } from './indexTypes.js';

/**
 * Does work on an index.
 *
 * @param name of the index, for messages
 * @throws IndexError `DAMAGED` that names the index, also if the store below says that it is damaged
 */
export async function naming<T>(name = 'the index', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const isDamage = cause instanceof IndexError || cause instanceof TreeError;
    if (!isDamage || cause.code !== 'DAMAGED') throw cause;
    const todo = `feed a new one in another folder: ${wordFor('feedIndex', 'createIndexer')}`;
    throw new IndexError('DAMAGED', `${name}: ${cause.reason}; ${todo}`, { cause });
  }
}

/** An index whose errors name it. */
export const named = (name: string | undefined, index: Index): Index => ({
  chainId: index.chainId,
  holdings: (...args) => naming(name, () => index.holdings(...args)),
  isHolding: (...args) => naming(name, () => index.isHolding(...args)),
  countHoldings: (...args) => naming(name, () => index.countHoldings(...args)),
  tokens: (...args) => naming(name, () => index.tokens(...args)),
  newestBlock: () => naming(name, () => index.newestBlock()),
  finalBlock: () => naming(name, () => index.finalBlock()),
  blockTime: (block) => naming(name, () => index.blockTime(block)),
  blockHash: (block) => naming(name, () => index.blockHash(block)),
  apply: (...args) => naming(name, () => index.apply(...args)),
  finalize: (block) => naming(name, () => index.finalize(block)),
  revert: (block) => naming(name, () => index.revert(block)),
  close: () => index.close(),
});
