/** `eth_feeHistory`: base fees and gas of blocks, as their headers have them. */
import { parseQuantity } from '../../foreign/values.js';
import { HistoryError } from '../../history/verify/errors.js';
import { invalidParams } from '../params/errors.js';
import { readNumbered } from '../params/historyParams.js';
import type { Params } from '../params/params.js';
import type { ProvenHistory } from '../state/histories.js';

/** Most blocks in one answer, as nodes have it. */
const maxBlocks = 1024;

/** Libraries write it as a number, or in hex. */
function readCount(count: unknown): number {
  const number = typeof count === 'string' ? parseQuantity(count, 53) : count;
  const blocks = Number(number ?? Number.NaN);
  if (Number.isSafeInteger(blocks) && blocks >= 1) return Math.min(blocks, maxBlocks);
  throw invalidParams('params[0] expected a number of blocks from 1');
}

/**
 * Reads the parameters. The last base fee is that of the block after the newest one: no formula is taken for it, for chains
 * have their own. So the newest block is one whose successor's header is proven.
 *
 * @throws ProviderError
 */
export function readFeeHistory(params: Params) {
  const count = readCount(params[0]);
  const newest = readNumbered(params[1], 'params[1]');
  const percentiles = params[2] ?? [];
  if (!Array.isArray(percentiles)) throw invalidParams('params[2] expected an array');
  const hasRewards = percentiles.length > 0;
  return async ({ view, work, newest: current }: ProvenHistory): Promise<unknown> => {
    if (hasRewards) {
      const text = 'rewards are not proven; ask without percentiles, for base fees and gas alone';
      throw new HistoryError('NOT_PROVEN', text);
    }
    const to = newest ?? Math.min(current, view.newest - 1);
    const from = Math.max(0, to - count + 1);
    const headers = await view.headers({ from, to: to + 1 }, work);
    const asked = headers.slice(0, -1);
    return {
      oldestBlock: asked[0]?.number,
      baseFeePerGas: headers.map(({ baseFeePerGas }) => baseFeePerGas ?? '0x0'),
      gasUsedRatio: asked.map(({ gasUsed, gasLimit }) => Number(gasUsed) / Number(gasLimit)),
    };
  };
}
