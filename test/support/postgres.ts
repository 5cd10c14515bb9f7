/** A real PostgreSQL of our own: on a free port of the loopback, in a folder that is gone afterwards. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { until } from './until.js';

export interface Postgres {
  readonly port: number;
  readonly folder: string;
  /** Its URL, of a user who may do anything. */
  readonly url: string;
  /** Process id of the one that starts all others. */
  process(): number;
  /** Starts it again. */
  start(): Promise<void>;
  /** Ends it. @param signal SIGINT: connections are cut; SIGQUIT: as if the machine had stopped */
  end(signal?: 'SIGINT' | 'SIGQUIT'): Promise<void>;
  /** Ends it and removes its folder. */
  close(): Promise<void>;
}

/** Where Debian keeps the programs, newest first, and where others say that they do. */
function* programFolders(): Generator<string> {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian)
    ? readdirSync(debian)
        .map(Number)
        .sort((a, b) => b - a)
    : [];
  for (const version of versions) yield join(debian, String(version), 'bin');
  try {
    yield execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  } catch {
    // Not installed.
  }
}

/** @throws Error that says how to install it */
function programs(): string {
  for (const folder of programFolders()) if (existsSync(join(folder, 'initdb'))) return folder;
  throw new Error(
    'these tests need PostgreSQL; run: apt-get update && apt-get install -y postgresql',
  );
}

/** It refuses root: then it runs as the user that its package has made. */
export function asUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Whether a server answers. */
export async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/**
 * @param settings as postgresql.conf has them, `name=value`
 * @param primary URL of the server that it is a streaming replica of; default: it is one of its own
 */
export async function startPostgres(
  settings: readonly string[] = [],
  primary?: string,
): Promise<Postgres> {
  const bin = programs();
  const user = asUser();
  const folder = mkdtempSync(join(tmpdir(), 'l2proof-postgres-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const [maker, ...options] =
    primary === undefined
      ? ['initdb', '-U', 'l2proof', '--auth=trust', '-E', 'UTF8', '--no-locale', '-N']
      : ['pg_basebackup', '-d', primary, '-R', '-c', 'fast', '-X', 'stream', '-N'];
  execFileSync(join(bin, maker as string), ['-D', data, ...options], {
    ...user,
    cwd: folder,
    stdio: 'pipe',
  });
  const port = await freePort();
  const url = `postgres://l2proof@127.0.0.1:${port}/postgres`;
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const args = ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])];
  let child: ReturnType<typeof spawn> | undefined;
  let said = '';
  const server: Postgres = {
    port,
    folder,
    url,
    process: () => child?.pid as number,
    async start() {
      const started = spawn(join(bin, 'postgres'), args, { ...user, cwd: folder });
      child = started;
      started.stderr.on('data', (text) => {
        said = `${said}${text}`.slice(-4000);
      });
      await until(async () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL ended: ${said}`);
        return answers(url);
      }, 'PostgreSQL answers');
    },
    async end(signal = 'SIGINT') {
      if (!child || child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
    async close() {
      await server.end('SIGQUIT');
      rmSync(folder, { recursive: true, maxRetries: 10 });
    },
  };
  await server.start();
  return server;
}
