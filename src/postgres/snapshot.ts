/** The store as it was at one moment: a transaction that begins with the first read. */
import { type StoreSnapshot, TreeError } from '../tree/index.js';
import type { Connections, Session } from './connections.js';
import { readError } from './errors.js';
import type { Reader } from './reader.js';

const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

/**
 * Ms for which a transaction that is over stays open: the next one on its connection ends it in the
 * same breath in which it begins, so that its end costs no round trip.
 */
const lingerTime = 10;

/** A connection in a transaction, and the server's answer to its beginning. */
interface Begun {
  readonly session: Session;
  readonly answer: Promise<unknown>;
}

/** A connection whose transaction is over and not ended. */
interface Lingering {
  readonly session: Session;
  readonly timer: NodeJS.Timeout;
}

/** The snapshots of a store. */
export class Snapshots {
  readonly #connections: Connections;
  readonly #reader: Reader;
  readonly #lingering: Lingering[] = [];

  constructor(connections: Connections, reader: Reader) {
    this.#connections = connections;
    this.#reader = reader;
  }

  open(): StoreSnapshot {
    this.#connections.checkOpen();
    let begun: Promise<Begun> | undefined;
    let hasFailed = false;
    let isReleased = false;
    return {
      read: async (request) => {
        this.#connections.checkOpen();
        if (isReleased) throw new TreeError('CLOSED', 'the snapshot was released');
        try {
          begun ??= this.#begin();
          const { session, answer } = await begun;
          const reading = this.#reader.read(session, request);
          session.flush();
          // If it did not begin, what was read is of no one moment.
          const [result] = await Promise.all([reading, answer]);
          return result;
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
        else this.#linger(open.session);
      },
    };
  }

  /** Ends what lingers. */
  close(): void {
    for (const { session, timer } of this.#lingering.splice(0)) {
      clearTimeout(timer);
      this.#end(session);
    }
  }

  /** Begins a transaction without waiting for the answer: the first read goes along. */
  async #begin(): Promise<Begun> {
    const last = this.#lingering.pop();
    clearTimeout(last?.timer);
    const session = last?.session ?? (await this.#connections.take());
    session.hold();
    const answer = session.run(last ? `COMMIT; ${begin}` : begin);
    // The reads wait for it, and fail with it.
    answer.catch(() => {});
    return { session, answer };
  }

  #linger(session: Session): void {
    const timer = setTimeout(() => {
      const index = this.#lingering.findIndex((one) => one.session === session);
      this.#lingering.splice(index, 1);
      this.#end(session);
    }, lingerTime);
    this.#lingering.push({ session, timer });
  }

  /**
   * The answer is not awaited. The next user of the connection is served behind it, and a lost
   * connection leaves the pool.
   */
  #end(session: Session): void {
    session.run('COMMIT').catch(() => {});
    session.release(true);
  }
}
