/**
 * More requests on a connection than wait in its line. Node reads all of a piece of input at once, some thousand requests:
 * that takes tens of ms and MiBs before the first has its turn, and costs their client nothing. At a request that is to
 * change the protocol, though, Node's parser stops and hands over what has come behind it. So the first request beyond a
 * full line counts as one. It is read again, with all behind it, once those in line have been answered.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The class of a server's requests. @param isTooMany counts one more on a connection, and says whether it is too many */
export const stoppable = (
  base: typeof IncomingMessage,
  isTooMany: (socket: Socket) => boolean,
): typeof IncomingMessage =>
  class extends base {
    /** Found once: Node asks more than once. */
    #stops: boolean | undefined;

    get upgrade(): boolean {
      this.#stops ??= this.method === 'CONNECT' || isTooMany(this.socket);
      return this.#stops;
    }

    /** Nothing is upgraded here, whatever a request asks for. */
    set upgrade(_: unknown) {}
  };

/** A request as it came, up to its body. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let i = 0; i < rawHeaders.length; i += 2)
    text += `${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`;
  return Buffer.from(`${text}\r\n`, 'latin1');
}

/** A connection on which nothing is read. */
export interface PausedConnection {
  /** Has it read on. */
  release(): void;
}

/**
 * Holds a connection whose parser has stopped. Node has taken its listeners off, and so has to do without what they did.
 *
 * @param incoming the request at which it stopped
 * @param rest what has come behind its headers
 * @param onDrain called when the client has taken some of an answer
 */
export function hold(
  server: Server,
  socket: Socket,
  { incoming, rest, onDrain }: { incoming: IncomingMessage; rest: Buffer; onDrain: () => void },
): PausedConnection {
  const bytes = Buffer.concat([headOf(incoming), rest]);
  const destroy = () => void socket.destroy();
  const listeners = { error: destroy, timeout: destroy, drain: onDrain };
  for (const [name, listener] of Object.entries(listeners)) socket.on(name, listener);
  return {
    release() {
      if (!socket.writable) return;
      for (const [name, listener] of Object.entries(listeners)) socket.off(name, listener);
      socket.unshift(bytes);
      server.emit('connection', socket);
      socket.resume();
    },
  };
}
