/**
 * Every edit of a true answer is refused, by the code of the law that it breaks: what the edit itself says, or what the
 * second verifier, written from the page alone, says of the edited answer.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HashFamily, type ProofClaim, verifyProof } from '../../src/index.js';
import { digits, moduli } from '../support/reference.js';
import { codeOfRefusal, refusalByPage } from '../support/refusals.js';
import { absent, families, honest, patience, runsOf, type Wire } from '../support/runs.js';

/** Name of the class, or the code, that an answer is refused with; undefined if it is accepted. */
const refusal = (result: unknown, claim: ProofClaim) =>
  codeOfRefusal(() => verifyProof(result, claim));

/** An answer with the places of its paths in it. */
interface Subject {
  name: string;
  family: HashFamily;
  result: Wire;
  claim: ProofClaim;
}

const subjects: Subject[] = families.flatMap((family) => [
  { name: `${family}, present`, family, ...honest(family) },
  { name: `${family}, absent`, family, ...absent(family) },
]);

/** All proofs of an answer, the account's first. */
const entriesOf = (result: Wire): Wire[] =>
  [result.accountProof, ...result.storageProofs].filter((entry) => entry !== null);
/** All paths of an answer. */
const pathsOf = (result: Wire): Wire[] =>
  entriesOf(result).flatMap((entry) =>
    entry.proof ? [entry.proof] : [entry.leftProof, entry.rightProof],
  );
const copyOf = ({ result }: Subject): Wire => structuredClone(result);

/** One hex digit's byte exchanged for another by exclusive or. */
function flip(text: string, byte: number, mask: number): string {
  const at = 2 + 2 * byte;
  const changed = Number.parseInt(text.slice(at, at + 2), 16) ^ mask;
  return text.slice(0, at) + changed.toString(16).padStart(2, '0') + text.slice(at + 2);
}

const mask = fc.integer({ min: 1, max: 255 });
const any = fc.nat();

describe.each(subjects)('$name', (subject) => {
  const { family, claim } = subject;
  const runs = runsOf(family);
  const pathCount = pathsOf(subject.result).length;

  test('the answer itself is proven', () => {
    expect(refusal(subject.result, claim)).toBeUndefined();
  });

  test(
    'a byte changed in any node is refused',
    () => {
      fc.assert(
        fc.property(any, fc.nat({ max: 41 }), any, mask, (pathAt, node, byte, change) => {
          const result = copyOf(subject);
          const nodes = pathsOf(result)[pathAt % pathCount].proofRelatedNodes;
          nodes[node] = flip(nodes[node], byte % ((nodes[node].length - 2) / 2), change);
          expect(refusal(result, claim)).toBe(refusalByPage(result, claim, family));
        }),
        runs,
      );
    },
    patience,
  );

  test(
    'a byte changed in any key is refused',
    () => {
      fc.assert(
        fc.property(any, any, mask, (entryAt, byte, change) => {
          const result = copyOf(subject);
          const entries = entriesOf(result);
          const entry = entries[entryAt % entries.length];
          entry.key = flip(entry.key, byte % ((entry.key.length - 2) / 2), change);
          expect(refusal(result, claim)).toBe('KEY_MISMATCH');
        }),
        runs,
      );
    },
    patience,
  );

  test(
    'another leaf index is refused, by any bit or amount',
    () => {
      const change = fc.oneof(
        fc
          .nat({ max: 39 })
          .map((bit) => (index: number) => Number(BigInt(index) ^ (1n << BigInt(bit)))),
        fc.integer({ min: 1, max: 2 ** 41 }).map((n) => (index: number) => index + n),
        fc.integer({ min: 1, max: 20 }).map((n) => (index: number) => index - n),
      );
      fc.assert(
        fc.property(any, change, (at, shift) => {
          const result = copyOf(subject);
          const places = entriesOf(result).flatMap((entry) =>
            ['leafIndex', 'leftLeafIndex', 'rightLeafIndex']
              .filter((member) => member in entry)
              .map((member) => [entry, member]),
          );
          const [entry, member] = places[at % places.length] as [Wire, string];
          entry[member] = shift(entry[member]);
          expect(refusal(result, claim)).toBe(refusalByPage(result, claim, family));
        }),
        runs,
      );
    },
    patience,
  );

  test(
    'p added to any field element anywhere is refused before anything is hashed',
    () => {
      const width = family === 'mimc' ? 32 : 4;
      const p = moduli[family];
      let tried = 0;
      for (let pathAt = 0; pathAt < pathCount; pathAt++) {
        for (let node = 0; node < 42; node++) {
          const text = pathsOf(subject.result)[pathAt].proofRelatedNodes[node] as string;
          for (let at = 2; at < text.length; at += 2 * width) {
            const alias = BigInt(`0x${text.slice(at, at + 2 * width)}`) + p;
            // Beyond the element's bytes it could not even be written.
            if (alias >= 1n << BigInt(8 * width)) continue;
            const result = copyOf(subject);
            pathsOf(result)[pathAt].proofRelatedNodes[node] =
              text.slice(0, at) + digits(alias, width) + text.slice(at + 2 * width);
            expect(refusal(result, claim)).toBe('ShapeError');
            tried++;
            // Each place once in one node of each kind and every tenth path position is enough here.
            if (node > 2 && node < 39 && !process.env.DEEP) break;
          }
        }
      }
      expect(tried).toBeGreaterThan(42 * pathCount);
    },
    patience,
  );

  test(
    'nodes dropped, doubled, exchanged or moved between paths are refused',
    () => {
      const edit = fc.constantFrom('drop', 'double', 'exchange', 'move');
      fc.assert(
        fc.property(
          any,
          any,
          fc.nat({ max: 41 }),
          fc.nat({ max: 41 }),
          edit,
          (a, b, i, j, kind) => {
            const result = copyOf(subject);
            const from = pathsOf(result)[a % pathCount].proofRelatedNodes;
            const to = pathsOf(result)[b % pathCount].proofRelatedNodes;
            const before = JSON.stringify(result);
            if (kind === 'drop') from.splice(i, 1);
            if (kind === 'double') from.splice(i, 0, from[i]);
            if (kind === 'exchange') [from[i], from[j]] = [from[j], from[i]];
            if (kind === 'move') to[j] = from[i];
            if (JSON.stringify(result) === before) return;
            expect(refusal(result, claim)).toBe(refusalByPage(result, claim, family));
          },
        ),
        runs,
      );
    },
    patience,
  );

  test(
    'whole paths or entries of one place put into another are refused',
    () => {
      fc.assert(
        fc.property(any, any, fc.boolean(), (a, b, whole) => {
          const result = copyOf(subject);
          const before = JSON.stringify(result);
          const places = whole ? entriesOf(result) : pathsOf(result);
          const source = structuredClone(places[a % places.length]);
          const target = places[b % places.length];
          for (const name of Object.keys(target)) delete target[name];
          Object.assign(target, source);
          if (JSON.stringify(result) === before) return;
          expect(refusal(result, claim)).toBe(refusalByPage(result, claim, family));
        }),
        runs,
      );
    },
    patience,
  );
});

describe.each(families)('%s values', (family) => {
  const subject = { name: '', family, ...honest(family) };

  test(
    'a byte changed in any bound value is refused',
    () => {
      fc.assert(
        fc.property(any, any, mask, (at, byte, change) => {
          const result = copyOf(subject);
          const proofs = entriesOf(result).filter((entry) => entry.proof);
          const { proof } = proofs[at % proofs.length];
          proof.value = flip(proof.value, byte % ((proof.value.length - 2) / 2), change);
          expect(refusal(result, subject.claim)).toBe(refusalByPage(result, subject.claim, family));
        }),
        runsOf(family),
      );
    },
    patience,
  );

  test(
    'no answer holds for another claim',
    () => {
      const { claim } = subject;
      fc.assert(
        fc.property(fc.constantFrom('stateRoot', 'address'), any, mask, (name, byte, change) => {
          const text = claim[name] as string;
          // The upper byte stays, so that the root stays canonical.
          const at = 4 * Math.floor((byte % ((text.length - 2) / 2)) / 4) + 3;
          const other = { ...claim, [name]: flip(text, at % ((text.length - 2) / 2), change) };
          expect(refusal(subject.result, other)).toBe(
            name === 'stateRoot' ? 'ROOT_MISMATCH' : 'KEY_MISMATCH',
          );
        }),
        runsOf(family),
      );
    },
    patience,
  );

  test('left and right exchanged in any way are refused', () => {
    const swaps = [
      [['leftProof', 'rightProof'], 'KEY_NOT_BETWEEN'],
      [['leftLeafIndex', 'rightLeafIndex'], 'NOT_NEIGHBOURS'],
      [['leftProof', 'rightProof', 'leftLeafIndex', 'rightLeafIndex'], 'KEY_NOT_BETWEEN'],
    ] as const;
    for (const [members, code] of swaps) {
      for (const { result, claim } of [honest(family), absent(family)]) {
        const entry = entriesOf(result).find((candidate) => candidate.leftProof);
        const before = { ...entry };
        for (const member of members) {
          const other = member.startsWith('left')
            ? member.replace('left', 'right')
            : member.replace('right', 'left');
          entry[other] = before[member];
        }
        expect(refusal(result, claim)).toBe(code);
      }
    }
  });
});
