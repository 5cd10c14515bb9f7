/** The store as it was at one moment: a transaction that begins with the first read. */
import { type ReadAnswer, type ReadRequest, type StoreSnapshot, TreeError } from '../tree/index.js';
import type { Connections, Session } from './connections.js';
import { isIdleLoss, readError } from './errors.js';
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

  async function tryRead(request: ReadRequest): Promise<ReadAnswer> {
    begun ??= begin(connections);
    const { session, answer } = await begun;
    const reading = reader.read(session, request);
    session.flush();
    // If it did not begin, what was read is of no one moment.
    const [result] = await Promise.all([reading, answer]);
    hasRead = true;
    return result;
  }

  /** Begins once more if the connection was lost before it was of any moment. @throws what pg throws */
  async function beginAgain(request: ReadRequest, cause: unknown): Promise<ReadAnswer> {
    if (hasRead || !isIdleLoss(cause)) throw cause;
    const lost = await begun?.catch(() => undefined);
    lost?.session.release(false);
    begun = undefined;
    return tryRead(request);
  }

  return {
    read: async (request) => {
      connections.checkOpen();
      if (isReleased) throw new TreeError('CLOSED', 'the snapshot was released');
      try {
        return await tryRead(request).catch((cause) => beginAgain(request, cause));
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
