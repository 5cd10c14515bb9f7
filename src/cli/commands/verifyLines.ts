/** `l2proof verify --ndjson`: a claim and an answer a line, verified one by one or on several threads. */
import { isBytes } from '../../bytes.js';
import { verifyAnswer } from '../../compact/index.js';
import { type ProofClaim, type ProofItem, type ProofOutcome, verifyProofs } from '../../index.js';
import { createPool, type Pool } from '../../pool/index.js';
import { CliError, UsageError } from '../exit/exit.js';
import { writeExitCode } from '../exit/fileErrors.js';
import { readArgs } from '../flags/args.js';
import { linesFlags, verifyFlags } from '../flags/verifyFlags.js';
import { type Input, openInput } from '../input/input.js';
import { type Line, type LineRange, readLines, wholeStream } from '../input/lines.js';
import { inWordsOfLine, type LineItem, readLine } from '../ndjson/claimLine.js';
import { exitCodeOf, type LineOutcome, lineJson, lineText, worseOf } from '../ndjson/outcome.js';
import { openOutFile } from '../ndjson/outFile.js';
import { type Output, openStdout } from '../ndjson/output.js';
import { readShard, type Shard, toByteRange } from '../ndjson/shard.js';
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

/** Stands for a line that is settled already, so that each line keeps its turn; any verifier refuses it at once. */
const noItem: ProofItem = { result: undefined, claim: {} as ProofClaim };

/** A compact proof is verified here: batches and the pool take results. */
function verifyBytes({ result, claim }: ProofItem): ProofOutcome {
  try {
    return { ok: true, state: verifyAnswer(result, claim) };
  } catch (error) {
    return { ok: false, error };
  }
}

async function* verifyInThread(items: AsyncIterable<ProofItem>): AsyncGenerator<ProofOutcome> {
  for await (const item of items) yield* verifyProofs([item]);
}

/** One outcome per line that is not blank, in order; no more lines are read ahead than the pool takes. */
async function* verifyLines(
  lines: AsyncIterable<Line>,
  pool: Pool | undefined,
): AsyncGenerator<readonly [line: number, outcome: LineOutcome]> {
  /** For each line under way: its number, its content or why it holds no item, and its outcome if it is known. */
  const waiting: (readonly [
    line: number,
    parsed: LineItem | CliError,
    known: ProofOutcome | undefined,
  ])[] = [];
  async function* items(): AsyncGenerator<ProofItem> {
    for await (const { number, text } of lines) {
      if (text?.trim() === '') continue;
      const parsed = readLine(text);
      const item = parsed instanceof CliError ? noItem : parsed.item;
      const known = isBytes(item.result) ? verifyBytes(item) : undefined;
      waiting.push([number, parsed, known]);
      yield known === undefined ? item : noItem;
    }
  }
  const outcomes = pool ? pool.verifyStream(items()) : verifyInThread(items());
  for await (const given of outcomes) {
    const [line, parsed, known] = waiting.shift() as (typeof waiting)[number];
    const outcome = known ?? given;
    if (parsed instanceof CliError) yield [line, { ok: false, error: parsed }];
    else if (outcome.ok) yield [line, outcome];
    else yield [line, { ok: false, error: inWordsOfLine(outcome.error, parsed) }];
  }
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
  const pool = request.jobs === 1 ? undefined : await createPool({ workers: request.jobs });
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
  const render = request.json ? lineJson : lineText;
  let { code } = output;
  try {
    for await (const [line, outcome] of verifyLines(readLines(counted(), range), pool)) {
      code = worseOf(code, exitCodeOf(outcome));
      if (!(await output.write(render(line, outcome)))) return writeExitCode(output.failure);
      last = line;
      tell();
    }
    await output.finish();
  } finally {
    progress?.stop();
    output.close();
    await pool?.close();
  }
  return code;
}
