/** Asks a server for proofs. The answer is a claim: `verifyProof` says whether it holds. */
import { encodeHex, type Hex } from '../bytes.js';
import { shown, wrongRange, wrongType } from '../errors.js';
import { checkHex, pickMembers, refuseUnknown } from '../foreign/argument.js';
import { maxStorageKeys } from '../foreign/limits.js';
import { ownElements } from '../foreign/members.js';
import { toQuantity } from '../foreign/values.js';
import { askProof, checkServer, type ProofClientOptions } from './askProof.js';

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

/** A question to a proof client. */
export interface ProofRequest {
  /** 20 bytes. */
  readonly address: Hex;
  /** 32 bytes each, at most 16384; default none. */
  readonly storageKeys?: readonly Hex[] | undefined;
  /** Real proof servers hold few blocks, and answer no tag but `latest`: name the block that L1 has finalized. */
  readonly block: ProofBlock;
  /** Aborts the requests. */
  readonly signal?: AbortSignal | undefined;
}

/** Asks one server for proofs. */
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

const tags = ['latest', 'earliest', 'pending', 'safe', 'finalized'];

/** A block as servers take it. @throws TypeError or RangeError */
function blockParameter(block: unknown): string {
  if (typeof block === 'number' || typeof block === 'bigint') {
    const isNumber = typeof block === 'bigint' || Number.isSafeInteger(block);
    if (isNumber && block >= 0) return toQuantity(block);
    throw wrongRange('block', 'expected a whole number from 0');
  }
  if (typeof block !== 'string') {
    throw wrongType('block', `expected a number, a hash or a tag, got ${shown(block)}`);
  }
  if (tags.includes(block) || /^0x[\da-fA-F]{1,64}$/.test(block)) return block;
  throw wrongRange('block', `expected a number, a hash of 32 bytes, or ${tags.join(', ')}`);
}

/** @throws TypeError or RangeError */
function checkKeys(keys: readonly Hex[]): Hex[] {
  if (!Array.isArray(keys)) {
    throw wrongType('storageKeys', `expected an array of hex strings, got ${shown(keys)}`);
  }
  const { length } = keys;
  if (!(length <= maxStorageKeys)) {
    throw wrongRange('storageKeys', `expected at most ${maxStorageKeys} keys, got ${length}`);
  }
  return ownElements(keys, length).map((key, i) =>
    encodeHex(checkHex(key, 32, `storageKeys[${i}]`)),
  );
}

/** Makes a client of one server; nothing is sent yet. @throws TypeError or RangeError for wrong options */
export function createProofClient(options: ProofClientOptions): ProofClient {
  const server = checkServer(options);
  const names = ['address', 'storageKeys', 'block', 'signal'] as const;
  // The answer is held against a claim afterwards, which may be asked with.
  const ofClaim = ['stateRoot', 'hash', 'engine'] as const;
  return {
    async getProof(request) {
      const { storageKeys = [], signal, ...rest } = pickMembers(request, names, 'request');
      refuseUnknown(request, [...names, ...ofClaim], 'request');
      const question = {
        address: encodeHex(checkHex(rest.address, 20, 'address')),
        storageKeys: checkKeys(storageKeys),
        block: blockParameter(rest.block),
      };
      return askProof(server, question, signal);
    },
  };
}
