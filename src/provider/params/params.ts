/** Parameters of requests. A wrong one is the caller's mistake, and is refused before any request is sent. */
import { encodeHex, type Hex, integerToBytes } from '../../bytes.js';
import { shown } from '../../errors.js';
import { maxStorageKeys } from '../../foreign/limits.js';
import { ownElements, ownMember } from '../../foreign/members.js';
import { createReader, type ValueReader } from '../../foreign/reader.js';
import { parseQuantity } from '../../foreign/values.js';
import { invalidParams, ProviderError } from './errors.js';

/** The anchored block, or one by its number. */
export type WantedBlock = 'latest' | number;

export type Params = readonly unknown[];

/** @returns as many as there may be, those that are missing as undefined @throws ProviderError */
export function readParams(method: string, params: unknown, most: number): Params {
  if (params === undefined) return [];
  if (!Array.isArray(params)) {
    throw invalidParams(`${method}: "params" expected an array, got ${shown(params)}`);
  }
  if (params.length > most) {
    throw invalidParams(`${method}: "params" expected at most ${most}, got ${params.length}`);
  }
  return ownElements(params, most);
}

/** Reads parameters. @throws ProviderError */
export const { readMember, readObject, read, as, asHex, asQuantity } = createReader(
  (at, reason) => invalidParams(`${at} ${reason}`),
  {
    hex: (width) => (width === 20 ? 'an address of 20 bytes' : `${width} bytes in hex`),
    quantity: (bits) => (bits === 256 ? 'a number in hex' : `a number below 2^${bits} in hex`),
  },
);

export const readAddressParam: ValueReader<Hex> = asHex(20);

/** A slot as 32 bytes; libraries leave its zeros out. */
export const readSlot: ValueReader<Hex> = as((value) => {
  const slot = typeof value === 'string' ? parseQuantity(value, 256) : undefined;
  return slot === undefined ? undefined : encodeHex(integerToBytes(slot, 32));
}, 'a slot of up to 32 bytes in hex');

/** @throws ProviderError */
export function readSlots(keys: unknown, at: string): Hex[] {
  if (!Array.isArray(keys) || keys.length > maxStorageKeys) {
    throw invalidParams(`${at} expected an array of at most ${maxStorageKeys} slots`);
  }
  return ownElements(keys).map((key, i) => readSlot(key, `${at}[${i}]`));
}

const blockMembers = ['blockNumber', 'blockHash', 'requireCanonical'];

/**
 * The number in an object of EIP-1898. `requireCanonical` changes nothing: L1 has finalized the block. A hash is refused, also
 * beside a number, as nodes do: the hash of an L2 block follows from no root, and one of another chain or fork would count for nothing.
 *
 * @throws ProviderError
 */
function numberOf(value: object, at: string): unknown {
  const members = new Map<string, unknown>(
    Object.entries(value).filter(([, member]) => member !== undefined && member !== null),
  );
  const unknown = [...members.keys()].find((name) => !blockMembers.includes(name));
  if (unknown !== undefined) {
    const text = `${at}.${unknown.slice(0, 40)} is unknown; known: ${blockMembers.join(', ')}`;
    throw invalidParams(text);
  }
  if (members.has('blockHash')) {
    throw invalidParams(`${at}.blockHash cannot be proven; name the block by "blockNumber" alone`);
  }
  return members.get('blockNumber');
}

/**
 * The block that a request is about. `latest` and `finalized` both mean the anchored block: no later one can be proven.
 *
 * @throws ProviderError
 */
export function readBlockParam(params: Params, at: number): WantedBlock {
  let value = params[at];
  if (value === undefined || value === 'latest' || value === 'finalized') return 'latest';
  if (typeof value === 'object' && value !== null) value = numberOf(value, `params[${at}]`);
  const number = typeof value === 'string' ? parseQuantity(value, 53) : undefined;
  if (number !== undefined) return Number(number);
  const word = ['pending', 'safe', 'earliest'].find((tag) => tag === value);
  const what = word === undefined ? '' : `; the ${word} block cannot be proven`;
  throw invalidParams(`params[${at}] expected a block number in hex, latest or finalized${what}`);
}

/** Reads a request, whose accessors and proxies may throw anything. @throws ProviderError */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause;
    const text = 'the request cannot be read: a member of it throws';
    throw new ProviderError(-32602, text, { cause, data: undefined });
  }
}

/** @throws ProviderError */
export function readRpcRequest(request: unknown): {
  method: string;
  params: unknown;
  signal: AbortSignal | undefined;
} {
  if (typeof request !== 'object' || request === null) {
    throw new ProviderError(-32600, `a request expected an object, got ${shown(request)}`);
  }
  const method = ownMember(request, 'method');
  if (typeof method !== 'string' || method === '' || method.length > 64) {
    throw new ProviderError(-32600, '"method" expected a text of up to 64 characters');
  }
  const signal = ownMember(request, 'signal');
  if (
    signal !== undefined &&
    typeof (signal as Partial<AbortSignal>)?.throwIfAborted !== 'function'
  ) {
    throw new ProviderError(-32600, `"signal" expected an AbortSignal, got ${shown(signal)}`);
  }
  return {
    method,
    params: ownMember(request, 'params'),
    signal: signal as AbortSignal | undefined,
  };
}
