/** Asks for the proofs of one account, in as many requests as it takes. */
import type { Hex } from '../bytes.js';
import { ownMembers } from '../foreign/argument.js';
import { maxStorageKeys } from '../foreign/limits.js';
import { callPatiently } from './caller.js';
import { askInParts, joinParts } from './parts.js';
import type { Transport } from './transport.js';

export interface ProofClientOptions {
  readonly transport: Transport;
  /** Default `l2_getProof`; servers of the public network call it `linea_getProof`. */
  readonly method?: string | undefined;
  /** Most slots in one request, from 1 to 16384; default 200. More are asked for in parts. */
  readonly maxSlots?: number | undefined;
}

/** Whom to ask, and how. */
export type ProofServer = {
  readonly [name in keyof Required<ProofClientOptions>]: NonNullable<ProofClientOptions[name]>;
};

/** A question whose form was checked; hex in lower case. */
export interface CheckedQuestion {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
  /** As JSON-RPC takes it. */
  readonly block: string;
}

/** @throws TypeError or RangeError that names the option */
export function checkServer(options: ProofClientOptions): ProofServer {
  const given = ownMembers(options, ['transport', 'method', 'maxSlots'], 'options');
  const { transport, method = 'l2_getProof', maxSlots = 200 } = given;
  if (typeof transport?.call !== 'function') {
    throw new TypeError('"transport" expected a transport');
  }
  if (typeof method !== 'string' || method === '') {
    throw new TypeError('"method" expected a name');
  }
  if (!Number.isSafeInteger(maxSlots) || maxSlots < 1 || maxSlots > maxStorageKeys) {
    throw new RangeError(`"maxSlots" expected a whole number from 1 to ${maxStorageKeys}`);
  }
  return { transport, method, maxSlots };
}

/** @returns what the server claims @throws RpcError, or the signal's reason */
export async function askProof(
  { transport, method, maxSlots }: ProofServer,
  { address, storageKeys, block }: CheckedQuestion,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const ask = (part: readonly Hex[], partSignal: AbortSignal | undefined) =>
    callPatiently(transport, method, [address, part, block], partSignal);
  if (storageKeys.length <= maxSlots) return ask(storageKeys, signal);
  const parts = Array.from({ length: Math.ceil(storageKeys.length / maxSlots) }, (_, i) =>
    storageKeys.slice(i * maxSlots, (i + 1) * maxSlots),
  );
  const results = await askInParts(parts, ask, signal);
  const counts = parts.map(({ length }) => length);
  return joinParts(method, results, counts);
}
