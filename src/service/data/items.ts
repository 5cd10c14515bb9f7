/** Balances as the data interface words them. Values that are not known here are null. */
import type { Hex } from '../../bytes.js';
import { nativeAddress } from '../../decode/context/input.js';
import { type Decimal, readDecimal, toNumber, worthOf } from '../../decode/context/quote.js';
import type { Chain, TokenMetadata, TokenPrice } from '../../decode/index.js';
import { cleanName, cleanUrl } from '../../decode/receipt/text.js';
import { unknownToken } from '../chain/tokens.js';
import type { HeldBalance } from './held.js';

/** The members of an item about its token. */
interface Described {
  readonly address: Hex;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  readonly logo: string | undefined;
}

/** What items are worded with. */
export interface FormatContext {
  readonly chain: Chain;
  readonly tokens: ReadonlyMap<string, TokenMetadata>;
  readonly prices: ReadonlyMap<string, Decimal>;
  /** Seconds of the blocks of the last transfers that are known. */
  readonly times: ReadonlyMap<number, number>;
  /** Block of the balances. */
  readonly block: number;
}

export const pricesByAddress = (prices: readonly TokenPrice[]): Map<string, Decimal> => {
  const known = new Map<string, Decimal>();
  for (const { address, usd } of prices) {
    const price = readDecimal(usd);
    if (price !== undefined) known.set(address.toLowerCase(), price);
  }
  return known;
};

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** US dollars as people write them, to cents. */
export const toPretty = (usd: number): string => dollars.format(usd);

/** The worth of an amount: as a JSON number for programs, rounded to cents for people. */
export function toQuote(
  amount: bigint,
  decimals: number | undefined,
  price: Decimal | undefined,
): { readonly quote: number | null; readonly pretty: string | null } {
  if (price === undefined || decimals === undefined) return { quote: null, pretty: null };
  const quote = toNumber(worthOf(amount, decimals, price));
  return { quote, pretty: toPretty(quote) };
}

/** The price of a whole token, as a JSON number. */
export const toRate = (price: Decimal | undefined): number | null =>
  price === undefined ? null : toNumber(price);

function quoteOf(amount: bigint, decimals: number | undefined, price: Decimal | undefined) {
  const { quote, pretty } = toQuote(amount, decimals, price);
  return {
    quote_rate: toRate(price),
    quote_rate_24h: null,
    quote,
    quote_24h: null,
    pretty_quote: pretty,
    pretty_quote_24h: null,
  };
}

const timeText = (seconds: number | undefined): string | null =>
  seconds === undefined ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

const describe = ({ name, symbol, decimals, logo, address }: Described) => ({
  contract_decimals: decimals ?? null,
  contract_name: cleanName(name) ?? null,
  contract_ticker_symbol: cleanName(symbol) ?? null,
  contract_display_name: cleanName(name) ?? null,
  contract_address: address,
  logo_url: cleanUrl(logo) ?? null,
  logo_urls: {
    token_logo_url: cleanUrl(logo) ?? null,
    protocol_logo_url: null,
    chain_logo_url: null,
  },
});

/** An item of what a wallet has. @param own members that stand between those of the token and of the amount */
const itemOf = <T extends object, N>(
  token: Described,
  own: T,
  { amount, price, nfts }: { amount: bigint; price: Decimal | undefined; nfts: N },
) =>
  // Not spread: on Node 20, members behind a spread make a hidden class of their own each time, which takes thirty times as long.
  Object.assign(
    describe(token),
    own,
    { is_spam: false, balance: String(amount), balance_24h: null },
    quoteOf(amount, token.decimals, price),
    { protocol_metadata: null, nft_data: nfts },
  );

/** The wallet's own native balance. */
export function nativeItem(amount: bigint, { chain, prices }: FormatContext) {
  const { name, symbol, decimals, logo } = chain.nativeToken;
  return itemOf(
    { address: nativeAddress, name, symbol, decimals, logo },
    {
      supports_erc: null,
      last_transferred_at: null,
      native_token: true,
      type: 'cryptocurrency',
    },
    { amount, price: prices.get(nativeAddress), nfts: null },
  );
}

const nftOf = (standard: string, wallet: Hex, { id, amount }: { id: bigint; amount: bigint }) => ({
  token_id: String(id),
  token_balance: String(amount),
  token_url: null,
  supports_erc: [standard],
  token_price_wei: null,
  token_quote_rate_eth: null,
  original_owner: null,
  external_data: null,
  owner: wallet,
  owner_address: wallet,
  burned: null,
});

export function tokenItem(
  { holding, amount, tokens }: HeldBalance,
  wallet: Hex,
  { tokens: known, prices, times, block }: FormatContext,
) {
  const { contract: address, standard, lastBlock } = holding;
  const token = known.get(address) ?? unknownToken(address);
  const { name, symbol, decimals, logo } = token;
  const isNft = tokens !== undefined;
  return itemOf(
    { address, name, symbol, decimals, logo },
    {
      supports_erc: [standard],
      last_transferred_at: lastBlock > block ? null : timeText(times.get(lastBlock)),
      native_token: false,
      type: isNft ? 'nft' : 'cryptocurrency',
    },
    {
      amount,
      // Of NFTs, an amount is a count.
      price: isNft ? undefined : prices.get(address),
      nfts: tokens?.map((one) => nftOf(standard, wallet, one)) ?? null,
    },
  );
}
