/**
 * `l2proof/data`: asks a data interface and a decoder of transactions. The answers are claims of a server.
 *
 * @example
 * ```ts
 * import { createDataClient } from 'l2proof/data';
 *
 * const client = createDataClient({ url: 'https://data.example', key: 'your-key', chain: 'l2-mainnet' });
 * const txHash = `0x${'ab'.repeat(32)}` as const;
 * const { events } = await client.decodeTransaction({ txHash });
 * for (const { action, name } of events) console.log(action, name);
 * ```
 *
 * @module l2proof/data
 */
export {
  createDataClient,
  type DataClient,
  type DataClientOptions,
  type GetOptions,
  type Schema,
} from './client.js';

export type {
  AllowancesItem,
  NftApprovalsItem,
  NftSpenderItem,
  SpenderItem,
} from './items/approvalItem.js';
export type { BalanceItem, BalancePage, NativeBalanceItem } from './items/balanceItem.js';
export type {
  BlockItem,
  ChainItem,
  ChainStatus,
  GasPrices,
  ResolvedAddress,
} from './items/chainItem.js';
export type {
  DecodedTransaction,
  ExplorerUrl,
  TransactionEvent,
  TransactionMetadata,
} from './items/decoded.js';
export type { HolderItem, HoldersPage } from './items/holderItem.js';
export type { LogItem, LogsPage } from './items/logItem.js';
export type {
  CollectionItem,
  FloorPriceItem,
  NftData,
  NftOwnerItem,
  NftTokenItem,
  NftTransactionsItem,
  SaleCountItem,
  VolumeItem,
  WalletNftsItem,
  WalletTokenItem,
} from './items/nftItem.js';
export type {
  ActivityItem,
  ChainBalanceItem,
  ChainTransactionItem,
  HistoricalBalanceItem,
  PoolPricesItem,
  PortfolioItem,
  TokenPricesItem,
} from './items/portfolioItem.js';
export type { TraitAttributeItem, TraitNameItem, TraitSummaryItem } from './items/traitItem.js';
export type {
  BlockTransactionsPage,
  SummaryItem,
  TransactionItem,
} from './items/transactionItem.js';
export type { TransferItem, TransfersItem } from './items/transferItem.js';
export type {
  BlockchainRoutes,
  BlockRequest,
  BlocksRequest,
  GasPricesRequest,
  ResolveAddressRequest,
} from './routes/blockchain.js';
export type {
  ActivityRequest,
  ChainsBalancesRequest,
  ChainsPage,
  ChainsTransactionsRequest,
  CrossChainRoutes,
} from './routes/crossChain.js';
export type { DecodeRequest, DecoderRoutes } from './routes/decoder.js';
export type { HolderRoutes, HoldersRequest } from './routes/holders.js';
export type { ListedLogsRequest, LogRoutes, RangeLogsRequest } from './routes/logs.js';
export type {
  CollectionsRequest,
  NftOwnersRequest,
  NftRoutes,
  NftTokenRequest,
  NftTokensRequest,
  NftTransactionsRequest,
} from './routes/nft.js';
export type { NftMarketRequest, NftMarketRoutes } from './routes/nftMarket.js';
export type { PoolPricesRequest, PriceRoutes, TokenPricesRequest } from './routes/prices.js';
export type { ApprovalsRequest, SecurityRoutes } from './routes/security.js';
export type { TraitAttributesRequest, TraitRoutes, TraitsRequest } from './routes/traits.js';
export type { TransactionParts } from './routes/transactionParts.js';
export type {
  BlockTransactionsRequest,
  TransactionRequest,
  TransactionRoutes,
} from './routes/transactions.js';
export type {
  BalancesRequest,
  NativeBalanceRequest,
  TransfersRequest,
  WalletRoutes,
} from './routes/wallet.js';
export type {
  HistoricalBalancesRequest,
  PortfolioRequest,
  WalletHistoryRoutes,
} from './routes/walletHistory.js';
export type {
  NftsRequest,
  WalletNftRoutes,
  WalletTokenRequest,
  WalletTokensRequest,
} from './routes/walletNfts.js';
export type {
  TransactionBucket,
  TransactionBucketsRequest,
  TransactionsPage,
  TransactionsPageRequest,
  TransactionsRequest,
  TransactionsSummaryRequest,
  WalletTransactionRoutes,
} from './routes/walletTransactions.js';
export { DataError, type DataErrorCode, type DataErrorDetails } from './wire/errors.js';
export type { ListPage } from './wire/pages.js';
export type { PastBlock } from './wire/pastBlock.js';
export type { Query } from './wire/query.js';
export type { Asked } from './wire/request.js';
export type { FindAnchor, Trusting } from './wire/trust.js';
