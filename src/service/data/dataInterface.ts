/** The data interface of a service: indexes of chains whose nodes a decoder knows. */
import { wrongRange, wrongType } from '../../errors.js';
import { ownMembers, ownOptions } from '../../foreign/argument.js';
import { type Index, openIndex } from '../../indexer/index.js';
import type { Store } from '../../tree/index.js';
import { type Decoder, toOpenDecoder } from '../decoder/decoder.js';
import { type NftMetadataOptions, readNftMetadata } from '../documents/nftMetadata.js';
import { checkLog, type ServiceLog } from '../http/log.js';
import type { OwnState } from '../proving/ownState.js';
import { type ChainData, createChainData } from './chainData.js';

/** A chain, and the index of it. */
export interface IndexedChain {
  /** One of the decoder's. */
  name: string;
  /** Holds an index that `createIndexer` feeds, here or in another process; a store of its own, which `close` closes. */
  store: Store;
  /** Where the store is, for messages about damage. */
  folder?: string;
  /**
   * The service's own state of that chain: amounts are then worked out on it, at its newest final block, and the node is
   * asked for code alone. Needs the packages of `l2proof/provider` for calls. Default: the node says what amounts are.
   */
  state?: OwnState;
}

/** Options of {@link createDataInterface}. */
export interface DataInterfaceOptions {
  /** Knows the chains' nodes, and names and prices of tokens. Closing it is up to the caller. */
  decoder: Decoder;
  /** At least one. */
  chains: readonly IndexedChain[];
  /** Ms for which a look at an index' newest block holds; default 250. */
  recheck?: number;
  /**
   * What links in answers begin with: an `http:` or `https:` URL without a query. Default: `http://` and the host that the
   * client has asked.
   */
  publicUrl?: string;
  /**
   * Whether the nodes may be asked for `debug_traceTransaction`, which internal transfers and changes of state follow from.
   * Default false: those are null.
   */
  trace?: boolean;
  /**
   * Lets the service fetch the documents that NFTs name, and says how. Default: none is fetched; those that stand in their own `data:` URL
   * are read anyway.
   */
  nftMetadata?: NftMetadataOptions;
  /** Told of nodes and stores that fail; default: nobody is. */
  log?: ServiceLog;
}

/** Answers questions about wallets; for `createService`. */
export interface DataInterface {
  /** Names of the chains. */
  readonly chains: readonly string[];
  /** Closes the indexes. */
  close(): Promise<void>;
}

/** The data interface as the service uses it. */
export interface OpenDataInterface extends DataInterface {
  readonly publicUrl: string | undefined;
  /** The chains in the order that they were given in. */
  readonly served: readonly ChainData[];
  /** @param name or number of the chain, as a path has it */
  chainOf(name: string): ChainData | undefined;
}

const names = [
  ...(['decoder', 'chains', 'recheck', 'publicUrl', 'trace', 'nftMetadata', 'log'] as const),
] as const;
const chainNames = ['name', 'store', 'folder', 'state'] as const;

function checkChains(chains: readonly IndexedChain[], known: readonly string[]): void {
  if (!Array.isArray(chains) || chains.length === 0) {
    throw wrongType('chains', 'expected an array of at least one chain');
  }
  for (const [i, chain] of chains.entries()) {
    const { name, state } = ownOptions(chain, chainNames, `chains[${i}]`, ['state']);
    if (state !== undefined) ownMembers(state, ['tree', 'finality', 'fork'], `chains[${i}].state`);
    if (!known.includes(name)) throw wrongRange(`chains[${i}].name`, 'is no chain of the decoder');
    if (chains.findIndex((other) => other.name === name) < i) {
      throw new RangeError(`chain "${name}" is given twice`);
    }
  }
}

/** What links begin with, without a slash at the end. @throws TypeError */
function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!URL.canParse(text)) throw wrongType('publicUrl', 'expected a URL');
  const url = new URL(text);
  const { protocol, search, hash, username, password } = url;
  const isPlain = [search, hash, username, password].every((part) => part === '');
  if (isPlain && /^https?:$/.test(protocol)) return url.href.replace(/\/+$/, '');
  const form = 'expected http: or https:, without a query, a fragment or credentials';
  throw wrongType('publicUrl', form);
}

/**
 * Makes the data interface of a service. No node is asked before the first request.
 *
 * @throws IndexError `WRONG_INDEX` if a store holds something else, or no index yet; `DAMAGED`
 * @throws ServiceError `MISSING_PEER` if a chain has a state of its own
 * @throws TypeError or RangeError for wrong options
 */
export async function createDataInterface(options: DataInterfaceOptions): Promise<DataInterface> {
  const given = ownMembers(options, names, 'options');
  const { chains, recheck = 250, trace = false, log } = given;
  checkLog(log);
  const decoder = toOpenDecoder(given.decoder);
  checkChains(chains, decoder.chains);
  if (!Number.isSafeInteger(recheck) || recheck < 0) {
    throw wrongRange('recheck', 'expected a whole number from 0');
  }
  if (typeof trace !== 'boolean') throw wrongType('trace', 'expected true or false');
  const publicUrl = readPublicUrl(given.publicUrl);
  const nftMetadata = readNftMetadata(given.nftMetadata);
  const indexes: Index[] = [];
  const byName = new Map<string, ChainData>();
  for (const { name, store, folder, state } of chains) {
    if (state) await import('../proving/ownState.js').then(({ loadEngine }) => loadEngine(state));
    const where = folder === undefined ? '' : ` at "${folder}"`;
    const index = await openIndex({ store, name: `the index of ${name}${where}` });
    indexes.push(index);
    const of = decoder.chainOf(name) as NonNullable<ReturnType<typeof decoder.chainOf>>;
    const shared = { recheck, log, trace, nftMetadata };
    byName.set(name, createChainData({ name, index, decoder: of, state, ...shared }));
  }
  const byNumber = new Map([...byName.values()].map((chain) => [String(chain.chainId), chain]));
  const data: OpenDataInterface = {
    chains: [...byName.keys()],
    served: [...byName.values()],
    publicUrl,
    chainOf: (name) => byName.get(name) ?? byNumber.get(name),
    async close() {
      await Promise.all(indexes.map((index) => index.close()));
    },
  };
  return data;
}

/** The data interface as {@link createDataInterface} made it. @throws TypeError */
export function openDataInterface(data: DataInterface): OpenDataInterface {
  if (typeof (data as Partial<OpenDataInterface>)?.chainOf !== 'function') {
    throw wrongType('data', 'expected a result of createDataInterface');
  }
  return data as OpenDataInterface;
}
