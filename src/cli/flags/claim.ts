/** The claim of a command. */
import type { ProofClaim } from '../../index.js';
import { nameHash } from '../exit/failures.js';
import { asUsage } from './args.js';
import { readRoot } from './claimValues.js';
import type { Values } from './flag.js';
import type { compactFlags } from './verifyFlags.js';

/** @param file that holds the answer @throws UsageError */
export async function readClaim(
  values: Omit<Values<typeof compactFlags>, 'out'>,
  file: string,
): Promise<ProofClaim> {
  const { root, address, slot: storageKeys, hash } = values;
  const stateRoot = await readRoot(root, { name: '--root', file });
  return { stateRoot, address, storageKeys, hash };
}

/** Names of the parts of a claim -> the options. */
const names = {
  stateRoot: '--root',
  blockHash: '--block-hash',
  address: '--address',
  storageKeys: '--slot',
};

/** Runs a verification. @throws UsageError that names the option if the claim is wrong, else what it throws */
export function judgeClaim<T>(verify: () => T): T {
  nameHash();
  try {
    return verify();
  } catch (cause) {
    throw asUsage(names, cause);
  }
}
