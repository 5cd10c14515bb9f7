/** The holders of a token at a block: the index ranks whom to ask, and the contract says how much it is. */
import { decodeUint256 } from '../../abi/answers.js';
import type { AbiCall } from '../../abi/call.js';
import { holdingCalls, questions } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import type { Amounts } from '../chain/amounts.js';
import { unlessServerError } from '../chain/multicall.js';
import { overloaded } from '../http/httpError.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { Prover } from '../proving/prover.js';
import type { ChainContext } from './balances.js';
import type { BalanceBlock } from './indexHead.js';
import { stateMissing } from './pastState.js';
import { isSameBlock, type RankedHolders } from './rankings.js';

/** A holder, and what the contract says that it has. */
export interface Holder {
  readonly address: Hex;
  /** Above 0. */
  readonly balance: bigint;
}

/** What the contract says of some wallets, and of the token. */
interface Told {
  readonly balances: readonly (bigint | undefined)[];
  /** Undefined if the contract does not say it. */
  readonly totalSupply: bigint | undefined;
}

/** A token, and who asks. */
export interface HoldersQuery {
  /** Lower case. */
  readonly token: Hex;
  /** Of an ERC-1155 contract, whose tokens of one id are asked about. */
  readonly id?: bigint | undefined;
  readonly access: ChainContext;
  readonly context: AnswerContext;
}

/** Means of asking contracts at a block; undefined if nobody holds its state. @throws RpcError or NodeError */
async function findAmounts(
  { token, access, context }: HoldersQuery,
  block: number,
): Promise<Amounts | undefined> {
  const amounts = await access.amountsAt(block);
  context.charge(1);
  // A call that fails may be the contract's fault, this cannot be.
  const held = await unlessServerError(amounts.balanceAt(token, block));
  return held === undefined ? undefined : amounts;
}

type Asked = Pick<HoldersQuery, 'token' | 'id'>;

/** The call whose answer is what a wallet has. ERC-721 has the same function as ERC-20, which counts tokens. */
const toHolderCalls = ({ token: contract, id }: Asked, wallet: Hex): readonly AbiCall[] =>
  id === undefined
    ? holdingCalls('erc20', { contract, wallet }, [])
    : holdingCalls('erc1155', { contract, wallet }, [id]);

/** @throws RpcError, and what the pause throws */
async function askContract(
  wallets: readonly Hex[],
  query: HoldersQuery,
  { amounts, block }: { amounts: Amounts; block: number },
): Promise<Told> {
  const { token, context } = query;
  const asked = wallets.flatMap((wallet) => toHolderCalls(query, wallet));
  const calls = [{ to: token, data: questions.totalSupply }, ...asked];
  context.charge(calls.length);
  const [supply, ...balances] = await amounts.call(calls, block, context.pause);
  return { balances: balances.map(decodeUint256), totalSupply: decodeUint256(supply) };
}

/** Whether the node still has a block. @throws RpcError or NodeError */
const isOnChain = async (
  { ledger }: ChainContext,
  { number, hash }: BalanceBlock,
): Promise<boolean> => hash === undefined || (await ledger.block(number))?.hash === hash;

/** A ranking, and what says the amounts of its block. */
export interface AskedRanking extends RankedHolders {
  readonly amounts: Amounts;
}

/**
 * The ranking of the newest block, or of one not long ago that is still kept.
 *
 * @param isFresh whether it must be of the newest block
 * @throws HttpError, RpcError, NodeError, and what the pause throws
 */
export async function findRanking(
  query: HoldersQuery,
  at: BalanceBlock,
  isFresh: boolean,
): Promise<AskedRanking> {
  const { token, id, access, context } = query;
  const kept = access.rankings.newest({ token, id });
  if (kept && (isSameBlock(kept.at, at) || (!isFresh && (await isOnChain(access, kept.at))))) {
    const amounts = await findAmounts(query, kept.at.number);
    // Nodes drop the state of a block before the ranking is old.
    if (amounts) return { ...kept, amounts };
  }
  const ranked = await access.rankings.rank({ token, id, at }, isFresh, context);
  const amounts = await findAmounts(query, ranked.at.number);
  if (amounts) return { ...ranked, amounts };
  throw overloaded('the L2 node does not hold the state of this block right now');
}

/**
 * The ranking of an older block, by what the contract says that all who ever had some had then.
 *
 * @throws HttpError 501 if nobody holds the state of that block; RpcError, NodeError, and what the pause throws
 */
export async function findPastRanking(
  query: HoldersQuery,
  at: BalanceBlock,
): Promise<AskedRanking> {
  const { token, id, access, context } = query;
  const amounts = await findAmounts(query, at.number);
  if (amounts === undefined) throw stateMissing();
  const ranked = await access.rankings.rankPast(
    { token, id, at },
    async (wallets, shared) => {
      const asked = { ...query, context: shared };
      return (await askContract(wallets, asked, { amounts, block: at.number })).balances;
    },
    context,
  );
  return { ...ranked, amounts };
}

/**
 * The ranking of a block whose holders are proven. What it asks of everyone is not noted: only the wallets of a page are proven.
 *
 * @param query with sources that note nothing
 * @throws as `findPastRanking`
 */
export const findProvenRanking = async (
  query: HoldersQuery,
  { at, prover }: { at: BalanceBlock; prover: Prover },
): Promise<AskedRanking> => ({ ...(await findPastRanking(query, at)), amounts: prover });

/**
 * Cites what proves holders that were read; of a token without an id, its `totalSupply` and `decimals` too, if they can be
 * proven: by the one a reader sees whether a holder is missing, even on a page without any.
 *
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function citeHolders(
  query: HoldersQuery,
  holders: readonly Holder[],
  prover: Prover | undefined,
): Promise<(readonly Hex[] | undefined)[]> {
  if (!prover) return holders.map(() => undefined);
  const { token: to, id, context } = query;
  const calls =
    id === undefined
      ? [questions.totalSupply, questions.decimals].map((data) => ({ to, data }))
      : [];
  context.charge(calls.length);
  await prover.attempt(calls, context.pause);
  const shared = calls.flatMap((call) => prover.cite([call]) ?? []);
  return holders.map(({ address }) => {
    const own = prover.cite(toHolderCalls(query, address));
    return own && [...new Set([...own, ...shared])];
  });
}

/**
 * Holders from a place of a ranking on, those that have most first; the contract's word counts. Wallets that have nothing
 * are left out.
 *
 * @throws HttpError if the chain changes meanwhile; RpcError, NodeError, and what the pause throws
 */
export async function readHolders(
  query: HoldersQuery,
  { ranking, amounts, at }: AskedRanking,
  { from, size }: { readonly from: number; readonly size: number },
): Promise<{ readonly holders: readonly Holder[]; readonly totalSupply: bigint | undefined }> {
  const wallets = ranking.wallets(from, size);
  if (wallets.length === 0) return { holders: [], totalSupply: undefined };
  const told = await askContract(wallets, query, { amounts, block: at.number });
  // The node was asked by the block's number.
  if (!(await isOnChain(query.access, at))) throw overloaded('the chain has changed; ask again');
  const holders = wallets
    .map((address, i) => ({ address, balance: told.balances[i] ?? 0n }))
    .filter(({ balance }) => balance > 0n)
    // Equal ones stay in the order of the ranking.
    .sort((a, b) => Number(b.balance > a.balance) - Number(b.balance < a.balance));
  return { holders, totalSupply: told.totalSupply };
}
