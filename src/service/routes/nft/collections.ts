/** `GET /v1/{chain_name}/nft/collections/`: contracts of tokens with ids. */
import { z } from '@hono/zod-openapi';
import { addressWidth, bytesToInteger, type Hex } from '../../../bytes.js';
import { cleanName } from '../../../decode/receipt/text.js';
import type { Index } from '../../../indexer/index.js';
import { learnTokens } from '../../data/names.js';
import { flagParameter } from '../../rest/table.js';
import { addressOf, createCursors } from '../common/cursor.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
  type Working,
} from '../common/dataRoute.js';
import { toHead, writeList } from '../common/json.js';
import { type KeyedList, readKeyedPage } from '../common/keyedPages.js';
import { type PageQuestion, pageQuery, toPage } from '../common/parameters.js';
import { count, cursorPagination, head, hex, text } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';

/** Sums of holders that are read for the supplies of a page, and for a unit of cost. */
const mostSums = 200_000;
const unit = 1000;

const description = `Contracts that have moved ERC-721 or ERC-1155 tokens, in the order of their first event. \`token_total_supply\` counts the tokens that somebody has, as their transfers
say: of ERC-721 all of them, of ERC-1155 the ids. It is null for contracts behind those whose holders are more than ${mostSums} on a page. Counts of documents are null.`;

const item = z.object({
  contract_address: hex(20),
  contract_name: text,
  is_spam: z.literal(false),
  token_total_supply: count.nullable(),
  cached_metadata_count: z.null(),
  cached_asset_count: z.null(),
  last_scraped_at: z.null(),
});

const listOf = (index: Index): KeyedList<Hex, Hex> => ({
  ...{ name: 'collections', of: '', cursors: createCursors('collections', [addressWidth]) },
  toNumbers: (contract) => [BigInt(contract)],
  fromNumbers: (numbers) => addressOf(numbers[0] as bigint),
  read: (part) => index.collections(part),
  count: async (limit) => (await index.collections({ limit })).length,
});

/** Whether a sum in two's complement is above 0. */
const isAbove = (sum: Uint8Array): boolean => sum.length > 0 && (sum[0] as number) < 0x80;

/** Counts the tokens of contracts, as long as so many sums do for it. */
class SupplyCounter {
  readonly #working: Working;
  #left = mostSums;

  constructor(working: Working) {
    this.#working = working;
  }

  /** @returns undefined if they are too many to be counted @throws IndexError, and what `pause` throws */
  async count(contract: Hex): Promise<number | undefined> {
    let supply = 0n;
    let last: bigint | undefined;
    await this.#each(contract, 'erc721', (sum) => {
      supply += bytesToInteger(sum);
    });
    await this.#each(contract, 'erc1155', (_, id) => {
      // Those of one id lie next to each other.
      const own = bytesToInteger(id as Uint8Array);
      if (own !== last) supply += 1n;
      last = own;
    });
    return this.#left < 0 || supply > Number.MAX_SAFE_INTEGER ? undefined : Number(supply);
  }

  async #each(
    contract: Hex,
    standard: 'erc721' | 'erc1155',
    visit: (sum: Uint8Array, id: Uint8Array | undefined) => void,
  ): Promise<void> {
    const { access, context } = this.#working;
    if (this.#left < 0) return;
    await access.index.eachSum(contract, { standard }, ({ sum, id }) => {
      if (isAbove(sum)) visit(sum, id);
      this.#left -= 1;
      if (this.#left % unit !== 0) return this.#left >= 0;
      context.charge(1);
      return context.pause().then(() => true);
    });
  }
}

async function writeCollections({ page }: { page: PageQuestion }, working: Working) {
  const { access, context } = working;
  const list = listOf(access.index);
  const { at, found } = await readSettled(access, async (top) => {
    const read = await readKeyedPage(list, page, { access, at: top, context });
    const counter = new SupplyCounter(working);
    const supplies: (number | undefined)[] = [];
    for (const contract of read.items) {
      await context.pause();
      supplies.push(await counter.count(contract));
    }
    return { ...read, supplies };
  });
  const { items: contracts, pagination, supplies } = found;
  const { pause } = context;
  const names = await learnTokens(contracts, { book: access.tokens, isFinal: false, pause });
  const items = contracts.map((contract, i) => ({
    contract_address: contract,
    contract_name: cleanName(names.tokens.get(contract)?.name) ?? null,
    is_spam: false,
    token_total_supply: supplies[i] ?? null,
    cached_metadata_count: null,
    cached_asset_count: null,
    last_scraped_at: null,
  }));
  const before = { ...toHead(access.chain, at), pagination };
  return { json: await writeList(before, items, pause), of: at };
}

const keyOf = (question: { page: PageQuestion }) => `collections ${JSON.stringify(question)}`;

export const collections: DataRoute = (data) =>
  defineChainRoute({
    title: 'collections',
    path: '/v1/{chain_name}/nft/collections/',
    summary: 'The ERC-721 and ERC-1155 contracts of the chain',
    description,
    params: { chain_name: chainName(data) },
    // Nothing here is known to be spam, so there is nothing to leave out.
    query: { 'no-spam': flagParameter, ...pageQuery },
    answer: enveloped({
      name: 'Collections',
      description: 'A page of contracts',
      data: z.object({ ...head, pagination: cursorPagination, items: z.array(item) }),
    }),
    question: (read) => ({ page: toPage(read) }),
    cost: () => 1,
    ...remembered(keyOf, writeCollections, 'answerNewest'),
  });
