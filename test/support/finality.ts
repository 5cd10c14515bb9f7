/** What nodes say that do not tell which block is final. */
import { RpcError } from '../../src/rpc/index.js';

export const refusal = (serverCode: number) => (): never => {
  const text = 'finalized block not found';
  throw new RpcError('SERVER_ERROR', 'eth_getBlockByNumber', text, { serverCode });
};

export const status = (code: number) => (): never => {
  throw new RpcError('HTTP_STATUS', 'eth_getBlockByNumber', 'no', { status: code });
};
