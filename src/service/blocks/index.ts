/** What a service with an L2 node answers about blocks: what a client of history asks, in few requests. */
import type { Transport } from '../../rpc/index.js';
import type { Method } from '../jsonrpc/method.js';
import type { ServiceLimits } from '../limits/limits.js';
import { headersMethod } from './headers.js';
import { createBlockNode } from './node.js';
import { passedMethods } from './passed.js';
import { trieProofMethod } from './trieProof.js';

/** @param limits most storage keys of a call */
export function createBlockMethods(
  l2: Transport,
  { storageKeys }: Pick<ServiceLimits, 'storageKeys'>,
): Method[] {
  const node = createBlockNode(l2);
  const proofs = trieProofMethod(node, storageKeys);
  return [headersMethod(node), proofs, ...passedMethods(node)] as Method[];
}
