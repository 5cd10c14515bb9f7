/** Asks a data interface, and a decoder. The answers are claims of a server. */

import type { core } from 'zod/mini';
import * as z from 'zod/mini';
import { wrongType } from '../errors.js';
import { ownMembers, ownOptions } from '../foreign/argument.js';
import { parseUrl } from '../rpc/http.js';
import { createRedact } from '../rpc/redact.js';
import { type BlockchainRoutes, createBlockchainRoutes } from './routes/blockchain.js';
import { type CrossChainRoutes, createCrossChainRoutes } from './routes/crossChain.js';
import { createDecoderRoutes, type DecoderRoutes } from './routes/decoder.js';
import { createNftRoutes, type NftRoutes } from './routes/nft.js';
import { createNftMarketRoutes, type NftMarketRoutes } from './routes/nftMarket.js';
import { createPriceRoutes, type PriceRoutes } from './routes/prices.js';
import { createSecurityRoutes, type SecurityRoutes } from './routes/security.js';
import { createTraitRoutes, type TraitRoutes } from './routes/traits.js';
import { createTransactionRoutes, type TransactionRoutes } from './routes/transactions.js';
import { createWalletRoutes, type WalletRoutes } from './routes/wallet.js';
import { createWalletHistoryRoutes, type WalletHistoryRoutes } from './routes/walletHistory.js';
import { createHttp } from './wire/http.js';
import type { Query } from './wire/query.js';
import { checkPath, createRoutes } from './wire/routes.js';
import { checkTrust, type Trusting, trustNames } from './wire/trust.js';

/** Options of {@link createDataClient}. What is trusted is so for all requests that name no `anchor` of their own. */
export interface DataClientOptions extends Trusting {
  /** `http:` or `https:`; the paths of the interface are put behind it. */
  url: string;
  /** API key; default none. */
  key?: string | undefined;
  /** How the key is sent: as user of HTTP Basic (default), or as a Bearer token. */
  auth?: 'basic' | 'bearer' | undefined;
  /** Chain of questions that name none, for example `linea-mainnet`. */
  chain?: string | undefined;
  /** Default: the platform's. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Ms for one try, from the request to the last byte of the answer; default 30,000. */
  timeout?: number | undefined;
  /** Longest answer, in bytes after decompression; default 16 MiB. */
  maxBytes?: number | undefined;
}

/** A schema of zod 4, of `zod` or of `zod/mini`. */
export type Schema<T> = core.$ZodType<T>;

/** Asks one data interface, or a decoder. */
export interface DataClient
  extends DecoderRoutes,
    WalletRoutes,
    WalletHistoryRoutes,
    TransactionRoutes,
    BlockchainRoutes,
    SecurityRoutes,
    TraitRoutes,
    NftRoutes,
    NftMarketRoutes,
    CrossChainRoutes,
    PriceRoutes {
  /**
   * The `data` of any route of the data interface.
   *
   * @param path from the version on, with its slashes: `/v1/linea-mainnet/block_v2/latest/`
   * @param schema what `data` must be; without it, `unknown`
   * @throws as `decodeTransaction`
   */
  get(path: string, query?: Query, schema?: undefined, options?: GetOptions): Promise<unknown>;
  get<T>(path: string, query: Query, schema: Schema<T>, options?: GetOptions): Promise<T>;
}

/** Further options of {@link DataClient.get}. */
export interface GetOptions {
  /** Ends the request and its repetitions; the call then fails with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Neither a colon, which ends the user of HTTP Basic, nor what no header takes. */
const keyForm = /^[\x21-\x39\x3b-\x7e]{1,512}$/;

const names = [
  ...(['url', 'key', 'auth', 'chain', 'fetch', 'timeout', 'maxBytes'] as const),
  ...trustNames,
] as const;

/** @throws TypeError that does not hold the key */
function checkKey(key: unknown): asserts key is string | undefined {
  if (key === undefined || (typeof key === 'string' && keyForm.test(key))) return;
  throw wrongType('key', 'expected up to 512 visible characters without a colon');
}

/** The header that carries a key. */
function credentialsOf(key: string, auth: unknown): string {
  if (auth === 'basic') return `Basic ${btoa(`${key}:`)}`;
  if (auth === 'bearer') return `Bearer ${key}`;
  throw wrongType('auth', 'expected basic or bearer');
}

/**
 * Opens a client. Nothing is sent before the first question.
 *
 * @throws TypeError or RangeError for wrong options
 *
 * @example
 * ```ts
 * import { createDataClient } from 'l2proof/data';
 *
 * const url = 'https://data.example';
 * const client = createDataClient({ url, key: 'your-key', chain: 'l2-mainnet' });
 * const address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
 * for await (const { items } of client.balances({ address })) {
 *   for (const { balance, contract_ticker_symbol: symbol } of items) console.log(balance, symbol);
 * }
 * ```
 */
export function createDataClient(options: DataClientOptions): DataClient {
  const given = ownOptions(options, names, 'options', trustNames);
  const { url, key, auth = 'basic', chain, timeout = 30_000, maxBytes = 16 * 2 ** 20 } = given;
  checkKey(key);
  const redact = createRedact({ url: parseUrl(url), key });
  const http = createHttp({ url, fetch: given.fetch, timeout, maxBytes, redact });
  const credentials = key === undefined ? undefined : credentialsOf(key, auth);
  const headers = credentials === undefined ? {} : { authorization: credentials };
  // The decoder's own header, which older ones ask for.
  const decoderHeaders = key === undefined ? {} : { ...headers, 'x-goldrush-api-key': key };

  const trust = { anchor: given.anchor, network: given.network, fork: given.fork };
  checkTrust(trust);
  const routes = createRoutes({ http, headers, redact, chain, trust });

  return {
    ...createDecoderRoutes({
      ...{ http, headers: decoderHeaders, redact, chain },
      unprovableItem: routes.unprovableItem,
    }),
    ...createWalletRoutes(routes),
    ...createTransactionRoutes(routes),
    ...createBlockchainRoutes(routes),
    ...createSecurityRoutes(routes),
    ...createTraitRoutes(routes),
    ...createNftRoutes(routes),
    ...createNftMarketRoutes(routes),
    ...createWalletHistoryRoutes(routes),
    ...createCrossChainRoutes(routes),
    ...createPriceRoutes(routes),
    async get<T>(path: string, query: Query = {}, schema?: Schema<T>, more: GetOptions = {}) {
      checkPath(path);
      const { signal } = ownMembers(more, ['signal'], 'options');
      const any = z.unknown() as core.$ZodType<T>;
      return routes.ask({ path, query, schema: schema ?? any, signal });
    },
  };
}
