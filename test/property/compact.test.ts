/** No other bytes prove what a compact proof proves: every edit is refused, by an error that the verifier foresees. */
import { describe, expect, test } from 'vitest';
import { verifyCompactProof } from '../../src/compact/index.js';
import {
  type HashFamily,
  type Hex,
  type ProofClaim,
  ShapeError,
  VerificationError,
} from '../../src/index.js';
import { createRandom, edits, type Subject } from '../compact/edits.js';
import { readCompact } from '../compact/read.js';
import { codeOfLaw, statementOf } from '../compact/support.js';
import { validCases } from '../compact/valid.js';
import { proof } from '../compact/write.js';
import { bytesOf } from '../support/reference.js';
import { families, patience } from '../support/runs.js';

/** 100,000 in all under DEEP. */
const editCounts: Record<HashFamily, number> = process.env.DEEP
  ? { poseidon2: 60_000, mimc: 40_000 }
  : { poseidon2: 3000, mimc: 1000 };

function subjectsOf(family: HashFamily): (Subject & { claim: ProofClaim })[] {
  const all = validCases(family).map(({ world, account, slots }) => {
    const { stateRoot, address, storageKeys } = world.statement(account, slots);
    const parts = world.parts(account, slots);
    const claim: ProofClaim = {
      stateRoot: `0x${stateRoot}`,
      address: `0x${address}`,
      storageKeys: storageKeys.map((key): Hex => `0x${key}`),
      hash: family,
    };
    return { world, parts, bytes: proof(parts), claim };
  });
  const others = all.map(({ bytes }) => bytes);
  return all.map((subject) => ({ ...subject, others }));
}

/** Name of the class, or the code, that bytes are refused with; undefined if they are accepted. */
function refusal(bytes: Uint8Array, claim: ProofClaim): string | undefined {
  try {
    verifyCompactProof(bytes, claim);
    return undefined;
  } catch (error) {
    if (error instanceof VerificationError) return error.code;
    if (error instanceof ShapeError) return 'ShapeError';
    throw error;
  }
}

describe.each(families)('%s', (family) => {
  test(
    `of ${editCounts[family]} edits none is accepted`,
    () => {
      const subjects = subjectsOf(family);
      for (const { bytes, claim } of subjects) {
        expect(refusal(bytesOf(bytes), claim)).toBeUndefined();
      }
      const random = createRandom(Number(process.env.SEED ?? 1));
      const names = Object.keys(edits);
      const refused: Record<string, number> = {};
      const byKind = new Map<string, number>();
      for (let done = 0; done < editCounts[family]; ) {
        const subject = subjects[random(subjects.length)] as (typeof subjects)[number];
        const name = names[random(names.length)] as string;
        const edited = (edits[name] as (typeof edits)[string])(subject, random);
        // Equal things were exchanged, say.
        if (edited === subject.bytes) continue;
        done++;
        byKind.set(name, (byKind.get(name) ?? 0) + 1);
        const code = refusal(bytesOf(edited), subject.claim);
        if (code === undefined) expect.fail(`${name} is accepted: ${edited}`);
        const law = String(readCompact(edited, statementOf(subject.claim)));
        // If an index is beyond its limit and bytes behind it are malformed, the page does not say what comes first.
        const isEither = codeOfLaw[law] === 'INDEX_OUT_OF_RANGE' && code === 'ShapeError';
        if (!isEither) expect(code, `${name}: ${law}`).toBe(codeOfLaw[law]);
        refused[code] = (refused[code] ?? 0) + 1;
      }
      // Each kind was tried, and each law refuses something.
      expect([...byKind.keys()].sort()).toEqual([...names].sort());
      const codes = [
        'INDEX_OUT_OF_RANGE',
        'KEY_NOT_BETWEEN',
        'LEAF_NOT_NEEDED',
        'NOT_NEIGHBOURS',
        'ROOT_MISMATCH',
        'SLOT_OF_ABSENT_ACCOUNT',
        'SLOT_WITHHELD',
        'ShapeError',
      ];
      expect(Object.keys(refused).sort()).toEqual(codes);
    },
    patience,
  );

  test(
    'a proof cut anywhere is refused',
    () => {
      for (const { bytes, claim, parts } of subjectsOf(family)) {
        // Cut between the trees it is a whole proof, of something else.
        const between = proof(parts.slice(0, 1)).length;
        for (let end = 0; end < bytes.length; end += 2) {
          const code = end === between ? 'SLOT_WITHHELD' : 'ShapeError';
          expect(refusal(bytesOf(bytes.slice(0, end)), claim), `at ${end}`).toBe(code);
        }
      }
    },
    patience,
  );
});
