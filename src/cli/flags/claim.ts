/** The claim of a command. */
import type { Hex, ProofClaim } from '../../index.js';
import { nameHash } from '../exit/failures.js';
import { asUsage } from './args.js';
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

/** Runs a verification. @throws UsageError that names the option if the claim is wrong, else what it throws */
export function judge<T>(verify: () => T): T {
  nameHash();
  try {
    return verify();
  } catch (cause) {
    throw asUsage(names, cause);
  }
}
