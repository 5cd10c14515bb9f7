/** The decoder of a service: its chains, and what it may know of tokens. */
import { encodeHex, type Hex } from '../../bytes.js';
import { yieldToEventLoop } from '../../concurrent.js';
import type { Abis, ChainContracts, DecodeResponse } from '../../decode/index.js';
import { wrongRange, wrongType } from '../../errors.js';
import { checkHex, ownMembers } from '../../foreign/argument.js';
import { hexText } from '../../foreign/values.js';
import type { TransportOptions } from '../../rpc/index.js';
import type { Store } from '../../tree/index.js';
import { chainNameForm } from '../chain/chains.js';
import type { PriceSource } from '../chain/prices.js';
import { openRecords } from '../chain/records.js';
import { readTokenLists } from '../chain/tokenList.js';
import { checkLog, type ServiceLog } from '../http/log.js';
import { loadDecoderPeer } from '../http/peers.js';
import type { ChainDecoder } from './chainDecoder.js';

/** A chain, and the node that is asked about it: a URL, and what else a transport takes. */
export interface DecodedChain extends Pick<TransportOptions, 'url' | 'fetch' | 'headers'> {
  /** As `chain_name` of a request has it: lower-case letters, digits and `-`. */
  name: string;
  /** Ms for one question to the node; default 4,000. */
  timeout?: number;
  /** Contracts beside those that `describeChain` knows of the chain, such as its wrapped native token. */
  contracts?: ChainContracts;
}

/** Options of {@link createDecoder}. */
export interface DecoderOptions {
  /** At least one. */
  chains: readonly DecodedChain[];
  /**
   * Keeps final transactions and the metadata of tokens, so that they outlive the process: a store of the decoder's own,
   * which it closes. Default: they are kept in memory alone.
   */
  store?: Store;
  /** Most bytes of entries in the store; default 1 GiB. */
  storeBytes?: number;
  /** Parsed token lists, in the token-list JSON format. Tokens in them are not asked about. */
  tokenLists?: readonly unknown[];
  /** The source of prices. Default: no prices; all quotes are `$0.00` or null. */
  prices?: PriceSource;
  /** Events beside the built-in ones; made by `parseAbis` of `l2proof/decode`. */
  abis?: Abis;
  /**
   * Ms between two questions to a node whether its final block is still there; default 250. An answer from the cache is at
   * most this old. 0: the node is asked each time.
   */
  recheck?: number;
  /** Told of nodes, stores and prices that fail; default: nobody is. */
  log?: ServiceLog;
}

/** A transaction to decode. */
export interface DecodeRequest {
  /** One of {@link Decoder.chains}. */
  chainName: string;
  /** 32 bytes. */
  txHash: Hex;
  /** Whether events carry their log. Default false. */
  rawLogs?: boolean;
  /** Whether logs that are not known give an event too. Default false. */
  unknown?: boolean;
  /** US dollars: transfers and approvals worth less are left out. Default 0. */
  minUsd?: number;
}

/** Decodes transactions of several chains; for `createService`, or by itself. */
export interface Decoder {
  /** Names of the chains. */
  readonly chains: readonly string[];
  /**
   * The events of a transaction. The node is trusted.
   *
   * @returns undefined if the chain has no such transaction, or has not mined it yet
   * @throws RpcError if the node does not answer, NodeError or DecodeError for what it answers
   * @throws TypeError or RangeError for a wrong request
   */
  decodeTransaction(request: DecodeRequest): Promise<DecodeResponse | undefined>;
  /** Writes what is still to be kept, and closes the store. */
  close(): Promise<void>;
}

/** The decoder as the service uses it. */
interface OpenDecoder extends Decoder {
  chainOf(name: string): ChainDecoder | undefined;
}

const names = [
  ...(['chains', 'store', 'storeBytes', 'tokenLists', 'prices'] as const),
  ...(['abis', 'recheck', 'log'] as const),
] as const;

const roleNames = ['entryPoint', 'messageService', 'tokenBridge', 'wrappedNative'] as const;

const chainNames = ['name', 'url', 'fetch', 'headers', 'timeout', 'contracts'] as const;

const requestNames = ['chainName', 'txHash', 'rawLogs', 'unknown', 'minUsd'] as const;

/** Nothing is charged; others have their turn between pieces. */
const alone = {
  pause: yieldToEventLoop,
  charge: () => {},
};

function checkNumber(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw wrongRange(name, `expected a whole number from ${least}`);
  }
}

function checkChains(chains: readonly DecodedChain[]): void {
  if (!Array.isArray(chains) || chains.length === 0) {
    throw wrongType('chains', 'expected an array of at least one chain');
  }
  const seen = new Set<string>();
  for (const chain of chains) {
    const { name } = ownMembers(chain, chainNames, 'chains[]');
    if (typeof name !== 'string' || !chainNameForm.test(name)) {
      throw wrongRange('name', 'expected the name of a chain: lower-case letters, digits and -');
    }
    if (seen.has(name)) throw new RangeError(`chain "${name}" is given twice`);
    seen.add(name);
  }
}

/** A copy of the contracts that a chain is given. @throws TypeError that names the fault */
function readContracts(given: ChainContracts | undefined): ChainContracts {
  if (given === undefined) return {};
  const contracts = ownMembers(given, roleNames, 'contracts');
  const entries = Object.entries(contracts).map(([role, list]) => {
    const isList = Array.isArray(list) && list.every((one) => hexText(one, 20) !== undefined);
    if (isList) return [role, [...list]] as const;
    throw wrongType(`contracts.${role}`, 'expected a list of addresses: 0x and 40 hex digits');
  });
  return Object.fromEntries(entries);
}

/**
 * Makes the decoder of a service. No node is asked before the first request.
 *
 * @throws ServiceError `MISSING_PEER`; `WRONG_CACHE` if the store holds something else
 * @throws TypeError or RangeError for wrong options
 */
export async function createDecoder(options: DecoderOptions): Promise<Decoder> {
  const given = ownMembers(options, names, 'options');
  const { chains, store, storeBytes = 2 ** 30, tokenLists = [], recheck = 250, log } = given;
  checkLog(log);
  checkChains(chains);
  checkNumber('storeBytes', storeBytes, 1);
  checkNumber('recheck', recheck, 0);
  const listed = readTokenLists(tokenLists);
  const { createChainDecoder } = await loadDecoderPeer('viem', import('./chainDecoder.js'));
  for (const item of given.abis?.skipped ?? []) {
    log?.warn({ item }, 'an event of an ABI was left out');
  }
  const records = store && (await openRecords(store, storeBytes, log));
  const decoders = new Map(
    chains.map((chain) => {
      const { name, url, fetch, headers, timeout = 4000 } = chain;
      const node = { url, timeout, ...(fetch && { fetch }), ...(headers && { headers }) };
      const { prices, abis } = given;
      const contracts = readContracts(chain.contracts);
      const own = { name, node, contracts, records, listed, prices, abis, recheck, log };
      return [name, createChainDecoder(own)] as const;
    }),
  );
  const decoder: OpenDecoder = {
    chains: [...decoders.keys()],
    async decodeTransaction(request) {
      const asked = ownMembers(request, requestNames, 'request');
      const { chainName, rawLogs = false, unknown = false, minUsd = 0 } = asked;
      const txHash = encodeHex(checkHex(asked.txHash, 32, 'txHash'));
      const chain = decoders.get(chainName);
      if (chain === undefined) throw wrongRange('chainName', 'expected the name of a chain');
      if (!(minUsd >= 0)) throw wrongRange('minUsd', 'expected a number from 0');
      const text = await chain.decode({ txHash, rawLogs, unknown, minUsd }, alone);
      return text === undefined ? undefined : JSON.parse(text);
    },
    chainOf: (name) => decoders.get(name),
    close: async () => records?.close(),
  };
  return decoder;
}

/** The decoder as {@link createDecoder} made it. @throws TypeError */
export function toOpenDecoder(decoder: Decoder): OpenDecoder {
  if (typeof (decoder as Partial<OpenDecoder>)?.chainOf !== 'function') {
    throw wrongType('decoder', 'expected a result of createDecoder');
  }
  return decoder as OpenDecoder;
}
