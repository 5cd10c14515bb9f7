/** Asks a data interface, and a decoder. The answers are claims of a server. */
import type { core } from 'zod/mini';
import type { AnchoredRoot, Network } from '../anchor/index.js';
import type { Hex } from '../bytes.js';
import { wrongRange, wrongType } from '../errors.js';
import { ownMembers } from '../foreign/argument.js';
import { hexText } from '../foreign/values.js';
import type { CallFork } from '../forks.js';
import { parseUrl } from '../rpc/http.js';
import { createRedact, type Redact } from '../rpc/redact.js';
import { parseEnvelope, readAs, readSuccess } from './answer.js';
import { type BalancePage, readBalances } from './balances.js';
import { type DecodedTransaction, readDecoded } from './decoded.js';
import { DataError } from './errors.js';
import { createHttp } from './http.js';
import { createListClient, type ListClient } from './listClient.js';

/** Options of {@link createDataClient}. */
export interface DataClientOptions {
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

/** A transaction to decode. */
export interface DecodeRequest {
  /** Default: the client's `chain`. */
  chainName?: string | undefined;
  /** 32 bytes. */
  txHash: Hex;
  /** Whether events carry their log. Default false. */
  rawLogs?: boolean | undefined;
  /** Whether logs that the decoder does not know give an event too; decoders of this library only. Default false. */
  unknown?: boolean | undefined;
  /** US dollars: transfers and approvals worth less are left out. Default 0. */
  minUsd?: number | undefined;
  /** Ends the request and its repetitions; what was asked then fails with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Whose balances are wanted. */
export interface BalancesRequest {
  /** Default: the client's `chain`. */
  chainName?: string | undefined;
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Items in a page; default: the server's. */
  pageSize?: number | undefined;
  /**
   * A trusted state root. Then the balances of its block are asked for with their proofs, and each item is verified: the
   * proofs under the root, the amounts by asking the contracts again on what was proven. Default: nothing is.
   */
  anchor?: AnchoredRoot;
  /** The network of `anchor`, whose fork times say which rules contracts run by. Default: the public one of its chain. */
  network?: Network;
  /**
   * The rules that contracts run by, in a block whose time `anchor` does not hold. Default: those of the newest finalized
   * block follow from the proven time of its L1 block, else the newest ones that the engine knows hold if the root is not
   * proven, or the fork times are not known; `assumed` names both. Contracts in any other block fail with `FORK_UNKNOWN`.
   */
  fork?: CallFork;
  /** Ends the request and its repetitions; what was asked then fails with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Values of a query; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** A schema of zod 4, of `zod` or of `zod/mini`. */
export type Schema<T> = core.$ZodType<T>;

/** Asks one data interface, or a decoder. */
export interface DataClient extends ListClient {
  /**
   * The events of a transaction. A server that is busy or out of reach is asked again, up to four times in all, and as
   * late as its `Retry-After` says, if that is a minute or less.
   *
   * @throws DataError
   * @throws TypeError or RangeError for a wrong question, before anything is sent
   * @throws the signal's reason once it is aborted
   */
  decodeTransaction(request: DecodeRequest): Promise<DecodedTransaction>;
  /**
   * The holdings of a wallet, a page at a time; a page is asked for when it is needed. The items are the server's
   * claims, unless the request has an `anchor`: then the items of a page are verified. That nothing is left out is
   * never proven.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the balance
   */
  balances(request: BalancesRequest): AsyncGenerator<BalancePage, void, undefined>;
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

/** Segments of a path that need no escapes but those of their own. */
const pathForm = /^(\/[\w.~:@!$&'()*+,;=%-]+)+\/?$/;

const names = ['url', 'key', 'auth', 'chain', 'fetch', 'timeout', 'maxBytes'] as const;
const questionNames = [
  ...(['chainName', 'txHash', 'rawLogs', 'unknown'] as const),
  ...(['minUsd', 'signal'] as const),
] as const;

const balancesNames = [
  ...(['chainName', 'address', 'quoteCurrency', 'pageSize', 'signal'] as const),
  ...(['anchor', 'network', 'fork'] as const),
] as const;

/** Pages of one wallet that are asked for: a server that always has more must not keep a reader for ever. */
const mostPages = 10_000;

/** @throws TypeError */
function checkChain(name: unknown): asserts name is string {
  if (typeof name === 'string' && name !== '') return;
  throw wrongType('chainName', 'expected a name; give it here, or "chain" to the client');
}

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

/** @throws TypeError */
function checkPath(path: unknown): asserts path is string {
  const isPath = typeof path === 'string' && pathForm.test(path);
  if (isPath && !path.split('/').some((part) => /^(\.|%2e){1,2}$/i.test(part))) return;
  throw wrongType('path', 'expected a path like /v1/linea-mainnet/block_v2/latest/');
}

function paramsOf(query: Query): URLSearchParams {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) params.append(name, String(value));
  }
  return params;
}

/** The questions about lists, by the routes of a chain. */
const createLists = (
  http: ReturnType<typeof createHttp>,
  {
    headers,
    redact,
    chain,
  }: { headers: Readonly<Record<string, string>>; redact: Redact; chain: string | undefined },
): ListClient =>
  createListClient(
    (path, query, schema, signal) =>
      http.ask({ path, query: paramsOf(query), headers, signal }, (answer) =>
        readAs(schema, parseEnvelope(answer, redact), answer.status, redact),
      ),
    (chainName = chain) => {
      checkChain(chainName);
      const path = `/v1/${encodeURIComponent(chainName)}/`;
      checkPath(path);
      return path;
    },
  );

/** @throws TypeError or RangeError for wrong options */
export function createDataClient(options: DataClientOptions): DataClient {
  const given = ownMembers(options, names, 'options');
  const { url, key, auth = 'basic', chain, timeout = 30_000, maxBytes = 16 * 2 ** 20 } = given;
  checkKey(key);
  const redact = createRedact({ url: parseUrl(url), key });
  const http = createHttp({ url, fetch: given.fetch, timeout, maxBytes, redact });
  const credentials = key === undefined ? undefined : credentialsOf(key, auth);
  const headers = credentials === undefined ? {} : { authorization: credentials };
  // The decoder's own header, which older ones ask for.
  const decoderHeaders = key === undefined ? {} : { ...headers, 'x-goldrush-api-key': key };

  async function* pagesOf(request: BalancesRequest): AsyncGenerator<BalancePage, void, undefined> {
    const asked = ownMembers(request, balancesNames, 'request', ['anchor', 'network', 'fork']);
    const { chainName = chain, quoteCurrency, pageSize, signal, anchor } = asked;
    checkChain(chainName);
    const { network, fork } = asked;
    const lone = (['network', 'fork'] as const).find((name) => asked[name] !== undefined);
    if (lone !== undefined && anchor === undefined) {
      throw wrongType(lone, 'expected an "anchor" beside it: without one nothing is verified');
    }
    const address = hexText(asked.address, 20);
    if (address === undefined) throw wrongRange('address', 'expected 0x and 40 hex digits');
    if (pageSize !== undefined && !(Number.isSafeInteger(pageSize) && pageSize >= 1)) {
      throw wrongRange('pageSize', 'expected a whole number from 1');
    }
    const path = `/v1/${encodeURIComponent(chainName)}/address/${address}/balances_v2/`;
    checkPath(path);
    // The engine and the proofs are loaded only if they are needed.
    const verifier =
      anchor !== undefined &&
      (await import('./proofs.js')).createBalanceVerifier(address, {
        anchor,
        network,
        fork,
        signal,
      });
    let size = pageSize;
    for (let number = 0; number < mostPages; number++) {
      const query = paramsOf({
        'quote-currency': quoteCurrency,
        'page-size': size,
        // The first page without it: not all servers know pages.
        'page-number': number === 0 ? undefined : number,
        proofs: anchor === undefined ? undefined : true,
        'block-height': anchor?.l2BlockNumber,
      });
      const page = await http.ask({ path, query, headers, signal }, (answer) =>
        readBalances(parseEnvelope(answer, redact), address, answer.status),
      );
      yield verifier ? await verifier.verified(page) : page;
      if (!page.hasMore) return;
      // The pages after it are counted in its size.
      size ??= page.pageSize;
    }
    throw new DataError('BAD_ANSWER', `the server has more than ${mostPages} pages`);
  }

  const lists = createLists(http, { headers, redact, chain });

  return {
    ...lists,
    balances: pagesOf,
    async decodeTransaction(request) {
      const asked = ownMembers(request, questionNames, 'request');
      const { chainName = chain, rawLogs, unknown, minUsd, signal } = asked;
      checkChain(chainName);
      const txHash = hexText(asked.txHash, 32);
      if (txHash === undefined) throw wrongRange('txHash', 'expected 0x and 64 hex digits');
      if (minUsd !== undefined && !(Number.isFinite(minUsd) && minUsd >= 0)) {
        throw wrongRange('minUsd', 'expected a number from 0');
      }
      const query = paramsOf({
        raw_logs: rawLogs || undefined,
        unknown: unknown || undefined,
        min_usd: minUsd || undefined,
      });
      const body = { chain_name: chainName, tx_hash: txHash };
      const path = '/api/v1/tx/decode';
      return http.ask({ path, query, body, headers: decoderHeaders, signal }, (answer) =>
        readDecoded(readSuccess(answer, redact), txHash, answer.status),
      );
    },
    async get<T>(path: string, query: Query = {}, schema?: Schema<T>, more: GetOptions = {}) {
      checkPath(path);
      const { signal } = ownMembers(more, ['signal'], 'options');
      const question = { path, query: paramsOf(query), headers, signal };
      return http.ask(question, (answer) => {
        const data = parseEnvelope(answer, redact);
        return schema === undefined ? (data as T) : readAs(schema, data, answer.status, redact);
      });
    },
  };
}
