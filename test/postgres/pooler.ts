/** A real PgBouncer in front of a server: on a free port of the loopback, in a folder of the run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../support/folder.js';
import { answers, asUser, freePort } from '../support/postgres.js';
import { until } from '../support/until.js';

export type PoolMode = 'session' | 'transaction' | 'statement';

export interface Pooler {
  /** The URL of the server, through it. */
  readonly url: string;
  close(): Promise<void>;
}

const program = '/usr/sbin/pgbouncer';

/** @param settings lines of its file */
export async function startPooler(
  url: string,
  mode: PoolMode,
  settings: readonly string[] = [],
): Promise<Pooler> {
  if (!existsSync(program)) {
    throw new Error(
      'these tests need PgBouncer; run: apt-get update && apt-get install -y pgbouncer',
    );
  }
  const server = new URL(url);
  const folder = newFolder();
  const port = await freePort();
  const user = asUser();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users.txt'), `"${server.username}" ""\n`);
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${server.hostname} port=${server.port}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(folder, 'users.txt')}`,
      `pool_mode = ${mode}`,
      // Fewer than the clients: they take turns on the server's connections.
      ...(settings.some((line) => line.startsWith('default_pool_size'))
        ? []
        : ['default_pool_size = 3']),
      ...settings,
      '',
    ].join('\n'),
  );
  chmodSync(folder, 0o755);
  const child = spawn(program, [file], { ...user, cwd: folder });
  let said = '';
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-4000);
  });
  const through = new URL(url);
  through.port = String(port);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
    return answers(through.href);
  }, 'PgBouncer answers');
  return {
    url: through.href,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
