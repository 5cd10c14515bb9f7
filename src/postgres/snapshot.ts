/** The store as it was at one moment: a transaction that begins with the first read. */
import { type ReadAnswer, type ReadRequest, type StoreSnapshot, TreeError } from '../tree/index.js';
import type { Connections, Session } from './connections.js';
import { idleConnections, isPassing, readError } from './errors.js';
import type { Reader } from './reader.js';

/** A connection in a transaction, and the server's answer to its beginning. */
interface Begun {
  readonly session: Session;
  readonly answer: Promise<unknown>;
}

/** Begins a transaction without waiting for the answer: the first read goes along. */
async function begin(connections: Connections): Promise<Begun> {
  const session = await connections.take();
  session.hold();
  const answer = session.run(
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${connections.settings}`,
  );
  // The reads wait for it, and fail with it.
  answer.catch(() => {});
  return { session, answer };
}

/**
 * Ends a transaction. The answer is not awaited: the next user of the connection is served behind
 * it, and a lost connection leaves the pool.
 */
function end(session: Session): void {
  session.run('COMMIT').catch(() => {});
  session.release(true);
}

/** Opens a snapshot, which takes a connection from its first read on. @throws TreeError `CLOSED` */
export function openSnapshot(connections: Connections, reader: Reader): StoreSnapshot {
  connections.checkOpen();
  let begun: Promise<Begun> | undefined;
  let hasRead = false;
  let hasFailed = false;
  let isReleased = false;

  async function readIn({ session, answer }: Begun, request: ReadRequest): Promise<ReadAnswer> {
    const reading = reader.read(session, request);
    session.flush();
    // If it did not begin, what was read is of no one moment.
    const [result] = await Promise.all([reading, answer]);
    hasRead = true;
    return result;
  }

  /**
   * Reads, and begins again on another connection if one was lost before anything was read of its moment.
   *
   * @param tries how often it may begin again
   * @throws what pg throws
   */
  async function tryRead(request: ReadRequest, tries: number): Promise<ReadAnswer> {
    begun ??= begin(connections);
    const own = begun;
    try {
      return await readIn(await own, request);
    } catch (cause) {
      if (tries === 0 || isReleased || !isPassing(cause)) throw cause;
      // Of several reads at once, the first one to fail begins again for all.
      if (begun === own) {
        if (hasRead) throw cause;
        begun = undefined;
        own.then(({ session }) => session.release(false)).catch(() => {});
      }
    }
    return tryRead(request, tries - 1);
  }

  return {
    read: async (request) => {
      connections.checkOpen();
      if (isReleased) throw new TreeError('CLOSED', 'the snapshot was released');
      try {
        return await tryRead(request, idleConnections);
      } catch (cause) {
        hasFailed = true;
        throw readError(cause);
      }
    },
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      // A connection that never came has told the reader.
      const open = await begun?.catch(() => undefined);
      if (open === undefined) return;
      if (hasFailed) open.session.release(false);
      else end(open.session);
    },
  };
}
