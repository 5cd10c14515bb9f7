/** What nodes say that do not tell which block is final. */
import { RpcError } from '../../src/rpc/index.js';

export const refusal = (serverCode: number) => (): never => {
  const text = 'finalized block not found';
  throw new RpcError('SERVER_ERROR', 'eth_getBlockByNumber', text, { serverCode });
};

export const status = (code: number) => (): never => {
  throw new RpcError('HTTP_STATUS', 'eth_getBlockByNumber', 'no', { status: code });
};

/** A node that fails, which says nothing of what it knows. */
export const failures: readonly (readonly [string, () => unknown])[] = [
  ['is asked too often', refusal(-32005)],
  ['is away', status(503)],
  ['refuses the key', status(401)],
];
