/** `GET /v1/{chain_name}/tokens/{token_address}/token_holders_v2/`: who holds a token, by what they have. */
import { z } from '@hono/zod-openapi';
import { bytesToInteger, type Hex, integerToBytes } from '../../../bytes.js';
import { cleanName, cleanUrl } from '../../../decode/receipt/text.js';
import { unknownToken } from '../../chain/tokens.js';
import type { ChainContext } from '../../data/balances.js';
import {
  type AskedRanking,
  citeHolders,
  findPastRanking,
  findProvenRanking,
  findRanking,
  type Holder,
  type HoldersQuery,
  readHolders,
} from '../../data/holders.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { learnTokens } from '../../data/names.js';
import { rankWidth } from '../../data/ranking.js';
import { mostAsked, mostHolders } from '../../data/rankings.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
import { createCursors } from '../common/cursor.js';
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
import { type PageQuestion, pageQuery, toPage } from '../common/parameters.js';
import { findPast, type PastQuestion, pastQuery, toPast } from '../common/pastBlock.js';
import { proofsAlone, provenItems, toProofs, writeProvenList } from '../common/proofs.js';
import { amount, count, cursorPagination, head, hex, number, text } from '../common/schemas.js';
import { needReceipts } from '../common/settled.js';

const description = `Wallets that have some of an ERC-20 or ERC-721 contract, those with most first. Events of transfers say whom to ask and in which
order, and the contract itself what each has at \`block_height\`: \`balance\` is its word, and so is \`total_supply\`. Wallets
that have nothing are left out of the page that they would be on, so a page may be short. \`total_count\` counts them too.
The order is kept for five minutes, so \`block_height\` may be older than the newest block; \`no-snapshot=true\` makes it anew, which costs a unit
for each 1,000 holders. More than ${mostHolders} holders are not ranked.

With \`block-height\` or \`date\`, all wallets that ever had some by an event are asked what they had then: at most ${mostAsked}, at a
unit each. Holders of an ERC-1155 token are the owners of an id, and no list of this route.

With \`proofs=true\`, if the service has a state of its own, they are asked in the same way at the proven block, and items carry proofs as those of
\`balances_v2\` do: of \`balance\`, and of \`total_supply\` and \`contract_decimals\` if these can be proven.`;

const item = z.object({
  contract_decimals: number,
  contract_name: text,
  contract_ticker_symbol: text,
  contract_address: hex(20),
  supports_erc: z.array(z.string()),
  logo_url: text,
  address: hex(20),
  balance: amount,
  total_supply: z
    .string()
    .regex(/^\d+$/)
    .nullable()
    .openapi({ description: 'Null if the contract does not say it' }),
  block_height: count,
});

interface HoldersQuestion extends PastQuestion, ProofsQuestion {
  readonly token: Hex;
  readonly isFresh: boolean;
  readonly page: PageQuestion;
}

/** The key of a cursor: the last holder before it. */
const cursors = createCursors('holders', [rankWidth]);

const keyOf = ({ token, isFresh, block, day, page }: HoldersQuestion) =>
  `holders ${token} ${isFresh} ${block} ${day} ${page.size} ${page.number} ${page.cursor}`;

/** All that decides what is listed, beside the block. */
const listOf = ({ token, block, day }: HoldersQuestion, { chain }: ChainContext) =>
  `${chain.id} ${token} ${block} ${day}`;

/** Which page of a ranking is wanted. */
interface WantedPage extends Omit<PageQuestion, 'cursor'> {
  /** The last holder before it; undefined: the number says where it begins. */
  readonly after: Uint8Array | undefined;
}

/** @throws HttpError for a wrong cursor; RpcError or NodeError */
async function openPage(
  question: HoldersQuestion,
  access: ChainContext,
  at: BalanceBlock,
): Promise<WantedPage> {
  const { size, number, cursor } = question.page;
  if (cursor === undefined) return { size, number, after: undefined };
  const { page, after } = await cursors.open(listOf(question, access), cursor, { access, at });
  return { size, number: page, after: integerToBytes(after[0] as bigint, rankWidth) };
}

/** What all items say of the token. @throws RpcError, NodeError, and what the pause throws */
async function describeToken({ token, access, context }: HoldersQuery, { standard }: AskedRanking) {
  const { index } = access;
  const [first] = await index.emitted(token, { order: 'oldest', limit: 1 });
  const isFinal = first !== undefined && first.block <= ((await index.finalBlock()) ?? -1);
  const options = { book: access.tokens, isFinal, pause: context.pause };
  const { tokens } = await learnTokens([token], options);
  const { name, symbol, decimals, logo } = tokens.get(token) ?? unknownToken(token);
  return {
    contract_decimals: decimals ?? null,
    contract_name: cleanName(name) ?? null,
    contract_ticker_symbol: cleanName(symbol) ?? null,
    contract_address: token,
    supports_erc: standard === undefined ? [] : [standard],
    logo_url: cleanUrl(logo) ?? null,
  };
}

/** @throws HttpError, RpcError, NodeError, and what the pause throws */
async function rank(
  question: HoldersQuestion,
  query: HoldersQuery,
  { access, plain, at, prover }: Working,
): Promise<AskedRanking> {
  if (prover) return findProvenRanking({ ...query, access: plain }, { at, prover });
  const past = await findPast(question, access, at);
  if (past) return findPastRanking(query, past);
  const isAsked = question.block !== undefined || question.day !== undefined;
  return findRanking(query, at, question.isFresh || isAsked);
}

async function writeHolders(question: HoldersQuestion, working: Working) {
  const { access, at, context } = working;
  const query = { token: question.token, access, context };
  await context.pause();
  needReceipts(access);
  const { size, number, after } = await openPage(question, access, at);
  const ranked = await rank(question, query, working);
  const { ranking } = ranked;
  const block = ranked.at.number;
  const hash = ranked.at.hash ?? (await heldBlock(access.ledger, block)).hash;
  const from = after ? ranking.findBehind(after) : size * number;
  const end = from + size;
  const next = () =>
    cursors.write(listOf(question, access), {
      ...{ head: { number: block, hash }, page: number + 1 },
      after: [bytesToInteger(ranking.rank(end - 1))],
    });
  const { holders, totalSupply } = await readHolders(query, ranked, { from, size });
  const token = holders.length === 0 ? {} : await describeToken(query, ranked);
  // Not spread: on Node 20, that takes ten times as long.
  const toItem = ({ address, balance }: Holder) =>
    Object.assign({}, token, {
      address,
      balance: String(balance),
      total_supply: totalSupply === undefined ? null : String(totalSupply),
      block_height: block,
    });
  const cursor = end < ranking.size ? next() : undefined;
  const before = {
    ...toHead(access.chain, { number: block, hash }),
    pagination: toPagination({ number, size, total: ranking.size, cursor }),
  };
  const accounts = await citeHolders(query, holders, working.prover);
  const cited = holders.map((holder, i) => ({ item: toItem(holder), accounts: accounts[i] }));
  return { json: await writeProvenList(before, cited, working) };
}

export const tokenHolders: DataRoute = (data) =>
  defineChainRoute({
    title: 'holders of a token',
    path: '/v1/{chain_name}/tokens/{token_address}/token_holders_v2/',
    summary: 'Who holds a token',
    description,
    params: { chain_name: chainName(data), token_address: addressParameter },
    query: {
      'no-snapshot': flagParameter.openapi({ description: 'Whether the order is made anew' }),
      ...proofsAlone,
      ...pastQuery,
      ...pageQuery,
    },
    answer: enveloped({
      name: 'TokenHolders',
      description: 'A page of holders',
      data: z.object({ ...head, pagination: cursorPagination, ...provenItems(item) }),
    }),
    question(read): HoldersQuestion {
      const { block, day } = toPast(read);
      return {
        token: read.token_address,
        isFresh: read['no-snapshot'],
        block,
        day,
        page: toPage(read),
        ...toProofs(read),
      };
    },
    cost: ({ page }) => page.size,
    ...provable(keyOf, writeHolders),
  });
