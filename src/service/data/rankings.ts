/** Rankings of the holders of tokens: made once for all who ask, and kept for a while. */
import { addressWidth, decodeHex, type Hex, integerToBytes } from '../../bytes.js';
import type { Index, SumRecord } from '../../indexer/index.js';
import { entryBytes, LruCache } from '../../lru.js';
import { codes, HttpError, overloaded } from '../http/httpError.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import { SharedTurns } from '../jsonrpc/sharedTurns.js';
import type { BalanceBlock } from './indexHead.js';
import type { Ranking } from './ranking.js';
import { RankingBuilder, runLength } from './rankingBuilder.js';

/** The holders of a token in the order of what they have. */
export interface RankedHolders {
  /** The block that they are of. */
  readonly at: BalanceBlock;
  /** Undefined for a token that nobody ever had. */
  readonly standard: 'erc20' | 'erc721' | 'erc1155' | undefined;
  readonly ranking: Ranking;
}

/** A token, and the block that its holders are wanted of. */
interface RankedToken {
  readonly token: Hex;
  /** Of an ERC-1155 contract, whose tokens of one id are ranked. */
  readonly id?: bigint | undefined;
  readonly at: BalanceBlock;
}

/** What contracts say that wallets have; undefined for a wallet of which they say nothing. */
export type AskAmounts = (
  wallets: readonly Hex[],
  context: AnswerContext,
) => Promise<readonly (bigint | undefined)[]>;

/** Bytes in memory of all rankings that are kept: the largest fits in. */
const maxBytes = 64 * 2 ** 20;

/** Ms that a ranking is kept. */
const keptFor = 300_000;

/** Holders that are ranked. */
export const mostHolders = 2_000_000;

/** Wallets that are asked what they had at an older block. */
export const mostAsked = 10_000;

/** How many holders are ranked. */
export interface RankingBounds {
  /** Of one token. */
  readonly holders: number;
  /** Of all tokens that are being ranked. */
  readonly atOnce: number;
  /** Wallets that are asked what they had at an older block. */
  readonly asked: number;
  /** Ms that a ranking is kept. */
  readonly time: number;
}

const defaultBounds: RankingBounds = {
  holders: mostHolders,
  atOnce: 2 * mostHolders,
  asked: mostAsked,
  time: keptFor,
};

/** Records that are read for a unit of cost. */
const unit = 1000;

const emptyBytes = new Uint8Array(0);

export const isSameBlock = (a: BalanceBlock, b: BalanceBlock): boolean =>
  a.number === b.number && a.hash === b.hash;

const tooMany = (text: string) => new HttpError(codes.invalidParams, text, { status: 400 });

/** Whether a sum in two's complement is above 0. */
const isAbove = (sum: Uint8Array): boolean => sum.length > 0 && (sum[0] as number) < 0x80;

const tokenName = ({ token, id }: Pick<RankedToken, 'token' | 'id'>): string =>
  id === undefined ? token : `${token} ${id}`;

const nameOf = (asked: RankedToken) => `${tokenName(asked)} ${asked.at.number} ${asked.at.hash}`;

/**
 * Goes through the sums of a token in turns: of an ERC-721 contract those of its tokens alone, though it emits events of ERC-20
 * too, as balances do.
 *
 * @returns the standard; undefined if nobody ever had any
 * @throws HttpError 400 for an ERC-1155 contract without an id; IndexError, and what `pause` throws
 */
async function readSums(
  index: Pick<Index, 'eachSum'>,
  { token, id }: Pick<RankedToken, 'token' | 'id'>,
  { context, visit }: { context: AnswerContext; visit: (record: SumRecord) => void },
): Promise<RankedHolders['standard']> {
  const { pause, charge } = context;
  const lists =
    id === undefined
      ? ([{ standard: 'erc721' }, { standard: 'erc20' }] as const)
      : ([{ standard: 'erc1155', id }] as const);
  for (const of of lists) {
    let count = 0;
    await pause();
    await index.eachSum(token, of, (record) => {
      visit(record);
      count += 1;
      if (count % unit === 0) charge(1);
      return count % runLength === 0 ? pause().then(() => true) : true;
    });
    if (count > 0) return of.standard;
  }
  if (id !== undefined) return undefined;
  await index.eachSum(token, { standard: 'erc1155' }, () => {
    const text =
      'an ERC-1155 contract has tokens of many ids: the owners of one are a list of their own, nft/{contract}/owners/{id}/';
    throw tooMany(text);
  });
  return undefined;
}

export class Rankings {
  readonly #index: Pick<Index, 'eachSum' | 'newestBlock' | 'blockHash'>;
  readonly #kept = new LruCache<string, RankedHolders & { readonly until: number }>(
    maxBytes,
    ({ ranking }, { length }) => 2 * entryBytes + 2 * length + ranking.byteLength,
  );
  readonly #making = new SharedTurns<RankedHolders>();
  /** Holders in rankings that are being made. */
  #atOnce = 0;

  readonly #bounds: RankingBounds;

  /** @param bounds others than the default in tests, whose tokens have few holders */
  constructor(index: Pick<Index, 'eachSum' | 'newestBlock' | 'blockHash'>, bounds = defaultBounds) {
    this.#index = index;
    this.#bounds = bounds;
  }

  /** The last ranking of a token that is still kept, of whatever block. */
  newest(of: Pick<RankedToken, 'token' | 'id'>): RankedHolders | undefined {
    return this.#find(tokenName(of));
  }

  /**
   * Ranks the wallets whose transfers of a token leave them some. Who has changed since the block is listed too, for they may
   * have had some then.
   *
   * @param isFresh whether a ranking under way of an older block does not do
   * @throws HttpError, IndexError, and what the pause of the request throws
   */
  rank(asked: RankedToken, isFresh: boolean, context: AnswerContext): Promise<RankedHolders> {
    const { at } = asked;
    const make = (shared: AnswerContext) =>
      this.#make(asked, shared, async (builder) => {
        const standard = await readSums(this.#index, asked, {
          context: shared,
          visit: ({ wallet, sum, block }) => {
            const hasSome = isAbove(sum);
            if (hasSome || block > at.number)
              this.#add(builder, wallet, hasSome ? sum : emptyBytes);
          },
        });
        return standard;
      });
    const name = tokenName(asked);
    return this.#making.run(isFresh ? nameOf(asked) : name, context, async (shared) =>
      this.#keep(name, await make(shared)),
    );
  }

  /**
   * Ranks the wallets that had some of a token at an older block. All that ever had some by an event are asked.
   *
   * @throws HttpError, IndexError, and what asking and the pause of the request throw
   */
  rankPast(asked: RankedToken, ask: AskAmounts, context: AnswerContext): Promise<RankedHolders> {
    const name = nameOf(asked);
    const kept = this.#find(name);
    if (kept !== undefined) return Promise.resolve(kept);
    return this.#making.run(name, context, async (shared) => {
      const made = await this.#make(asked, shared, (builder) =>
        this.#askAll(builder, asked, { ask, shared }),
      );
      return this.#keep(name, made);
    });
  }

  async #askAll(
    builder: RankingBuilder,
    asked: RankedToken,
    { ask, shared }: { ask: AskAmounts; shared: AnswerContext },
  ): Promise<RankedHolders['standard']> {
    const everyone = new RankingBuilder();
    const standard = await readSums(this.#index, asked, {
      context: shared,
      visit: ({ wallet }) => {
        everyone.add(wallet, emptyBytes);
        if (everyone.size > this.#bounds.asked) {
          throw tooMany(
            `more than ${this.#bounds.asked} wallets had some: ask for the newest block`,
          );
        }
      },
    });
    const all = await everyone.finish(shared.pause);
    const wallets = all.wallets(0, all.size);
    const amounts = await ask(wallets, shared);
    for (const [i, wallet] of wallets.entries()) {
      const amount = amounts[i] ?? 0n;
      const bytes = new Uint8Array(addressWidth);
      decodeHex(wallet, addressWidth, bytes);
      if (amount > 0n) this.#add(builder, bytes, integerToBytes(amount, 32));
    }
    return standard;
  }

  #add(builder: RankingBuilder, wallet: Uint8Array, amount: Uint8Array): void {
    const { holders, atOnce } = this.#bounds;
    if (builder.size >= holders) {
      throw tooMany(`the token has more than ${holders} holders, which are not ranked`);
    }
    if (this.#atOnce >= atOnce) throw overloaded('other tokens are being ranked; ask again');
    this.#atOnce += 1;
    builder.add(wallet, amount);
  }

  async #make(
    { at }: RankedToken,
    { pause }: AnswerContext,
    fill: (builder: RankingBuilder) => Promise<RankedHolders['standard']>,
  ): Promise<RankedHolders> {
    const builder = new RankingBuilder();
    try {
      await this.#check(at);
      const standard = await fill(builder);
      const ranking = await builder.finish(pause);
      await this.#check(at);
      return { at, standard, ranking };
    } finally {
      this.#atOnce -= builder.size;
    }
  }

  /** @throws HttpError unless the index holds a block */
  async #check({ number, hash }: BalanceBlock): Promise<void> {
    const newest = (await this.#index.newestBlock()) ?? -1;
    // Of older final blocks the index keeps no hash.
    const held = await this.#index.blockHash(number);
    const isOther = held !== undefined && hash !== undefined && held !== hash;
    if (newest < number || isOther) throw overloaded('the index is on another chain; ask again');
  }

  #find(name: string): RankedHolders | undefined {
    const kept = this.#kept.get(name);
    return kept && performance.now() < kept.until ? kept : undefined;
  }

  #keep(name: string, made: RankedHolders): RankedHolders {
    // A token that nobody ever had takes no time to rank, and soon may have a first holder.
    if (made.standard === undefined) this.#kept.delete(name);
    else this.#kept.set(name, { ...made, until: performance.now() + this.#bounds.time });
    return made;
  }
}
