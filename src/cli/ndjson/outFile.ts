/**
 * `--out FILE` of `l2proof verify --ndjson`: a file of results that is whole or not there.
 *
 * Results gather in FILE.part. A run that is killed leaves them there, and the next run goes on behind the last whole
 * line. FILE.part.run says what they belong to, so that no results of two files or two shards are mixed.
 *
 * Two runs of one shard at once do no harm: each writes the same bytes at the same places.
 */
import { once } from 'node:events';
import { type BigIntStats, createReadStream, createWriteStream } from 'node:fs';
import { appendFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { CliError, exitCodes, UsageError } from '../exit/exit.js';
import { writeError } from '../exit/fileErrors.js';
import { readLines } from '../input/lines.js';
import { readOutcome, worseOf } from './outcome.js';
import type { Output } from './output.js';

/** Everything that the results depend on. */
interface Run {
  /** The file that is verified. */
  readonly file: string;
  /** As it was when it was opened. */
  readonly stat: BigIntStats;
  /** The options that decide what is printed, as the user writes them. */
  readonly options: readonly string[];
}

interface Paths {
  readonly out: string;
  readonly part: string;
  readonly notes: string;
}

const fail = (message: string): CliError =>
  new CliError(exitCodes.usage, message, { code: 'FILE' });

const statOf = (path: string): Promise<BigIntStats | undefined> =>
  stat(path, { bigint: true }).catch(() => undefined);

/** Tells a file that changed from one that did not. */
const versionOf = ({ size, mtimeNs }: BigIntStats): string => `${size} bytes, ${mtimeNs} ns`;

const changedError = ({ file }: Run, { part }: Paths): CliError =>
  fail(`${file} has changed since ${part} was begun; remove ${part} and run it again`);

/** Checks that what an earlier run left is of this one. @throws CliError */
function checkNotes(notes: string | undefined, run: Run, paths: Paths): void {
  const [version, options, end] = (notes ?? '').split('\n');
  if (options === undefined || end === undefined) {
    const what = `${paths.part} is there, but not ${paths.notes}, which says what it holds`;
    throw fail(`${what}; remove it, or give another --out`);
  }
  if (version !== versionOf(run.stat)) throw changedError(run, paths);
  if (options !== run.options.join(' ')) {
    const what = `${paths.part} holds results ${options ? `of ${options}` : 'of no --shard or --json'}`;
    throw fail(`${what}; give the same options, or remove it`);
  }
}

/** Makes the file that results gather in, unless an earlier run like this one has. @throws CliError */
async function makePart(run: Run, paths: Paths): Promise<void> {
  const { part, notes } = paths;
  if ((await statOf(part)) !== undefined) {
    checkNotes(await readFile(notes, 'utf8').catch(() => undefined), run, paths);
    return;
  }
  try {
    // In this order: a kill in between leaves notes of nothing, which the next run replaces.
    await writeFile(notes, `${versionOf(run.stat)}\n${run.options.join(' ')}\n`);
    await appendFile(part, '');
  } catch (cause) {
    throw writeError(part, cause);
  }
}

/** The remains of an earlier run: the bytes of its whole lines, the number of the last one, and their exit code. */
async function readKept(part: string) {
  const { size } = await stat(part);
  let [bytes, after, code]: [number, number, number] = [0, 0, exitCodes.verified];
  for await (const line of readLines(createReadStream(part))) {
    const text = line.text ?? '';
    const end = bytes + Buffer.byteLength(text) + 1;
    // The run was killed while it wrote this line.
    if (end > size) break;
    const outcome = readOutcome(text);
    if (outcome === undefined || outcome.line <= after) {
      throw fail(`${part} is damaged behind byte ${bytes}; remove it and run it again`);
    }
    [bytes, after, code] = [end, outcome.line, worseOf(code, outcome.code)];
  }
  return { bytes, after, code };
}

/** @throws UsageError if the results would take the place of something that they must not replace */
async function checkPlace(out: string, { stat: { dev, ino } }: Run): Promise<void> {
  const there = await statOf(out);
  if (there === undefined) return;
  if (!there.isFile()) throw new UsageError(`--out ${out} is no file; give another name`);
  if (there.dev === dev && there.ino === ino) {
    throw new UsageError(`--out ${out} is the FILE that is verified; give another name`);
  }
}

/**
 * Opens the results of a run, or goes on with them.
 *
 * @throws CliError if what an earlier run left is of something else, or nothing can be written there
 */
export async function openOutFile(out: string, run: Run): Promise<Output> {
  const paths = { out, part: `${out}.part`, notes: `${out}.part.run` };
  await checkPlace(out, run);
  await makePart(run, paths);
  const { bytes, after, code } = await readKept(paths.part);
  const stream = createWriteStream(paths.part, { flags: 'r+', start: bytes, flush: true });
  let failure: unknown;
  stream.on('error', (error) => {
    failure = error;
  });
  return {
    after,
    code,
    async write(lines) {
      try {
        if (failure !== undefined) throw failure;
        if (!stream.write(lines)) await once(stream, 'drain');
      } catch (cause) {
        throw writeError(paths.part, cause);
      }
      return true;
    },
    async finish() {
      const now = await statOf(run.file);
      if (now === undefined || versionOf(now) !== versionOf(run.stat)) {
        throw changedError(run, paths);
      }
      try {
        if (failure !== undefined) throw failure;
        stream.end();
        await once(stream, 'close');
        // A power cut may have left more bytes behind the last whole line than the results that took their place.
        await truncate(paths.part, bytes + stream.bytesWritten);
        await rename(paths.part, out);
        await rm(paths.notes, { force: true });
      } catch (cause) {
        throw writeError(out, cause);
      }
    },
    close() {
      stream.destroy();
    },
  };
}
