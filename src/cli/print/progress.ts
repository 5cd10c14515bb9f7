/** How far a command has come, on stderr: a bar on a terminal; anywhere else, lines of a long run of blocks. */
import { loadPeer } from '../../peer.js';
import type { BulkProgress } from '../../tree/index.js';
import { partOf } from '../exit/needs.js';

/** Shows how far a stream has come. */
interface Progress {
  /** @param bytes read so far @param lines answered so far @param note on what is being done now */
  update(bytes: number, lines: number, note?: string): void;
  stop(): void;
}

const silent = { update: () => {}, stop: () => {} };

/** Shows how far a run of blocks has come. */
interface BlockProgress {
  update(block: number, head: number): void;
  stop(): void;
}

const progressBar = partOf('the progress bar', 'cli-progress');

/** @throws CliError with the install line if the package is missing */
async function createBar(format: string) {
  const { default: progress } = await loadPeer(progressBar, 'cli-progress', import('cli-progress'));
  return new progress.SingleBar({ format, stream: process.stderr, hideCursor: true });
}

/**
 * Starts a bar on stderr if that is a terminal.
 *
 * @param totalBytes of the input, or undefined if its end is not known
 * @throws CliError with the install line if the package for it is missing
 */
export async function startProgress(totalBytes: number | undefined): Promise<Progress> {
  if (!process.stderr.isTTY) return silent;
  const lines = '{lines} lines{note}';
  const format = totalBytes === undefined ? lines : `{bar} {percentage}% ${lines}`;
  const bar = await createBar(format);
  bar.start(totalBytes ?? 0, 0, { lines: 0, note: '' });
  return {
    update: (bytes, lines, note = '') => bar.update(bytes, { lines, note }),
    stop: () => bar.stop(),
  };
}

/** Shows which part of some work is done. */
interface ShareProgress {
  /** @param share from 0 to 1 */
  update(share: number): void;
  stop(): void;
}

/**
 * Starts a bar on stderr if that is a terminal.
 *
 * @throws CliError with the install line if the package for it is missing
 */
export async function startShareProgress(): Promise<ShareProgress> {
  if (!process.stderr.isTTY) return silent;
  const bar = await createBar('{bar} {percentage}%');
  bar.start(100, 0);
  return { update: (share) => bar.update(100 * share), stop: () => bar.stop() };
}

/** Ms between two lines. */
const lineInterval = 10_000;

/** Lines, for a log: the first block, one in {@link lineInterval} after it, and the last. */
function startBlockLines(): BlockProgress {
  let saidAt = Number.NEGATIVE_INFINITY;
  let waiting: string | undefined;
  const say = () => {
    if (waiting !== undefined) process.stderr.write(waiting);
    waiting = undefined;
    saidAt = performance.now();
  };
  return {
    update(block, head) {
      waiting = `block ${block} of ${head}\n`;
      if (performance.now() - saidAt >= lineInterval) say();
    },
    stop: say,
  };
}

/**
 * The same for blocks, up to a head that moves; lines if stderr is no terminal.
 *
 * @throws CliError with the install line if the package for the bar is missing
 */
export async function startBlockProgress(): Promise<BlockProgress> {
  if (!process.stderr.isTTY) return startBlockLines();
  const bar = await createBar('{bar} block {value} of {total}');
  bar.start(0, 0);
  return {
    update(block, head) {
      bar.setTotal(head);
      bar.update(block);
    },
    stop: () => bar.stop(),
  };
}

/** Shows how far work in stages has come. */
export interface StageProgress {
  readonly onProgress: (progress: BulkProgress) => void;
  stop(): void;
}

/** @throws CliError with the install line if the package for the bar is missing */
export async function startStageProgress(): Promise<StageProgress> {
  if (!process.stderr.isTTY) return { onProgress: () => {}, stop: () => {} };
  const bar = await createBar('{bar} {percentage}% {stage}');
  bar.start(1, 0, { stage: '' });
  return {
    onProgress({ stage, done, total }) {
      bar.setTotal(total ?? done);
      bar.update(done, { stage });
    },
    stop: () => bar.stop(),
  };
}
