/** `GET /v1/{chain_name}/nft/{contract_address}/owners/{token_id}/`: who has some of an ERC-1155 token, or an ERC-721 token. */
import { z } from '@hono/zod-openapi';
import { ownerCall } from '../../../abi/tokens.js';
import { bytesToInteger, type Hex, integerToBytes } from '../../../bytes.js';
import {
  citeHolders,
  findProvenRanking,
  findRanking,
  type Holder,
  type HoldersQuery,
  readHolders,
} from '../../data/holders.js';
import { learnTokens } from '../../data/names.js';
import { rankWidth } from '../../data/ranking.js';
import { citeNfts } from '../../nfts/citeNfts.js';
import { checkState, findOwners } from '../../nfts/nfts.js';
import { type NftStandard, nftStandards } from '../../nfts/nftTokens.js';
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
import { type PageQuestion, pageQuery, tokenIdParameter, toPage } from '../common/parameters.js';
import { proofsQuery, provenItems, toProofs, writeProvenList } from '../common/proofs.js';
import { amount, cursorPagination, head, hex } from '../common/schemas.js';
import { hashedBlock, needReceipts } from '../common/settled.js';
import { contractMembers, toContractMembers } from './nftItem.js';

const description = `Wallets that have some of an ERC-1155 token, those with most first, or the one owner of an ERC-721 token. As for holders of ERC-20 tokens, transfers say whom to ask and
in which order, and the contract what each has at \`block_height\`. Wallets that have nothing are left out of their page. The order is kept for five minutes;
\`no-snapshot=true\` makes it anew. With \`proofs=true\`, all who ever had some are asked at the proven block, at a unit each, and the order is theirs.`;

const item = z.object({
  ...contractMembers,
  supports_erc: z.array(z.enum(nftStandards)),
  token_id: amount,
  address: hex(20),
  balance: amount,
});

interface OwnersQuestion extends ProofsQuestion {
  readonly contract: Hex;
  /** In decimal. */
  readonly id: string;
  readonly isFresh: boolean;
  readonly page: PageQuestion;
}

/** The key of a cursor: the last owner before it. */
const cursors = createCursors('owners', [rankWidth]);

/** A page of owners, and the block that they are of. */
interface OwnersPage {
  readonly at: HashedBlock;
  readonly owners: readonly Holder[];
  /** What proves each of them. */
  readonly accounts: readonly (readonly Hex[] | undefined)[];
  readonly standard: NftStandard;
  readonly pagination: ReturnType<typeof toPagination>;
}

/** @throws HttpError, RpcError, NodeError, and what the pause throws */
async function readRanked(
  { contract, id, isFresh, page }: OwnersQuestion,
  { access, plain, at, context, prover }: Working,
): Promise<OwnersPage> {
  needReceipts(access);
  const { size, cursor } = page;
  const list = `${access.chain.id} ${contract} ${id}`;
  const led = cursor === undefined ? undefined : await cursors.open(list, cursor, { access, at });
  const query: HoldersQuery = { token: contract, id: BigInt(id), access, context };
  const ranked = prover
    ? await findProvenRanking({ ...query, access: plain }, { at, prover })
    : await findRanking(query, at, isFresh);
  const { ranking } = ranked;
  const number = led?.page ?? page.number;
  const after = led && integerToBytes(led.after[0] as bigint, rankWidth);
  const from = after ? ranking.findBehind(after) : size * number;
  const end = from + size;
  const { holders } = await readHolders(query, ranked, { from, size });
  const block = await hashedBlock(access, ranked.at);
  const next = () =>
    cursors.write(list, {
      ...{ head: block, page: number + 1, after: [bytesToInteger(ranking.rank(end - 1))] },
    });
  const pagination = toPagination({
    ...{ number, size, total: ranking.size },
    cursor: end < ranking.size ? next() : undefined,
  });
  const accounts = await citeHolders(query, holders, prover);
  return { at: block, owners: holders, accounts, standard: 'erc1155', pagination };
}

/** The owner of an ERC-721 token; undefined if the contract knows none. */
async function readSingle(
  { contract, id, page }: OwnersQuestion,
  { access, at, context, prover }: Working,
): Promise<OwnersPage | undefined> {
  const query = { access, context, block: at.number };
  await checkState(contract, query);
  const [owner] = await findOwners(contract, [BigInt(id)], query);
  if (owner === undefined || page.cursor !== undefined) return undefined;
  const { number, size } = page;
  return {
    at: await hashedBlock(access, at),
    owners: number === 0 ? [{ address: owner, balance: 1n }] : [],
    accounts: [citeNfts(prover, [ownerCall(contract, BigInt(id))], [])],
    standard: 'erc721',
    pagination: toPagination({ number, size, total: 1, cursor: undefined }),
  };
}

async function writeOwners(question: OwnersQuestion, working: Working) {
  const { access, context } = working;
  const { contract, id } = question;
  const found = (await readSingle(question, working)) ?? (await readRanked(question, working));
  const { at, owners, accounts, standard, pagination } = found;
  const { pause } = context;
  const seen = owners.length === 0 ? [] : [contract];
  const names = await learnTokens(seen, { book: access.tokens, isFinal: false, pause });
  const token = toContractMembers(contract, names.tokens.get(contract) ?? {});
  const toItem = ({ address, balance }: Holder): z.input<typeof item> => ({
    ...{ ...token, supports_erc: [standard], token_id: id },
    ...{ address, balance: String(balance) },
  });
  const cited = owners.map((owner, i) => ({ item: toItem(owner), accounts: accounts[i] }));
  const before = { ...toHead(access.chain, at), pagination };
  return { json: await writeProvenList(before, cited, working) };
}

const keyOf = (question: OwnersQuestion) => `owners ${JSON.stringify(question)}`;

export const tokenOwners: DataRoute = (data) =>
  defineChainRoute({
    title: 'owners of a token',
    path: '/v1/{chain_name}/nft/{contract_address}/owners/{token_id}/',
    summary: 'Who has an ERC-1155 or ERC-721 token',
    description,
    params: {
      ...{ chain_name: chainName(data), contract_address: addressParameter },
      token_id: tokenIdParameter,
    },
    query: {
      'no-snapshot': flagParameter.openapi({ description: 'Whether the order is made anew' }),
      ...proofsQuery,
      ...pageQuery,
    },
    answer: enveloped({
      name: 'TokenOwners',
      description: 'A page of owners',
      data: z.object({ ...head, pagination: cursorPagination, ...provenItems(item) }),
    }),
    question: ({ contract_address: contract, token_id: id, ...read }): OwnersQuestion => ({
      ...{ contract, id, isFresh: read['no-snapshot'], page: toPage(read) },
      ...toProofs(read),
    }),
    cost: ({ page }) => page.size,
    ...provable(keyOf, writeOwners),
  });
