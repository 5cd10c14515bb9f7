/** The claim of a command. */
import type { Hex, ProofClaim } from '../../index.js';
import { UsageError } from '../exit/exit.js';
import { nameHash } from '../exit/failures.js';
import { asUsage, many, option, readHash } from './args.js';

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

/** Runs a verification. @throws UsageError that names the option if the claim is wrong, else what it throws */
export function judge<T>(verify: () => T): T {
  nameHash();
  try {
    return verify();
  } catch (cause) {
    throw asUsage(names, cause);
  }
}
