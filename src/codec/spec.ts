/**
 * The specs of all hash families. Specs are plain values that are passed along: there is no family to set. A new family
 * is an entry in this table, and one in the table of `hash/engine.ts`.
 */
import { shownWord, wrongType } from '../errors.js';
import { type Engine, openHasher, sharedHasher } from '../hash/engine.js';
import { blockWidth, type Hasher, type HashFamily } from '../hash/family.js';
import type { FamilySpec } from './family.js';
import { mimcSpec } from './mimc.js';
import { poseidon2Spec } from './poseidon2.js';

/** Bytes of an account value: six words. */
export const accountWidth: number = 6 * blockWidth;

/** A family's trees together with what hashes them. */
export interface TreeSpec extends FamilySpec {
  readonly hasher: Hasher;
}

const specs: Readonly<Record<HashFamily, FamilySpec>> = {
  poseidon2: poseidon2Spec,
  mimc: mimcSpec,
};

/** All families, today's first. */
export const hashFamilies = Object.keys(specs) as readonly HashFamily[];

/** Number of a family in a snapshot, and the family of a number; undefined if it is no family's. */
export const fileNumberOf = (family: HashFamily): number => specs[family].fileNumber;
export const familyOfNumber = (number: number): HashFamily | undefined =>
  hashFamilies.find((family) => fileNumberOf(family) === number);

/** Family of a tree if the caller names none. */
export const defaultFamily: HashFamily = 'poseidon2';

/** Families as a message names them. */
export const quoteFamilies = (families: readonly HashFamily[]): string =>
  families.map((family) => `'${family}'`).join(' or ');

/** The families that a root or a proof may be of if it is not of the spec's. */
export const otherFamilies = (spec: TreeSpec): HashFamily[] =>
  hashFamilies.filter((family) => family !== spec.hasher.family);

/** The other family whose top nodes have this width; undefined if no other has. */
export const otherFamilyOf = (spec: TreeSpec, topNodeWidth: number): HashFamily | undefined =>
  otherFamilies(spec).find((family) => specs[family].widths.topNode === topNodeWidth);

/** The specs of shared hashers. */
const shared = new Map<Hasher, TreeSpec>();

/** @throws TypeError if `family` is no family */
function checkFamily(family: unknown): HashFamily {
  const known = hashFamilies.find((name) => name === family);
  if (known !== undefined) return known;
  throw wrongType('hash', `expected ${quoteFamilies(hashFamilies)}, got ${shownWord(family)}`);
}

/**
 * The spec of the family that a caller names, by default today's, with the hasher that all calls share.
 *
 * @throws TypeError if it is no family, or `engine` is no engine; RangeError if the engine is not available on this
 *   platform
 */
export function specOf(family: HashFamily = defaultFamily, engine?: Engine): TreeSpec {
  const known = checkFamily(family);
  const hasher = sharedHasher(known, engine);
  let spec = shared.get(hasher);
  if (spec === undefined) {
    spec = { ...specs[known], hasher };
    shared.set(hasher, spec);
  }
  return spec;
}

/** The same with a hasher, and so a memo, of its own. */
export function ownSpecOf(family: HashFamily = defaultFamily, engine?: Engine): TreeSpec {
  const known = checkFamily(family);
  return { ...specs[known], hasher: openHasher(known, engine) };
}
