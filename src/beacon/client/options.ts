/** The options of a light client, checked before anything is sent. */
import { encodeHex, type Hex } from '../../bytes.js';
import { wrongRange, wrongType } from '../../errors.js';
import { checkHex, ownOptions } from '../../foreign/argument.js';
import { type BeaconNetwork, defineBeaconNetwork } from '../verify/network.js';

/** Where a light client keeps what it knows: a file, an entry of `localStorage`, anything. */
export interface LightClientStorage {
  /** The text that was set last; undefined or null if there is none. */
  get(): string | null | undefined | Promise<string | null | undefined>;
  /** Keeps a text in place of the one before, the whole of it or nothing. */
  set(text: string): void | Promise<void>;
}

/** Options of {@link createLightClient}. */
export interface LightClientOptions {
  /** URL of a server of the beacon API, or several. None is trusted: the newest answer that holds counts. */
  readonly api: string | readonly string[];
  /** The network of L1. */
  readonly network: BeaconNetwork;
  /**
   * Root of a block of L1 that is trusted, 32 bytes. May be left out if `storage` holds what was known before; another
   * one than it began from starts anew.
   */
  readonly checkpoint?: Hex | undefined;
  /** Default: nothing is kept. Whoever can write there is trusted. */
  readonly storage?: LightClientStorage | undefined;
  /** Ms since the slot of the checkpoint, or of what was known last; default 14 days. */
  readonly maxCheckpointAge?: number;
  /** Ms since the slot of the newest final block; default one hour. */
  readonly maxAge?: number;
  /** Ms since 1970, by a clock that is trusted; default `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Ends all work of the client. */
  readonly signal?: AbortSignal | undefined;
}

/** The same, checked. */
export interface ClientConfig {
  readonly urls: readonly string[];
  readonly network: BeaconNetwork;
  readonly checkpoint: Hex | undefined;
  readonly storage: LightClientStorage | undefined;
  readonly maxCheckpointAge: number;
  readonly maxAge: number;
  readonly now: () => number;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly signal: AbortSignal | undefined;
}

const optionNames = [
  ...(['api', 'network', 'checkpoint', 'storage', 'maxCheckpointAge'] as const),
  ...(['maxAge', 'now', 'fetch', 'signal'] as const),
] as const;

/** Without a value these would be left out, and less checked than was meant. */
const strengthening = ['checkpoint', 'maxCheckpointAge', 'maxAge'] as const;

const day = 86_400_000;
const defaultMaxCheckpointAge = 14 * day;
const defaultMaxAge = 3_600_000;

function checkAge(value: number, name: string): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw wrongRange(name, 'expected ms from 0, or Infinity');
}

function checkUrls(api: LightClientOptions['api']): string[] {
  const urls: unknown[] = Array.isArray(api) ? [...api] : [api];
  if (urls.length === 0 || urls.some((url) => typeof url !== 'string')) {
    throw wrongType('api', 'expected a URL, or several');
  }
  return urls as string[];
}

/** @throws TypeError or RangeError that names the option */
export function checkClientOptions(options: LightClientOptions): ClientConfig {
  const given = ownOptions(options, optionNames, 'options', strengthening);
  const { storage, fetch, signal, now = Date.now } = given;
  if (given.checkpoint === undefined && storage === undefined) {
    throw wrongType('checkpoint', 'or "storage" expected');
  }
  return {
    urls: checkUrls(given.api),
    network: defineBeaconNetwork(given.network),
    checkpoint:
      given.checkpoint === undefined
        ? undefined
        : encodeHex(checkHex(given.checkpoint, 32, 'checkpoint')),
    storage,
    maxCheckpointAge: checkAge(
      given.maxCheckpointAge ?? defaultMaxCheckpointAge,
      'maxCheckpointAge',
    ),
    maxAge: checkAge(given.maxAge ?? defaultMaxAge, 'maxAge'),
    now,
    fetch,
    signal,
  };
}
