/** A proof in the form of the wire, without members that were not verified. */

type Members = Record<string, unknown>;

/** Members that are there, by name. */
function pick(value: unknown, names: readonly string[]): Members {
  const source = value as Members;
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(source, name)).map((name) => [name, source[name]]),
  );
}

const leaf = (value: unknown) => pick(value, ['value', 'proofRelatedNodes']);

/** Nothing binds the value of a neighbour (protocol section 3.4): zeros of its width stand for it. */
function neighbour(value: unknown): Members {
  const members = leaf(value);
  return { ...members, value: `0x${'0'.repeat((members.value as string).length - 2)}` };
}

function entry(value: unknown): unknown {
  if (value === null) return null;
  const members = pick(value, ['key', 'leafIndex', 'leftLeafIndex', 'rightLeafIndex']);
  const source = value as Members;
  if (Object.hasOwn(source, 'proof')) members.proof = leaf(source.proof);
  for (const name of ['leftProof', 'rightProof']) {
    if (Object.hasOwn(source, name)) members[name] = neighbour(source[name]);
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
