/** Questions that a node answers but refuses. */
import type { RpcError } from '../../rpc/index.js';
import { FollowError } from './errors.js';

/** Whether the node answers but refuses the question; false if the node is away. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof FollowError)) return false;
  if (error.code !== 'NODE_FAILED') return error.code === 'BAD_ANSWER';
  const { code, status = 0 } = error.cause as RpcError;
  return code === 'SERVER_ERROR' || (code === 'HTTP_STATUS' && status < 500);
}

/** @returns undefined if the node refuses the question @throws any error of asking otherwise */
export async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return undefined;
  }
}
