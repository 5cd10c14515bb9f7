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

export const usage = `l2proof verify [FILE|-] --root HEX --address HEX [--slot HEX ...] [--hash mimc] [--json]
l2proof verify --ndjson [FILE|-] [--jobs N] [--json]

  FILE        result of l2_getProof, or the whole JSON-RPC answer; - or nothing: standard input
  --root      trusted state root of the rollup, 32 bytes, as the rollup contract on L1 holds it
  --address   account asked for, 20 bytes
  --slot      storage key asked for, 32 bytes; once per key, in the order asked
  --hash      hash family of the root: poseidon2 (default) or mimc (before 1 April 2026)
  --json      print what was proven as JSON; numbers as decimal strings
  --ndjson    FILE holds { root, address, slots?, hash?, result } a line; prints a line for each, in order
  --jobs      threads that verify the lines; default 1; more need: npm install piscina@5.3.2

Exit codes: 0 verified, 1 not verified, 2 malformed answer, 3 usage or I/O. Of many lines: 1 where any
is not verified, else 2 where any is malformed.`;

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
