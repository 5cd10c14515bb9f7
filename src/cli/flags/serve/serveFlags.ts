/** The flags of `l2proof serve`. */
import type { LogLevel } from '../../../service/index.js';
import { UsageError, unknownName } from '../../exit/exit.js';
import { quote } from '../../print/print.js';
import {
  addressFlag,
  callFork,
  cors,
  hashFlag,
  idleKeepState,
  port,
  readWholeNumber,
  store,
} from '../common.js';
import type { Flags } from '../flag.js';

/** More of them than readers that LMDB takes would gain nothing. */
const maxProcesses = 64;

/** @throws UsageError */
function readProcesses(text: string, name: string): number {
  const processes = readWholeNumber(text, name);
  if (processes >= 1 && processes <= maxProcesses) return processes;
  throw new UsageError(`${name} expected a number from 1 to ${maxProcesses}`);
}

/** @throws UsageError */
function readChainId(text: string, name: string): bigint {
  if (/^([1-9]\d{0,76}|0x[1-9a-fA-F][\da-fA-F]{0,62})$/.test(text)) return BigInt(text);
  throw new UsageError(`${name} expected a number from 1`);
}

/** @throws UsageError */
function readFinality(text: string, name: string): number | 'store' {
  if (text === 'store') return text;
  if (/^\d/.test(text)) return readWholeNumber(text, name);
  throw unknownName(`${name} expected a whole number or store, got ${quote(text)}`, text, [
    'store',
  ]);
}

/** A bound of the service. */
const bound = { group: 'limits', argument: 'N', read: readWholeNumber } as const;

export const serveFlags = {
  store: {
    argument: store.argument,
    help: 'folder of an LMDB store that holds the state, or postgres://USER@HOST/DATABASE with the password in PGPASSWORD; it is only read',
  },
  finality: {
    argument: 'HEIGHT',
    read: readFinality,
    help: "highest L2 block that is finalized on L1, if it stays the same; store: the newest one that the store's own follower has marked final",
  },
  l1: {
    group: 'source',
    argument: 'URL',
    environment: 'L2PROOF_L1',
    help: 'L1 endpoint that says which block is final, with --rollup',
  },
  node: {
    group: 'source',
    argument: 'URL',
    environment: 'L2PROOF_NODE',
    help: 'a node of the chain of --store: headers (l2_getHeaders), blocks, transactions, receipts and eth_getProof are then answered from it, for clients of l2proof/history',
  },
  rollup: { ...addressFlag, group: 'source', help: 'address of the rollup contract on L1' },
  hash: hashFlag,
  host: {
    group: 'security',
    argument: 'HOST',
    default: '127.0.0.1',
    help: 'address that it listens on; another than loopback needs keys',
  },
  port: { ...port, default: '8645', help: 'port that it listens on; 0: any that is free' },
  key: { argument: 'KEY', many: true, environment: 'L2PROOF_KEYS', adds: true, help: 'an API key' },
  alias: {
    group: 'output',
    argument: 'NAME',
    many: true,
    help: 'another name of the method, such as linea_getProof',
  },
  'chain-id': {
    group: 'output',
    argument: 'N',
    read: readChainId,
    help: 'the answer to eth_chainId; wallet libraries ask for it first',
  },
  cors,
  log: {
    group: 'output',
    argument: 'LEVEL',
    choices: ['info', 'warn', 'error', 'silent'] satisfies LogLevel[],
    default: 'info',
    help: 'info, warn, error or silent; info: a line per request',
  },
  timeout: {
    ...bound,
    argument: 'MS',
    help: 'ms in which a request must come in and be answered, and a client must take some of its answer',
    default: '10000',
  },
  drain: {
    ...bound,
    argument: 'SECONDS',
    default: '5',
    help: 'seconds that requests are still answered after SIGTERM, while /ready says 503',
  },
  'max-body': { ...bound, argument: 'BYTES', help: 'bytes of a request', default: '65536' },
  'max-batch': { ...bound, help: 'calls of a batch', default: '100' },
  'max-slots': { ...bound, help: 'storage keys of a call, or of a batch together', default: '256' },
  'max-reads': { ...bound, help: 'reads of the store per proof', default: '5000000' },
  'max-rate': {
    ...bound,
    help: 'cost per second and key: 1 for a call and 1 for each of its storage keys',
    default: '10000',
  },
  'max-concurrent': { ...bound, help: 'requests at once', default: '256' },
  'max-connections': { ...bound, help: 'connections at once', default: '1024' },
  'max-connections-per-address': { ...bound, help: 'connections at once of one address' },
  processes: {
    group: 'limits',
    argument: 'N',
    read: readProcesses,
    default: '1',
    help: 'processes that share the port and the work; each has its part of the cost per second, of the connections and of the requests at once; one that dies is started again',
  },
  decode: {
    argument: 'NAME=URL',
    many: true,
    environment: 'L2PROOF_DECODE',
    adds: true,
    help: 'a chain whose transactions are decoded at /api/v1/tx/decode, and a node of it; once per chain. Without --store, no proofs are served',
  },
  'decode-store': {
    group: 'source',
    argument: 'DIR',
    help: 'folder of an LMDB store that keeps what was decoded; created if it is not there',
  },
  'token-list': {
    group: 'source',
    argument: 'FILE',
    many: true,
    help: 'a file in the token-list JSON format; the node is not asked about its tokens',
  },
  prices: {
    group: 'source',
    argument: 'FILE|URL',
    help: 'what tokens are worth: a file { "CHAIN": [{ "address", "usd" }] }, pools:FILE with pools on the chain that say it, or the URL of a data interface, whose key is in L2PROOF_PRICES_KEY',
  },
  abis: {
    group: 'source',
    argument: 'DIR',
    help: 'folder of JSON files with ABIs of your own; their events are decoded too. One of types that the ABI does not have is left out, and the log says so',
  },
  'wrapped-native': {
    group: 'source',
    argument: 'NAME=ADDRESS',
    many: true,
    help: 'a contract that wraps the native token of a chain of --decode, if the chain is not a public one: its deposits and withdrawals are amounts of a token',
  },
  data: {
    argument: 'NAME=DIR|URL',
    many: true,
    help: 'an index that l2proof index feeds, in a folder or at postgres://USER@HOST/DATABASE, of a chain that is decoded: balances of wallets, transactions, blocks and logs are answered below /v1/NAME/; once per chain',
  },
  page: {
    help: 'the explorer at /: a page that verifies in the browser what it shows, and asks this server and the endpoints that its reader names',
  },
  'page-settings': {
    group: 'source',
    argument: 'FILE',
    help: 'a JSON file of what the explorer asks: { "network", "l1": [URL], "proofs": URL, "data": { "url", "key", "chain" }, "fork" }. Every reader gets all of it, keys too. By default it says what this server has, and no key',
  },
  'public-url': {
    group: 'source',
    argument: 'URL',
    help: 'what links in the answers of --data begin with; by default http:// and the host that a client asks',
  },
  trace: {
    group: 'source',
    help: 'asks the nodes of --data for debug_traceTransaction, so that transactions have their internal transfers and changes of state',
  },
  'nft-metadata': {
    group: 'source',
    help: 'fetches the JSON documents that the NFTs of --data name, from https: URLs of public addresses, if a client asks for it; those in data: URLs need no fetching',
  },
  'nft-http': {
    group: 'source',
    help: 'fetches documents of --nft-metadata from http: URLs, too',
  },
  ipfs: {
    group: 'source',
    argument: 'URL',
    help: 'a public gateway, such as https://ipfs.example/ipfs/, by which documents of --nft-metadata at ipfs: URLs are fetched',
  },
  arweave: {
    group: 'source',
    argument: 'URL',
    help: 'the same for ar: URLs, such as https://arweave.example/',
  },
  'image-proxy': {
    group: 'source',
    argument: 'TEMPLATE',
    help: 'a URL of smaller pictures of NFTs, such as https://images.example/{size}/{url}: {size} becomes 256, 512 or 1024, {url} the escaped URL of the picture',
  },
  fork: {
    group: 'source',
    ...callFork,
    help: 'the hard fork of the chain of --store and --data: amounts are then worked out on the state of --store, and the node is asked for code alone',
  },
  'keep-state': idleKeepState,
} as const satisfies Flags;
