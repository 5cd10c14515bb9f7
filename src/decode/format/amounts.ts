/** Amounts of tokens in events, with their tokens and their worth. */
import type { Hex } from '../../bytes.js';
import type { Value } from '../abi/read.js';
import type { AbiType } from '../abi/type.js';
import type { DecodeContext, Token } from '../context/decodeContext.js';
import { nativeAddress } from '../context/input.js';
import { argumentOf, type Match } from '../context/match.js';
import { type Decimal, noQuote, prettyQuote, worthOf } from '../context/quote.js';
import type { TokenDefinition, TokenSource } from '../definition/definition.js';
import type { EventDetail, TokenAmount } from '../definition/types.js';

/** An amount, and its worth if there is a price. */
export interface Amount {
  readonly entry: TokenAmount;
  readonly worth: Decimal | undefined;
}

/** The worth of an amount of a token; undefined without a price, or if its decimals are not known. */
export function worthIn(context: DecodeContext, token: Token, amount: bigint): Decimal | undefined {
  if (token.decimals === undefined) return undefined;
  const price = context.price(token.address);
  return price && worthOf(amount, token.decimals, price);
}

/** The token at an address; its members may all be unknown. */
const tokenAt = (context: DecodeContext, address: Hex): Token | undefined =>
  address === nativeAddress ? context.native : context.token(address);

/** An amount as an event shows it. @param token undefined if nothing is known of it */
export function toAmount(
  context: DecodeContext,
  { heading, amount, token }: { heading: string; amount: bigint; token: Token | undefined },
): Amount {
  const worth = token && worthIn(context, token, amount);
  const entry = {
    heading,
    value: String(amount),
    decimals: token?.decimals ?? 0,
    ticker_symbol: token?.symbol ?? '',
    ticker_logo: token?.logo ?? '',
    pretty_quote: worth ? prettyQuote(worth) : noQuote,
  };
  return { entry, worth };
}

/** An amount of the token at an address. */
export const amountAt = (
  context: DecodeContext,
  heading: string,
  amount: bigint,
  address: Hex,
): Amount => toAmount(context, { heading, amount, token: tokenAt(context, address) });

/** The token that moved to or from the emitter; undefined if neither the receipt nor the pool tells. */
function movedToken(
  { moved, side, own }: Extract<TokenSource, { moved: unknown }>,
  { amount, emitter, context }: { amount: bigint; emitter: Hex; context: DecodeContext },
): Hex | undefined {
  // The pool's own answer about its tokens counts more than the logs of other contracts.
  const known = side !== undefined && context.pool(emitter, false)?.[side];
  if (known) return known;
  // Any contract can emit a transfer of zero.
  const found = amount === 0n ? undefined : context.flows().find(moved, emitter, amount);
  if (found) return found;
  if (own && context.flows().hasMoved(emitter, amount)) return emitter;
  return side === undefined ? undefined : context.pool(emitter, true)?.[side];
}

function tokenOf(source: TokenSource, amount: bigint, match: Match, context: DecodeContext) {
  const { emitter } = match;
  if (source === 'native') return context.native;
  if (source === 'emitter') return context.token(emitter);
  const address =
    'argument' in source
      ? (argumentOf(match, source.argument) as Hex)
      : movedToken(source, { amount, emitter, context });
  return address && tokenAt(context, address);
}

/** Whether an allowance is the highest of its type: contracts treat it as unlimited. */
function isUnlimited(type: AbiType, amount: bigint): boolean {
  return type.kind === 'uint' && amount === (1n << BigInt(type.bits)) - 1n;
}

const isShown = (when: TokenDefinition['when'], amount: bigint): boolean =>
  when === undefined || (when === 'positive' ? amount > 0n : amount < 0n);

/** The amounts that an event's definition names, and the unlimited allowances, which have no amount. */
export function toAmounts(
  definitions: readonly TokenDefinition[],
  match: Match,
  context: DecodeContext,
) {
  const { inputs, places } = match.candidate.event;
  const amounts: Amount[] = [];
  const unlimited: EventDetail[] = [];
  for (const { heading, amount: name, token, when, isAllowance } of definitions) {
    const value: Value = argumentOf(match, name);
    const signed = value as bigint;
    const { type } = inputs[places.get(name) as number] as { type: AbiType };
    if (isAllowance && isUnlimited(type, signed)) {
      unlimited.push({ heading, value: 'Unlimited', type: 'text' });
    } else if (isShown(when, signed)) {
      const amount = signed < 0n ? -signed : signed;
      const known = tokenOf(token, amount, match, context);
      amounts.push(toAmount(context, { heading, amount, token: known }));
    }
  }
  return { amounts, unlimited };
}
