/**
 * One writer at a time, elected by a row with a lease: a number, its owner, and the time until which
 * it holds, by the server's clock. The owner renews it while its process runs. A process that was
 * killed, or is stopped, renews nothing, and once its lease has run out the next writer takes its
 * place under another number. Each batch asks for its writer's number and for a lease that holds, in
 * the transaction that writes it (see writer.ts), so that one which wakes up late writes nothing.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type StoreWriter, TreeError } from '../tree/index.js';
import type { StoreConnections } from './connections.js';
import { leaseLostError } from './errors.js';

/** Seconds that a lease holds. */
export const leaseSeconds = 30;

/** Ms between two renewals. */
const renewTime = 5000;

/** Ms between two looks at another writer's lease. */
const lookTime = 500;

/** The end of a lease that is taken or renewed now, in SQL. */
export const leaseEnd: string = `now() + interval '${leaseSeconds} seconds'`;

/** The content of a settled lease. */
interface Settled {
  /** The last batch of this writer that took effect; 0: none. */
  readonly batch: number;
}

/** Names this process to people, and apart from all others. */
function nameOwner(): string {
  const [token = 0] = crypto.getRandomValues(new Uint32Array(1));
  const since = new Date().toISOString();
  return `process ${process.pid} on ${hostname()} (${token.toString(16)}, since ${since})`;
}

/** The parts of such a name. Releases before 0.2 did not say since when. */
const ownerForm = /^(process (\d+) on .*) \([0-9a-f]+(?:, since ([^()]+))?\)$/;

/** The last writer that a schema names; undefined before the first. @throws any error of pg */
export async function findPostgresWriter(
  connections: StoreConnections,
  schema: string,
): Promise<StoreWriter | undefined> {
  const [row] = await connections.run(`SELECT owner, until >= now() FROM ${schema}.writer`);
  const owner = row?.[0];
  if (!owner) return undefined;
  const [, name = owner, pid, since] = ownerForm.exec(owner) ?? [];
  return {
    name,
    pid: pid === undefined ? undefined : Number(pid),
    since: since === undefined ? undefined : Date.parse(since),
    state: row?.[1] === 't' ? 'running' : 'ended',
  };
}

/** The right to write. */
export class Lease {
  readonly #connections: StoreConnections;
  readonly #table: string;
  readonly #owner = nameOwner();
  #number = '0';
  #timer: NodeJS.Timeout | undefined;
  readonly #loss = new AbortController();

  private constructor(connections: StoreConnections, schema: string) {
    this.#connections = connections;
    this.#table = `${schema}.writer`;
  }

  /**
   * Takes the lease, once another writer's has run out. Whether that one still runs is seen from its renewals.
   *
   * @throws TreeError `OTHER_WRITER`; any error of pg
   */
  static async take(connections: StoreConnections, schema: string): Promise<Lease> {
    const lease = new Lease(connections, schema);
    const first = await lease.#look();
    const patience = Date.now() + 1000 * leaseSeconds + 2 * renewTime;
    while (!(await lease.#claim())) {
      const seen = await lease.#look();
      if (seen.until !== first.until || Date.now() > patience) {
        throw new TreeError('OTHER_WRITER', `${seen.owner} has the store open to write to it`);
      }
      await sleep(lookTime);
    }
    lease.#timer = setInterval(() => void lease.#renew(), renewTime);
    lease.#timer.unref();
    return lease;
  }

  /** Number that the batches of this writer ask for. */
  get number(): string {
    return this.#number;
  }

  /** Resolves with TreeError `OTHER_WRITER` once it is known to be lost. */
  readonly lost: Promise<Error> = new Promise((resolve) => {
    const { signal } = this.#loss;
    signal.addEventListener('abort', () => resolve(signal.reason));
  });

  /** @throws TreeError `OTHER_WRITER` once it is known to be lost */
  check(): void {
    this.#loss.signal.throwIfAborted();
  }

  /** Says that it is lost. */
  lose(): TreeError {
    clearInterval(this.#timer);
    const error = leaseLostError();
    this.#loss.abort(error);
    return error;
  }

  /**
   * Takes another number, so that no batch under way takes effect any more, and tells which did.
   *
   * @throws TreeError `OTHER_WRITER`; any error of pg
   */
  async settle(): Promise<Settled> {
    const [row] = await this.#connections.run(
      `UPDATE ${this.#table} SET number = number + 1, until = ${leaseEnd}
        WHERE id = 1 AND owner = $1 AND until >= now() RETURNING number, batch`,
      [this.#owner],
    );
    if (row === undefined) throw this.lose();
    this.#number = row[0] as string;
    return { batch: Number(row[1]) };
  }

  /** Leaves the store to the next writer. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#loss.signal.aborted) return;
    await this.#connections.run(
      `UPDATE ${this.#table} SET until = now() - interval '1 second' WHERE id = 1 AND owner = $1`,
      [this.#owner],
    );
  }

  async #look(): Promise<{ owner: string | null | undefined; until: string | null | undefined }> {
    const [row = []] = await this.#connections.run(`SELECT owner, until FROM ${this.#table}`);
    return { owner: row[0], until: row[1] };
  }

  /** @returns false while the row is another writer's, or locked by one */
  async #claim(): Promise<boolean> {
    const [row] = await this.#connections.run(
      `UPDATE ${this.#table} SET number = number + 1, owner = $1, until = ${leaseEnd}, batch = 0
        WHERE id IN (SELECT id FROM ${this.#table} WHERE until < now() FOR UPDATE SKIP LOCKED)
        RETURNING number`,
      [this.#owner],
    );
    if (row === undefined) return false;
    this.#number = row[0] as string;
    return true;
  }

  async #renew(): Promise<void> {
    try {
      const rows = await this.#connections.run(
        `UPDATE ${this.#table} SET until = ${leaseEnd}
          WHERE id = 1 AND owner = $1 AND until >= now() RETURNING id`,
        [this.#owner],
      );
      if (rows.length === 0) this.lose();
    } catch {
      // The next renewal is in time, or the lease runs out.
    }
  }
}
