/** L1 endpoints: one that answers, or several that must answer the same. */
import { callPatiently } from '../rpc/caller.js';
import { RpcError, type Transport } from '../rpc/index.js';
import type { AskL1 } from './contract.js';
import { AnchorError } from './errors.js';

/** An L1 endpoint, or several as one. */
export interface Endpoint {
  readonly ask: AskL1;
}

/** What servers say if they no longer hold the state of a block, by their kinds. */
const windowMessages: readonly RegExp[] = [
  /distance to target block exceeds maximum proof window/i,
  /missing trie node/i,
  /historical state .*not available/i,
  /state .*(pruned|unavailable|not available)/i,
  /block is too old|old data not available/i,
];

const proofWindow = ({ reason }: RpcError, cause: unknown): AnchorError =>
  new AnchorError(
    'PROOF_WINDOW',
    `the L1 endpoint no longer holds the state of that block, ${reason}; take a newer L1 block, or an archive node`,
    { cause },
  );

/** The same error, which says whose it is. */
function placed(error: unknown, place: number): unknown {
  if (error instanceof AnchorError) {
    const { code, reason, path, cause } = error;
    const options = { cause, ...(path !== undefined && { path }) };
    return new AnchorError(code, `L1 endpoint ${place}: ${reason}`, options);
  }
  if (!(error instanceof RpcError)) return error;
  const { code, method, reason, status, serverCode, serverMessage, retryAfter } = error;
  const details = { status, serverCode, serverMessage, retryAfter };
  return new RpcError(code, method, `L1 endpoint ${place}: ${reason}`, details);
}

/**
 * @param place among several, from 1, for messages; undefined if there is no other
 * @returns an endpoint that throws RpcError, AnchorError `PROOF_WINDOW`, what reading throws, or the signal's reason
 */
export function openEndpoint(
  transport: Transport,
  place: number | undefined,
  signal: AbortSignal | undefined,
): Endpoint {
  async function call(method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await callPatiently(transport, method, params, signal);
    } catch (error) {
      const { serverMessage = '' } = error instanceof RpcError ? error : {};
      const isPast = windowMessages.some((form) => form.test(serverMessage));
      throw isPast ? proofWindow(error as RpcError, error) : error;
    }
  }
  return {
    async ask(method, params, read) {
      try {
        return read(await call(method, params));
      } catch (error) {
        throw place === undefined ? error : placed(error, place);
      }
    },
  };
}

/** What two answers that are the same have in common. */
const keyOf = (answer: unknown): string =>
  JSON.stringify([answer], (_, value) => (typeof value === 'bigint' ? String(value) : value));

/**
 * The one answer that all give.
 *
 * @param subject what was asked, for the message
 * @throws AnchorError `DISAGREEMENT`, which names an endpoint that differs from most, or from the first
 */
export function agree<T>(answers: readonly T[], subject: string): T {
  const keys = answers.map(keyOf);
  const count = (key: string) => keys.filter((other) => other === key).length;
  // On a draw the first one counts: nobody can tell who is right, and the message says who differs from whom.
  const most = keys.reduce((best, key) => (count(key) > count(best) ? key : best));
  const other = keys.findIndex((key) => key !== most);
  if (other < 0) return answers[0] as T;
  const place = keys.indexOf(most);
  throw new AnchorError(
    'DISAGREEMENT',
    `L1 endpoint ${other + 1} answers another ${subject} than L1 endpoint ${place + 1}; do not use either until you know which is wrong`,
  );
}

/** Several endpoints as one: each is asked, and all must answer the same. */
export function quorumOf(endpoints: readonly Endpoint[]): Endpoint {
  if (endpoints.length === 1) return endpoints[0] as Endpoint;
  return {
    async ask(method, params, read) {
      const answers = endpoints.map((endpoint) => endpoint.ask(method, params, read));
      return agree(await Promise.all(answers), `result of ${method}`);
    },
  };
}
