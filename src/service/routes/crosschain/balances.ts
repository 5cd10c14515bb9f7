/** `GET /v1/allchains/address/{address}/balances/`: what a wallet holds on several chains. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { Decimal } from '../../../decode/context/quote.js';
import { nativeAddress } from '../../../decode/index.js';
import { askPrices } from '../../chain/prices.js';
import { toAnswer } from '../../data/answers.js';
import { type ChainContext, learnNames, timesOf } from '../../data/balances.js';
import type { ChainData } from '../../data/chainData.js';
import { heldAt } from '../../data/held.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { nativeItem, pricesByAddress, tokenItem } from '../../data/items.js';
import { findPastHoldings } from '../../data/pastHoldings.js';
import { findPastState } from '../../data/pastState.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { defineRoute } from '../../rest/route.js';
import { addressParameter, numberRule } from '../../rest/table.js';
import { createCursors } from '../common/cursor.js';
import { type DataRoute, enveloped } from '../common/dataRoute.js';
import { writeList } from '../common/json.js';
import { quoteCurrency } from '../common/parameters.js';
import { amount, count, heldToken, hex, logoUrls, number, text } from '../common/schemas.js';
import { needReceipts } from '../common/settled.js';
import { fromNumbers, keyWidths, readHoldings, toNumbers } from '../items/holdingPages.js';
import { findPastPrices } from '../items/pastPrices.js';
import { askChain, chainBlock, chainsParameter, checkChains, toChainBlock } from './chains.js';

const description = `The native token and the ERC-20 tokens of a wallet on each chain, as the contracts say them: at the newest block, or at the last one that is no younger than
\`cutoff-timestamp\`, whose state must be held then. A page is made of so many holdings, chain after chain, and so may be short or empty; \`cursor_before\` leads on as \`before\`, and is null at the end. Blocks that
come meanwhile move nothing; once the block of a cursor's answer is taken back, it is refused. Ours is \`chains\`: the blocks that the answer is of. If one of the chains cannot be asked, nothing is
answered: name the others by \`chains\`.`;

const mostItems = 100;

const item = z.object({
  ...heldToken,
  logo_urls: logoUrls,
  last_transferred_at: text,
  is_native_token: z.boolean(),
  type: z.string(),
  is_spam: z.boolean(),
  balance: amount,
  balance_24h: text,
  quote_rate: number,
  quote_rate_24h: number,
  quote: number,
  quote_24h: number,
  pretty_quote: text,
  pretty_quote_24h: text,
  chain_id: count,
  chain_name: z.string(),
});

type Item = z.input<typeof item>;

interface BalancesQuestion {
  readonly wallet: Hex;
  readonly chains: readonly ChainData[];
  readonly currency: string;
  readonly limit: number;
  /** Seconds; undefined: now. */
  readonly cutoff: number | undefined;
  readonly before: string | undefined;
}

/** What a chain adds to a page. */
interface ChainPart {
  readonly block: z.input<typeof chainBlock>;
  readonly items: readonly Item[];
  /** Holdings that were read. */
  readonly read: number;
  /** Leads on behind the last one; null if none was read. */
  readonly cursor: string | null;
  /** Whether the chain has others behind it. */
  readonly hasMore: boolean;
}

/** The key of a cursor: a chain, and the last holding there. */
const cursors = createCursors('holdings of chains', [7, ...keyWidths]);

/** The block that the answer is of; undefined if the chain had none yet. @throws HttpError 501 */
async function findBlock(
  access: ChainContext,
  cutoff: number | undefined,
  at: BalanceBlock,
): Promise<BalanceBlock | undefined> {
  if (cutoff === undefined) return at;
  needReceipts(access);
  const number = await access.index.blockAt(cutoff);
  if (number === undefined || number >= at.number) return number === undefined ? number : at;
  return heldBlock(access.ledger, number);
}

/** Prices of now, or of the day of an older block. */
async function findPrices(
  access: ChainContext,
  tokens: readonly Hex[],
  { currency, block }: { currency: string; block: number | undefined },
): Promise<Map<string, Decimal>> {
  const { chain, log } = access;
  if (block === undefined) {
    const source = currency === 'USD' ? access.prices : undefined;
    const asked = { chainName: chain.name, chainId: chain.id, addresses: tokens };
    return pricesByAddress(
      (await askPrices(source, { ...asked, timestamp: undefined }, log)).prices,
    );
  }
  const { timestamp } = await heldBlock(access.ledger, block);
  const prices = await findPastPrices(access, currency, [{ timestamp, tokens }]);
  return new Map(
    tokens.flatMap((token) => {
      const price = prices.at(timestamp, token);
      return price === undefined ? [] : [[token, price] as const];
    }),
  );
}

type Balance = ReturnType<typeof nativeItem> | ReturnType<typeof tokenItem>;

function toItem(balance: Balance, { chainId, name }: ChainData): Item {
  const { native_token, protocol_metadata, nft_data, ...rest } = balance;
  return { ...rest, is_native_token: native_token, chain_id: chainId, chain_name: name };
}

/** What decides a list, beside the blocks. */
const listOf = ({ wallet, chains, cutoff }: BalancesQuestion): string =>
  `${wallet} ${chains.map(({ chainId }) => chainId)} ${cutoff}`;

/** Holdings of a chain behind a place. @param before undefined: from the first one on */
const readChain = (
  chain: ChainData,
  question: BalancesQuestion,
  { before, size, context }: { before: string | undefined; size: number; context: AnswerContext },
): Promise<ChainPart> => {
  const { wallet, currency, cutoff } = question;
  const list = listOf(question);
  const name = `balances of chains ${list} ${currency} ${size} ${before}`;
  const asked = { name, context, way: 'answer' } as const;
  return askChain<ChainPart>(chain, asked, async (access, at, shared) => {
    const { index } = access;
    const led = before === undefined ? undefined : await cursors.open(list, before, { access, at });
    const of = await findBlock(access, cutoff, at);
    const after = led && fromNumbers(led.after.slice(1));
    const working = { access, context: shared };
    const found =
      of === undefined
        ? []
        : await readHoldings({ wallet, standard: 'erc20' }, working, { after, size });
    const page = found.slice(0, size);
    const last = page.at(-1);
    const block = of ?? at;
    const isPast = block.number < at.number;
    shared.charge(1);
    const { amounts, balance } = await findPastState(access, wallet, block.number);
    const contracts = page.filter((one) => one !== 'native');
    const query = { wallet, block: block.number };
    const holdings = isPast
      ? await findPastHoldings(access, contracts, { ...query, context: shared })
      : contracts;
    const { pause, charge } = shared;
    const held = await heldAt(holdings, { ...query, pause }, { index, amounts, charge });
    const seen = held.map(({ holding }) => holding);
    const tokens: Hex[] = [nativeAddress, ...seen.map(({ contract }) => contract)];
    const priced = { currency, block: isPast ? block.number : undefined };
    const format = {
      ...{ chain: access.chain, block: block.number },
      tokens: await learnNames(access, seen, shared),
      times: await timesOf(index, held),
      prices: await findPrices(access, tokens, priced),
    };
    const items = [
      ...(page[0] === 'native' ? [nativeItem(balance, format)] : []),
      ...held.map((one) => tokenItem(one, wallet, format)),
    ];
    const { number } = at;
    const { hash = (await heldBlock(access.ledger, number)).hash } = at;
    const part: ChainPart = {
      block: toChainBlock(chain, block),
      items: items.map((one) => toItem(one, chain)),
      read: page.length,
      hasMore: found.length > size,
      cursor:
        last === undefined
          ? null
          : cursors.write(list, {
              ...{ head: { number, hash }, page: 0 },
              after: [chain.chainId, ...toNumbers(last)],
            }),
    };
    return { json: JSON.stringify(part) };
  });
};

async function writeBalances(question: BalancesQuestion, context: AnswerContext): Promise<string> {
  const { wallet, chains, currency, limit } = question;
  checkChains(chains);
  const list = listOf(question);
  let { before } = question;
  const from = before === undefined ? undefined : Number(cursors.read(list, before).after[0]);
  const start = Math.max(
    0,
    chains.findIndex(({ chainId }) => chainId === from),
  );
  const items: Item[] = [];
  const blocks: ChainPart['block'][] = [];
  let left = limit;
  let cursor = before ?? null;
  let hasMore = false;
  for (const [i, chain] of chains.slice(start).entries()) {
    const part = await readChain(chain, question, { before, size: left, context });
    before = undefined;
    blocks.push(part.block);
    items.push(...part.items);
    cursor = part.cursor ?? cursor;
    left -= part.read;
    // Every chain has a native token.
    hasMore = part.hasMore || start + i < chains.length - 1;
    if (part.hasMore || left === 0) break;
  }
  const told = {
    updated_at: new Date().toISOString(),
    cursor_before: hasMore ? cursor : null,
    ...{ address: wallet, quote_currency: currency, chains: blocks },
  };
  return writeList(told, items, context.pause);
}

export const allBalances: DataRoute = ({ served }) =>
  defineRoute<ChainData | undefined>()({
    title: 'balances on several chains',
    path: '/v1/allchains/address/{address}/balances/',
    summary: 'What a wallet holds on several chains',
    description,
    params: { address: addressParameter },
    query: {
      chains: chainsParameter(served),
      'quote-currency': quoteCurrency,
      limit: numberRule(() => [1, mostItems], {
        description: `Holdings of a page: 1 to ${mostItems}, which is the default`,
      }),
      'cutoff-timestamp': numberRule(() => [0, 253_402_300_799], {
        digits: 12,
        description: 'Seconds since 1970. Default: now',
      }),
      before: z
        .string()
        .regex(cursors.form, 'must be one that an answer gave')
        .optional()
        .openapi({ description: '`cursor_before` of an answer' }),
    },
    answer: enveloped({
      name: 'AllBalances',
      description: 'A page of balances',
      data: z.object({
        updated_at: z.string(),
        cursor_before: text,
        address: hex(20),
        quote_currency: z.string(),
        chains: z.array(chainBlock),
        items: z.array(item),
      }),
    }),
    question: ({ address: wallet, chains, limit = mostItems, before, ...read }) => ({
      ...{ wallet, chains, limit, before, currency: read['quote-currency'] ?? 'USD' },
      cutoff: read['cutoff-timestamp'],
    }),
    cost: ({ limit }) => limit,
    peek: () => undefined,
    answerTo: async (_, question: BalancesQuestion, context) =>
      toAnswer(await writeBalances(question, context)),
  });
