/** The store as it was at one moment: a transaction that begins with the first read. */
import { type StoreSnapshot, TreeError } from '../tree/index.js';
import type { Connections, Session } from './connections.js';
import { readError } from './errors.js';
import type { Reader } from './reader.js';

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/** A connection, and its answer to the beginning of the transaction. */
interface Begun {
  readonly session: Session;
  readonly answer: Promise<unknown>;
}

/** Takes a connection and begins, without waiting for the answer: the first read goes along. */
async function beginOn(connections: Connections): Promise<Begun> {
  const session = await connections.take();
  const answer = session.run(begin);
  // The reads wait for it, and fail with it.
  answer.catch(() => {});
  return { session, answer };
}

export function openSnapshot(connections: Connections, reader: Reader): StoreSnapshot {
  connections.checkOpen();
  let begun: Promise<Begun> | undefined;
  let isReleased = false;
  return {
    async read(request) {
      connections.checkOpen();
      if (isReleased) throw new TreeError('CLOSED', 'the snapshot was released');
      try {
        begun ??= beginOn(connections);
        const { session, answer } = await begun;
        // If it did not begin, what was read is of no one moment.
        const [result] = await Promise.all([reader.read(session, request), answer]);
        return result;
      } catch (cause) {
        throw readError(cause);
      }
    },
    async release() {
      if (isReleased) return;
      isReleased = true;
      // A connection that was never there has told the reader.
      const open = await begun?.catch(() => undefined);
      if (open === undefined) return;
      // The answer is awaited by nobody: whoever takes the connection next is served behind it, and
      // a connection that is lost leaves the pool by itself.
      open.session.run('COMMIT').catch(() => {});
      open.session.release(true);
    },
  };
}
