/** The transactions of a wallet by quarters of an hour. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import { addressParameter, numberRule } from '../../rest/table.js';
import { badRequest } from '../common/blocks.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
  type Working,
} from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { links, type PageLinks } from '../common/links.js';
import {
  citeEach,
  historicItems,
  proofsQuery,
  toProofs,
  transactionPlace,
  wholeTransaction,
  writeProvenList,
} from '../common/proofs.js';
import { count, head, hex } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { findIndexed, type TransactionPlace } from '../items/indexed.js';
import { transactionItem } from '../items/transactionItem.js';
import {
  partsKey,
  toParts,
  toTransactionItems,
  transactionQuery,
  type WantedParts,
} from '../items/transactions.js';

/** Seconds of a bucket. */
const width = 900;

/** Transactions of one wallet in one bucket that are answered; of more, pages have to be asked for. */
const mostInBucket = 1000;

const bucketOf = (seconds: number): number => Math.floor(seconds / width);

interface BucketQuestion extends ProofsQuestion {
  readonly address: Hex;
  /** Undefined: that of the first transaction. */
  readonly bucket: number | undefined;
  readonly parts: WantedParts;
  readonly base: string;
}

/** The records of the index about a bucket. */
interface Bucket {
  readonly places: readonly TransactionPlace[];
  /** The nearest ones before and behind it that have transactions, if there are. */
  readonly earlier: number | undefined;
  readonly later: number | undefined;
}

/** The bucket of a transaction; undefined if there is no such one. An index by receipts has the times of all blocks. */
async function findBucket(
  { index }: ChainContext,
  [place]: readonly TransactionPlace[],
): Promise<number | undefined> {
  const time = place && (await index.blockTime(place.block));
  return time === undefined ? undefined : bucketOf(time);
}

async function readBucket(access: ChainContext, wallet: Hex, bucket: number): Promise<Bucket> {
  const { index } = access;
  const last = await index.blockAt((bucket + 1) * width - 1);
  const before = bucket === 0 ? undefined : await index.blockAt(bucket * width - 1);
  const [fromBlock, toBlock] = [(before ?? -1) + 1, last ?? -1];
  const places =
    toBlock < fromBlock
      ? []
      : await index.touched(wallet, {
          ...{ order: 'oldest', fromBlock, toBlock },
          limit: mostInBucket + 1,
        });
  if (places.length > mostInBucket) {
    throw badRequest(
      `The wallet has more than ${mostInBucket} transactions in this bucket; ask for pages of transactions_v3`,
    );
  }
  const older =
    fromBlock === 0
      ? []
      : await index.touched(wallet, { order: 'newest', toBlock: fromBlock - 1, limit: 1 });
  const newer = await index.touched(wallet, {
    ...{ order: 'oldest', fromBlock: toBlock + 1, limit: 1 },
  });
  return {
    places,
    earlier: await findBucket(access, older),
    later: await findBucket(access, newer),
  };
}

async function firstBucket(access: ChainContext, wallet: Hex): Promise<number> {
  const first = await access.index.touched(wallet, { order: 'oldest', limit: 1 });
  return (await findBucket(access, first)) ?? 0;
}

async function writeBucket(
  { address, bucket: asked, parts, base }: BucketQuestion,
  { access, ...working }: Working,
) {
  const { context } = working;
  await context.pause();
  const { index, chain } = access;
  const { at, found } = await readSettled(access, async () => {
    const bucket = asked ?? (await firstBucket(access, address));
    const final = await index.finalBlock();
    const finalTime = final === undefined ? undefined : await index.blockTime(final);
    return { bucket, final, finalTime, ...(await readBucket(access, address, bucket)) };
  });
  const { bucket, final, finalTime, places, earlier, later } = found;
  const mined = await findIndexed(places, access, context, parts);
  const last = mined.at(-1)?.block.number ?? Number.POSITIVE_INFINITY;
  const isFinal = last <= (final ?? -1);
  const told = await toTransactionItems(mined, parts, { access, context, isFinal });
  const linkTo = (number: number | undefined) =>
    number === undefined
      ? null
      : `${base}/v1/${chain.name}/bulk/transactions/${address}/${number}/`;
  const around: PageLinks = { prev: linkTo(earlier), next: linkTo(later) };
  const before = {
    ...toHead(chain, at),
    ...{ address, quote_currency: parts.quoteCurrency, current_bucket: bucket },
    // No block is added to it any more.
    complete: finalTime !== undefined && finalTime >= (bucket + 1) * width,
    links: around,
  };
  const cited = await citeEach(told.items, working, transactionPlace, wholeTransaction);
  return { json: await writeProvenList(before, cited, working), of: at };
}

const keyOf = ({ address, bucket, parts, base }: BucketQuestion) =>
  `bucket ${address} ${bucket} ${partsKey(parts)} ${base}`;

const answers = provable(keyOf, writeBucket, 'answerNewest');

const description = `A bucket is a quarter of an hour: its number is the time in seconds, divided by ${width}. \`prev\` and \`next\` lead to the nearest
buckets with transactions of the wallet. \`complete\`: the end of the bucket is final.`;

const data = z.object({
  ...head,
  address: hex(20),
  quote_currency: z.string(),
  current_bucket: count,
  complete: z.boolean(),
  links,
  ...historicItems(transactionItem),
});

export const firstTransactions: DataRoute = (served) =>
  defineChainRoute({
    title: 'transactions of a bucket',
    path: '/v1/{chain_name}/bulk/transactions/{address}/',
    summary: 'The first transactions of a wallet',
    description,
    params: { chain_name: chainName(served), address: addressParameter },
    query: { ...transactionQuery, ...proofsQuery },
    answer: enveloped({ name: 'FirstTransactions', description: 'The first bucket', data }),
    question: ({ address, ...read }, { base }): BucketQuestion => ({
      ...{ address, bucket: undefined, parts: toParts(read), base, ...toProofs(read) },
    }),
    cost: () => 1,
    ...answers,
  });

export const bucketTransactions: DataRoute = (served) =>
  defineChainRoute({
    title: 'transactions of a bucket',
    path: '/v1/{chain_name}/bulk/transactions/{address}/{time_bucket}/',
    summary: 'The transactions of a wallet in a quarter of an hour',
    description,
    params: {
      chain_name: chainName(served),
      address: addressParameter,
      time_bucket: numberRule(() => [0, 10 ** 9 - 1], { description: 'Its number' }),
    },
    query: { ...transactionQuery, ...proofsQuery },
    answer: enveloped({ name: 'BucketTransactions', description: 'The bucket', data }),
    question: ({ address, time_bucket: bucket, ...read }, { base }): BucketQuestion => ({
      ...{ address, bucket: bucket as number, parts: toParts(read), base, ...toProofs(read) },
    }),
    cost: () => 1,
    ...answers,
  });
