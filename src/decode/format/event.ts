/** The event that a person reads, made of a log and the event that it is. */
import type { Hex } from '../../bytes.js';
import type { Value } from '../abi/read.js';
import type { DecodeContext } from '../context/decodeContext.js';
import { argumentOf, type Match } from '../context/match.js';
import type { Decimal } from '../context/quote.js';
import type { DetailDefinition, ShownEvent } from '../definition/definition.js';
import type { DecodedEvent, EventDetail } from '../definition/types.js';
import { nativeLogAddress } from '../receipt/nativeLogAddress.js';
import type { ReceiptLog } from '../receipt/receipt.js';
import { splitName } from '../receipt/text.js';
import { isOwn, type Label } from '../registry/registry.js';
import { type Amount, toAmounts } from './amounts.js';
import { toNfts, tradeOf } from './nfts.js';
import { showAddress, showArgument, showFormatted } from './show.js';

/** An event, and what the amount in it is worth if that is known. */
export interface Described {
  readonly event: DecodedEvent;
  readonly worth: Decimal | undefined;
}

/** Name of a contract that no protocol claims: its token's name, or its address. Native value goes by its own name. */
const nameEmitter = (emitter: Hex, context: DecodeContext) => {
  const token = emitter === nativeLogAddress ? context.native : context.token(emitter);
  return { name: token?.name ?? showAddress(emitter), logo: token?.logo ?? '' };
};

/** What an event belongs to. A protocol's own name is for its own addresses: any contract can emit any event. */
function protocolOf(label: Label, emitter: Hex, context: DecodeContext): DecodedEvent['protocol'] {
  if (label.name !== undefined && isOwn(label, emitter, context.roles)) {
    return { name: label.name, logo: label.logo ?? '' };
  }
  if (label.style !== undefined) return { name: label.style, logo: '' };
  // A token may be called like the protocol, whose events its author pretends.
  if (label.name !== undefined) return { name: showAddress(emitter), logo: '' };
  return nameEmitter(emitter, context);
}

function actionOf(action: ShownEvent['action'], match: Match): string {
  if (typeof action === 'string') return action;
  const isNegative = (argumentOf(match, action.argument) as bigint) < 0n;
  return isNegative ? action.negative : action.positive;
}

/** Details as a definition names them. */
function namedDetails(definitions: readonly DetailDefinition[], match: Match): EventDetail[] {
  const { inputs, places } = match.candidate.event;
  return definitions.flatMap(([heading, argument, format]) => {
    const place = places.get(argument) as number;
    const { type, indexed } = inputs[place] as (typeof inputs)[number];
    const value = match.values[place] as Value;
    if (format === undefined) return [{ heading, ...showArgument({ type, indexed }, value) }];
    return showFormatted(type, value, format).map((shown) => ({ heading, ...shown }));
  });
}

/** All arguments, with their names in words. */
function allDetails({ candidate, values }: Match): EventDetail[] {
  return candidate.event.inputs.map((input, i) => ({
    heading: splitName(input.name) || `Argument ${i + 1}`,
    ...showArgument(input, values[i] as Value),
  }));
}

/** Describes a log that is an event. */
export function describeEvent(
  match: Match,
  definition: ShownEvent,
  context: DecodeContext,
): Described {
  const { candidate, emitter } = match;
  const { tokens, nfts, trade } = definition;
  const named = definition.details ? namedDetails(definition.details, match) : allDetails(match);
  const fungible = tokens && toAmounts(tokens, match, context);
  const counted = nfts && toNfts(nfts, match, context);
  const traded = trade && tradeOf(trade, match, context);
  const amounts: readonly Amount[] = fungible?.amounts ?? traded?.amounts ?? [];
  const items = counted?.nfts ?? traded?.nfts ?? [];
  const details = [
    ...named,
    ...(fungible?.unlimited ?? []),
    ...(counted?.details ?? []),
    ...(traded?.details ?? []),
  ];
  const event = {
    action: actionOf(definition.action, match),
    category: definition.category,
    name: definition.name ?? splitName(candidate.event.name),
    protocol: protocolOf(candidate.label, emitter, context),
    details,
    ...(amounts.length > 0 ? { tokens: amounts.map(({ entry }) => entry) } : {}),
    ...(items.length > 0 ? { nfts: items } : {}),
  };
  return { event, worth: amounts[0]?.worth };
}

/** The event of a log that cannot be decoded: only what stands in it. */
export function describeUnknown(
  { address, topics, index }: ReceiptLog,
  context: DecodeContext,
): DecodedEvent {
  const details: EventDetail[] = [];
  const [topic0] = topics;
  if (address) details.push({ heading: 'Contract', value: showAddress(address), type: 'address' });
  if (topic0) details.push({ heading: 'Topic 0', value: topic0, type: 'address' });
  details.push({ heading: 'Log Index', value: String(index), type: 'text' });
  return {
    action: 'Update',
    category: 'Others',
    name: 'Unknown Event',
    protocol: address ? nameEmitter(address, context) : { name: 'Unknown', logo: '' },
    details,
  };
}
