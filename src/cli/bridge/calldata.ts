/** `l2proof calldata`: the calls of the path verifier on L1 for a saved answer, and the checks that a caller makes. */
import { isBytes } from '../../bytes.js';
import { toCalldata } from '../../compact/index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { readArgs } from '../flags/args.js';
import { calldataFlags } from '../flags/bridgeFlags.js';
import { judgeClaim, readClaim } from '../flags/claim.js';
import { answerOf } from '../input/answer.js';
import { readAnswer } from '../input/input.js';
import type { Result } from '../print/result.js';

const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Runs the command. @throws CliError */
export async function runCalldata(args: readonly string[]): Promise<Result> {
  const { values, file } = readArgs(args, calldataFlags, 1);
  const claim = await readClaim(values, file);
  const { name, bytes } = await readAnswer(file);
  const result = answerOf(bytes, name);
  if (isBytes(result)) {
    const text = `${name} holds a compact proof, which has not the nodes that a contract hashes; name the answer that it was made from`;
    throw new CliError(exitCodes.malformed, text, { code: 'MALFORMED' });
  }
  const calldata = judgeClaim(() => toCalldata(result, claim));
  const calls = calldata.calls.map(
    ({ signature, text, data }, i) => `calls[${i}] ${signature}: ${text}\n${data}`,
  );
  const checks = calldata.checks.map(({ name: check, text }) => `${check} ${text}`);
  return {
    text: ['verified', ...calls, 'The contract that calls must check:', ...checks].join('\n'),
    value: JSON.parse(JSON.stringify(calldata, digits)),
  };
}
