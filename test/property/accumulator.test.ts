/** Laws of one tree, against a list that is sorted and hashed anew for every answer. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bytesToInteger } from '../../src/bytes.js';
import { specOf } from '../../src/codec/spec.js';
import { type HashFamily, type Hex, verifyExistence, verifyNonExistence } from '../../src/index.js';
import { parseProofOfKey } from '../../src/proof/parse.js';
import { createAccumulator, type WireProof } from '../../src/tree/index.js';
import { digits, hash } from '../support/reference.js';
import { ListedTree } from '../support/referenceState.js';
import { families, patience, runsOf } from '../support/runs.js';

type Step = { kind: 'put' | 'delete'; key: number; value: number };

const keyCount = 7;
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('put', 'put', 'delete'),
  key: fc.nat(keyCount - 1),
  value: fc.nat(3),
});
const steps = fc.array(step, { maxLength: 25 });

const hex = (text: string): Hex => `0x${text}`;
const hKeyOf = (family: HashFamily, key: number) => hash(family, digits(BigInt(key + 1)));
const valueOf = (value: number) => digits(BigInt(value));
const hValueOf = (family: HashFamily, value: number) => hash(family, valueOf(value));

/** Runs steps on both; `look` is called after each. */
function run(family: HashFamily, list: readonly Step[], look = (_: { root: Hex }) => {}) {
  const tree = createAccumulator({ hash: family });
  const reference = new ListedTree(family);
  for (const { kind, key, value } of list) {
    const hKey = hKeyOf(family, key);
    const isThere = reference.indexOf(hKey) !== undefined;
    if (kind === 'put') {
      const [hValue, shown] = [hValueOf(family, value), valueOf(value)];
      tree[isThere ? 'update' : 'insert'](hex(hKey), hex(hValue), hex(shown));
      reference.put({ hKey, hValue, value: shown });
    } else if (isThere) {
      tree.delete(hex(hKey));
      reference.remove(hKey);
    }
    look(tree);
  }
  return { tree, reference };
}

/** Whether a proof is accepted as one of existence, or as one of non-existence. */
function kindsOf(family: HashFamily, root: Hex, hKey: string, hValue: string, proof: WireProof) {
  const holds = (verify: () => void) => {
    try {
      verify();
      return true;
    } catch {
      return false;
    }
  };
  const claim = { hash: family, root, hKey: hex(hKey), proof };
  return {
    exists: holds(() => verifyExistence({ ...claim, hValue: hex(hValue) })),
    isAbsent: holds(() => verifyNonExistence(claim)),
  };
}

describe.each(families)('a tree of %s', (family) => {
  const spec = specOf(family);

  test(
    'after any operations, has the root, the next free node and the proofs of its leaves sorted and hashed anew',
    () => {
      fc.assert(
        fc.property(steps, (list) => {
          const { tree, reference } = run(family, list);
          expect(tree.root).toBe(hex(reference.root));
          expect(tree.nextFreeNode).toBe(BigInt(reference.nextFreeNode));
          for (let key = 0; key < keyCount; key++) {
            const hKey = hKeyOf(family, key);
            const expected = reference.prove(hKey, hKey);
            expect(JSON.stringify(tree.prove(hex(hKey)))).toBe(JSON.stringify(expected));
          }
        }),
        runsOf(family),
      );
    },
    patience,
  );

  test(
    'after any operations, the list is sorted, complete and doubly linked',
    () => {
      fc.assert(
        fc.property(steps, (list) => {
          const { tree, reference } = run(family, list);
          const present = [...reference.leaves.values()].map(({ hKey }) => hKey);
          const inside = present
            .filter((hKey) => reference.indexOf(hKey) !== 0)
            .slice(1)
            .sort();
          const leaves = inside.map((hKey) => {
            const proof = parseProofOfKey(tree.prove(hex(hKey)), spec);
            if (proof.kind !== 'existence') throw new Error('a present key has no leaf');
            return proof.path;
          });
          for (const [i, { leafIndex, leaf }] of leaves.entries()) {
            expect(bytesToInteger(leaf.hKey)).toBe(BigInt(hex(inside[i] as string)));
            expect(leaf.prev).toBe(leaves[i - 1]?.leafIndex ?? 0n);
            expect(leaf.next).toBe(leaves[i + 1]?.leafIndex ?? 1n);
            expect(leafIndex).toBe(BigInt(reference.indexOf(inside[i] as string) as number));
          }
        }),
        runsOf(family),
      );
    },
    patience,
  );

  test(
    'every present key has an existence proof and no other, every absent key the reverse',
    () => {
      fc.assert(
        fc.property(steps, (list) => {
          const { tree, reference } = run(family, list);
          const proofs = Array.from({ length: keyCount }, (_, key) =>
            tree.prove(hex(hKeyOf(family, key))),
          );
          for (let key = 0; key < keyCount; key++) {
            const hKey = hKeyOf(family, key);
            const index = reference.indexOf(hKey);
            const hValue = reference.leaves.get(index ?? -1)?.hValue ?? hValueOf(family, 0);
            const own = kindsOf(family, tree.root, hKey, hValue, proofs[key] as WireProof);
            expect(own).toEqual({ exists: index !== undefined, isAbsent: index === undefined });
            // No other key's proof, which takes in all pairs of neighbours, shows the contrary.
            for (const proof of proofs) {
              const { exists, isAbsent } = kindsOf(family, tree.root, hKey, hValue, proof);
              expect(index === undefined ? exists : isAbsent).toBe(false);
            }
          }
        }),
        runsOf(family),
      );
    },
    patience,
  );

  test(
    'the root does not depend on when it is asked for',
    () => {
      fc.assert(
        fc.property(steps, (list) => {
          const asked: Hex[] = [];
          const { tree } = run(family, list, ({ root }) => asked.push(root));
          expect(run(family, list).tree.root).toBe(asked.at(-1) ?? tree.root);
        }),
        runsOf(family),
      );
    },
    patience,
  );

  test(
    "a deleted key's neighbours prove its absence, and so do theirs when they go too",
    () => {
      fc.assert(
        fc.property(steps, (list) => {
          const { tree, reference } = run(family, list);
          for (let key = 0; key < keyCount; key++) {
            const hKey = hKeyOf(family, key);
            if (reference.indexOf(hKey) === undefined) {
              expect(() => tree.delete(hex(hKey))).toThrow(
                expect.objectContaining({ name: 'TreeError', code: 'UNKNOWN_KEY' }),
              );
              continue;
            }
            tree.delete(hex(hKey));
            const proof = tree.prove(hex(hKey));
            verifyNonExistence({ hash: family, root: tree.root, hKey: hex(hKey), proof });
          }
          expect(tree.nextFreeNode).toBe(BigInt(reference.nextFreeNode));
        }),
        runsOf(family),
      );
    },
    patience,
  );
});
