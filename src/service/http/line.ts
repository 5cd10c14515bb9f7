/**
 * The requests of one connection, in line: each begins when the one before it has been answered. A client may send several
 * before that, and Node would begin all of them at once: a piece of input holds some thousand, and nothing else would have
 * its turn before their end.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { onNextTurn } from '../../concurrent.js';

/** Begins the answer to a request. */
export type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export interface Line {
  /** The request under way; undefined if there is none. */
  first(): Exchange | undefined;
  /** Takes a request. @param onEmpty called when it was the last one, and has ended */
  take(exchange: Exchange, onEmpty: () => void): void;
}

export function createLine(socket: Socket, answer: Answer): Line {
  /** In the order in which they came. */
  const exchanges = new Set<Exchange>();
  const first = (): Exchange | undefined => exchanges.values().next().value;

  /** In a turn of the event loop of its own. */
  function beginNext(): void {
    const next = first();
    if (next === undefined || socket.destroyed) return;
    answer(next.incoming, next.outgoing);
    if (exchanges.size === 1) socket.resume();
  }

  // Nothing more is read while requests wait. Reading the body of the one under way would resume it.
  socket.on('resume', () => {
    if (exchanges.size > 1) socket.pause();
  });

  return {
    first,
    take(exchange, onEmpty) {
      const { incoming, outgoing } = exchange;
      exchanges.add(exchange);
      outgoing.once('close', () => {
        exchanges.delete(exchange);
        if (exchanges.size === 0) onEmpty();
        else onNextTurn(beginNext);
      });
      if (exchanges.size === 1) answer(incoming, outgoing);
      else socket.pause();
    },
  };
}
