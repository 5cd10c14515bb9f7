/** `l2proof verify --ndjson`: a claim and an answer a line, verified one by one or on several threads. */
import { UsageError } from '../exit/exit.js';
import { writeExitCode } from '../exit/fileErrors.js';
import { readArgs } from '../flags/args.js';
import { linesFlags, verifyFlags } from '../flags/verifyFlags.js';
import { type Input, openInput } from '../input/input.js';
import { type LineBatch, type LineRange, readBatches, wholeStream } from '../input/lines.js';
import { type BatchResult, verifyBatch } from '../ndjson/batch.js';
import { worseOf } from '../ndjson/outcome.js';
import { openOutFile } from '../ndjson/outFile.js';
import { type Output, openStdout } from '../ndjson/output.js';
import { readShard, type Shard, toByteRange } from '../ndjson/shard.js';
import { openThreads, type Threads } from '../ndjson/threads.js';
import { startProgress } from '../print/progress.js';
import { countText } from '../print/result.js';

interface Request {
  readonly file: string;
  readonly jobs: number;
  readonly json: boolean;
  readonly shard: Shard | undefined;
  readonly out: string | undefined;
}

function parseRequest(args: readonly string[]): Request {
  const { values, file } = readArgs(args, linesFlags, 1, [
    verifyFlags,
    'with --ndjson, each line has its claim',
  ]);
  const { jobs, json, shard, out } = values;
  return { file, jobs, json, shard: shard === undefined ? undefined : readShard(shard), out };
}

/** The batches under way, in order; no more are read ahead than the threads take. */
async function* runOnThreads(
  batches: AsyncIterable<LineBatch>,
  { run, room }: Threads,
  json: boolean,
): AsyncGenerator<BatchResult> {
  const source = batches[Symbol.asyncIterator]();
  const running: Promise<BatchResult>[] = [];
  let reading: Promise<IteratorResult<LineBatch>> | undefined = source.next();
  for (;;) {
    const [head] = running;
    if (reading !== undefined && running.length < room) {
      // While the threads take more, a result waits for nothing but lines that are there.
      const next: IteratorResult<LineBatch> | undefined = await Promise.race([
        reading,
        ...(head ? [head.then(() => undefined)] : []),
      ]);
      if (next !== undefined) {
        reading = next.done ? undefined : source.next();
        if (next.done) continue;
        const result = run({ batch: next.value, json });
        // It fails in its turn, if that comes.
        result.catch(() => {});
        running.push(result);
        continue;
      }
    }
    if (head === undefined) return;
    yield await head;
    running.shift();
  }
}

async function* runHere(
  batches: AsyncIterable<LineBatch>,
  json: boolean,
): AsyncGenerator<BatchResult> {
  for await (const batch of batches) yield verifyBatch({ batch, json });
}

/** The lines to read, and where their results go. @throws CliError */
async function openRun(
  { file, json, shard, out }: Request,
  { name, stat }: Input,
): Promise<{ range: LineRange; output: Output }> {
  if (shard === undefined && out === undefined) return { range: wholeStream, output: openStdout() };
  if (stat === undefined || file === '-') {
    const option = shard === undefined ? '--out' : '--shard';
    // The size of a pipe is not known, and a killed run cannot read it again.
    throw new UsageError(`${option} needs a FILE, not ${name}; save the lines in one`);
  }
  const bytes = shard === undefined ? wholeStream : toByteRange(shard, stat.size);
  if (out === undefined) return { range: { ...bytes, after: 0 }, output: openStdout() };
  const options = [
    ...(shard === undefined ? [] : [`--shard ${shard.index}/${shard.count}`]),
    ...(json ? ['--json'] : []),
  ];
  const output = await openOutFile(out, { file, stat, options });
  return { range: { ...bytes, after: output.after }, output };
}

/**
 * Runs the command: a line of results for each line that holds something.
 *
 * @returns the exit code: 1 if any proof is refused, else 2 if any line is malformed, else 0
 * @throws CliError for wrong arguments, or an input that cannot be read; PoolError
 */
export async function runStream(args: readonly string[]): Promise<number> {
  const request = parseRequest(args);
  const input = await openInput(request.file);
  const { range, output } = await openRun(request, input);
  const file = new URL('linesThread.js', import.meta.url);
  const threads = request.jobs === 1 ? undefined : openThreads(file, request.jobs);
  const size = Math.min(Number(input.stat?.size ?? 0), range.end);
  // Results that scroll by on the same terminal show by themselves how far it is.
  const isSeen = request.out === undefined && process.stdout.isTTY && process.stderr.isTTY;
  const progress = isSeen ? undefined : startProgress();
  let bytes = 0;
  let last = output.after;
  const tell = () => {
    const share = size > 0 ? bytes / size : undefined;
    progress?.update({ phase: 'verifying', share, figures: countText(last, 'line'), done: last });
  };
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of input.chunks) {
      bytes += chunk.length;
      tell();
      yield chunk;
    }
  }
  let { code } = output;
  try {
    const batches = readBatches(counted(), range);
    const { json } = request;
    const results = threads ? runOnThreads(batches, threads, json) : runHere(batches, json);
    for await (const result of results) {
      if (result.last === 0) continue;
      code = worseOf(code, result.code);
      if (!(await output.write(result.text))) return writeExitCode(output.failure);
      last = result.last;
      tell();
    }
    await output.finish();
  } finally {
    progress?.stop();
    output.close();
    await threads?.close();
  }
  return code;
}
