/** `GET /v1/{chain_name}/address/{address}/balances_nft/`: the tokens with ids that a wallet has. */
import { z } from '@hono/zod-openapi';
import { addressWidth, type Hex } from '../../../bytes.js';
import type { Holding, Index } from '../../../indexer/index.js';
import { learnNames } from '../../data/balances.js';
import type { ChainData } from '../../data/chainData.js';
import { heldAt, toBalanceCalls } from '../../data/held.js';
import { citeNfts } from '../../nfts/citeNfts.js';
import { checkState, describeNfts, type NftDetails } from '../../nfts/nfts.js';
import { type NftStandard, nftStandards } from '../../nfts/nftTokens.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
import { addressOf, createCursors } from '../common/cursor.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
  type Working,
} from '../common/dataRoute.js';
import { PieceWriter, toHead, toTime } from '../common/json.js';
import { type KeyedList, readKeyedPage } from '../common/keyedPages.js';
import { type PageQuestion, toWholePage, wholePageQuery } from '../common/parameters.js';
import { proofsQuery, provenItems, toProofs, writeProvenList } from '../common/proofs.js';
import { amount, cursorPagination, head, hex } from '../common/schemas.js';
import { hashedBlock } from '../common/settled.js';
import { contractMembers, nftData, toContractMembers, toNftData, transferTime } from './nftItem.js';

const description = `Contracts of ERC-721 and ERC-1155 tokens of which the wallet has some, as they say it at \`block_height\`: \`balance\` of an ERC-721 contract is
\`balanceOf\`, \`nft_data\` has those tokens whose \`ownerOf\` is the wallet. It lists at most 100 tokens of a contract and, if a page has more than ten contracts, at most 1,000 in all;
\`address/{address}/collection/{contract_address}/\` lists all of one. Contracts of which nothing is left are left out, so a page may be short. What documents or prices say is null.`;

const item = z.object({
  ...contractMembers,
  supports_erc: z.array(z.enum(nftStandards)),
  last_transfered_at: transferTime,
  balance: amount,
  balance_24h: z.null(),
  type: z.literal('nft'),
  floor_price_quote: z.null(),
  pretty_floor_price_quote: z.null(),
  floor_price_native_quote: z.null(),
  nft_data: z.array(nftData),
});

interface WalletQuestion extends ProofsQuestion {
  readonly wallet: Hex;
  /** Whether contracts are not asked for URLs. */
  readonly isPlain: boolean;
  readonly page: PageQuestion;
}

type HoldingKey = Pick<Holding, 'standard' | 'contract'>;

const cursors = createCursors('nfts', [1, addressWidth]);

const listOf = (wallet: Hex, index: Index): KeyedList<HoldingKey, Holding> => ({
  ...{ name: 'nfts', of: wallet, cursors },
  toNumbers: ({ standard, contract }) => [
    ...[nftStandards.indexOf(standard as NftStandard), BigInt(contract)],
  ],
  fromNumbers: (numbers) => {
    const [standard, contract] = numbers as [bigint, bigint];
    return {
      standard: standard === 0n ? 'erc721' : 'erc1155',
      contract: addressOf(contract),
    };
  },
  read: (part) => index.nftHoldings(wallet, part),
  count: (limit) => index.countNftHoldings(wallet, limit),
});

async function writeNfts({ wallet, isPlain, page }: WalletQuestion, working: Working) {
  const { access, context, prover } = working;
  const { index, amounts, chain } = access;
  const { pause, charge } = context;
  const at = await hashedBlock(access, working.at);
  const block = at.number;
  const query = { access, context, block };
  await checkState(wallet, query);
  const list = listOf(wallet, index);
  const { items: holdings, pagination } = await readKeyedPage(list, page, { access, at, context });
  const held = await heldAt(holdings, { wallet, block, pause }, { index, amounts, charge });
  const all = held.flatMap(({ holding: { standard, contract }, tokens = [] }) =>
    tokens.map(({ id }) => ({ standard: standard as NftStandard, contract, id })),
  );
  const details = await describeNfts(all, { urls: !isPlain, uncached: false }, query);
  const names = await learnNames(
    access,
    held.map(({ holding }) => holding),
    context,
  );
  const cited: { item: z.input<typeof item>; accounts: readonly Hex[] | undefined }[] = [];
  let told = 0;
  for (const one of held) {
    const { holding, amount, tokens = [] } = one;
    const { contract, lastBlock } = holding;
    const standard = holding.standard as NftStandard;
    const time = lastBlock > block ? undefined : await index.blockTime(lastBlock);
    const owner = standard === 'erc721' ? wallet : undefined;
    const described = tokens.map(({ id }) => {
      const detail = details[told++] as NftDetails;
      return { ...detail, standard, contract, id, owner };
    });
    // Not spread: on Node 20, that takes ten times as long.
    const item = Object.assign(toContractMembers(contract, names.get(contract) ?? {}), {
      supports_erc: [standard],
      last_transfered_at: time === undefined ? null : toTime(time),
      balance: String(amount),
      balance_24h: null,
      type: 'nft' as const,
      floor_price_quote: null,
      pretty_floor_price_quote: null,
      floor_price_native_quote: null,
      nft_data: described.map((token) => toNftData(token, access)),
    });
    await pause();
    cited.push({ item, accounts: citeNfts(prover, toBalanceCalls(one, wallet), described) });
  }
  const before = { ...toHead(chain, at), address: wallet, pagination };
  const writer = new PieceWriter(pause);
  const json = await writeProvenList(before, cited, working, ({ nft_data: tokens, ...one }) =>
    writer.list(one, ['nft_data', tokens]),
  );
  return { json };
}

const keyOf = (question: WalletQuestion, { documentsRevision }: ChainData) =>
  `nfts ${documentsRevision} ${JSON.stringify(question)}`;

export const walletNfts: DataRoute = (data) =>
  defineChainRoute({
    title: 'NFTs of a wallet',
    path: '/v1/{chain_name}/address/{address}/balances_nft/',
    summary: 'The ERC-721 and ERC-1155 tokens of a wallet',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query: {
      // Nothing here is known to be spam, so there is nothing to leave out.
      'no-spam': flagParameter,
      'no-nft-asset-metadata': flagParameter.openapi({
        description: 'Whether `token_url` is null, which saves a call for each token',
      }),
      ...proofsQuery,
      ...wholePageQuery,
    },
    answer: enveloped({
      name: 'WalletNfts',
      description: 'A page of contracts with their tokens',
      data: z.object({
        ...head,
        address: hex(20),
        pagination: cursorPagination,
        ...provenItems(item),
      }),
    }),
    question: ({ address: wallet, ...read }): WalletQuestion => ({
      ...{ wallet, isPlain: read['no-nft-asset-metadata'], ...toProofs(read) },
      page: toWholePage(read),
    }),
    cost: () => 1,
    ...provable(keyOf, writeNfts),
  });
