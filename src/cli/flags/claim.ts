/** The claim of a command, and its errors in the user's words. */
import { type Hex, type ProofClaim, ShapeError, VerificationError } from '../../index.js';
import { CliError, exitCodes, UsageError } from '../exit/exit.js';
import { asUsage, inWordsOf, many, option, readHash } from './args.js';

/** The options that make a claim. */
export const claimOptions = {
  root: option,
  'state-root': option,
  address: option,
  slot: many,
  hash: option,
} as const;

/** The values given for them. */
interface ClaimValues {
  readonly root?: string;
  readonly 'state-root'?: string;
  readonly address?: string;
  readonly slot?: string[];
  readonly hash?: string;
}

/** @throws UsageError */
export function readClaim(values: ClaimValues): ProofClaim {
  const { root = values['state-root'], address, slot = [] } = values;
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
  return {
    stateRoot: root as Hex,
    address: address as Hex,
    storageKeys: slot as Hex[],
    hash: readHash(values.hash),
  };
}

/** Names of the parts of a claim -> the options. */
const names = { stateRoot: '--root', address: '--address', storageKeys: '--slot' };

/** Laws whose message says by itself what to do. */
const advised = ['ROOT_MISMATCH', 'WRONG_FAMILY', 'SLOT_WITHHELD', 'BEYOND_NEXT_FREE_NODE'];

/** What to do about an answer that breaks a law. */
function adviceOf({ code }: VerificationError): string {
  if (advised.includes(code)) return '';
  if (code === 'SLOT_COUNT') {
    return '; give each storage key that was asked as a --slot, all in order';
  }
  return '; check --root, --address and --slot, then distrust the server';
}

/** Runs a verification. @throws CliError in the place of what it throws */
export function judge<T>(verify: () => T): T {
  try {
    return verify();
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
