/** Tokens with ids at a block: who has them, as their contracts say it, and what the index knows of their past. */
import { decodeAddress, decodeUint256 } from '../../abi/answers.js';
import type { AbiCall } from '../../abi/call.js';
import { amountCall, ownerCall } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import { toTokenUrl } from '../../decode/receipt/tokenUrl.js';
import type { ItemEnds, ItemRun } from '../../indexer/index.js';
import type { NftDocument } from '../documents/document.js';
import { findDocuments, readLinks } from './nftDocuments.js';
import type { NftQuery, NftToken } from './nftTokens.js';

/** A token of which a wallet has some. */
export interface OwnedNft extends NftToken {
  /** Above 0; 1 of ERC-721. */
  readonly amount: bigint;
}

/** What is wanted of documents. */
export interface DocumentWishes {
  /** Whether contracts are asked where the documents are. */
  readonly urls: boolean;
  /** Whether documents that are not kept are fetched. */
  readonly uncached: boolean;
}

/** What stands in answers beside a token. */
export interface NftDetails {
  /** Undefined if it is not kept, could not be read, or is not wanted. */
  readonly document: NftDocument | undefined;
  /** Where what describes it is; undefined if the contract names no URL that can be shown. */
  readonly url: string | undefined;
  /** Who got it first by an event; undefined if the index does not know. */
  readonly origin: Hex | undefined;
  /** Number of the block in which it last moved by an event; undefined if the index does not know. */
  readonly lastBlock: number | undefined;
}

type TransactionPlace = Pick<ItemRun, 'block' | 'transaction'>;
type Origin = TransactionPlace & Pick<ItemRun, 'to'>;

/** Tokens whose past is looked up for a unit of cost, and in a turn. */
const unit = 100;
const aTurn = 64;

const nobody = /^0x0{40}$/;

/**
 * Sees that the state of a block is held. A call that fails later may be the contract's fault, this cannot be.
 *
 * @throws RpcError or NodeError
 */
export async function checkState(address: Hex, { access, context, block }: NftQuery) {
  context.charge(1);
  await access.amounts.balanceAt(address, block);
}

/** The call whose answer is who has an ERC-721 token, or how much a wallet has of an ERC-1155 token. */
export const ownedCall = ({ standard, contract, id }: NftToken, wallet: Hex): AbiCall =>
  standard === 'erc721' ? ownerCall(contract, id) : amountCall(contract, { wallet, id });

/** Which tokens a wallet has, and how much of each. @throws RpcError, NodeError, and what the pause throws */
export async function findOwned(
  wallet: Hex,
  tokens: readonly NftToken[],
  { access, context, block }: NftQuery,
): Promise<OwnedNft[]> {
  const calls = tokens.map((token) => ownedCall(token, wallet));
  context.charge(calls.length);
  const answers = await access.amounts.call(calls, block, context.pause);
  return tokens.flatMap((token, i) => {
    const answer = answers[i];
    const isOwner = answer !== undefined && decodeAddress(answer) === wallet;
    const amount = token.standard === 'erc721' ? BigInt(isOwner) : (decodeUint256(answer) ?? 0n);
    return amount > 0n ? [{ ...token, amount }] : [];
  });
}

/** Who has ERC-721 tokens; undefined for one that nobody has. @throws RpcError, NodeError, and what the pause throws */
export async function findOwners(
  contract: Hex,
  ids: readonly bigint[],
  { access, context, block }: NftQuery,
): Promise<(Hex | undefined)[]> {
  context.charge(ids.length);
  const calls = ids.map((id) => ownerCall(contract, id));
  const answers = await access.amounts.call(calls, block, context.pause);
  return answers.map((answer) => {
    const owner = answer && decodeAddress(answer);
    return owner === undefined || nobody.test(owner) ? undefined : owner;
  });
}

/** Whether a transaction is another one, or came before it. */
const isUpTo = (one: TransactionPlace, other: TransactionPlace): boolean =>
  one.block < other.block || (one.block === other.block && one.transaction <= other.transaction);

/** The first owner of a token and its last move, by its own moves and by runs that it came with. */
function toPast(
  ends: ItemEnds | undefined,
  runs: readonly ItemRun[],
): Pick<NftDetails, 'origin' | 'lastBlock'> {
  let { oldest, lastBlock }: { oldest: Origin | undefined; lastBlock: number | undefined } = {
    ...{ oldest: ends?.oldest, lastBlock: ends?.newest.block },
  };
  for (const run of runs) {
    if (oldest === undefined || isUpTo(run, oldest)) oldest = run;
    lastBlock = Math.max(lastBlock ?? 0, run.block);
  }
  return { origin: oldest?.to, lastBlock };
}

/** What the index knows of the past of tokens of one contract up to a block. */
async function findPasts(
  contract: Hex,
  ids: readonly bigint[],
  { access: { index }, context, block }: NftQuery,
): Promise<Map<bigint, ReturnType<typeof toPast>>> {
  const pasts = new Map<bigint, ReturnType<typeof toPast>>();
  const sorted = [...new Set(ids)].sort((a, b) => Number(a > b) - Number(a < b));
  context.charge(Math.ceil(sorted.length / unit));
  await context.pause();
  const ends = await index.itemEnds(contract, sorted, block);
  const runs = await index.itemRuns(contract, sorted.at(-1) as bigint);
  const until = runs.filter((run) => run.block <= block);
  for (const [i, id] of sorted.entries()) {
    if (i % aTurn === 0) await context.pause();
    const own = until.filter(({ first, last }) => first <= id && id <= last);
    pasts.set(id, toPast(ends.get(id), own));
  }
  return pasts;
}

/**
 * Looks up what stands beside tokens.
 *
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function describeNfts(
  tokens: readonly NftToken[],
  { urls, uncached }: DocumentWishes,
  query: NftQuery,
): Promise<NftDetails[]> {
  const links = urls ? await readLinks(tokens, query) : [];
  const documents = await findDocuments(tokens, links, { uncached, query });
  const idsOf = new Map<Hex, bigint[]>();
  for (const { contract, id } of tokens) {
    idsOf.set(contract, [...(idsOf.get(contract) ?? []), id]);
  }
  const pasts = new Map<Hex, Awaited<ReturnType<typeof findPasts>>>();
  for (const [contract, ids] of idsOf) pasts.set(contract, await findPasts(contract, ids, query));
  return tokens.map((token, i) => {
    const { origin, lastBlock } = pasts.get(token.contract)?.get(token.id) ?? {};
    return { url: toTokenUrl(token, links[i]), document: documents[i], origin, lastBlock };
  });
}
