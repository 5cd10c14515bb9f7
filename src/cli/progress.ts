/** A progress bar on a terminal, and nothing anywhere else. */
import { loadPeer, type PeerUser } from '../peer.js';
import { CliError, exitCodes } from './exit.js';

/** Shows how far a stream has come. */
export interface Progress {
  /** @param bytes read so far @param lines answered so far */
  update(bytes: number, lines: number): void;
  stop(): void;
}

const silent: Progress = { update: () => {}, stop: () => {} };

/** Shows how far a run of blocks has come. */
export interface BlockProgress {
  update(block: number, head: number): void;
  stop(): void;
}

const progressBar: PeerUser<'cli-progress'> = {
  title: 'the progress bar',
  needs: ['cli-progress'],
  fail: (message, options) => new CliError(exitCodes.usage, message, options),
};

/** @throws CliError with the install line where the package is missing */
async function createBar(format: string) {
  const { default: progress } = await loadPeer(progressBar, 'cli-progress', import('cli-progress'));
  return new progress.SingleBar({ format, stream: process.stderr, hideCursor: true });
}

/**
 * Starts a bar on stderr where that is a terminal.
 *
 * @param totalBytes of the input, or undefined where its end is not known
 * @throws CliError with the install line where the package for it is missing
 */
export async function startProgress(totalBytes: number | undefined): Promise<Progress> {
  if (!process.stderr.isTTY) return silent;
  const format = totalBytes === undefined ? '{lines} lines' : '{bar} {percentage}% {lines} lines';
  const bar = await createBar(format);
  bar.start(totalBytes ?? 0, 0, { lines: 0 });
  return {
    update: (bytes, lines) => bar.update(bytes, { lines }),
    stop: () => bar.stop(),
  };
}

/**
 * The same for blocks, up to a head that moves.
 *
 * @throws CliError with the install line where the package for it is missing
 */
export async function startBlockProgress(): Promise<BlockProgress> {
  if (!process.stderr.isTTY) return silent;
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
