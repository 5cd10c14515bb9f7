/** The holdings of a wallet, a page at a time. */
import type { Hex } from '../../bytes.js';
import { nativeAddress, type TokenMetadata } from '../../decode/context/input.js';
import type { Holding, Index } from '../../indexer/index.js';
import type { StateKind } from '../../verify/result.js';
import type { Amounts } from '../chain/amounts.js';
import { askPrices } from '../chain/prices.js';
import type { OpenChain } from '../decoder/chainDecoder.js';
import type { Documents } from '../documents/documents.js';
import type { NftMetadata } from '../documents/nftMetadata.js';
import type { ServiceLog } from '../http/log.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { GasWatch } from '../ledger/gasUse.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Prover } from '../proving/prover.js';
import { withProofs } from '../proving/withProofs.js';
import type { Bookmarks } from './bookmarks.js';
import { type HeldBalance, heldAt } from './held.js';
import type { BalanceBlock } from './indexHead.js';
import { type FormatContext, nativeItem, pricesByAddress, tokenItem } from './items.js';
import { learnTokens } from './names.js';
import { citeHeld } from './provenHeld.js';
import type { Rankings } from './rankings.js';

/** Holdings of one wallet that can be reached; those beyond are spam. */
export const mostHoldings = 100_000;

export interface BalancesQuestion {
  /** Lower case. */
  readonly address: Hex;
  readonly quoteCurrency: string;
  readonly pageSize: number;
  /** From 0. */
  readonly pageNumber: number;
}

/** The sources for one chain: its node, its index and the service's own state. */
export interface ChainContext extends OpenChain {
  readonly index: Index;
  readonly amounts: Amounts;
  /** What says amounts at an older block: the service's own state if it holds the block, else the node. */
  readonly amountsAt: (block: number) => Promise<Amounts>;
  /** Undefined without a state of the service's own. */
  readonly prover: ((block: number, kind: StateKind) => Prover) | undefined;
  readonly log: ServiceLog | undefined;
  /** Blocks and transactions, as the node has them. */
  readonly ledger: Ledger;
  /** The gas fees of its transactions. */
  readonly gas: GasWatch;
  /** Where pages of lists begin. */
  readonly bookmarks: Bookmarks;
  /** The holders of tokens. */
  readonly rankings: Rankings;
  /** Whether the node may be asked for traces. */
  readonly trace: boolean;
  /** Documents of NFTs, and how they become answers. */
  readonly documents: Documents;
  readonly nftMetadata: NftMetadata;
}

/** Metadata of tokens that were seen in a block; all members are null for a token of which nothing is known. */
export async function learnNames(
  { tokens: book, index }: ChainContext,
  seen: readonly Pick<Holding, 'contract' | 'lastBlock'>[],
  { pause }: AnswerContext,
): Promise<Map<string, TokenMetadata>> {
  const known = new Map<string, TokenMetadata>();
  const final = (await index.finalBlock()) ?? -1;
  for (const isFinal of [true, false]) {
    // If a contract existed in a final block and told nothing then, that answer is final too.
    const some = seen.filter(({ lastBlock }) => lastBlock <= final === isFinal);
    const contracts = some.map(({ contract }) => contract);
    const { tokens } = await learnTokens(contracts, { book, isFinal, pause });
    for (const [address, token] of tokens) known.set(address, token);
  }
  return known;
}

/** Times of the blocks of last transfers. */
export async function timesOf(
  index: Index,
  held: readonly HeldBalance[],
): Promise<Map<number, number>> {
  const times = new Map<number, number>();
  for (const { holding } of held) {
    const { lastBlock } = holding;
    if (times.has(lastBlock)) continue;
    const time = await index.blockTime(lastBlock);
    if (time !== undefined) times.set(lastBlock, time);
  }
  return times;
}

/** JSON of what a wallet holds at a block. @throws RpcError, NodeError, and any error of `pause` */
export async function findBalances(
  question: BalancesQuestion,
  access: ChainContext,
  {
    at,
    context,
    prover,
  }: { at: BalanceBlock; context: AnswerContext; prover?: Prover | undefined },
): Promise<string> {
  const { address: wallet, pageSize, pageNumber, quoteCurrency } = question;
  const { chain, index, log, amounts } = access;
  const { pause, charge } = context;
  await pause();
  const block = at.number;
  const total = 1 + (await index.countHoldings(wallet, mostHoldings));
  // The native balance is the first item of all.
  const offset = pageSize * pageNumber;
  const page = { offset: Math.max(offset - 1, 0), limit: pageSize - (offset === 0 ? 1 : 0) };
  const native = offset === 0 ? await amounts.balanceAt(wallet, block) : undefined;
  const holdings = page.limit === 0 ? [] : await index.holdings(wallet, page);
  const held = await heldAt(holdings, { wallet, block, pause }, { index, amounts, charge });
  const seen = held.map(({ holding }) => holding);
  const tokens = await learnNames(access, seen, context);
  const times = await timesOf(index, held);
  const priced = [nativeAddress, ...held.map(({ holding }) => holding.contract)];
  const asked = {
    chainName: chain.name,
    chainId: chain.id,
    addresses: priced,
    timestamp: undefined,
  };
  const source = quoteCurrency === 'USD' ? access.prices : undefined;
  const prices = pricesByAddress((await askPrices(source, asked, log)).prices);
  await pause();
  const format: FormatContext = { chain, tokens, prices, times, block };
  const items = [
    ...(native === undefined ? [] : [nativeItem(native, format)]),
    ...held.map((one) => tokenItem(one, wallet, format)),
  ];
  const listed = { wallet, held: [...(native === undefined ? [] : [undefined]), ...held], items };
  const cited = await citeHeld(listed, { prover, context });
  const proven = prover && (await withProofs(cited, { prover, context }));
  return JSON.stringify({
    address: wallet,
    chain_id: chain.id,
    chain_name: chain.name,
    quote_currency: quoteCurrency,
    updated_at: new Date().toISOString(),
    block_height: block,
    block_hash: at.hash ?? null,
    ...(proven ?? { items }),
    pagination: {
      has_more: offset + pageSize < total,
      page_number: pageNumber,
      page_size: pageSize,
      total_count: total > mostHoldings ? null : total,
    },
  });
}
