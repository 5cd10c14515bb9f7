/** What a wallet had day by day: balances at the ends of days, and between them at the blocks of transfers. */
import { decodeUint256 } from '../../abi/answers.js';
import { holdingCalls } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import { codes, HttpError } from '../http/httpError.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { ChainContext } from './balances.js';
import type { BalanceBlock } from './indexHead.js';
import { findPastState } from './pastState.js';

/** Seconds. */
const dayLength = 86_400;

/** Blocks between the ends of a day at which a balance is asked for; days with more have those of their ends alone. */
const mostBlocks = 50;

/** Balances in one answer. */
export const mostCalls = 5000;

/** Records of the index that are read at a time. */
const piece = 100;

/** A day in UTC, and the last blocks before it begins and before it ends; undefined if the chain had none yet. */
export interface Day {
  /** Seconds. */
  readonly start: number;
  readonly open: number | undefined;
  readonly close: number | undefined;
}

/** The native token, or an ERC-20 contract. */
export type Asset = 'native' | Hex;

/** Balances of a day, in smallest units; undefined if the contract did not say one. */
export interface DayBalances {
  readonly open: bigint | undefined;
  readonly close: bigint | undefined;
  readonly high: bigint | undefined;
  readonly low: bigint | undefined;
}

/** The days up to now, the newest first; the one that is not over ends with the newest block. */
export async function findDays(
  { index }: ChainContext,
  count: number,
  at: BalanceBlock,
  { pause }: AnswerContext,
): Promise<Day[]> {
  const today = Math.floor(Date.now() / 1000 / dayLength) * dayLength;
  const days: Day[] = [];
  let close: number | undefined = at.number;
  for (let i = 0; i < count; i++) {
    const start = today - i * dayLength;
    await pause();
    const before: number | undefined = close === undefined ? close : await index.blockAt(start - 1);
    const open: number | undefined = before === undefined ? before : Math.min(before, at.number);
    days.push({ start, open, close });
    close = open;
  }
  return days;
}

/** The days of one asset, and the blocks of each at which its balance is asked for. */
interface AssetBlocks {
  readonly asset: Asset;
  /** By day: blocks between its ends. */
  readonly between: readonly (readonly number[])[];
}

const tooMany = () =>
  new HttpError(
    codes.invalidParams,
    `this would take more than ${mostCalls} balances; ask for fewer days, by a smaller days, or for fewer tokens, by page-size`,
    { status: 400 },
  );

/** Counts balances, of which no more are asked for than the bound. */
class Calls {
  #count = 0;

  /** @throws HttpError */
  add(count: number): void {
    this.#count += count;
    if (this.#count > mostCalls) throw tooMany();
  }
}

interface PortfolioQuery {
  readonly wallet: Hex;
  readonly access: ChainContext;
  readonly context: AnswerContext;
}

/** The blocks of days with transfers of an asset; for the native token those with transactions that the wallet has a part in. */
async function findBetween(
  asset: Asset,
  days: readonly Day[],
  { wallet, access: { index }, context }: PortfolioQuery,
  calls: Calls,
): Promise<AssetBlocks> {
  const between = days.map((): number[] => []);
  const toBlock = days[0]?.close ?? -1;
  // From the oldest day on.
  let day = days.length - 1;
  let next = (days[day]?.open ?? -1) + 1;
  for (;;) {
    await context.pause();
    context.charge(1);
    const part = { order: 'oldest', fromBlock: next, toBlock, limit: piece } as const;
    const records =
      asset === 'native'
        ? await index.touched(wallet, part)
        : await index.moved(wallet, { ...part, contract: asset });
    for (const { block } of records) {
      if (block < next) continue;
      while (day > 0 && block > (days[day]?.close ?? -1)) day--;
      const { close = -1 } = days[day] as Day;
      const blocks = between[day] as number[];
      next = block + 1;
      calls.add(1);
      blocks.push(block);
      if (blocks.length <= mostBlocks) continue;
      calls.add(-blocks.length);
      between[day] = [];
      next = close + 1;
    }
    if (records.length < piece) return { asset, between };
  }
}

/** The blocks at which days end or begin. */
const endsOf = (days: readonly Day[]): Set<number> =>
  new Set(days.flatMap(({ open, close }) => [open, close]).filter((one) => one !== undefined));

/** Blocks -> the assets whose balances are asked for there. */
function groupByBlock(days: readonly Day[], assets: readonly AssetBlocks[]): Map<number, Asset[]> {
  const groups = new Map<number, Asset[]>();
  const ends = endsOf(days);
  for (const { asset, between } of assets) {
    for (const block of new Set([...ends, ...between.flat()])) {
      const group = groups.get(block) ?? [];
      group.push(asset);
      groups.set(block, group);
    }
  }
  return groups;
}

/** Balances of an asset, by block. */
type Balances = ReadonlyMap<number, bigint | undefined>;

/** A contract that was not there yet answers nothing, and nobody had any of it. */
const balanceIn = (answer: Uint8Array | undefined): bigint | undefined =>
  answer?.length === 0 ? 0n : decodeUint256(answer);

/** @throws HttpError 501 if nobody holds the state of a block; RpcError, NodeError, and what the pause throws */
async function askBalances(
  groups: ReadonlyMap<number, readonly Asset[]>,
  { wallet, access, context }: PortfolioQuery,
): Promise<Map<Asset, Map<number, bigint | undefined>>> {
  const found = new Map<Asset, Map<number, bigint | undefined>>();
  // The oldest first: if no state is held, it is the one that is missing.
  for (const [block, assets] of [...groups].sort(([a], [b]) => a - b)) {
    await context.pause();
    context.charge(1 + assets.length);
    const { amounts, balance } = await findPastState(access, wallet, block);
    const contracts = assets.filter((asset) => asset !== 'native');
    const calls = contracts.flatMap((contract) => holdingCalls('erc20', { contract, wallet }, []));
    const answers = calls.length === 0 ? [] : await amounts.call(calls, block, context.pause);
    const told = new Map<Asset, bigint | undefined>(
      contracts.map((contract, i) => [contract, balanceIn(answers[i])]),
    );
    for (const asset of assets) {
      const own = found.get(asset) ?? new Map<number, bigint | undefined>();
      own.set(block, asset === 'native' ? balance : told.get(asset));
      found.set(asset, own);
    }
  }
  return found;
}

function toDayBalances(
  { open, close }: Day,
  between: readonly number[],
  balances: Balances,
): DayBalances {
  const at = (block: number | undefined) => (block === undefined ? 0n : balances.get(block));
  const [first, last] = [at(open), at(close)];
  const known = [first, last, ...between.map(at)].filter((one) => one !== undefined);
  const [start] = known;
  let [high, low] = [start, start];
  for (const amount of known) {
    if (high === undefined || amount > high) high = amount;
    if (low === undefined || amount < low) low = amount;
  }
  return { open: first, close: last, high, low };
}

/**
 * The balances of assets on each day. Assets of which the wallet had nothing at any of these blocks are left out, but for the
 * native token.
 *
 * @throws HttpError 400 beyond the bound, 501 if nobody holds the state of a block; RpcError, NodeError, and what the pause throws
 */
export async function readPortfolio(
  assets: readonly Asset[],
  days: readonly Day[],
  query: PortfolioQuery,
): Promise<{ readonly asset: Asset; readonly days: readonly DayBalances[] }[]> {
  const calls = new Calls();
  calls.add(endsOf(days).size * assets.length);
  const blocks: AssetBlocks[] = [];
  for (const asset of assets) blocks.push(await findBetween(asset, days, query, calls));
  const found = await askBalances(groupByBlock(days, blocks), query);
  return blocks.flatMap(({ asset, between }) => {
    const balances = found.get(asset) ?? new Map<number, bigint | undefined>();
    const hasSome = [...balances.values()].some((amount) => amount !== undefined && amount > 0n);
    if (asset !== 'native' && !hasSome) return [];
    const told = days.map((day, i) => toDayBalances(day, between[i] as number[], balances));
    return [{ asset, days: told }];
  });
}
