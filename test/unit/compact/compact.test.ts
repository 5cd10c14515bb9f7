/** Compact proofs by the page: the same bytes, and each forgery refused with its code. */
import { describe, expect, test } from 'vitest';
import { compactProof, verifyAnswer, verifyCompactProof } from '../../../src/compact/index.js';
import { verifyCompact } from '../../../src/compact/verify.js';
import { verifyProof } from '../../../src/index.js';
import { checkClaim } from '../../../src/verify/claim.js';
import { forgedCases } from '../../compact/forged.js';
import { readCompact } from '../../compact/read.js';
import { claimOf, counting, provenOf, refusal, statementOf } from '../../compact/support.js';
import { validCases } from '../../compact/valid.js';
import { proof } from '../../compact/write.js';
import { toHex } from '../../support/hex.js';
import { bytesOf, digitsOf } from '../../support/reference.js';
import { families, type Wire } from '../../support/runs.js';
import { claimOfCase } from '../../vectors/compact.js';
import { loadFolder, vectorFolders } from '../../vectors/run.js';

describe.each(families)('%s', (family) => {
  const cases = validCases(family).map(({ name, world, account, slots }) => ({
    name,
    statement: world.statement(account, slots),
    // As the public system answers: nothing for an absent account or pristine storage.
    result:
      world.parts(account, slots).length === 1
        ? { ...world.result(account, []), storageProofs: [] }
        : world.result(account, slots),
    bytes: bytesOf(proof(world.parts(account, slots))),
  }));

  test.each(cases)('$name: the page and compactProof say it in the same bytes', (each) => {
    const claim = claimOf(each.statement);
    const bytes = compactProof(each.result, claim);
    expect(toHex(bytes)).toBe(toHex(each.bytes));
    expect(toHex(compactProof(structuredClone(each.result), claim))).toBe(toHex(bytes));
    const state = verifyProof(each.result, claim);
    expect(verifyCompactProof(bytes, claim)).toEqual(state);
    expect(verifyAnswer(bytes, claim)).toEqual(state);
    expect(verifyAnswer(each.result, claim)).toEqual(state);
  });

  test.each(forgedCases(family))('forged: $name', ({ statement, proof: bytes, code }) => {
    expect(refusal(() => verifyCompactProof(bytesOf(bytes), claimOf(statement)))).toBe(code);
  });
});

describe('a second implementation, written from the page', () => {
  const files = vectorFolders().flatMap((folder) => loadFolder(folder));

  test.each(
    files.filter(({ json }) => json.kind === 'compact').map((file) => [file.name, file] as const),
  )('%s: it accepts and refuses the same', (_, file) => {
    for (const entry of file.json.cases as Wire[]) {
      const statement = statementOf(claimOfCase(file, entry));
      const proven = readCompact(digitsOf(entry.proof), statement);
      if (entry.valid) expect(proven, entry.name).toEqual(provenOf(entry));
      else expect(proven, entry.name).toBeTypeOf('string');
    }
  });
});

describe.each(families)(
  '%s: nothing is hashed before the bytes are known to be a proof',
  (family) => {
    const cases = forgedCases(family).filter(({ code }) => /ShapeError|RANGE/.test(code));
    test.each(cases)('$name', ({ statement, proof: bytes, code }) => {
      const claim = checkClaim(claimOf(statement));
      const { hasher, inputs } = counting(claim.spec.hasher);
      const own = { ...claim, spec: { ...claim.spec, hasher } };
      expect(refusal(() => verifyCompact(own, bytesOf(bytes)))).toBe(code);
      expect(inputs).toEqual([]);
    });
  },
);
