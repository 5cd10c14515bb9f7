import type { HashFamily, ProofClaim } from '../../src/index.js';
import { claimOf } from '../vectors/proofs.js';
import { loadFile } from '../vectors/run.js';

/** Runs of a property: more in `test:deep`; fewer if one run hashes with MiMC on BigInt. */
export function runsOf(family?: HashFamily): { numRuns: number } {
  const runs = Number(process.env.FC_NUM_RUNS ?? 100);
  return { numRuns: family === 'mimc' ? Math.ceil(runs / 5) : runs };
}

/** A long test's limit, in ms. */
export const patience = 1_200_000;

export const families: readonly HashFamily[] = ['poseidon2', 'mimc'];

/** JSON of another's, loosely typed for reads and edits of any member: the one such type of the tests. */
// biome-ignore lint/suspicious/noExplicitAny: no type has every member.
export type Wire = any;

/** A saved answer and the claim it proves. */
export function saved(folder: string, name: string): { result: Wire; claim: ProofClaim } {
  const file = loadFile(folder, name);
  return { result: file.json.result, claim: claimOf(file) };
}

/** The honest answer of the forged set: a present account; slots present, absent, present. */
export const honest = (family: HashFamily) =>
  saved('vectors/forged', `getproof-${family}-honest.json`);

/** An answer that shows an account absent. */
export const absent = (family: HashFamily) =>
  saved('vectors', `getproof-${family}-synthetic-absent.json`);
