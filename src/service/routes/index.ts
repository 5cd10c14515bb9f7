/** The table of routes, each of which is one file, and their description. */
import type { Hono } from 'hono';
import type { DataInterface } from '../data/dataInterface.js';
import type { Decoder } from '../decoder/decoder.js';
import { describeRoutes } from '../rest/openApi.js';
import { answered } from '../rest/replies.js';
import { type RestOptions, type ServedInterface, serveInterface } from '../rest/serve.js';
import { block } from './blockchain/block.js';
import { blockRange } from './blockchain/blockRange.js';
import { chains } from './blockchain/chains.js';
import { chainsStatus } from './blockchain/chainsStatus.js';
import { gasPrices } from './blockchain/gasPrices.js';
import { contractLogs, topicLogs } from './blockchain/indexedLogs.js';
import { logs } from './blockchain/logs.js';
import { resolveAddress } from './blockchain/resolveAddress.js';
import type { DataRoute } from './common/dataRoute.js';
import { activity } from './crosschain/activity.js';
import { allBalances } from './crosschain/balances.js';
import { allTransactions } from './crosschain/transactions.js';
import { dataInterface } from './dataInterface.js';
import { decode } from './decode.js';
import { decoderInterface } from './decoderInterface.js';
import { healthcheck } from './healthcheck.js';
import { collections } from './nft/collections.js';
import { tokenHistory } from './nft/history.js';
import { floorPrices, saleCounts, volumes } from './nft/market.js';
import { metadata, tokenMetadata } from './nft/metadata.js';
import { tokenOwners } from './nft/owners.js';
import { traitAttributes } from './nft/traitAttributes.js';
import { traitNames } from './nft/traitNames.js';
import { traitsSummary } from './nft/traitsSummary.js';
import { walletCollection, walletToken } from './nft/walletCollection.js';
import { walletNfts } from './nft/walletNfts.js';
import { spotPrices } from './pricing/spotPrices.js';
import { tokenPrices } from './pricing/tokenPrices.js';
import { approvals } from './security/approvals.js';
import { nftApprovals } from './security/nftApprovals.js';
import { blockHashTransactions, blockTransactions } from './transactions/blockTransactions.js';
import { transactionsSummary } from './transactions/summary.js';
import { transaction } from './transactions/transaction.js';
import { bucketTransactions, firstTransactions } from './transactions/walletBuckets.js';
import { walletTransactions, walletTransactionsPage } from './transactions/walletTransactions.js';
import { balances } from './wallet/balances.js';
import { historicalBalances } from './wallet/historicalBalances.js';
import { nativeBalance } from './wallet/nativeBalance.js';
import { portfolio } from './wallet/portfolio.js';
import { tokenHolders } from './wallet/tokenHolders.js';
import { transfers } from './wallet/transfers.js';

const decoderRoutes = [decode];

const dataRoutes: readonly DataRoute[] = [
  ...[balances, nativeBalance, historicalBalances, portfolio, tokenHolders, transfers],
  ...[transaction, walletTransactions, walletTransactionsPage, transactionsSummary],
  ...[firstTransactions, bucketTransactions, blockTransactions, blockHashTransactions],
  ...[
    block,
    blockRange,
    logs,
    contractLogs,
    topicLogs,
    gasPrices,
    chains,
    chainsStatus,
    resolveAddress,
  ],
  ...[approvals, nftApprovals],
  ...[walletNfts, walletCollection, walletToken, collections, metadata, tokenMetadata],
  ...[tokenHistory, tokenOwners, floorPrices, volumes, saleCounts],
  ...[traitNames, traitAttributes, traitsSummary],
  ...[activity, allBalances, allTransactions, spotPrices, tokenPrices],
];

/** @throws TypeError if `decoder` or `data` is something else */
export function serveRoutes(
  decoder: Decoder,
  data: DataInterface | undefined,
  options: RestOptions,
): ServedInterface {
  const decoding = decoderInterface(decoder, decoderRoutes, [healthcheck()]);
  const wallets = data && dataInterface(data, dataRoutes);
  const description = describeRoutes(
    [decoding, ...(wallets ? [wallets] : [])],
    options.keys.isOpen,
  );
  const served = [
    serveInterface(decoding, options),
    ...(wallets ? [serveInterface(wallets, options)] : []),
  ];
  return {
    async mount(app: Hono) {
      app.get('/openapi.json', () => answered(description));
      for (const { mount } of served) await mount(app);
    },
    refuse: (path) => served.map(({ refuse }) => refuse(path)).find((answer) => answer),
    flush() {
      for (const { flush } of served) flush();
    },
  };
}
