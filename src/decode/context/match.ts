/** Finds the event that a log is. Nothing is tried until something does not throw: layout and emitter decide. */
import type { Hex } from '../../bytes.js';
import { readLog } from '../abi/event.js';
import type { Value } from '../abi/read.js';
import type { EventDefinition } from '../definition/definition.js';
import { nativeLogAddress } from '../receipt/nativeLogAddress.js';
import type { ReceiptLog } from '../receipt/receipt.js';
import { builtInEvents, type Candidate, isOwn } from '../registry/registry.js';
import type { DecodeContext } from './decodeContext.js';

/** A log and the event that it is. */
export interface Match {
  readonly log: ReceiptLog;
  readonly emitter: Hex;
  readonly candidate: Candidate;
  /** The arguments in order; see `readLog`. */
  readonly values: readonly Value[];
}

/** The value of an argument that the event's definition names. */
export const argumentOf = ({ candidate, values }: Match, name: string): Value =>
  values[candidate.event.places.get(name) as number] as Value;

/** What an event is called, by its declaration and its number of values, must also hold together. */
function isConsistent(definition: EventDefinition, match: Match): boolean {
  if ('isSilent' in definition) return true;
  const { nfts, trade = [] } = definition;
  if (nfts?.amount !== undefined) {
    const [ids, amounts] = [argumentOf(match, nfts.id), argumentOf(match, nfts.amount)];
    if (Array.isArray(ids) && ids.length !== (amounts as readonly Value[]).length) return false;
  }
  return trade.every(({ items }) =>
    // Native tokens, ERC-20, ERC-721 and ERC-1155; the other two types do not stand in a trade that took place.
    (argumentOf(match, items) as readonly Value[]).every(
      (item) => ((item as bigint[])[0] as bigint) <= 3n,
    ),
  );
}

/**
 * How strongly a candidate matches: most if it sets a condition on the emitter and that is met, less if it is our own
 * definition for any emitter, least if it is an ABI of the caller's. Undefined if a condition is not met.
 */
function rankOf({ definition, label, isUsers }: Candidate, emitter: Hex, context: DecodeContext) {
  if (definition.isKnown) return isOwn(label, emitter, context.roles) ? 2 : undefined;
  // There is no contract that could emit anything else.
  if (emitter === nativeLogAddress) return undefined;
  if ('standard' in definition && definition.standard !== undefined) {
    return context.token(emitter)?.standards.includes(definition.standard) ? 2 : undefined;
  }
  return isUsers ? 0 : 1;
}

/** Finds the event that a log is; undefined if none fits, or two fit as well as each other. */
export function matchLog(log: ReceiptLog, context: DecodeContext): Match | undefined {
  const { address: emitter, topics } = log;
  const topic0 = topics[0];
  if (emitter === undefined || topic0 === undefined) return undefined;
  const candidates = [...(builtInEvents().get(topic0) ?? []), ...(context.abis.get(topic0) ?? [])];
  let best: Match | undefined;
  let bestRank = -1;
  for (const candidate of candidates) {
    const values = readLog(candidate.event, log);
    if (values === undefined) continue;
    const match = { log, emitter, candidate, values };
    const rank = isConsistent(candidate.definition, match) && rankOf(candidate, emitter, context);
    if (typeof rank !== 'number' || rank < bestRank) continue;
    // Contracts share ABIs: the same reading twice is one. If there are two readings, neither is shown as the truth.
    const isSame = best?.candidate.event.mask === candidate.event.mask;
    if (rank > bestRank) best = match;
    else if (!isSame) best = undefined;
    bestRank = rank;
  }
  return best;
}
