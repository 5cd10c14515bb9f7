/** What a service with an L2 node answers about blocks: what a client of history asks, in few requests. */
import type { Transport } from '../../rpc/index.js';
import type { Method } from '../jsonrpc/method.js';
import { headersMethod } from './headers.js';
import { createBlockNode } from './node.js';
import { passedMethods } from './passed.js';

export function createBlockMethods(l2: Transport): Method[] {
  const node = createBlockNode(l2);
  return [headersMethod(node), ...passedMethods(node)] as Method[];
}
