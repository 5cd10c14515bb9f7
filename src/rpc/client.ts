/** Asks a server for proofs. What it answers is a claim: `verifyProof` says what of it holds. */
import { encodeHex, type Hex } from '../bytes.js';
import { shown } from '../errors.js';
import { checkHex, ownMembers } from '../foreign/argument.js';
import { maxStorageKeys } from '../foreign/limits.js';
import { callPatiently } from './caller.js';
import { compactType } from './mediaType.js';
import { askInParts, joinParts } from './parts.js';
import type { Transport } from './transport.js';

/** In which form a proof is asked for. */
export type ProofForm = 'json' | 'compact' | 'auto';

export interface ProofClientOptions {
  readonly transport: Transport;
  /** Default `l2_getProof`; servers of the public network call it `linea_getProof`. */
  readonly method?: string | undefined;
  /** Most slots in one request, from 1 to 16384; default 200. More are asked for in parts. */
  readonly maxSlots?: number | undefined;
  /**
   * What is asked for: `json` (default), `compact`, whose bytes are a tenth or less, or `auto`. Under `compact` a long
   * list is one request, and the server's own limit applies; under `auto` it is asked for in parts, as JSON. A server
   * that answers JSON to a request for bytes is not asked for bytes again. `verifyAnswer` of `l2proof/compact` takes
   * either answer.
   */
  readonly form?: ProofForm | undefined;
}

/** Which state: a block's number, its hash (32 bytes), or a tag. */
export type ProofBlock =
  | number
  | bigint
  | Hex
  | 'latest'
  | 'earliest'
  | 'pending'
  | 'safe'
  | 'finalized';

export interface ProofRequest {
  /** 20 bytes. */
  readonly address: Hex;
  /** 32 bytes each, at most 16384; default none. */
  readonly storageKeys?: readonly Hex[] | undefined;
  /** Real proof servers hold few blocks, and answer no tag but `latest`: name the block that L1 has finalized. */
  readonly block: ProofBlock;
  readonly signal?: AbortSignal | undefined;
}

export interface ProofClient {
  /**
   * Asks for the proofs of an account and its slots. A server that is busy or out of reach is asked again, up to
   * three times in all, and as late as its `Retry-After` says, if that is a minute or less.
   *
   * @returns what the server claims, a Uint8Array if it answered bytes; nothing is checked but that the parts of a long
   *   list fit together
   * @throws RpcError; among its codes `RATE_LIMITED`, `UNAUTHORIZED`, `BLOCK_NOT_HELD` and `BAD_PARTS`
   * @throws TypeError or RangeError for a wrong question, before anything is sent
   * @throws the signal's reason once it is aborted
   */
  getProof(request: ProofRequest): Promise<unknown>;
}

const forms = ['json', 'compact', 'auto'];

const tags = ['latest', 'earliest', 'pending', 'safe', 'finalized'];

/** A block as servers take it. @throws TypeError or RangeError */
function blockParameter(block: unknown): string {
  if (typeof block === 'number' || typeof block === 'bigint') {
    const isNumber = typeof block === 'bigint' || Number.isSafeInteger(block);
    if (isNumber && block >= 0) return `0x${block.toString(16)}`;
    throw new RangeError('"block" expected a whole number from 0');
  }
  if (typeof block !== 'string') {
    throw new TypeError(`"block" expected a number, a hash or a tag, got ${shown(block)}`);
  }
  if (tags.includes(block) || /^0x[\da-fA-F]{1,64}$/.test(block)) return block;
  throw new RangeError(`"block" expected a number, a hash of 32 bytes, or ${tags.join(', ')}`);
}

/** @throws TypeError or RangeError */
function checkKeys(keys: readonly Hex[]): Hex[] {
  if (!Array.isArray(keys)) {
    throw new TypeError(`"storageKeys" expected an array of hex strings, got ${shown(keys)}`);
  }
  const { length } = keys;
  if (!(length <= maxStorageKeys)) {
    throw new RangeError(`"storageKeys" expected at most ${maxStorageKeys} keys, got ${length}`);
  }
  return Array.from({ length }, (_, i) => {
    const key = Object.hasOwn(keys, i) ? keys[i] : undefined;
    return encodeHex(checkHex(key, 32, `storageKeys[${i}]`));
  });
}

/** @throws TypeError or RangeError for wrong options */
export function createProofClient(options: ProofClientOptions): ProofClient {
  const given = ownMembers(options, ['transport', 'method', 'maxSlots', 'form'], 'options');
  const { transport, method = 'l2_getProof', maxSlots = 200, form = 'json' } = given;
  if (typeof transport?.call !== 'function') {
    throw new TypeError('"transport" expected a transport, as createTransport makes it');
  }
  if (typeof method !== 'string' || method === '') {
    throw new TypeError('"method" expected the name of a method');
  }
  if (!Number.isSafeInteger(maxSlots) || maxSlots < 1 || maxSlots > maxStorageKeys) {
    throw new RangeError(`"maxSlots" expected a whole number from 1 to ${maxStorageKeys}`);
  }
  if (!forms.includes(form)) throw new TypeError(`"form" expected ${forms.join(', ')}`);
  if (form === 'compact' && !transport.callForBytes) {
    throw new TypeError('"form" expected json: the transport has no callForBytes');
  }
  let isJsonOnly = form === 'json' || !transport.callForBytes;
  const names = ['address', 'storageKeys', 'block', 'signal'] as const;
  return {
    async getProof(request) {
      const { storageKeys = [], signal, ...rest } = ownMembers(request, names, 'request');
      const address = encodeHex(checkHex(rest.address, 20, 'address'));
      const keys = checkKeys(storageKeys);
      const block = blockParameter(rest.block);
      const ask = (part: readonly Hex[], partSignal: AbortSignal | undefined, accept?: string) =>
        callPatiently(transport, method, [address, part, block], partSignal, accept);
      const isShort = keys.length <= maxSlots;
      if (!isJsonOnly && (isShort || form === 'compact')) {
        const answer = await ask(keys, signal, compactType);
        isJsonOnly = !(answer instanceof Uint8Array);
        return answer;
      }
      if (isShort || form === 'compact') return ask(keys, signal);
      const parts = Array.from({ length: Math.ceil(keys.length / maxSlots) }, (_, i) =>
        keys.slice(i * maxSlots, (i + 1) * maxSlots),
      );
      const results = await askInParts(parts, ask, signal);
      const counts = parts.map(({ length }) => length);
      return joinParts(method, results, counts);
    },
  };
}
