/** Connections that are taken from a pool of the caller, and given back to it. */
import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { StoreConnections } from '../../../src/postgres/connections.js';
import { type PostgresOptions, postgresStore } from '../../../src/postgres/index.js';

/** A client of `pg` that answers each statement with its text, or with an error of the server or of its own. */
class Client extends EventEmitter {
  released: (boolean | undefined)[] = [];

  query(
    { text }: { text: string },
    callback: (error: Error | null, result?: object) => void,
  ): void {
    if (text === 'fail')
      callback(Object.assign(new Error('it fails'), { code: '22012', severity: 'ERROR' }));
    else if (text === 'hang') callback(new Error('Query read timeout'));
    else callback(null, { command: 'SELECT', rowCount: 1, rows: [[text]] });
  }

  release(destroy?: boolean): void {
    this.released.push(destroy);
  }
}

class Pool extends EventEmitter {
  readonly client = new Client();

  async connect() {
    return this.client;
  }
}

async function opened() {
  const pool = new Pool();
  return { pool, connections: await StoreConnections.open(pool as never) };
}

describe('a connection', () => {
  test('is given back after its statement, also if that fails', async () => {
    const { pool, connections } = await opened();
    expect(await connections.run('one')).toEqual([['one']]);
    await expect(connections.run('fail')).rejects.toThrow('it fails');
    expect(pool.client.released).toEqual([false, false]);
    expect(pool.client.listenerCount('error')).toBe(0);
  });

  test('on which a statement was not answered is closed', async () => {
    const { pool, connections } = await opened();
    await expect(connections.run('hang')).rejects.toThrow('Query read timeout');
    expect(pool.client.released).toEqual([true]);
  });

  test('that was lost, or may be in a transaction, is closed', async () => {
    const { pool, connections } = await opened();
    const lost = await connections.take();
    pool.client.emit('error', new Error('gone'));
    lost.release(true);
    const open = await connections.take();
    open.release(false);
    expect(pool.client.released).toEqual([true, true]);
  });
});

test('the pool of the caller stays open, and is let go of', async () => {
  const { pool, connections } = await opened();
  // An idle connection that is lost ends nothing.
  pool.emit('error', new Error('gone'));
  await connections.close();
  await connections.close();
  expect(pool.listenerCount('error')).toBe(0);
  await expect(connections.run('one')).rejects.toMatchObject({ code: 'CLOSED' });
});

test.each([
  [{}, TypeError, /either "connectionString" or "pool"/],
  [{ connectionString: 'postgres://a@b/c', pool: new Pool() }, TypeError, /either/],
  [{ connectionString: 'postgres://a@b/c', schema: 'a; DROP' }, RangeError, /"schema" expected/],
  [{ connectionString: 'mysql://user:hunter2@host/db' }, RangeError, /expected postgres:/],
  [{ connectionString: 'postgres://user:hunter2@[x/db' }, RangeError, /expected postgres:/],
] as const)('options %j are refused, without the password', async (options, type, text) => {
  const error = await postgresStore(options as PostgresOptions).then(
    () => expect.fail('expected an error'),
    (cause) => cause,
  );
  expect(error).toBeInstanceOf(type);
  expect(error.message).toMatch(text);
  expect(error.message).not.toContain('hunter2');
});
