/** `GET /v1/{chain_name}/nft/approvals/{address}/`: who may take a wallet's NFTs. */
import { z } from '@hono/zod-openapi';
import { addressWidth, type Hex } from '../../../bytes.js';
import type { TokenMetadata } from '../../../decode/index.js';
import { cleanName } from '../../../decode/receipt/text.js';
import type { Index, NftApproval } from '../../../indexer/index.js';
import { learnNames } from '../../data/balances.js';
import { type ApprovedContract, readNftApprovals } from '../../nfts/nftApprovals.js';
import { addressParameter } from '../../rest/table.js';
import { addressOf, createCursors } from '../common/cursor.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  provable,
  type Working,
} from '../common/dataRoute.js';
import { PieceWriter } from '../common/json.js';
import { wholePageQuery } from '../common/parameters.js';
import { proofsQuery, provenItems, writeProvenList } from '../common/proofs.js';
import { amount, cursorPagination, head, hex, text } from '../common/schemas.js';
import { type ApprovalsQuestion, readApprovals, toApprovalsQuestion } from './approvalPages.js';
import { findPlaces, placeMembers } from './approvalPlaces.js';

const description = `Contracts of ERC-721 and ERC-1155 tokens of which others may take some, and who they are: everyone whom the wallet ever approved by an event is asked about, at
\`block_height\`. \`token_ids_approved\` is \`ALL\`, or the ids of single tokens that the wallet has and that the contract says are approved, joined by commas;
\`allowance\` is \`UNLIMITED\`, or how many those are. \`token_balances\` is what the wallet has of the contract: at most 100 tokens, and 1,000 in all. Ours is paging: a page has so many
approvals that events have made, so it may have fewer contracts, or none; a contract whose approvals are on two pages is on both.

Ours too: with \`proofs=true\`, if the service has a state of its own, \`proofs\` proves that each spender may take what it may, and that the wallet has the tokens in
\`token_balances\`. As for \`balances_v2\`, a contract that cannot be shown stands in \`unproven\`.`;

const item = z.object({
  contract_address: hex(20),
  contract_address_label: text.openapi({ description: 'The name that the contract gives itself' }),
  contract_ticker_symbol: text,
  supports_erc: z.array(z.string()),
  token_balances: z.array(z.object({ token_id: amount, token_balance: amount })),
  spenders: z.array(
    z.object({
      ...placeMembers,
      spender_address: hex(20),
      spender_address_label: z.null(),
      token_ids_approved: z
        .string()
        .regex(/^(ALL|\d+(,\d+)*)$/)
        .openapi({ description: '`ALL`, or ids joined by commas' }),
      allowance: z
        .string()
        .regex(/^(\d+|UNLIMITED)$/)
        .openapi({ description: '`UNLIMITED`, or the number of the ids' }),
    }),
  ),
});

type ApprovalKey = Pick<NftApproval, 'contract' | 'id' | 'spender'>;

const kind = {
  name: 'nft approvals',
  cursors: createCursors('nft approvals', [addressWidth, 1, 32]),
  toNumbers: ({ contract, id, spender }: ApprovalKey) =>
    id === undefined ? [BigInt(contract), 0, BigInt(spender)] : [BigInt(contract), 1, id],
  fromNumbers: (numbers: readonly bigint[]): ApprovalKey => {
    const [first, isSingle, rest] = numbers as [bigint, bigint, bigint];
    const contract = addressOf(first);
    // Of a cursor that a client made up, no more is taken than an address has.
    const spender = addressOf(BigInt.asUintN(8 * addressWidth, rest));
    return { contract, spender, id: isSingle === 0n ? undefined : rest };
  },
  read: (index: Index, owner: Hex, part: { after: ApprovalKey | undefined; limit: number }) =>
    index.nftApprovals(owner, part),
  count: (index: Index, owner: Hex, limit: number) => index.countNftApprovals(owner, limit),
};

/** What an item is worded with. */
interface Wording {
  readonly tokens: ReadonlyMap<string, TokenMetadata>;
  readonly placeOf: Awaited<ReturnType<typeof findPlaces>>;
}

function toItem(
  { contract, spenders, held }: ApprovedContract,
  { tokens, placeOf }: Wording,
): z.input<typeof item> {
  const { name, symbol } = tokens.get(contract) ?? {};
  return {
    contract_address: contract,
    contract_address_label: cleanName(name) ?? null,
    contract_ticker_symbol: cleanName(symbol) ?? null,
    supports_erc: held.map(({ holding }) => holding.standard),
    token_balances: held.flatMap(({ tokens: own = [] }) =>
      own.map(({ id, amount }) => ({ token_id: String(id), token_balance: String(amount) })),
    ),
    spenders: spenders.map(({ spender, ids, last }) => ({
      ...placeOf(last),
      spender_address: spender,
      spender_address_label: null,
      token_ids_approved: ids?.join(',') ?? 'ALL',
      allowance: ids === undefined ? 'UNLIMITED' : String(ids.length),
    })),
  };
}

/** Blocks in which the contracts were seen, for their names. */
const seenIn = (contracts: readonly ApprovedContract[]) =>
  contracts.map(({ contract, spenders }) => ({
    contract,
    lastBlock: spenders.reduce((newest, { last }) => Math.max(newest, last.block), 0),
  }));

async function writeApprovals(question: ApprovalsQuestion, working: Working) {
  const { access, at, context, prover } = working;
  const { approvals, before } = await readApprovals(kind, question, working);
  const found = await readNftApprovals(question.owner, approvals, at.number, working);
  const last = found.flatMap(({ spenders }) => spenders.map((one) => one.last));
  const placeOf = await findPlaces(last, at.number, working);
  const tokens = await learnNames(access, seenIn(found), context);
  const cited = found.map((one) => ({
    item: toItem(one, { tokens, placeOf }),
    accounts: prover?.cite(one.calls),
  }));
  const writer = new PieceWriter(context.pause);
  const json = await writeProvenList(before, cited, working, ({ spenders, ...one }) =>
    writer.list(one, ['spenders', spenders]),
  );
  return { json };
}

const keyOf = (question: ApprovalsQuestion) => `nft approvals ${JSON.stringify(question)}`;

export const nftApprovals: DataRoute = (data) =>
  defineChainRoute({
    title: 'NFT approvals of a wallet',
    path: '/v1/{chain_name}/nft/approvals/{address}/',
    summary: 'Who may take the NFTs of a wallet',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query: { ...proofsQuery, ...wholePageQuery },
    answer: enveloped({
      name: 'NftApprovals',
      description: 'A page of contracts with their spenders',
      data: z.object({
        ...head,
        address: hex(20),
        pagination: cursorPagination,
        ...provenItems(item),
      }),
    }),
    question: toApprovalsQuestion,
    cost: () => 1,
    ...provable(keyOf, writeApprovals),
  });
