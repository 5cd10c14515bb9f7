/**
 * The requests of one connection, in line: each begins when the one before it has been answered. A client may send several
 * before that, and Node would begin all of them at once: a piece of input holds some thousand, and nothing else would have
 * its turn before their end.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onNextTurn } from '../../concurrent.js';
import { hold, type PausedConnection } from './burst.js';

/** Begins the answer to a request. */
export type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

export interface OpenRequest {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Most requests of a connection that have begun or wait. */
const mostRequests = 64;

export interface Pipeline {
  /** Counts a request once it is read, be it taken or not. @returns whether it is one too many */
  isTooMany(): boolean;
  /** The request under way; undefined if there is none. */
  first(): OpenRequest | undefined;
  /** Takes a request. @param onEmpty called when it was the last one, and has ended */
  take(request: OpenRequest, onEmpty: () => void): void;
  /** Reads on once all have been answered. @param incoming did not fit in @param rest what came behind its headers */
  hold(server: Server, incoming: IncomingMessage, rest: Buffer): void;
}

export function createPipeline(socket: Socket, answer: Respond): Pipeline {
  /** In the order in which they came. */
  const requests = new Set<OpenRequest>();
  let held: PausedConnection | undefined;
  /** Some are refused by Node itself, and are never taken. */
  let unanswered = 0;
  const first = (): OpenRequest | undefined => requests.values().next().value;

  /** In a turn of the event loop of its own. */
  function beginNext(): void {
    const next = first();
    if (next === undefined || socket.destroyed) return;
    answer(next.incoming, next.outgoing);
    if (requests.size === 1 && held === undefined) socket.resume();
  }

  function readOn(): void {
    const rest = held;
    [held, unanswered] = [undefined, 0];
    rest?.release();
  }

  // Nothing more is read while requests wait, nor while nobody is there to take it. Reading the body of the one under way would resume it.
  socket.on('resume', () => {
    if (requests.size > 1 || held !== undefined) socket.pause();
  });

  return {
    isTooMany() {
      unanswered += 1;
      return unanswered > mostRequests;
    },
    first,
    take(request, onEmpty) {
      const { incoming, outgoing } = request;
      requests.add(request);
      outgoing.once('close', () => {
        requests.delete(request);
        unanswered -= 1;
        if (requests.size > 0) onNextTurn(beginNext);
        else {
          onEmpty();
          readOn();
        }
      });
      if (requests.size === 1) answer(incoming, outgoing);
      else socket.pause();
    },
    hold(server, incoming, rest) {
      const onDrain = () => void first()?.outgoing.emit('drain');
      held = hold(server, socket, { incoming, rest, onDrain });
      if (requests.size === 0) onNextTurn(readOn);
    },
  };
}
