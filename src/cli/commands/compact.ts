/** `l2proof compact`: a saved answer as a compact proof. */
import { writeFile } from 'node:fs/promises';
import { isBytes } from '../../bytes.js';
import { compactProof } from '../../compact/index.js';
import { visible } from '../../visible.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { writeError } from '../exit/fileErrors.js';
import { readArgs } from '../flags/args.js';
import { judgeClaim, readClaim } from '../flags/claim.js';
import { compactFlags } from '../flags/verifyFlags.js';
import { answerOf } from '../input/answer.js';
import { readAnswer } from '../input/input.js';
import type { Result } from '../print/result.js';

/**
 * Runs the command: verifies the answer, and writes its compact form.
 *
 * @returns the file, and its size
 * @throws CliError
 */
export async function runCompact(args: readonly string[]): Promise<Result> {
  const { values, file } = readArgs(args, compactFlags, 1);
  const claim = await readClaim(values, file);
  const { out } = values;
  const { name, bytes } = await readAnswer(file);
  const result = answerOf(bytes, name);
  if (isBytes(result)) {
    const text = `${name} holds a compact proof already; name the answer that it was made from`;
    throw new CliError(exitCodes.malformed, text, { code: 'MALFORMED' });
  }
  const proof = judgeClaim(() => compactProof(result, claim));
  try {
    await writeFile(out, proof);
  } catch (cause) {
    throw writeError(out, cause);
  }
  return {
    text: `verified, and written to ${visible(out)}: ${proof.length} bytes instead of ${bytes.length}`,
    value: { file: out, bytes: proof.length, answerBytes: bytes.length },
  };
}
