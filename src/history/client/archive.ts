/**
 * What one server has of blocks whose headers are proven. All of it is kept under the hash or root that it was held against,
 * so it is true whatever anchor led there; how much is kept is bounded in bytes.
 */
import type { Transport } from '../../rpc/index.js';
import { openBodies } from './bodies.js';
import { openHeaders } from './headers.js';
import { openHistoryServer } from './server.js';

/** Opens what a server has. Nothing is sent yet. */
export function openArchive(l2: Transport) {
  const server = openHistoryServer(l2);
  return { node: server.ask, ...openHeaders(server), ...openBodies(server) };
}

export type Archive = ReturnType<typeof openArchive>;
