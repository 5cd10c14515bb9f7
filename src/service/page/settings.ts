/** What the explorer is told by its server. */
import { defineNetwork, type NetworkOptions } from '../../anchor/common/network.js';
import { shown, shownWord, wrongRange, wrongType } from '../../errors.js';
import { ownMembers } from '../../foreign/argument.js';
import { type CallFork, callForks } from '../../forks.js';

/**
 * What the explorer asks, and by which rules. Whoever can reach the server reads it, so nothing in it is secret. URLs are
 * relative to the page, or absolute: `https:`, or `http:` on the reader's own machine. What is missing, the reader names.
 */
export interface PageSettings {
  /**
   * A public network by its name, or the members that `defineNetwork` takes. Beside these, `beacon` may say how the validators of
   * its L1 are followed: what `defineBeaconNetwork` takes.
   */
  readonly network?:
    | 'mainnet'
    | 'sepolia'
    | (NetworkOptions & {
        /** The consensus of its L1. */
        readonly beacon?: object;
      });
  /** URLs of L1 endpoints, at most 16. They may hold keys of yours, which every reader then has. */
  readonly l1?: readonly string[];
  /** URL that answers proofs, such as `/v3/`, with the API key behind it if one is asked for. */
  readonly proofs?: string;
  /** URL of an L2 node, for code, blocks and calls; default: what answers proofs answers these, too. */
  readonly node?: string;
  /** The data interface. */
  readonly data?: {
    /** URL before `/v1/`. */
    readonly url: string;
    /** API key. */
    readonly key?: string;
    /** Name of the chain in its paths. */
    readonly chain: string;
  };
  /** The hard fork of L2 by whose rules contracts are called if no proven time says which. */
  readonly fork?: CallFork;
}

const names = ['network', 'l1', 'proofs', 'node', 'data', 'fork'] as const;
const dataNames = ['url', 'key', 'chain'] as const;

/** Most endpoints of L1. */
const mostEndpoints = 16;

/** Most characters of all settings. */
const mostText = 65_536;

/** Most characters of a text: far more than URLs and keys have. */
const mostCharacters = 2048;

function checkText(value: unknown, name: string): void {
  if (typeof value !== 'string') throw wrongType(name, `expected text, got ${shown(value)}`);
  if (value !== '' && value.length <= mostCharacters) return;
  throw wrongRange(name, `expected 1 to ${mostCharacters} characters`);
}

/** The only hosts that the page's Content-Security-Policy lets it ask without TLS. */
const isOwnMachine = ({ hostname }: URL): boolean => /^(127\.0\.0\.1|localhost)$/.test(hostname);

/** Stands in for the page, whose own URL the server does not know. */
const page = 'https://page.invalid';

function isUrl(text: string): boolean {
  if (!URL.canParse(text, page)) return false;
  const url = new URL(text, page);
  if (url.username !== '' || url.password !== '') return false;
  // `//host/` and `https:host` would leave out a part of an absolute URL.
  if (!/^https?:\/\//i.test(text)) return url.origin === page && !/^[a-z]+:/i.test(text);
  return url.protocol === 'https:' || isOwnMachine(url);
}

function checkUrl(value: unknown, name: string): void {
  checkText(value, name);
  if (isUrl(value as string)) return;
  // The text is not repeated: it may hold a key.
  const text = 'expected a URL: relative to the page, https, or http on 127.0.0.1 or localhost';
  throw wrongRange(name, `${text}, without a user`);
}

function checkNetwork(value: unknown): void {
  const name = 'page.network';
  if (value === 'mainnet' || value === 'sepolia') return;
  if (typeof value !== 'object' || value === null) {
    throw wrongType(name, `expected "mainnet", "sepolia" or an object, got ${shownWord(value)}`);
  }
  // Of the beacon network the page itself says what is wrong: a server has no need to know L1's consensus.
  const { beacon = {}, ...own } = Object(value) as NetworkOptions & { readonly beacon?: unknown };
  if (typeof beacon !== 'object') {
    throw wrongType(`${name}.beacon`, `expected an object, got ${shown(beacon)}`);
  }
  try {
    defineNetwork(own);
  } catch (cause) {
    throw wrongType(name, `describes no network: ${(cause as Error).message}`, { cause });
  }
}

function checkEndpoints(value: unknown): void {
  const name = 'page.l1';
  if (!Array.isArray(value)) throw wrongType(name, `expected an array, got ${shown(value)}`);
  if (value.length > mostEndpoints)
    throw wrongRange(name, `expected at most ${mostEndpoints} URLs`);
  for (let i = 0; i < value.length; i++) checkUrl(value[i], `${name}[${i}]`);
}

function checkData(value: object): void {
  const { url, key, chain } = ownMembers(
    value as NonNullable<PageSettings['data']>,
    dataNames,
    'page.data',
  );
  checkUrl(url, 'page.data.url');
  checkText(chain, 'page.data.chain');
  if (key !== undefined) checkText(key, 'page.data.key');
}

function checkSettings({ network, l1, proofs, node, data, fork }: PageSettings): void {
  if (network !== undefined) checkNetwork(network);
  if (l1 !== undefined) checkEndpoints(l1);
  if (proofs !== undefined) checkUrl(proofs, 'page.proofs');
  if (node !== undefined) checkUrl(node, 'page.node');
  if (data !== undefined) checkData(data);
  if (fork !== undefined && !callForks.includes(fork)) {
    throw wrongType('page.fork', `expected one of ${callForks.join(', ')}, got ${shownWord(fork)}`);
  }
}

/** Settings as JSON. @throws TypeError */
function toJson(settings: PageSettings): string {
  const own = ownMembers(settings, names, 'page');
  try {
    return JSON.stringify(own);
  } catch (cause) {
    throw wrongType('page', `cannot be written as JSON: ${(cause as Error).message}`, { cause });
  }
}

/**
 * The text of `/page.json`.
 *
 * @throws TypeError or RangeError that names the member, as one of `page`
 */
export function toSettingsText(settings: PageSettings): string {
  const text = toJson(settings);
  if (text.length > mostText) throw wrongRange('page', `expected at most ${mostText} characters`);
  // What is checked is what is sent: members of the caller's object may change, or be computed.
  checkSettings(ownMembers(JSON.parse(text), names, 'page'));
  return text;
}
