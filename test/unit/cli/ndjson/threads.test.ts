/** Threads of `l2proof verify --ndjson`, with files that are no worker of ours. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { openThreads } from '../../../../src/cli/ndjson/threads.js';
import { newFolder } from '../../../support/folder.js';

const folder = newFolder();

function threadsOf(name: string, program: string, count = 1) {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, `import { parentPort } from 'node:worker_threads';\n${program}`);
  return openThreads(pathToFileURL(file), count);
}

const job = (first: number) =>
  ({ batch: { first, bytes: new Uint8Array([first]) }, json: false }) as const;

test.each<[string, string, RegExp]>([
  ['ends', "parentPort.on('message', () => process.exit(7));", /it ended with 7/],
  ['throws', "parentPort.on('message', () => { throw new Error('broken'); });", /broken/],
  ['cannot be loaded', "import 'nowhere-at-all';", /nowhere-at-all/],
])('a thread that %s fails all that waits for it', async (name, program, reason) => {
  const threads = threadsOf(name.replaceAll(' ', '-'), program);
  const results = await Promise.allSettled([threads.run(job(1)), threads.run(job(2))]);
  for (const result of results) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'WORKER_DIED' } });
    expect((result as PromiseRejectedResult).reason.message).toMatch(reason);
  }
  await threads.close();
});

test('answers come to whoever asked, and bytes are handed over', async () => {
  const answer =
    'const { batch } = job; parentPort.postMessage({ last: batch.first + batch.bytes[0] });';
  const threads = threadsOf('echo', `parentPort.on('message', (job) => { ${answer} });`, 2);
  expect(threads.room).toBe(4);
  const jobs = [1, 2, 3, 4, 5].map(job);
  const results = await Promise.all(jobs.map((one) => threads.run(one)));
  expect(results.map(({ last }) => last)).toEqual([2, 4, 6, 8, 10]);
  for (const { batch } of jobs) expect(batch.bytes.length).toBe(0);
  await threads.close();
});
