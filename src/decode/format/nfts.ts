/** NFTs in events, and trades of them. */
import type { Hex } from '../../bytes.js';
import type { Value } from '../abi/read.js';
import type { DecodeContext } from '../context/decodeContext.js';
import { argumentOf, type Match } from '../context/match.js';
import type { ItemsDefinition, NftDefinition } from '../definition/definition.js';
import type { EventDetail, NftItem } from '../definition/types.js';
import { maxListed } from '../receipt/limits.js';
import { type Amount, amountAt, toAmount } from './amounts.js';
import { showAddress } from './show.js';

const images = { default: null, 256: null, 512: null, 1024: null };

function nftOf(
  context: DecodeContext,
  { heading, id, collection }: { heading: string; id: bigint; collection: Hex },
): NftItem {
  return {
    heading,
    collection_name: context.token(collection)?.name ?? null,
    token_identifier: String(id),
    collection_address: collection,
    images,
  };
}

const listOf = (value: Value): readonly bigint[] =>
  (Array.isArray(value) ? value : [value]) as readonly bigint[];

/** The NFTs that an event's definition names, and how many of each if they are counted. */
export function toNfts(
  { heading, id, amount }: NftDefinition,
  match: Match,
  context: DecodeContext,
) {
  const collection = match.emitter;
  const ids = listOf(argumentOf(match, id));
  const nfts = ids
    .slice(0, maxListed)
    .map((value) => nftOf(context, { heading, id: value, collection }));
  const details: EventDetail[] = [];
  if (amount !== undefined) {
    for (const value of listOf(argumentOf(match, amount)).slice(0, maxListed)) {
      details.push({ heading: 'Amount', value: String(value), type: 'text' });
    }
  }
  const more = ids.length - nfts.length;
  if (more > 0) details.push({ heading: 'Not Shown', value: `${more} more`, type: 'text' });
  return { nfts, details };
}

/** Types of items: native tokens, ERC-20, ERC-721, ERC-1155. */
const [native, erc20] = [0n, 1n];
type Item = readonly [itemType: bigint, token: Hex, id: bigint, amount: bigint, recipient?: Hex];

/** The items that were traded. */
export function tradeOf(
  definitions: readonly ItemsDefinition[],
  match: Match,
  context: DecodeContext,
) {
  const amounts: Amount[] = [];
  const nfts: NftItem[] = [];
  const details: EventDetail[] = [];
  for (const { items, heading: words, recipient } of definitions) {
    const list = argumentOf(match, items) as unknown as readonly Item[];
    for (const [type, token, id, amount, own] of list.slice(0, maxListed)) {
      const receiver = own ?? (argumentOf(match, recipient as string) as Hex);
      const heading = `${words} ${showAddress(receiver)}`;
      if (type === native)
        amounts.push(toAmount(context, { heading, amount, token: context.native }));
      else if (type === erc20) amounts.push(amountAt(context, heading, amount, token));
      else nfts.push(nftOf(context, { heading, id, collection: token }));
    }
    const more = list.length - maxListed;
    if (more > 0) details.push({ heading: 'Not Shown', value: `${more} more`, type: 'text' });
  }
  return { amounts, nfts, details };
}
