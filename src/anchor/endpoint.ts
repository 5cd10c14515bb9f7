/** L1 endpoints: a single one, or several whose answers must agree. */
import { callPatiently } from '../rpc/caller.js';
import { wordsOf } from '../rpc/errors.js';
import { RpcError, type Transport } from '../rpc/index.js';
import { saysStateLost } from '../rpc/lostState.js';
import { type AskNode, createNodeClient, type NodeClient } from '../rpc/nodeClient.js';
import { AnchorError } from './common/errors.js';

/** An L1 endpoint, or several as one. */
export interface Endpoint extends NodeClient {
  readonly transports: readonly Transport[];
}

/** The same error, which says whose it is. */
function placed(error: unknown, place: number): unknown {
  const isOurs = error instanceof AnchorError || error instanceof RpcError;
  return isOurs ? error.restate(`L1 endpoint ${place}: ${error.reason}`) : error;
}

/**
 * @param place among several, from 1, for messages; undefined if there is no other
 * @returns an endpoint that throws RpcError, AnchorError `PROOF_WINDOW`, any error of reading, or the signal's reason
 */
export function openEndpoint(
  transport: Transport,
  place: number | undefined,
  signal: AbortSignal | undefined,
): Endpoint {
  async function call(
    method: string,
    params: readonly unknown[],
    maxBytes: number | undefined,
  ): Promise<unknown> {
    try {
      return await callPatiently(transport, method, params, signal, { maxBytes });
    } catch (error) {
      if (!(error instanceof RpcError) || !saysStateLost(wordsOf(error))) throw error;
      const text = `L1 state no longer held (${error.reason}); take a newer block, or an archive node`;
      throw new AnchorError('PROOF_WINDOW', text, { cause: error });
    }
  }
  const ask: AskNode = async (method, params, read, maxBytes) => {
    try {
      return read(await call(method, params, maxBytes));
    } catch (error) {
      throw place === undefined ? error : placed(error, place);
    }
  };
  return { ...createNodeClient(ask), transports: [transport] };
}

/** A text that is the same for equal answers. */
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
  // On a draw the first one counts: which endpoint is right cannot be known, and the message names both.
  const most = keys.reduce((best, key) => (count(key) > count(best) ? key : best));
  const other = keys.findIndex((key) => key !== most);
  if (other < 0) return answers[0] as T;
  const place = keys.indexOf(most);
  throw new AnchorError(
    'DISAGREEMENT',
    `L1 endpoint ${other + 1} answers another ${subject} than L1 endpoint ${place + 1}`,
  );
}

/** Several endpoints as one: each is asked, and all answers must agree. */
export function toQuorum(endpoints: readonly Endpoint[]): Endpoint {
  if (endpoints.length === 1) return endpoints[0] as Endpoint;
  const client = createNodeClient(async (method, params, read, maxBytes) => {
    const answers = endpoints.map(({ ask }) => ask(method, params, read, maxBytes));
    return agree(await Promise.all(answers), `result of ${method}`);
  });
  return { ...client, transports: endpoints.flatMap(({ transports }) => transports) };
}
