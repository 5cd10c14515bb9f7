/** `GET /v1/{chain_name}/transaction_v2/{tx_hash}/`: one transaction. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { chainChanged } from '../../http/httpError.js';
import { finalHash, findFinal, notFound } from '../common/blocks.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
} from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { hashParameter } from '../common/parameters.js';
import {
  citeEach,
  historicItems,
  proofsQuery,
  toProofs,
  transactionPlace,
  wholeTransaction,
  writeProvenList,
} from '../common/proofs.js';
import { head } from '../common/schemas.js';
import { transactionItem } from '../items/transactionItem.js';
import {
  partsKey,
  toParts,
  toTransactionItems,
  transactionQuery,
  type WantedParts,
} from '../items/transactions.js';

interface TransactionQuestion extends ProofsQuestion {
  readonly hash: Hex;
  readonly parts: WantedParts;
}

export const transaction: DataRoute = (data) =>
  defineChainRoute({
    title: 'transaction',
    path: '/v1/{chain_name}/transaction_v2/{tx_hash}/',
    summary: 'One transaction, with its logs',
    params: { chain_name: chainName(data), tx_hash: hashParameter },
    query: { ...transactionQuery, ...proofsQuery },
    answer: enveloped({
      name: 'Transaction',
      description: 'The transaction',
      data: z.object({ ...head, ...historicItems(transactionItem) }),
    }),
    question: (read) => ({ hash: read.tx_hash, parts: toParts(read), ...toProofs(read) }),
    cost: () => 1,
    ...provable(
      ({ hash, parts }: TransactionQuestion) => `transaction ${hash} ${partsKey(parts)}`,
      async ({ hash, parts }, { access, ...working }) => {
        const { context } = working;
        await context.pause();
        const final = await findFinal(access);
        const pair = await access.ledger.transaction(hash);
        if (pair === undefined) {
          throw notFound('Transaction not found: unknown, or not mined yet');
        }
        const block = await access.ledger.blockOf(pair.transaction.blockHash);
        if (block === undefined) throw chainChanged();
        const isFinal = block.number <= final;
        const told = await toTransactionItems([{ ...pair, block }], parts, {
          ...{ access, context, isFinal },
        });
        const cited = await citeEach(told.items, working, transactionPlace, wholeTransaction);
        return {
          json: await writeProvenList(toHead(access.chain, block), cited, working),
          final: told.isFinal ? finalHash(block, final) : undefined,
        };
      },
    ),
  });
