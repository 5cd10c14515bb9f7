/**
 * `GET /v1/{chain_name}/address/{address}/collection/{contract_address}/` and, behind it, `token/{token_id}/`: the tokens of a
 * contract that a wallet has, or whether it has one of them.
 */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { Index } from '../../../indexer/index.js';
import { learnNames } from '../../data/balances.js';
import type { ChainData } from '../../data/chainData.js';
import { citeNfts } from '../../nfts/citeNfts.js';
import {
  checkState,
  describeNfts,
  findOwned,
  type NftDetails,
  type OwnedNft,
  ownedCall,
} from '../../nfts/nfts.js';
import {
  type NftQuery,
  type NftStandard,
  type NftToken,
  nftStandards,
} from '../../nfts/nftTokens.js';
import { addressParameter } from '../../rest/table.js';
import { createCursors, type HashedBlock } from '../common/cursor.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
  type Working,
} from '../common/dataRoute.js';
import { toHead, toPagination, toTime } from '../common/json.js';
import { type KeyedList, readKeyedPage } from '../common/keyedPages.js';
import {
  type PageQuestion,
  tokenIdParameter,
  toWholePage,
  wholePageQuery,
} from '../common/parameters.js';
import { proofsQuery, provenItems, toProofs, writeProvenList } from '../common/proofs.js';
import { amount, cursorPagination, head, hex } from '../common/schemas.js';
import { hashedBlock } from '../common/settled.js';
import { contractMembers, nftData, toContractMembers, toNftData, transferTime } from './nftItem.js';
import {
  findPassing,
  passes,
  type TraitFilter,
  toTraitFilter,
  traitFilterQuery,
} from './traitFilter.js';

const description = `Tokens of a contract that the wallet has, as the contract says it at \`block_height\`: of ERC-721 those whose \`ownerOf\` is the wallet, of ERC-1155 those whose
\`balanceOf\` is above 0. Events say which ids to ask about. They come by standard, then by id. Ours is paging: a page is made of so many ids that the wallet ever got, so it may be
short, or empty; \`has_more\` says whether there is another one.`;

const tokenDescription = `Whether a wallet has a token, as the contract says it at \`block_height\`: \`items\` is empty if not. No event is needed. A contract that is both
ERC-721 and ERC-1155 has an item for each by which the wallet has some.`;

const { is_spam: _, ...named } = contractMembers;

const item = z.object({
  ...named,
  token_id: amount,
  supports_erc: z.array(z.enum(nftStandards)),
  last_transfered_at: transferTime,
  balance: amount,
  balance_24h: z.null(),
  type: z.literal('nft'),
  nft_data: nftData,
});

const answer = enveloped({
  name: 'WalletCollection',
  description: 'A page of tokens',
  data: z.object({
    ...head,
    address: hex(20),
    collection: hex(20),
    is_spam: z.literal(false),
    pagination: cursorPagination,
    ...provenItems(item),
  }),
});

interface CollectionQuestion extends ProofsQuestion {
  readonly wallet: Hex;
  readonly contract: Hex;
  /** Undefined: all tokens. */
  readonly filter: TraitFilter | undefined;
  readonly page: PageQuestion;
}

interface TokenQuestion extends Omit<CollectionQuestion, 'page' | 'filter'> {
  /** In decimal. */
  readonly id: string;
}

type TokenKey = Pick<NftToken, 'standard' | 'id'>;

const cursors = createCursors('collection', [1, 32]);

/** Tokens of a contract that a wallet may have, behind a key. */
async function readCandidates(
  { wallet, contract }: CollectionQuestion,
  { index, block }: { index: Index; block: number },
  { after, limit }: { after?: TokenKey | undefined; limit: number },
): Promise<NftToken[]> {
  const found: NftToken[] = [];
  for (const standard of nftStandards.slice(after ? nftStandards.indexOf(after.standard) : 0)) {
    const behind = after?.standard === standard ? after.id : undefined;
    const of = { standard, contract, block, after: behind, limit: limit - found.length };
    for (const id of await index.tokensBehind(wallet, of)) found.push({ standard, contract, id });
  }
  return found;
}

/** Whether a token stands behind another one in the list. */
const isBehind = (one: TokenKey, other: TokenKey): boolean =>
  one.standard === other.standard
    ? one.id > other.id
    : nftStandards.indexOf(one.standard) > nftStandards.indexOf(other.standard);

/** Tokens that a wallet may have, or all of the contract whose documents pass. */
function listOf(question: CollectionQuestion, query: NftQuery): KeyedList<TokenKey, NftToken> {
  const { wallet, contract, filter } = question;
  const { index } = query.access;
  const passing = filter && findPassing(contract, filter, query.access);
  const read: KeyedList<TokenKey, NftToken>['read'] = async ({ after, limit }) =>
    passing
      ? passing.filter((one) => after === undefined || isBehind(one, after)).slice(0, limit)
      : readCandidates(question, { index, block: query.block }, { after, limit });
  return {
    ...{ name: 'collection', of: `${wallet} ${contract} ${JSON.stringify(filter)}`, cursors },
    toNumbers: ({ standard, id }) => [nftStandards.indexOf(standard), id],
    fromNumbers: (numbers) => {
      const [standard, id] = numbers as [bigint, bigint];
      return { standard: standard === 0n ? 'erc721' : 'erc1155', id };
    },
    read,
    count: async (limit) => (await read({ after: undefined, limit })).length,
  };
}

/** Items, and what proves each of them. */
async function toItems(
  { wallet, contract, filter }: Omit<CollectionQuestion, 'page'>,
  owned: readonly OwnedNft[],
  { query, prover }: { query: NftQuery; prover: Working['prover'] },
) {
  const { access, context, block } = query;
  const details = await describeNfts(owned, { urls: true, uncached: false }, query);
  const seen = owned.length === 0 ? [] : [{ contract, lastBlock: block }];
  const names = await learnNames(access, seen, context);
  const cited: { item: z.input<typeof item>; accounts: readonly Hex[] | undefined }[] = [];
  for (const [i, token] of owned.entries()) {
    const { standard, id, amount } = token;
    const { lastBlock, ...more } = details[i] as NftDetails;
    // Its contract may name another document by now.
    if (filter && !passes(more.document, filter)) continue;
    const time = lastBlock === undefined ? undefined : await access.index.blockTime(lastBlock);
    const { is_spam: _, ...own } = toContractMembers(contract, names.get(contract) ?? {});
    const item = {
      ...own,
      token_id: String(id),
      supports_erc: [standard],
      last_transfered_at: time === undefined ? null : toTime(time),
      balance: String(amount),
      balance_24h: null,
      type: 'nft' as const,
      nft_data: toNftData({ id, owner: ownerOf(standard, wallet), ...more }, access),
    };
    await context.pause();
    const told = [{ ...token, url: more.url }];
    cited.push({ item, accounts: citeNfts(prover, [ownedCall(token, wallet)], told) });
  }
  return cited;
}

const ownerOf = (standard: NftStandard, wallet: Hex): Hex | undefined =>
  standard === 'erc721' ? wallet : undefined;

/** What is asked about, and at which block. */
async function toQuery({ access, at, context }: Working, wallet: Hex) {
  const hashed: HashedBlock = await hashedBlock(access, at);
  const query: NftQuery = { access, context, block: hashed.number };
  await checkState(wallet, query);
  return { at: hashed, query };
}

const beforeItems = (
  { access: { chain } }: Working,
  at: HashedBlock,
  { wallet, contract }: Pick<CollectionQuestion, 'wallet' | 'contract'>,
  pagination: object,
) => ({
  ...{ ...toHead(chain, at), address: wallet, collection: contract, is_spam: false, pagination },
});

async function writeCollection(question: CollectionQuestion, working: Working) {
  const { access, context } = working;
  const { wallet, page } = question;
  const { at, query } = await toQuery(working, wallet);
  const list = listOf(question, query);
  const { items: tokens, pagination } = await readKeyedPage(list, page, { access, at, context });
  const owned = await findOwned(wallet, tokens, query);
  const items = await toItems(question, owned, { query, prover: working.prover });
  const before = beforeItems(working, at, question, pagination);
  return { json: await writeProvenList(before, items, working) };
}

async function writeToken(question: TokenQuestion, working: Working) {
  const { wallet, contract } = question;
  const { at, query } = await toQuery(working, wallet);
  const id = BigInt(question.id);
  const tokens = nftStandards.map((standard) => ({ standard, contract, id }));
  const owned = await findOwned(wallet, tokens, query);
  const items = await toItems({ ...question, filter: undefined }, owned, {
    query,
    prover: working.prover,
  });
  const total = items.length;
  const pagination = toPagination({ number: 0, size: tokens.length, total, cursor: undefined });
  const before = beforeItems(working, at, question, pagination);
  return { json: await writeProvenList(before, items, working) };
}

const keyOf = (question: CollectionQuestion | TokenQuestion, { documentsRevision }: ChainData) =>
  `collection ${documentsRevision} ${JSON.stringify(question)}`;

const base = '/v1/{chain_name}/address/{address}/collection/{contract_address}/';

export const walletCollection: DataRoute = (data) =>
  defineChainRoute({
    title: 'tokens of a contract that a wallet has',
    path: base,
    summary: 'The tokens of an ERC-721 or ERC-1155 contract that a wallet has',
    description,
    params: {
      ...{ chain_name: chainName(data), address: addressParameter },
      contract_address: addressParameter,
    },
    query: { ...traitFilterQuery, ...proofsQuery, ...wholePageQuery },
    answer,
    question: ({ address: wallet, contract_address: contract, ...read }): CollectionQuestion => ({
      ...{ wallet, contract, filter: toTraitFilter(read), page: toWholePage(read) },
      ...toProofs(read),
    }),
    cost: () => 1,
    ...provable(keyOf, writeCollection),
  });

export const walletToken: DataRoute = (data) =>
  defineChainRoute({
    title: 'a token that a wallet may have',
    path: `${base}token/{token_id}/`,
    summary: 'Whether a wallet has an ERC-721 or ERC-1155 token',
    description: tokenDescription,
    params: {
      ...{ chain_name: chainName(data), address: addressParameter },
      ...{ contract_address: addressParameter, token_id: tokenIdParameter },
    },
    query: proofsQuery,
    answer,
    question: ({ address: wallet, contract_address: contract, ...read }): TokenQuestion => ({
      ...{ wallet, contract, id: read.token_id, ...toProofs(read) },
    }),
    cost: () => 1,
    ...provable(keyOf, writeToken),
  });
