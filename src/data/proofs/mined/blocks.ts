/** Holds blocks against their headers, which are proven by their hashes in the state under a trusted root. */
import type { BlockHeader } from '../../../history/verify/types.js';
import type { BlockItem } from '../../items/chainItem.js';
import type { Trust } from '../../wire/trust.js';
import { agreed } from '../agreed.js';
import { newestProven, openGround } from '../ground.js';
import { numberOf, timeOf } from '../headerValues.js';
import { createPageVerifier, type ItemRule, type PageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import type { Work } from '../work.js';

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

/** @throws DataError, HistoryError, ProofError */
async function check(item: BlockItem, work: Work) {
  const header = await (await work.history()).header(item.height);
  return { ...agreed(item, toItem(header)), verified: true } as const;
}

const rule: ItemRule<BlockItem> = {
  nameOf: ({ height }) => `block ${height}`,
  callsOf: () => 0,
  check,
  isOfItems: true,
  assumed: [],
};

interface BlockVerifier extends PageVerifier<BlockItem> {
  /** The newest block whose header can be proven. */
  readonly newest: number;
}

/** @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createBlockVerifier(trust: Trust): BlockVerifier {
  const ground = openGround(trust);
  return { newest: newestProven(ground), ...createPageVerifier(ground, rule) };
}

/** Times as paths have them. */
interface TimeSpan {
  readonly from: string;
  /** Undefined: up to now. */
  readonly to: string | undefined;
}

/** The same of the blocks of a time: one after the other. @throws TypeError or RangeError for a wrong anchor, network or fork */
export function createBlockListVerifier(
  { from, to }: TimeSpan,
  trust: Trust,
): PageVerifier<BlockItem> {
  const [first, end] = [Date.parse(from), to === undefined ? Infinity : Date.parse(to)];
  let last: number | undefined;
  return createPageVerifier(openGround(trust), {
    ...rule,
    async check(item, work) {
      const proven = await check(item, work);
      const { height } = proven;
      const time = Date.parse(proven.signed_at);
      if (time < first || time >= end) throw notProven('its time is another one');
      if (last !== undefined && height !== last + 1)
        throw notProven(`block ${last + 1} comes first`);
      last = height;
      return proven;
    },
    assumed: ['completeness'],
  });
}
