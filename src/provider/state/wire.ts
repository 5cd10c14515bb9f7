/** A proof in the form of the wire, without members that were not verified. */

import { hasMember, ownNamed } from '../../foreign/members.js';

type Members = Record<string, unknown>;

const leaf = (value: unknown): Members =>
  ownNamed(value as Members, ['value', 'proofRelatedNodes']);

/** Nothing binds the value of a neighbour (protocol section 3.4): zeros of its width stand for it. */
function neighbour(value: unknown): Members {
  const members = leaf(value);
  return { ...members, value: `0x${'0'.repeat((members.value as string).length - 2)}` };
}

function entry(value: unknown): unknown {
  if (value === null) return null;
  const names = ['key', 'leafIndex', 'leftLeafIndex', 'rightLeafIndex'];
  const members: Members = ownNamed(value as Members, names);
  if (hasMember(value, 'proof')) members.proof = leaf(value.proof);
  for (const name of ['leftProof', 'rightProof']) {
    if (hasMember(value, name)) members[name] = neighbour(value[name]);
  }
  return members;
}

/** @param result one that was verified, so that all of this is there */
export function proofOnly(result: unknown): unknown {
  const { accountProof, storageProofs } = result as Members;
  return {
    accountProof: entry(accountProof),
    storageProofs: (storageProofs as unknown[]).map(entry),
  };
}
