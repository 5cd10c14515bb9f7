/** `l2proof verify --ndjson`: a claim and an answer a line, verified one by one or on several threads. */
// @ts-nocheck

import { once } from 'node:events';
import { verifyAnswer } from '../compact/index.js';
import {
  type ProofClaim,
  type ProofItem,
  type ProofOutcome,
  stateToJson,
  VerificationError,
  verifyProofs,
} from '../index.js';
import { createPool, type Pool, PoolError } from '../pool/index.js';
import { bytesOfBase64, parseJson, resultOf } from './answer.js';
import { flag, option, readArgs } from './args.js';
import { CliError, exitCodes, UsageError } from './exit.js';
import { openInput } from './input.js';
import { maxLineLength, readLines } from './lines.js';
import { plain, quote } from './print.js';
import { startProgress } from './progress.js';

interface Request {
  file: string;
  jobs: number;
  json: boolean;
}

function parseRequest(args: readonly string[]): Request {
  const options = { ndjson: flag, jobs: option, json: flag };
  const { values, file } = readArgs(args, options, 1);
  const { jobs = '1', json = false } = values;
  if (!/^[1-9]\d{0,3}$/.test(jobs)) {
    throw new UsageError(`--jobs expected a whole number from 1 to 9999, got ${quote(jobs)}`);
  }
  return { file, jobs: Number(jobs), json };
}

/** The member that holds a part of the claim: its name, or the older one that lines may have instead. */
function memberOf(line: object, name: string, older: string): string {
  if (!Object.hasOwn(line, older)) return name;
  if (!Object.hasOwn(line, name)) return older;
  const text = `"${name}" and "${older}" are one member; give one of them`;
  throw new CliError(exitCodes.malformed, text);
}

/** A line that holds a claim and an answer. */
interface LineItem {
  readonly item: ProofItem;
  /** What the line calls the state root and the storage keys, for messages. */
  readonly root: string;
  readonly slots: string;
}

/** @throws CliError malformed */
function parseLine(text: string | null): LineItem {
  if (text === null) {
    throw new CliError(exitCodes.malformed, `the line is longer than ${maxLineLength} bytes`);
  }
  const line = parseJson(text, 'the line');
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    const expected = 'expected { stateRoot, address, storageKeys?, hash?, result }';
    throw new CliError(exitCodes.malformed, expected);
  }
  const root = memberOf(line, 'stateRoot', 'root');
  const slots = memberOf(line, 'storageKeys', 'slots');
  const {
    [root]: stateRoot,
    [slots]: storageKeys,
    address,
    hash,
    result,
  } = line as Record<string, unknown>;
  // Their types and form are the verifier's to check.
  const claim = {
    stateRoot,
    address,
    ...(storageKeys === undefined ? {} : { storageKeys }),
    ...(hash === undefined ? {} : { hash }),
  } as ProofClaim;
  const answer = typeof result === 'string' ? bytesOfBase64(result) : resultOf(result);
  return { item: { result: answer, claim }, root, slots };
}

/** The same, or why the line holds no claim and answer. */
function readLine(text: string | null): LineItem | CliError {
  try {
    return parseLine(text);
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/** What came of one line: an outcome, or why the line holds no claim and answer at all. */
type LineOutcome = ProofOutcome | { readonly ok: false; readonly error: CliError };

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

/** An error of the verifier; of the claim, in the words of the line. */
function inWordsOfLine(error: unknown, { root, slots }: LineItem): unknown {
  if (!(error instanceof TypeError || error instanceof RangeError)) return error;
  const message = error.message
    .replace(/^"stateRoot"/, `"${root}"`)
    .replace(/^"storageKeys(?=["[])/, `"${slots}`);
  return error instanceof TypeError ? new TypeError(message) : new RangeError(message);
}

/** One outcome per line that is not blank, in order; no more lines are read ahead than the pool takes. */
async function* verifyLines(
  lines: AsyncIterable<string | null>,
  pool: Pool | undefined,
): AsyncGenerator<readonly [line: number, outcome: LineOutcome]> {
  /** Of each line under way, its number, what it holds or why it holds no item, and its outcome if it is known. */
  const waiting: (readonly [
    line: number,
    parsed: LineItem | CliError,
    known: ProofOutcome | undefined,
  ])[] = [];
  async function* items(): AsyncGenerator<ProofItem> {
    let line = 0;
    for await (const text of lines) {
      line++;
      if (text?.trim() === '') continue;
      const parsed = readLine(text);
      const item = parsed instanceof CliError ? noItem : parsed.item;
      const known = item.result instanceof Uint8Array ? verifyBytes(item) : undefined;
      waiting.push([line, parsed, known]);
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

function lineText(line: number, outcome: LineOutcome): string {
  if (outcome.ok) return `${line}: verified`;
  const { message } = outcome.error as Error;
  const verdict = outcome.error instanceof VerificationError ? 'not verified' : 'malformed';
  return `${line}: ${verdict}: ${plain(message)}`;
}

function lineJson(line: number, outcome: LineOutcome): string {
  if (outcome.ok) return JSON.stringify({ line, ok: true, state: stateToJson(outcome.state) });
  const { error } = outcome as { error: Error & { code?: string; path?: string } };
  const { code, path, message } = error;
  const name = error instanceof CliError ? 'MalformedLine' : error.name;
  return plain(JSON.stringify({ line, ok: false, error: name, code, path, message }));
}

/** A line that is refused is worse than one that cannot be judged, and that worse than none. */
function exitCodeOf(code: number, outcome: LineOutcome): number {
  if (outcome.ok || code === exitCodes.notVerified) return code;
  const refused = outcome.error instanceof VerificationError;
  return refused ? exitCodes.notVerified : exitCodes.malformed;
}

/** @throws CliError if a package is missing */
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
 * @returns the exit code: 1 if any proof is refused, else 2 if any line is malformed, else 0
 * @throws CliError for wrong arguments, an input that cannot be read, or a missing package
 */
export async function runStream(args: readonly string[]): Promise<number> {
  const { file, jobs, json } = parseRequest(args);
  const { chunks, size } = await openInput(file);
  const pool = await openPool(jobs);
  let bytes = 0;
  async function* input(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  const progress = await startProgress(size);
  const render = json ? lineJson : lineText;
  let code: number = exitCodes.verified;
  let readerLeft = false;
  process.stdout.once('error', () => {
    readerLeft = true;
  });
  try {
    for await (const [line, outcome] of verifyLines(readLines(input()), pool)) {
      code = exitCodeOf(code, outcome);
      if (readerLeft) return exitCodes.usage;
      if (!process.stdout.write(`${render(line, outcome)}\n`)) await drained();
      progress.update(bytes, line);
    }
  } catch (cause) {
    if (!(cause instanceof PoolError)) throw cause;
    // It says nothing about any proof.
    throw new CliError(exitCodes.unknown, `${cause.message}; run it again`, { cause });
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
