/** The log on standard output. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const log = new URL('../../../../src/service/http/log.ts', import.meta.url).href;

/** A process that writes lines while it does something else, and ends. */
const script = `
const { createLog } = await import(${JSON.stringify(log)});
const log = await createLog();
for (let i = 0; i < 20; i++) {
  log.info({ i }, 'request');
  await new Promise((resolve) => setTimeout(resolve, 5));
}
process.exitCode = 7;
`;

test.runIf(process.platform === 'linux')(
  'on a full disk a process goes on without its log, says so once, and ends',
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      {
        stdio: ['ignore', full, 'pipe'],
      },
    );
    closeSync(full);
    const [told, [code]] = await Promise.all([
      text(child.stderr as NodeJS.ReadableStream),
      once(child, 'exit'),
    ]);
    expect(code).toBe(7);
    expect(told.match(/lines of the log are lost: ENOSPC/g)).toHaveLength(1);
  },
  60_000,
);
