/** Whom the page asks, and whom it believes. */
import type { NetworkOptions } from '../../anchor/index.js';
import type { BeaconNetworkOptions } from '../../beacon/index.js';

/** Who is trusted with L1. */
export type Trust =
  /** The first endpoint is believed. */
  | { readonly how: 'call' }
  /** All endpoints must say the same. */
  | { readonly how: 'quorum' }
  /** Hash of an L1 block that the reader has from elsewhere. */
  | { readonly how: 'proof'; readonly blockHash: string }
  /** L1's validators, from a block that the reader has from elsewhere on. */
  | { readonly how: 'consensus'; readonly api: string; readonly checkpoint: string };

export interface DataSettings {
  readonly url: string;
  readonly key: string | undefined;
  /** Name of the chain in paths. */
  readonly chain: string;
}

/** The members of a network, and how the validators of its L1 are followed. */
export interface NetworkFile extends Partial<NetworkOptions> {
  readonly beacon?: BeaconNetworkOptions;
}

export interface Settings {
  /** A public one by its name, or the members of one, as a file of `--network` has them. */
  readonly network: 'mainnet' | 'sepolia' | NetworkFile;
  /** Endpoints of L1. */
  readonly l1: readonly string[];
  /** The L2 endpoint, which needs no trust. */
  readonly proofs: string;
  /** An L2 node, which needs no trust either: code, logs, blocks and receipts. Undefined: the L2 endpoint answers these, too. */
  readonly node: string | undefined;
  /** The data interface, which needs no trust either; undefined: what only it knows is not available. */
  readonly data: DataSettings | undefined;
  /** The rules of calls, if no proven time says them. */
  readonly fork: string | undefined;
  readonly trust: Trust;
}

/** Settings of which some are still missing, as a server or an earlier visit has them. */
export type GivenSettings = Partial<Settings>;

/** @throws Error that names the member */
function checkUrl(given: unknown, name: string, base: string): string {
  // Without a scheme it would be a path of the page's own server, which would get the key in it.
  const isUrl = typeof given === 'string' && /^(https?:\/\/|\/(?!\/)|\.{1,2}\/)/i.test(given);
  let url: URL | undefined;
  try {
    url = isUrl ? new URL(given, base) : undefined;
  } catch {}
  if (url?.username || url?.password) throw new Error(`${name}: expected a URL without a user`);
  const isLocal = url && /^(127\.0\.0\.1|localhost)$/.test(url.hostname);
  const isOwn = url?.origin === new URL(base).origin;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && (isLocal || isOwn))) {
    return url.href;
  }
  throw new Error(`${name}: expected an https URL, or http on this machine`);
}

const checkText = (given: unknown, name: string): string => {
  if (typeof given === 'string' && given !== '') return given;
  throw new Error(`${name}: expected text`);
};

function checkDigits(given: unknown, name: string): string {
  if (typeof given === 'string' && /^0x[0-9a-f]{64}$/i.test(given)) return given.toLowerCase();
  throw new Error(`${name}: expected 0x and 64 hex digits`);
}

function checkTrust(given: Partial<Record<string, unknown>>, base: string): Trust {
  const { how } = given;
  if (how === 'call' || how === 'quorum') return { how };
  if (how === 'proof') return { how, blockHash: checkDigits(given.blockHash, 'hash of L1 block') };
  if (how === 'consensus') {
    const api = checkUrl(given.api, 'beacon API', base);
    return { how, api, checkpoint: checkDigits(given.checkpoint, 'checkpoint') };
  }
  throw new Error('trust: expected call, quorum, proof or consensus');
}

function checkData(given: object, base: string): DataSettings {
  const { url, key, chain } = given as Partial<Record<string, unknown>>;
  return {
    // The client puts its paths behind it.
    url: checkUrl(url, 'data interface', base).replace(/\/$/, ''),
    key: key === undefined || key === '' ? undefined : checkText(key, 'key'),
    chain: checkText(chain, 'chain'),
  };
}

const isMembers = (given: unknown): given is object => typeof given === 'object' && given !== null;

/**
 * Checks what a server, an earlier visit or a form has. Whether a network is one, its own module says.
 *
 * @param base URL that relative ones are of
 * @throws Error that names the member
 */
export function checkSettings(given: unknown, base: string): GivenSettings {
  if (!isMembers(given)) throw new Error('settings: expected an object');
  const { network, l1, proofs, node, data, fork, trust } = given as Partial<
    Record<string, unknown>
  >;
  const isNamed = network === 'mainnet' || network === 'sepolia';
  if (network !== undefined && !isNamed && !isMembers(network)) {
    throw new Error('network: expected mainnet, sepolia or its members');
  }
  if (l1 !== undefined && !Array.isArray(l1)) throw new Error('L1: expected a list of URLs');
  return {
    ...(network !== undefined && { network }),
    ...(l1 !== undefined && {
      l1: l1.map((url, i) => checkUrl(url, `L1 endpoint ${i + 1}`, base)),
    }),
    ...(proofs !== undefined && { proofs: checkUrl(proofs, 'L2 endpoint', base) }),
    ...(node !== undefined && node !== '' && { node: checkUrl(node, 'L2 node', base) }),
    ...(isMembers(data) && { data: checkData(data, base) }),
    ...(fork !== undefined && { fork: checkText(fork, 'fork') }),
    ...(isMembers(trust) && { trust: checkTrust(trust, base) }),
  };
}

/** Settings that are whole; undefined if the reader has to name an endpoint first. */
export function completeSettings(given: GivenSettings): Settings | undefined {
  const { network = 'mainnet', l1 = [], proofs, node, data, fork, trust = { how: 'call' } } = given;
  if (proofs === undefined || l1.length === 0) return undefined;
  return { network, l1, proofs, node, data, fork, trust };
}
