/** The claim of a command, and its errors in the user's words. */
import { type Hex, type ProofClaim, ShapeError, VerificationError } from '../../index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { asUsage, inWordsOf } from './args.js';
import type { Values } from './flag.js';
import type { compactFlags } from './verifyFlags.js';

/** @throws UsageError */
export function readClaim({
  root,
  address,
  slot,
  hash,
}: Omit<Values<typeof compactFlags>, 'out'>): ProofClaim {
  // Their form is the verifier's to check.
  return {
    stateRoot: root as Hex,
    address: address as Hex,
    storageKeys: slot as readonly Hex[],
    hash,
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
