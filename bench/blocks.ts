/**
 * `npm run bench -- blocks`: blocks of 100 and of 1,000 changes (Poseidon2, uniform, a tenth new accounts) on a state of
 * 10^6 accounts that was loaded into LMDB, each applied and finalized in one write: processor time beside what its
 * hashes alone take, one at a time, and bytes handed to the system. `--accounts N` takes another state,
 * `--blocks N` another count, `--folder PATH` another disk.
 */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import { runChild } from './child.js';
import { digits, time } from './report.js';

/** Means of the blocks of one size; times in microseconds. */
interface Report {
  size: number;
  time: number;
  hashing: number;
  bytes: number;
  /** Of the block that wrote most: it found the store's log full. */
  most: number;
}

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000000' },
    blocks: { type: 'string', default: '64' },
    folder: { type: 'string', default: tmpdir() },
  },
});

const reports = await runChild<Report[]>(
  'blocksChild.mjs',
  [values.accounts, values.blocks, values.folder, '100,1000'],
  Number(values.accounts),
  ['--max-old-space-size=6144'],
);
for (const { size, time: whole, hashing, bytes, most } of reports) {
  const ratio = digits(whole / hashing);
  console.log(
    `block of ${size}: ${time(whole)}, ${ratio} times its hashing alone (${time(hashing)}); ${digits(bytes / size / 1000)} kB written per changed account; at most ${digits(most / 1e6)} MB by one block`,
  );
}
