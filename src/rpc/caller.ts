/**
 * Calls a server for a user who waits for the answer. A call whose failure may pass is tried again a few times, and
 * failures with different cures have different codes.
 */
import { RpcError, wordsOf } from './errors.js';
import { saysStateLost } from './lostState.js';
import { patientPolicy, retry } from './retry.js';
import type { Transport } from './transport.js';

/** JSON-RPC codes that come with the message of a block that is not held. */
const missingCodes = [-32600, -32602, -32603];

/** JSON-RPC code of a limit: of a rate if it comes with `Retry-After`, else of the question itself. */
const limitExceeded = -32005;

/** The code that says what to do; undefined if the error has it already. */
function codeOf(error: RpcError) {
  const { status, serverCode, retryAfter } = error;
  if (status === 401 || status === 403) return 'UNAUTHORIZED';
  if (status === 429) return 'RATE_LIMITED';
  if (serverCode === limitExceeded && retryAfter !== undefined) return 'RATE_LIMITED';
  const isMissing =
    wordsOf(error).startsWith('BLOCK_MISSING_IN_CHAIN') &&
    missingCodes.includes(serverCode as number) &&
    (status === 200 || status === 400);
  return isMissing ? 'BLOCK_NOT_HELD' : undefined;
}

/** Advice behind the message. */
const advice = {
  UNAUTHORIZED: '; check the key. Real proof servers answer 403 to any Origin',
  RATE_LIMITED: '; ask less often',
  BLOCK_NOT_HELD: '; ask for an older finalized block',
} as const;

/** The error under the code that says what to do. Any other error than an RpcError stays as it is. */
function refine(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  return error.restate(error.reason + advice[code], code);
}

const policy = patientPolicy(RpcError, 3);

/**
 * Calls a method.
 *
 * @param options.accept media type of bytes that are taken beside JSON
 * @param options.maxBytes longest true answer; without it, method and params say it
 * @throws RpcError, the signal's reason, and what a transport of the caller's own throws
 */
export function callPatiently(
  transport: Transport,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal | undefined,
  options: { readonly accept?: string | undefined; readonly maxBytes?: number | undefined } = {},
): Promise<unknown> {
  async function call(): Promise<unknown> {
    signal?.throwIfAborted();
    try {
      return await transport.call(method, params, { signal, ...options });
    } catch (error) {
      signal?.throwIfAborted();
      throw refine(error);
    }
  }
  return retry(call, policy, signal);
}

/**
 * The same of an L2 node: that the state of a block is gone has no code of its own there, so its words decide.
 *
 * @throws as {@link callPatiently}
 */
export async function callL2(...request: Parameters<typeof callPatiently>): Promise<unknown> {
  try {
    return await callPatiently(...request);
  } catch (error) {
    const isServers = error instanceof RpcError && error.code === 'SERVER_ERROR';
    if (!isServers || !saysStateLost(wordsOf(error))) throw error;
    throw error.restate(`${error.reason}; ask for a newer finalized block`, 'BLOCK_NOT_HELD');
  }
}
