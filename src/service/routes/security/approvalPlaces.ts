/** Where approvals were made, as answers have it. */
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { toTime } from '../common/json.js';
import { count, hex, time } from '../common/schemas.js';
import { findIndexed } from '../items/indexed.js';

/** The place of a log in the chain. */
interface LogPlace {
  readonly block: number;
  readonly transaction: number;
  readonly log: number;
}

/** Members of an item that say where the last approval was made. */
export const placeMembers = {
  block_height: count.nullable().openapi({
    description:
      'Of the last approval; null, as its other members, if it was made behind the block of the answer',
  }),
  tx_offset: count.nullable(),
  log_offset: count.nullable(),
  block_signed_at: time.nullable(),
  tx_hash: hex(32).nullable(),
};

interface PlaceMembers {
  readonly block_height: number | null;
  readonly tx_offset: number | null;
  readonly log_offset: number | null;
  readonly block_signed_at: string | null;
  readonly tx_hash: Hex | null;
}

const unknownPlace: PlaceMembers = {
  block_height: null,
  tx_offset: null,
  log_offset: null,
  block_signed_at: null,
  tx_hash: null,
};

const nameOf = ({ block, transaction }: LogPlace): string => `${block} ${transaction}`;

/**
 * Looks up transactions of approvals, each once.
 *
 * @param newest the block of the answer: the index may have come further
 * @throws HttpError, RpcError, NodeError, and what `pause` throws
 */
export async function findPlaces(
  places: readonly LogPlace[],
  newest: number,
  { access, context }: { access: ChainContext; context: AnswerContext },
): Promise<(place: LogPlace) => PlaceMembers> {
  const wanted = new Map<string, LogPlace>();
  for (const place of places) if (place.block <= newest) wanted.set(nameOf(place), place);
  const found = await findIndexed([...wanted.values()], access, context, { noLogs: true });
  const members = new Map(
    [...wanted.keys()].map((name, i) => {
      const { transaction, block } = found[i] as (typeof found)[number];
      return [
        name,
        { block_signed_at: toTime(block.timestamp), tx_hash: transaction.hash },
      ] as const;
    }),
  );
  return (place) => {
    const told = members.get(nameOf(place));
    if (told === undefined) return unknownPlace;
    return {
      ...{ block_height: place.block, tx_offset: place.transaction, log_offset: place.log },
      ...told,
    };
  };
}
