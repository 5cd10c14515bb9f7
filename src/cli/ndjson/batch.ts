/** Verifies the lines of a batch, and words what came of them: the work of a thread. */
import { isBytes } from '../../bytes.js';
import { verifyAnswer } from '../../compact/index.js';
import { type ProofItem, type ProofOutcome, verifyProofs } from '../../index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { type Line, type LineBatch, linesOf } from '../input/lines.js';
import { inWordsOfLine, readLine } from './claimLine.js';
import { exitCodeOf, type LineOutcome, lineJson, lineText, worseOf } from './outcome.js';

/** What came of a batch. */
export interface BatchResult {
  /** A line for each line that is not blank, with its newline. */
  readonly text: string;
  readonly code: number;
  /** Number of the last line that is not blank; 0 if all are. */
  readonly last: number;
}

/** A batch that a thread is handed. */
export interface BatchJob {
  readonly batch: LineBatch;
  /** Whether the results are JSON. */
  readonly json: boolean;
}

/** Batches take results; a compact proof is verified by itself. */
function verifyItem(item: ProofItem): ProofOutcome {
  const { result, claim } = item;
  if (!isBytes(result)) return verifyProofs([item])[0] as ProofOutcome;
  try {
    return { ok: true, state: verifyAnswer(result, claim) };
  } catch (error) {
    return { ok: false, error };
  }
}

function verifyLine({ text }: Line): LineOutcome {
  const parsed = readLine(text);
  if (parsed instanceof CliError) return { ok: false, error: parsed };
  const outcome = verifyItem(parsed.item);
  return outcome.ok ? outcome : { ok: false, error: inWordsOfLine(outcome.error, parsed) };
}

export function verifyBatch({ batch, json }: BatchJob): BatchResult {
  const render = json ? lineJson : lineText;
  const texts: string[] = [];
  let [code, last]: [number, number] = [exitCodes.verified, 0];
  for (const line of linesOf(batch)) {
    if (line.text?.trim() === '') continue;
    const outcome = verifyLine(line);
    code = worseOf(code, exitCodeOf(outcome));
    last = line.number;
    texts.push(`${render(last, outcome)}\n`);
  }
  return { text: texts.join(''), code, last };
}
