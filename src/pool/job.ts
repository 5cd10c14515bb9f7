/**
 * Items on their way to a worker. A copy holds exactly the members that the verifier would read, and reads them in the
 * same way. An item that cannot be copied stays with the calling thread, whose verifier then says what is wrong with
 * it.
 */
import { maxStorageKeys } from '../foreign/limits.js';
import { createMemberReader, hasMember } from '../foreign/members.js';
import type { ProofItem } from '../index.js';

/** A chunk on its way to a worker. Safe to clone. */
export type Job = readonly ProofItem[];

/** More than a path has nodes; the verifier refuses what exceeds it without a look at them. */
const maxNodes = 64;
/** Longer than the hex of any node or value: more would be copied only to be refused. */
const maxTextLength = 512;

/** Thrown, and caught, only in this file: the item cannot be copied. */
const notPlain = new Error('not plain data');
const { openObject, openArray, readMember } = createMemberReader(() => notPlain);

/** A single value as it is. */
function copyValue(value: unknown): unknown {
  if (typeof value === 'string' && value.length <= maxTextLength) return value;
  if (typeof value === 'number' || value === undefined || value === null) return value;
  throw notPlain;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null;

type Copy = (value: unknown) => unknown;

const listOf =
  (most: number, copy: Copy): Copy =>
  (value) => {
    if (!isObject(value)) return copyValue(value);
    const list = openArray(value, '');
    if (list.length > most) throw notPlain;
    return Array.from({ length: list.length }, (_, i) => copy(readMember(list, i)));
  };

/** Copies all members named, undefined ones too: a member left out would be the prototype's. */
const objectOf = (members: Readonly<Record<string, Copy>>): Copy => {
  const names = Object.entries(members);
  return (value) => {
    if (!isObject(value)) return copyValue(value);
    const source = openObject(value, '');
    const copied: Record<string, unknown> = {};
    for (const [name, copy] of names) copied[name] = copy(readMember(source, name));
    return copied;
  };
};

/** More names, or longer ones, are for the verifier of the calling thread to refuse. */
const maxOtherNames = 16;
const maxNameLength = 64;

/**
 * The same, and the names of all other own members: the verifier refuses a claim for a name that it does not know.
 * Their values are never read.
 */
const claimOf = (members: Readonly<Record<string, Copy>>): Copy => {
  const copyKnown = objectOf(members);
  return (value) => {
    const copied = copyKnown(value);
    if (!isObject(value)) return copied;
    const others = Object.getOwnPropertyNames(value).filter((name) => !hasMember(members, name));
    if (others.length > maxOtherNames) throw notPlain;
    for (const name of others) {
      if (name.length > maxNameLength || name === '__proto__') throw notPlain;
      (copied as Record<string, unknown>)[name] = null;
    }
    return copied;
  };
};

const copyLeaf = objectOf({ value: copyValue, proofRelatedNodes: listOf(maxNodes, copyValue) });

const copyEntry = objectOf({
  key: copyValue,
  leafIndex: copyValue,
  proof: copyLeaf,
  leftLeafIndex: copyValue,
  leftProof: copyLeaf,
  rightLeafIndex: copyValue,
  rightProof: copyLeaf,
});

const copyAll = objectOf({
  claim: claimOf({
    stateRoot: copyValue,
    address: copyValue,
    storageKeys: listOf(maxStorageKeys, copyValue),
    hash: copyValue,
    engine: copyValue,
  }),
  result: objectOf({ accountProof: copyEntry, storageProofs: listOf(maxStorageKeys, copyEntry) }),
});

/**
 * Copies one item.
 *
 * @param item of any type
 * @returns undefined if the item must stay
 */
export function copyItem(item: unknown): ProofItem | undefined {
  try {
    return isObject(item) ? (copyAll(item) as ProofItem) : undefined;
  } catch {
    // Nothing is decided here: the verifier judges the item that stays.
    return undefined;
  }
}
