/** `l2proof verify --ndjson`: a claim and an answer a line, verified one by one or on several threads. */
import { once } from 'node:events';
import { createReadStream, fstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  type ProofClaim,
  type ProofItem,
  type ProofOutcome,
  VerificationError,
  verifyProofs,
} from '../index.js';
import { createPool, type Pool, PoolError } from '../pool/index.js';
import { parseJson, resultOf } from './answer.js';
import { CliError, exitCodes } from './exit.js';
import { maxLineLength, readLines } from './lines.js';
import { jsonText, plain } from './print.js';
import { startProgress } from './progress.js';

interface Request {
  file: string;
  jobs: number;
  json: boolean;
}

function parseRequest(args: readonly string[]): Request {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ndjson: { type: 'boolean' },
      jobs: { type: 'string' },
      json: { type: 'boolean' },
    },
  });
  if (positionals.length > 1) throw new TypeError('expected one FILE');
  const { jobs = '1', json = false } = values;
  if (!/^[1-9]\d{0,3}$/.test(jobs)) throw new RangeError('--jobs expected a whole number from 1');
  return { file: positionals[0] ?? '-', jobs: Number(jobs), json };
}

/** The claim and the result of one line. @throws CliError malformed */
function parseLine(line: string | null): ProofItem {
  if (line === null) {
    throw new CliError(exitCodes.malformed, `the line is longer than ${maxLineLength} bytes`);
  }
  const value = parseJson(line, 'the line');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CliError(exitCodes.malformed, 'expected { root, address, slots?, hash?, result }');
  }
  const { root, address, slots, hash, result } = value as Record<string, unknown>;
  // Their types and form are the verifier's to check.
  const claim = {
    stateRoot: root,
    address,
    ...(slots === undefined ? {} : { storageKeys: slots }),
    ...(hash === undefined ? {} : { hash }),
  } as ProofClaim;
  return { result: resultOf(result), claim };
}

/** What came of one line: an outcome, or why the line holds no claim and answer at all. */
type LineOutcome = ProofOutcome | { readonly ok: false; readonly error: CliError };

/** Stands for a line that holds no item, so that each line keeps its turn; any verifier refuses it at once. */
const noItem: ProofItem = { result: undefined, claim: {} as ProofClaim };

async function* verifyInThread(items: AsyncIterable<ProofItem>): AsyncGenerator<ProofOutcome> {
  for await (const item of items) yield* verifyProofs([item]);
}

/** One outcome per line, in order; no more lines are read ahead than the pool takes. */
async function* verifyLines(
  lines: AsyncIterable<string | null>,
  pool: Pool | undefined,
): AsyncGenerator<LineOutcome> {
  /** Of each line under way: why it holds no item, or undefined. */
  const faults: (CliError | undefined)[] = [];
  async function* items(): AsyncGenerator<ProofItem> {
    for await (const line of lines) {
      let item = noItem;
      let fault: CliError | undefined;
      try {
        item = parseLine(line);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        fault = error;
      }
      faults.push(fault);
      yield item;
    }
  }
  const outcomes = pool ? pool.verifyStream(items()) : verifyInThread(items());
  for await (const outcome of outcomes) {
    const fault = faults.shift();
    yield fault ? { ok: false, error: fault } : outcome;
  }
}

function lineText(line: number, outcome: LineOutcome): string {
  if (outcome.ok) return `${line}: verified`;
  const { message } = outcome.error as Error;
  const verdict = outcome.error instanceof VerificationError ? 'not verified' : 'malformed';
  return `${line}: ${verdict}: ${plain(message)}`;
}

function lineJson(line: number, outcome: LineOutcome): string {
  if (outcome.ok) return jsonText({ line, ...outcome });
  const { error } = outcome as { error: Error & { code?: string; path?: string } };
  const { code, path, message } = error;
  const name = error instanceof CliError ? 'MalformedLine' : error.name;
  return plain(jsonText({ line, ok: false, error: name, code, path, message }));
}

/** A line that is refused is worse than one that cannot be judged, and that worse than none. */
function exitCodeOf(code: number, outcome: LineOutcome): number {
  if (outcome.ok || code === exitCodes.notVerified) return code;
  const refused = outcome.error instanceof VerificationError;
  return refused ? exitCodes.notVerified : exitCodes.malformed;
}

/** Bytes of a file, read as they are asked for, and how many there are, where that is known. */
async function openInput(file: string) {
  if (file === '-') {
    const stat = fstatSync(0);
    return { stream: process.stdin, size: stat.isFile() ? stat.size : undefined };
  }
  const handle = await open(file);
  const stat = await handle.stat();
  const stream = createReadStream(file, { fd: handle });
  return { stream, size: stat.isFile() ? stat.size : undefined };
}

function ioError(file: string, cause: unknown): CliError {
  const message = `cannot read ${file}: ${(cause as Error).message}`;
  return new CliError(exitCodes.usage, message, { cause });
}

async function openPool(jobs: number): Promise<Pool | undefined> {
  if (jobs === 1) return undefined;
  try {
    return await createPool({ workers: jobs });
  } catch (cause) {
    if (!(cause instanceof PoolError)) throw cause;
    throw new CliError(exitCodes.usage, cause.message, { cause });
  }
}

/**
 * Runs the command, and prints a line per line.
 *
 * @returns the exit code: 1 where any proof is refused, else 2 where any line is malformed, else 0
 * @throws CliError where the input cannot be read or a package is missing; TypeError or RangeError for wrong arguments
 */
export async function runStream(args: readonly string[]): Promise<number> {
  const { file, jobs, json } = parseRequest(args);
  const { stream, size } = await openInput(file).catch((cause) => {
    throw ioError(file, cause);
  });
  const pool = await openPool(jobs);
  let bytes = 0;
  async function* input(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of stream) {
        bytes += chunk.length;
        yield chunk;
      }
    } catch (cause) {
      throw ioError(file, cause);
    }
  }
  const progress = await startProgress(size);
  const render = json ? lineJson : lineText;
  let line = 0;
  let code: number = exitCodes.verified;
  let readerLeft = false;
  process.stdout.once('error', () => {
    readerLeft = true;
  });
  try {
    for await (const outcome of verifyLines(readLines(input()), pool)) {
      line++;
      code = exitCodeOf(code, outcome);
      if (readerLeft) return exitCodes.usage;
      if (!process.stdout.write(`${render(line, outcome)}\n`)) await drained();
      progress.update(bytes, line);
    }
  } finally {
    progress.stop();
    await pool?.close();
  }
  return code;
}

/** Waits until standard output takes more, or is gone. */
async function drained(): Promise<void> {
  await Promise.race([once(process.stdout, 'drain'), once(process.stdout, 'close')]).catch(
    () => {},
  );
}
