/** `l2proof verify`: a saved answer against a trusted root. */
import {
  type Hex,
  type ProofClaim,
  ShapeError,
  stateToJson,
  VerificationError,
  type VerifiedState,
  verifyProof,
} from '../index.js';
import { parseJson, resultOf } from './answer.js';
import { asUsage, flag, inWordsOf, many, option, readArgs, readHash } from './args.js';
import { CliError, exitCodes, UsageError } from './exit.js';
import { readAnswer } from './input.js';
import { stateTable } from './print.js';

interface Request {
  file: string;
  json: boolean;
  claim: ProofClaim;
}

function parseRequest(args: readonly string[]): Request {
  const options = {
    root: option,
    'state-root': option,
    address: option,
    slot: many,
    hash: option,
    json: flag,
  };
  const { values, file } = readArgs(args, options, 1);
  const { root = values['state-root'], address, slot = [], json = false } = values;
  if (values.root !== undefined && values['state-root'] !== undefined) {
    throw new UsageError('--root and --state-root are one option; give one of them');
  }
  if (root === undefined) {
    throw new UsageError('--root is required: the state root that the rollup contract on L1 holds');
  }
  if (address === undefined) {
    throw new UsageError('--address is required: the account that was asked for');
  }
  // Their form is the verifier's to check.
  const claim: ProofClaim = {
    stateRoot: root as Hex,
    address: address as Hex,
    storageKeys: slot as Hex[],
    hash: readHash(values.hash),
  };
  return { file, json, claim };
}

/** What the verifier calls the parts of a claim -> the options. */
const names = { stateRoot: '--root', address: '--address', storageKeys: '--slot' };

/** Laws whose message says by itself what to do. */
const advised = ['ROOT_MISMATCH', 'WRONG_FAMILY', 'SLOT_WITHHELD'];

/** What to do about an answer that breaks a law. */
function adviceOf({ code }: VerificationError): string {
  if (advised.includes(code)) return '';
  if (code === 'SLOT_COUNT') {
    return '; give each storage key that was asked as a --slot, all in order';
  }
  return '; check --root, --address and --slot, then distrust the server';
}

function verify(result: unknown, claim: ProofClaim): VerifiedState {
  try {
    return verifyProof(result, claim);
  } catch (cause) {
    const message = inWordsOf(names, (cause as Error).message);
    if (cause instanceof VerificationError) {
      const text = `not verified: ${message}${adviceOf(cause)}`;
      throw new CliError(exitCodes.notVerified, text, { cause });
    }
    if (cause instanceof ShapeError) {
      const text = `malformed answer: ${message}; ask another server`;
      throw new CliError(exitCodes.malformed, text, { cause });
    }
    throw asUsage(names, cause);
  }
}

/**
 * Runs the command.
 *
 * @returns what was proven, to print
 * @throws CliError
 */
export async function runVerify(args: readonly string[]): Promise<string> {
  const { file, json, claim } = parseRequest(args);
  const { name, text } = await readAnswer(file);
  const state = verify(resultOf(parseJson(text, name)), claim);
  return json ? JSON.stringify(stateToJson(state), null, 2) : `verified\n${stateTable(state)}`;
}
