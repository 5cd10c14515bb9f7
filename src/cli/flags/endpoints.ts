/** The two endpoints and the network, as commands take them that prove what they show. */
import { readFile } from 'node:fs/promises';
import type { Network, networks } from '../../anchor/index.js';
import { nearestName } from '../../errors.js';
import {
  createTransport,
  RpcError,
  type Transport,
  type TransportOptions,
} from '../../rpc/index.js';
import { CliError, exitCodes, UsageError } from '../exit/exit.js';
import { partOf } from '../exit/needs.js';
import { quote } from '../print/print.js';
import { asUsage } from './args.js';
import type { proxyFlags } from './askFlags.js';
import type { Values } from './flag.js';
import { nodeFetch } from './nodeFetch.js';

/** Who needs the package that reads proofs of L1. @param title of the work, for the message */
export const anchorsOf = (title: string) => partOf(title, '@ethereumjs/rlp');

/**
 * A URL as a server sees it, which gets no fragment; whatever is no URL is refused later. The library compares its own
 * transports in the same way, but cannot see through those that are wrapped here to name their option.
 */
function endpointKey(text: string): string {
  if (!URL.canParse(text)) return text;
  const { origin, pathname, search } = new URL(text);
  return `${origin}${pathname}${search}`;
}

/** @throws UsageError */
export function readL1(l1: readonly string[]): Transport[] {
  const several = l1.length > 1;
  const endpoints = new Set(l1.map(endpointKey));
  if (endpoints.size < l1.length) {
    throw new UsageError('--l1 names one endpoint twice, which is no second opinion; name others');
  }
  return l1.map((url, i) => openNamed(several ? `--l1 number ${i + 1}` : '--l1', url));
}

/** @param name of the option that holds the URL, for the message, which does not repeat it @throws UsageError */
export function openTransport(name: string, options: TransportOptions): Transport {
  try {
    return createTransport({ fetch: nodeFetch, ...options });
  } catch (cause) {
    throw asUsage({ url: name }, cause);
  }
}

/** A transport whose failures name the option that its URL came by: several endpoints are asked for one answer. */
export function openNamed(name: string, url: string): Transport {
  const transport = openTransport(name, { url });
  return {
    call: (...request) =>
      transport.call(...request).catch((cause) => {
        throw cause instanceof RpcError ? cause.restate(`${name}: ${cause.reason}`) : cause;
      }),
  };
}

/**
 * The L2 endpoint of a network whose server answers proofs alone, with a node beside it for all else.
 *
 * @param method of the network's proofs
 * @throws UsageError
 */
export function withNode(proofs: Transport, url: string, method: string): Transport {
  const node = openNamed('--node', url);
  return {
    call: (...request) => (request[0] === method ? proofs : node).call(...request),
  };
}

/** @throws UsageError */
export function readEndpoints({
  l2,
  l1,
  network,
}: Pick<Values<typeof proxyFlags>, 'l2' | 'l1' | 'network'>) {
  return { l2: openNamed('--l2', l2), l1: readL1(l1), network };
}

/** What of the anchor's entry knows networks. */
interface Networks {
  readonly networks: typeof networks;
  readonly defineNetwork: (options: Network) => Network;
}

/** A network of `--network`. */
export interface NamedNetwork {
  readonly network: Network;
  /** What its file says of L1's consensus; not checked yet. Undefined if it says nothing. */
  readonly beacon: unknown;
}

/** The network of a name, or of a file. @throws CliError */
export async function readNetwork(known: Networks, name: string): Promise<NamedNetwork> {
  if (name === 'mainnet' || name === 'sepolia') {
    return { network: known.networks[name], beacon: undefined };
  }
  const fail = (reason: string, cause: unknown) =>
    new CliError(exitCodes.usage, `--network ${quote(name)}: ${reason}`, { code: 'FILE', cause });
  let text: string;
  try {
    text = await readFile(name, 'utf8');
  } catch (cause) {
    const reason = `neither mainnet nor sepolia, nor a file that can be read: ${(cause as Error).message}`;
    const near = nearestName(name, ['mainnet', 'sepolia']);
    throw fail(near === undefined ? reason : `${reason}; did you mean ${near}?`, cause);
  }
  try {
    const given = JSON.parse(text);
    const { beacon, ...own } = given ?? {};
    return { network: known.defineNetwork(beacon === undefined ? given : own), beacon };
  } catch (cause) {
    throw fail((cause as Error).message, cause);
  }
}

/** Names of the library's options -> options of the command. */
const fetchNames = {
  address: '--address',
  storageKeys: '--slot',
  'trusted.blockHash': '--l1-block-hash',
  l1: '--l1',
};

/** What ended the fetch of something proven, for the user: a wrong argument is called as on the command line. */
export const fetchFailure = (cause: unknown): unknown => asUsage(fetchNames, cause);
