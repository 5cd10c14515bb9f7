/** The outcome of a line of `l2proof verify --ndjson`: printed, and read again. */
import { type ProofOutcome, stateToJson, VerificationError } from '../../index.js';
import { visible } from '../../visible.js';
import { CliError, exitCodes } from '../exit/exit.js';

/** An outcome, or why the line holds no claim and answer at all. */
export type LineOutcome = ProofOutcome | { readonly ok: false; readonly error: CliError };

/** As text, without a newline. */
export function lineText(line: number, outcome: LineOutcome): string {
  if (outcome.ok) return `${line}: verified`;
  const { message } = outcome.error as Error;
  const verdict = outcome.error instanceof VerificationError ? 'not verified' : 'malformed';
  return `${line}: ${verdict}: ${visible(message)}`;
}

/** As JSON, without a newline. */
export function lineJson(line: number, outcome: LineOutcome): string {
  if (outcome.ok) return JSON.stringify({ line, ok: true, state: stateToJson(outcome.state) });
  const { error } = outcome as { error: Error & { code?: string; path?: string } };
  const { name, code, path, message } = error;
  const fault =
    error instanceof CliError ? { error: 'MalformedLine' } : { error: name, code, path };
  return visible(JSON.stringify({ line, ok: false, ...fault, message }));
}

/** Exit code of one line. */
export function exitCodeOf(outcome: LineOutcome): number {
  if (outcome.ok) return exitCodes.verified;
  const refused = outcome.error instanceof VerificationError;
  return refused ? exitCodes.notVerified : exitCodes.malformed;
}

/** Exit code of two lines: one that is refused is worse than one that cannot be judged, and that worse than none. */
export function worseOf(one: number, other: number): number {
  const codes = [exitCodes.notVerified, exitCodes.malformed];
  return codes.find((code) => code === one || code === other) ?? exitCodes.verified;
}

/** How the printed lines begin, and the exit code of each; the first that fits counts. */
const starts: readonly (readonly [start: RegExp, code: number])[] = [
  [/^(\d{1,15}): verified$/, exitCodes.verified],
  [/^(\d{1,15}): not verified: /, exitCodes.notVerified],
  [/^(\d{1,15}): malformed: /, exitCodes.malformed],
  [/^\{"line":(\d{1,15}),"ok":true,/, exitCodes.verified],
  [/^\{"line":(\d{1,15}),"ok":false,"error":"VerificationError",/, exitCodes.notVerified],
  [/^\{"line":(\d{1,15}),"ok":false,/, exitCodes.malformed],
];

/** Reads a printed line: its number, and its exit code. @returns undefined if it is no such line */
export function readOutcome(text: string): { line: number; code: number } | undefined {
  for (const [start, code] of starts) {
    const line = start.exec(text)?.[1];
    if (line !== undefined) return { line: Number(line), code };
  }
  return undefined;
}
