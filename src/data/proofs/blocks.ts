/** Holds blocks against their headers, which are proven by their hashes in the state under a trusted root. */
import type { BlockHeader } from '../../history/verify/types.js';
import { isHeader } from '../../proven/index.js';
import type { BlockItem } from '../items/chainItem.js';
import type { Trust } from '../wire/trust.js';
import { agreed } from './agreed.js';
import { openGround } from './ground.js';
import { numberOf, timeOf } from './headerValues.js';
import { createOnce, createPageVerifier, type PageVerifier } from './provenPage.js';
import type { Work } from './work.js';

const toItem = (header: BlockHeader) => ({
  height: numberOf(header.number),
  block_hash: header.hash,
  block_parent_hash: header.parentHash,
  signed_at: timeOf(header),
  extra_data: header.extraData,
  miner_address: header.miner,
  gas_used: numberOf(header.gasUsed),
  gas_limit: numberOf(header.gasLimit),
});

interface BlockVerifier extends PageVerifier<BlockItem> {
  /** The newest block whose header can be proven. */
  readonly newest: number;
}

/** @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createBlockVerifier(trust: Trust): BlockVerifier {
  const ground = openGround(trust);
  const { anchor } = ground;
  const once = createOnce();

  /** @throws DataError, HistoryError, ProofError */
  async function check(item: BlockItem, work: Work): Promise<BlockItem> {
    const { height } = item;
    once(String(height));
    const header = await (await work.history()).header(height);
    return { ...agreed(item, toItem(header)), verified: true };
  }

  const verifier = createPageVerifier(ground, {
    nameOf: ({ height }) => `block ${height}`,
    callsOf: () => 0,
    check,
    assumed: [],
    isOfItems: true,
  });
  const newest = isHeader(anchor) ? anchor.l2BlockNumber : anchor.l2BlockNumber - 1;
  return { newest, ...verifier };
}
