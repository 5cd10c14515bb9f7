/**
 * The connections of a server. If there are more than it takes, the one whose client has kept it waiting longest makes
 * way for a new one. Otherwise an attacker without a key could open enough of them to lock all clients out.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { createPipeline, type OpenRequest, type Pipeline, type Respond } from './pipeline.js';

interface ConnectionLimits {
  /** Most connections. */
  readonly most: number;
  /** Most of one address; `Infinity` for no bound. */
  readonly mostOfAddress: number;
}

export interface Connections {
  readonly count: number;
  /** How many there have been. */
  readonly taken: number;
  /** Counts a request on a connection. @returns whether it is one too many */
  isTooMany(socket: Socket): boolean;
  /** Ends all. */
  destroy(): void;
  /** Resolves as soon as no connection is open. */
  whenNone(): Promise<void>;
}

interface Connection {
  readonly address: string;
  readonly line: Pipeline;
}

/** Whether a request waits for its client, to send the rest or to take the answer. */
const waitsForClient = ({ incoming, outgoing }: OpenRequest) =>
  !incoming.complete || outgoing.headersSent;

/** Holds a server to limits, from its next connection on. @param answer begins the answer to a request */
export function limitConnections(
  server: Server,
  limits: ConnectionLimits,
  answer: Respond,
): Connections {
  const connections = new Map<Socket, Connection>();
  /** Connections without a request, the longest so first. A request counts once its headers have come in whole. */
  const idle = new Set<Socket>();
  /** Connections with requests under way, the longest so first. */
  const busy = new Set<Socket>();
  const countOf = new Map<string, number>();
  const waiting = new Set<() => void>();
  let taken = 0;

  function forget(socket: Socket): void {
    const connection = connections.get(socket);
    if (!connection) return;
    const { address } = connection;
    for (const each of [connections, idle, busy]) each.delete(socket);
    const left = (countOf.get(address) ?? 0) - 1;
    if (left > 0) countOf.set(address, left);
    else countOf.delete(address);
    if (connections.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  }

  /** The connection to close: one that is idle, or else one that has to go on with a request. */
  function choose(address: string | undefined): Socket | undefined {
    const fits = (socket: Socket) =>
      address === undefined || connections.get(socket)?.address === address;
    for (const socket of idle) if (fits(socket)) return socket;
    for (const socket of busy) {
      const first = connections.get(socket)?.line.first();
      if (first && waitsForClient(first) && fits(socket)) return socket;
    }
    return undefined;
  }

  /** @returns whether there is room for one more connection of an address */
  function makeRoom(address: string): boolean {
    const isTooMany = (countOf.get(address) ?? 0) >= limits.mostOfAddress;
    if (!isTooMany && connections.size < limits.most) return true;
    const socket = choose(isTooMany ? address : undefined);
    if (socket === undefined) return false;
    forget(socket);
    socket.destroy();
    return true;
  }

  server.on('connection', (socket: Socket) => {
    // One that reads on.
    if (connections.has(socket)) return;
    const address = socket.remoteAddress ?? '';
    taken += 1;
    if (!makeRoom(address)) {
      socket.destroy();
      return;
    }
    connections.set(socket, { address, line: createPipeline(socket, answer) });
    idle.add(socket);
    countOf.set(address, (countOf.get(address) ?? 0) + 1);
    socket.once('close', () => forget(socket));
  });

  server.on('request', (incoming, outgoing) => {
    const { socket } = incoming;
    const connection = connections.get(socket);
    if (!connection) return;
    idle.delete(socket);
    busy.add(socket);
    connection.line.take({ incoming, outgoing }, () => {
      if (!connections.has(socket)) return;
      busy.delete(socket);
      idle.add(socket);
    });
  });

  server.on('upgrade', (incoming, socket: Socket, rest) => {
    connections.get(socket)?.line.hold(server, incoming, rest);
  });

  return {
    get count() {
      return connections.size;
    },
    get taken() {
      return taken;
    },
    isTooMany: (socket) => connections.get(socket)?.line.isTooMany() === true,
    destroy: () => connections.forEach((_, socket) => void socket.destroy()),
    whenNone: () =>
      new Promise((resolve) => {
        if (connections.size === 0) resolve();
        else waiting.add(resolve);
      }),
  };
}
