/**
 * What one server has of blocks whose headers are proven. All of it is kept under the hash or root that it was held against,
 * so it is true whatever anchor led there; how much is kept is bounded in bytes.
 */
import { callL2 } from '../../rpc/caller.js';
import type { Transport } from '../../rpc/index.js';
import { createNodeClient, toAskNode } from '../../rpc/nodeClient.js';
import { openBodies } from './bodies.js';
import { openHeaders } from './headers.js';
import type { AskServer } from './server.js';

/** Opens what a server has. Nothing is sent yet. */
export function openArchive(l2: Transport) {
  const node: AskServer = (signal) =>
    createNodeClient(
      toAskNode((method, params, maxBytes) => callL2(l2, method, params, signal, { maxBytes })),
    );
  return { node, ...openHeaders(node), ...openBodies(node) };
}

export type Archive = ReturnType<typeof openArchive>;
