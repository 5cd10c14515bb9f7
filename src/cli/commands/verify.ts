/** `l2proof verify`: a saved answer against a trusted root, or against the trusted hash of a block. */
import { verifyAnswer } from '../../compact/index.js';
import { stateToJson } from '../../index.js';
import { UsageError } from '../exit/exit.js';
import { readArgs } from '../flags/args.js';
import { judgeClaim, readClaim } from '../flags/claim.js';
import { linesFlags, verifyFlags } from '../flags/verifyFlags.js';
import { answerOf } from '../input/answer.js';
import { readAnswer } from '../input/input.js';
import { stateTable } from '../print/print.js';
import type { Result } from '../print/result.js';
import { verifySaved } from './verifySaved.js';

/**
 * Runs the command.
 *
 * @returns what was proven
 * @throws CliError
 */
export async function runVerify(args: readonly string[]): Promise<Result> {
  const line = readArgs(args, verifyFlags, 1, [linesFlags, 'it goes with --ndjson']);
  const { values, given, file } = line;
  const blockHash = values['block-hash'];
  if (blockHash === undefined) {
    const claim = await readClaim(values, file);
    const { name, bytes } = await readAnswer(file);
    const answer = answerOf(bytes, name);
    const state = judgeClaim(() => verifyAnswer(answer, claim));
    return { text: `verified\n${stateTable(state)}`, value: stateToJson(state) };
  }
  const other = ['root', 'hash'].find((name) => given.has(name));
  if (other !== undefined) {
    throw new UsageError(`--block-hash takes the place of --${other}; give one of them`);
  }
  const { address, slot: storageKeys } = values;
  const state = await verifySaved(await readAnswer(file), { blockHash, address, storageKeys });
  return { text: `verified\n${stateTable(state)}`, value: stateToJson(state) };
}
