/** `eth_chainId`: what a wallet library asks before it asks anything else. */
import { wrongRange } from '../../errors.js';
import { toQuantity } from '../../foreign/values.js';
import { codes, HttpError } from '../http/httpError.js';
import type { Method } from '../jsonrpc/method.js';

/** @throws RangeError */
export function chainIdMethod(chainId: number | bigint): Method {
  const isWhole = typeof chainId === 'bigint' || Number.isSafeInteger(chainId);
  if (!isWhole || chainId < 1 || chainId >= 2n ** 256n) {
    throw wrongRange('chainId', 'expected a whole number from 1');
  }
  const result = toQuantity(chainId);
  return {
    name: 'eth_chainId',
    read(params) {
      if (params === undefined || (Array.isArray(params) && params.length === 0)) return undefined;
      throw new HttpError(codes.invalidParams, 'params expected an empty array');
    },
    cost: () => 1,
    run: async () => ({ result }),
  };
}
