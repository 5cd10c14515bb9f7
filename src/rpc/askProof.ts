/** Asks for the proofs of one account, in as many requests as it takes. */

import type { Hex } from '../bytes.js';
import { isBytes } from '../bytes.js';
import { ownMembers } from '../foreign/argument.js';
import { maxStorageKeys } from '../foreign/limits.js';
import { l2ProofAnswer, trieProofAnswer } from './bounds.js';
import { callL2 } from './caller.js';
import { compactType } from './mediaType.js';
import type { SlotsMember } from './parts.js';
import type { Transport } from './transport.js';

/** Options of {@link createProofClient}. */
export interface ProofClientOptions {
  /** Asks the server. */
  readonly transport: Transport;
  /** Default `l2_getProof`; servers of the public network call it `linea_getProof`. */
  readonly method?: string | undefined;
  /** Most slots in one request, from 1 to 16384; default 200. More are asked for in parts. */
  readonly maxSlots?: number | undefined;
  /**
   * The form to ask for: `json` (default), `compact`, whose bytes are a tenth or less, or `auto`. Under `compact` a
   * long list is one request, and the server's own limit applies; under `auto` it is asked for in parts, as JSON. A
   * server that answers JSON to a request for bytes is not asked for bytes again. `verifyAnswer` of `l2proof/compact`
   * takes either answer.
   */
  readonly form?: ProofForm | undefined;
}

/** In which form a proof is asked for. */
export type ProofForm = 'json' | 'compact' | 'auto';
const forms = ['json', 'compact', 'auto'];

/** Whom to ask, and how. */
export interface ProofServer {
  readonly transport: Transport;
  readonly method: string;
  readonly maxSlots: number;
  readonly form: ProofForm;
  /** What its answers call the slots. */
  readonly slots: SlotsMember;
  /** Whether it is known, or held, to have no bytes. */
  isJsonOnly: boolean;
}

/** A question whose form was checked; hex in lower case. */
interface CheckedQuestion {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
  /** As JSON-RPC takes it. */
  readonly block: string;
}

/** @throws TypeError or RangeError that names the option */
export function checkServer(options: ProofClientOptions): ProofServer {
  const given = ownMembers(options, ['transport', 'method', 'maxSlots', 'form'], 'options');
  const { transport, method = 'l2_getProof', maxSlots = 200, form = 'json' } = given;
  if (typeof transport?.call !== 'function') {
    throw new TypeError('"transport" expected a transport');
  }
  if (typeof method !== 'string' || method === '') throw new TypeError('"method" expected a name');
  if (!Number.isSafeInteger(maxSlots) || maxSlots < 1 || maxSlots > maxStorageKeys) {
    throw new RangeError(`"maxSlots" expected a whole number from 1 to ${maxStorageKeys}`);
  }
  if (!forms.includes(form)) throw new TypeError(`"form" expected ${forms.join(', ')}`);
  const isJsonOnly = form === 'json';
  return { transport, method, maxSlots, form, slots: 'storageProofs', isJsonOnly };
}

/** The same server, asked for proofs of the state under block headers, as every node of a chain gives them. */
export const toTrieServer = ({ transport, maxSlots }: ProofServer): ProofServer => ({
  ...{ transport, maxSlots, method: 'eth_getProof', form: 'json' },
  ...{ slots: 'storageProof', isJsonOnly: true },
});

/** @returns what the server claims @throws RpcError, or the signal's reason */
export async function askProof(
  server: ProofServer,
  { address, storageKeys, block }: CheckedQuestion,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const { transport, method, maxSlots, form, slots, isJsonOnly } = server;
  const longest = slots === 'storageProof' ? trieProofAnswer : l2ProofAnswer;
  const ask = (part: readonly Hex[], partSignal: AbortSignal | undefined, accept?: string) =>
    callL2(transport, method, [address, part, block], partSignal, {
      accept,
      maxBytes: longest(part.length),
    });
  if (form === 'compact' || storageKeys.length <= maxSlots) {
    if (isJsonOnly) return ask(storageKeys, signal);
    const answer = await ask(storageKeys, signal, compactType);
    server.isJsonOnly = !isBytes(answer);
    return answer;
  }
  // Loaded with the first long list: most users never have one.
  const { askLongList } = await import('./parts.js');
  return askLongList({ method, storageKeys, maxSlots, slots }, ask, signal);
}
