/**
 * `GET /v1/{chain_name}/nft/{contract_address}/metadata/` and, behind it, `{token_id}/`: the tokens of a contract, or one of them,
 * with who has it and where the document is that describes it.
 */
import { z } from '@hono/zod-openapi';
import { ownerCall } from '../../../abi/tokens.js';
import type { Hex } from '../../../bytes.js';
import type { Index } from '../../../indexer/index.js';
import { type ChainContext, learnNames } from '../../data/balances.js';
import type { ChainData } from '../../data/chainData.js';
import { citeNfts } from '../../nfts/citeNfts.js';
import {
  checkState,
  type DocumentWishes,
  describeNfts,
  findOwners,
  type NftDetails,
} from '../../nfts/nfts.js';
import type { NftQuery, NftToken } from '../../nfts/nftTokens.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
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
import { toHead, toPagination } from '../common/json.js';
import { type KeyedList, readKeyedPage } from '../common/keyedPages.js';
import { type PageQuestion, pageQuery, tokenIdParameter, toPage } from '../common/parameters.js';
import { proofsQuery, provenItems, toProofs, writeProvenList } from '../common/proofs.js';
import { cursorPagination, head } from '../common/schemas.js';
import { hashedBlock, needReceipts } from '../common/settled.js';
import { contractMembers, nftData, toContractMembers, toNftData } from './nftItem.js';
import {
  findPassing,
  passes,
  type TraitFilter,
  toTraitFilter,
  traitFilterQuery,
} from './traitFilter.js';

const description = `Tokens of an ERC-721 or ERC-1155 contract that somebody has, in the order of their ids: of ERC-721 those that have an owner, as the contract says it at \`block_height\`, of
ERC-1155 those of which transfers leave somebody some. Events say which ids there are. A page is made of so many ids, so it may be short, or empty; \`has_more\` says whether there is
another one. \`external_data\` is from documents that the service has fetched before, or that stand in their own \`data:\` URL; \`with-uncached=true\` fetches others, at most 20 a
request. Of URLs over 4 kB, at most 20 a page are read.`;

const item = z.object({ ...contractMembers, type: z.literal('nft'), nft_data: nftData });

const answer = enveloped({
  name: 'NftMetadata',
  description: 'A page of tokens',
  data: z.object({ ...head, pagination: cursorPagination, ...provenItems(item) }),
});

const metadataQuery = {
  'no-metadata': flagParameter.openapi({
    description:
      'Whether `token_url` and `external_data` are null, which saves a call for each token',
  }),
  'with-uncached': flagParameter.openapi({
    description: 'Whether documents are fetched, if the service does that: 1 unit of cost for each',
  }),
};

/** Which documents are wanted. */
const toWishes = (read: {
  readonly 'no-metadata': boolean;
  readonly 'with-uncached': boolean;
}): DocumentWishes => ({ urls: !read['no-metadata'], uncached: read['with-uncached'] });

interface MetadataQuestion extends ProofsQuestion {
  readonly contract: Hex;
  readonly wishes: DocumentWishes;
  /** Undefined: all tokens. */
  readonly filter: TraitFilter | undefined;
  readonly page: PageQuestion;
}

interface TokenQuestion extends Omit<MetadataQuestion, 'page' | 'filter'> {
  /** In decimal. */
  readonly id: string;
}

const cursors = createCursors('metadata', [32]);

/** Ids of a contract, or those of its tokens whose documents pass. */
function listOf(
  { contract, filter }: MetadataQuestion,
  access: ChainContext,
): KeyedList<bigint, bigint> {
  const { index } = access;
  const passing =
    filter &&
    [...new Set(findPassing(contract, filter, access).map(({ id }) => id))].sort(
      (a, b) => Number(a > b) - Number(a < b),
    );
  const read: KeyedList<bigint, bigint>['read'] = async ({ after = -1n, limit }) =>
    passing
      ? passing.filter((id) => id > after).slice(0, limit)
      : index.ids(contract, { after: after < 0n ? undefined : after, limit });
  return {
    ...{ name: 'metadata', of: `${contract} ${JSON.stringify(filter)}`, cursors },
    toNumbers: (id) => [id],
    fromNumbers: (numbers) => numbers[0] as bigint,
    read,
    count: async (limit) => (await read({ after: undefined, limit })).length,
  };
}

/** Whether a contract has moved ERC-721 tokens. */
async function isSingles(index: Index, contract: Hex): Promise<boolean> {
  let found = false;
  await index.eachSum(contract, { standard: 'erc721' }, () => {
    found = true;
    return false;
  });
  return found;
}

/** Tokens of which somebody has some, and the owners of those that have one. */
async function findTokens(contract: Hex, ids: readonly bigint[], query: NftQuery) {
  const { index } = query.access;
  const owners = (await isSingles(index, contract)) ? await findOwners(contract, ids, query) : [];
  const bounds = { from: ids[0] ?? 0n, to: ids.at(-1) ?? 0n };
  const held = new Set(ids.length === 0 ? [] : await index.heldIds(contract, bounds));
  return ids.flatMap((id, i): (NftToken & { readonly owner: Hex | undefined })[] => {
    const owner = owners[i];
    if (owner !== undefined) return [{ standard: 'erc721', contract, id, owner }];
    return held.has(id) ? [{ standard: 'erc1155', contract, id, owner }] : [];
  });
}

/** Items, and what proves each of them: of ERC-1155, the contract says where the document is, and nothing of who has some. */
async function toItems(
  { contract, wishes, filter }: Omit<MetadataQuestion, 'page'>,
  ids: readonly bigint[],
  { query, prover }: { query: NftQuery; prover: Working['prover'] },
) {
  const { access, context, block } = query;
  const tokens = await findTokens(contract, ids, query);
  const details = await describeNfts(tokens, wishes, query);
  const seen = tokens.length === 0 ? [] : [{ contract, lastBlock: block }];
  const names = await learnNames(access, seen, context);
  const cited: { item: z.input<typeof item>; accounts: readonly Hex[] | undefined }[] = [];
  for (const [i, token] of tokens.entries()) {
    const { id, owner } = token;
    const detail = details[i] as NftDetails;
    // Its contract may name another document by now.
    if (filter && !passes(detail.document, filter)) continue;
    const data = toNftData({ id, owner, ...detail }, access);
    const own = toContractMembers(contract, names.get(contract) ?? {});
    const calls = owner === undefined ? [] : [ownerCall(contract, id)];
    await context.pause();
    cited.push({
      item: { ...own, type: 'nft', nft_data: data },
      accounts: citeNfts(prover, calls, [{ ...token, url: detail.url }]),
    });
  }
  return cited;
}

/** What is asked about, and at which block. */
async function toQuery({ access, at, context }: Working, contract: Hex) {
  needReceipts(access);
  const hashed: HashedBlock = await hashedBlock(access, at);
  const query: NftQuery = { access, context, block: hashed.number };
  await checkState(contract, query);
  return { at: hashed, query };
}

async function writeMetadata(question: MetadataQuestion, working: Working) {
  const { access, context } = working;
  const { page } = question;
  const { at, query } = await toQuery(working, question.contract);
  const list = listOf(question, access);
  const { items: ids, pagination } = await readKeyedPage(list, page, { access, at, context });
  const items = await toItems(question, ids, { query, prover: working.prover });
  const before = { ...toHead(access.chain, at), pagination };
  return { json: await writeProvenList(before, items, working) };
}

async function writeToken(question: TokenQuestion, working: Working) {
  const { at, query } = await toQuery(working, question.contract);
  const items = await toItems({ ...question, filter: undefined }, [BigInt(question.id)], {
    query,
    prover: working.prover,
  });
  const total = items.length;
  const pagination = toPagination({ number: 0, size: 1, total, cursor: undefined });
  const before = { ...toHead(working.access.chain, at), pagination };
  return { json: await writeProvenList(before, items, working) };
}

const keyOf = (question: MetadataQuestion | TokenQuestion, { documentsRevision }: ChainData) =>
  `metadata ${documentsRevision} ${JSON.stringify(question)}`;

const base = '/v1/{chain_name}/nft/{contract_address}/metadata/';

export const metadata: DataRoute = (data) =>
  defineChainRoute({
    title: 'tokens of a contract',
    path: base,
    summary: 'The tokens of an ERC-721 or ERC-1155 contract',
    description,
    params: { chain_name: chainName(data), contract_address: addressParameter },
    query: { ...metadataQuery, ...traitFilterQuery, ...proofsQuery, ...pageQuery },
    answer,
    question: ({ contract_address: contract, ...read }): MetadataQuestion => {
      const filter = toTraitFilter(read);
      const wishes = toWishes(read);
      // A filter looks at documents, whether or not they are wanted.
      return {
        contract,
        filter,
        wishes: { ...wishes, urls: wishes.urls || filter !== undefined },
        page: toPage(read),
        ...toProofs(read),
      };
    },
    cost: () => 1,
    ...provable(keyOf, writeMetadata),
  });

export const tokenMetadata: DataRoute = (data) =>
  defineChainRoute({
    title: 'a token of a contract',
    path: `${base}{token_id}/`,
    summary: 'One ERC-721 or ERC-1155 token',
    description: '`items` is empty if nobody has such a token.',
    params: {
      ...{ chain_name: chainName(data), contract_address: addressParameter },
      token_id: tokenIdParameter,
    },
    query: { ...metadataQuery, ...proofsQuery },
    answer,
    question: ({ contract_address: contract, token_id: id, ...read }): TokenQuestion => ({
      ...{ contract, id, wishes: toWishes(read), ...toProofs(read) },
    }),
    cost: () => 1,
    ...provable(keyOf, writeToken),
  });
