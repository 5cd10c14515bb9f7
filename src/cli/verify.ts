/** `l2proof verify`: a saved answer against a trusted root. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type HashFamily,
  type Hex,
  type ProofClaim,
  ShapeError,
  VerificationError,
  type VerifiedState,
  verifyProof,
} from '../index.js';
import { parseJson, resultOf } from './answer.js';
import { CliError, exitCodes } from './exit.js';
import { jsonText, stateTable } from './print.js';

interface Request {
  file: string;
  json: boolean;
  claim: ProofClaim;
}

function parseRequest(args: readonly string[]): Request {
  const option = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      root: option,
      address: option,
      slot: { ...option, multiple: true },
      hash: option,
      json: { type: 'boolean' },
    },
  });
  const { root, address, slot = [], hash = 'poseidon2', json = false } = values;
  if (positionals.length > 1) throw new TypeError('expected one FILE');
  if (root === undefined || address === undefined) {
    throw new TypeError('--root and --address are required');
  }
  // Their form is the verifier's to check.
  const claim = { stateRoot: root, address, storageKeys: slot, hash } as {
    stateRoot: Hex;
    address: Hex;
    storageKeys: Hex[];
    hash: HashFamily;
  };
  return { file: positionals[0] ?? '-', json, claim };
}

function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw new CliError(exitCodes.usage, `cannot read ${file}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function verify(result: unknown, claim: ProofClaim): VerifiedState {
  try {
    return verifyProof(result, claim);
  } catch (cause) {
    const { message } = cause as Error;
    if (cause instanceof VerificationError) {
      throw new CliError(exitCodes.notVerified, `not verified: ${message}`, { cause });
    }
    if (cause instanceof ShapeError) {
      throw new CliError(exitCodes.malformed, `malformed answer: ${message}`, { cause });
    }
    throw cause;
  }
}

/**
 * Runs the command.
 *
 * @returns what was proven, to print
 * @throws CliError; TypeError or RangeError for wrong arguments
 */
export function runVerify(args: readonly string[]): string {
  const { file, json, claim } = parseRequest(args);
  const result = resultOf(parseJson(readText(file), file));
  const state = verify(result, claim);
  return json ? jsonText(state, 2) : `verified\n${stateTable(state)}`;
}
