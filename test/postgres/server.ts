/** The server that the tests of this folder share: Vitest starts it before the first and ends it after the last. */
import { chmodSync } from 'node:fs';
import { startPostgres } from '../support/postgres.js';

export async function setup(): Promise<() => Promise<void>> {
  // PostgreSQL, which runs as another user than root, must come through the folder of this run.
  chmodSync(process.env.TMPDIR as string, 0o711);
  // What is tested here is what a process finds that comes after another: the machine goes on.
  const server = await startPostgres(['fsync=off', 'max_connections=200']);
  process.env.L2PROOF_TEST_POSTGRES = server.url;
  return () => server.close();
}
