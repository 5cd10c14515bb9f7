/** Verifiers that remember, and the choice of the engine. */
import { describe, expect, test } from 'vitest';
import { type Engine, sharedHasher } from '../../../src/hash/engine.js';
import type { Hasher } from '../../../src/hash/family.js';
import { createVerifier, type ProofItem, verifyProof, verifyProofs } from '../../../src/index.js';
import { codeOfRefusal, refusalByPage } from '../../support/refusals.js';
import { rubbishItems } from '../../support/rubbish.js';
import { families, honest, patience, type Wire } from '../../support/runs.js';

const engines: readonly Engine[] = ['wasm', 'portable'];

describe('what is remembered', () => {
  test.each(families)('%s: a verifier gives the answers of verifyProof', (family) => {
    for (const engine of engines) {
      for (const maxNodes of [0, 1, 16, 1024]) {
        const { result, claim } = honest(family);
        const verifier = createVerifier({
          stateRoot: claim.stateRoot,
          hash: family,
          maxNodes,
          engine,
        });
        const request = { address: claim.address, storageKeys: claim.storageKeys ?? [] };
        const expected = verifyProof(result, claim);
        for (let i = 0; i < 3; i++) expect(verifier.verify(result, request)).toEqual(expected);
      }
    }
  });

  test.each(families)(
    '%s: a refused proof poisons nothing',
    (family) => {
      for (const engine of engines) {
        const { result, claim } = honest(family);
        const verifier = createVerifier({ stateRoot: claim.stateRoot, hash: family, engine });
        const request = { address: claim.address, storageKeys: claim.storageKeys ?? [] };
        const expected = verifyProof(result, claim);
        const paths = (wire: Wire) => [wire.accountProof.proof, wire.storageProofs[0].proof];
        for (let node = 0; node < 42; node++) {
          for (const at of [0, 1]) {
            const forged = structuredClone(result);
            const nodes = paths(forged)[at].proofRelatedNodes;
            nodes[node] = nodes[node].slice(0, -1) + (nodes[node].endsWith('1') ? '2' : '1');
            const refuse = () => codeOfRefusal(() => verifier.verify(forged, request));
            const code = refusalByPage(forged, claim, family);
            expect([refuse(), refuse()]).toEqual([code, code]);
            if (node % 7 === 0) expect(verifier.verify(result, request)).toEqual(expected);
          }
        }
        expect(verifier.verify(result, request)).toEqual(expected);
      }
    },
    patience,
  );

  test.each(families)('%s: a verifier keeps to its root', (family) => {
    const { result, claim } = honest(family);
    const options = { stateRoot: claim.stateRoot, hash: family };
    const verifier = createVerifier(options);
    const request = { address: claim.address, storageKeys: claim.storageKeys ?? [] };
    options.stateRoot = `0x${'00'.repeat(31)}01`;
    expect(verifier.verify(result, request).stateRoot).toBe(claim.stateRoot);
    const other = createVerifier(options);
    expect(() => other.verify(result, request)).toThrow(
      expect.objectContaining({ code: 'ROOT_MISMATCH' }),
    );
  });

  test.each([-1, 0.5, Number.NaN, '8' as unknown as number])(
    'maxNodes %s is refused',
    (maxNodes) => {
      const { stateRoot } = honest('mimc').claim;
      expect(() => createVerifier({ stateRoot, hash: 'mimc', maxNodes })).toThrow(RangeError);
    },
  );

  test('an unknown engine is refused', () => {
    const { result, claim } = honest('mimc');
    expect(() => verifyProof(result, { ...claim, engine: 'native' as Engine })).toThrow(TypeError);
  });

  test('the shared hasher is opened once', () => {
    const hashers: Hasher[] = [sharedHasher('mimc'), sharedHasher('mimc')];
    expect(hashers[0]).toBe(hashers[1]);
    expect(sharedHasher('mimc', 'portable')).not.toBe(hashers[0]);
  });
});

describe('a batch', () => {
  test('gives each item its own outcome, whatever stands beside it', () => {
    const good = honest('poseidon2');
    const state = verifyProof(good.result, good.claim);
    for (const [name, item] of rubbishItems) {
      const outcomes = verifyProofs([good, item as ProofItem, good]);
      expect(outcomes, name).toEqual([
        { ok: true, state },
        { ok: false, error: expect.any(TypeError) },
        { ok: true, state },
      ]);
    }
  });

  test('says what an item is', () => {
    const messageOf = (item: unknown) => {
      const [outcome] = verifyProofs([item as ProofItem]);
      return outcome?.ok === false && (outcome.error as Error).message;
    };
    expect(messageOf(null)).toBe('"item" expected an object { result, claim }, got null');
    expect(messageOf([])).toMatch(/"claim" expected an object .*, got undefined/);
    expect(messageOf(-0)).toMatch(/got number -0$/);
    const broken = new Error('its own');
    const item = {
      get result() {
        throw broken;
      },
    };
    const [outcome] = verifyProofs([item as never]);
    expect(outcome).toMatchObject({ ok: false, error: { name: 'TypeError', cause: broken } });
  });

  test('an item that does not verify fails with what it would fail with alone', () => {
    const { result, claim } = honest('poseidon2');
    const stateRoot: `0x${string}` = `0x${'00'.repeat(31)}01`;
    const [outcome] = verifyProofs([{ result, claim: { ...claim, stateRoot } }]);
    expect(outcome).toMatchObject({
      ok: false,
      error: { name: 'VerificationError', code: 'ROOT_MISMATCH' },
    });
  });

  test('a hole is an item', () => {
    const good = honest('mimc');
    const outcomes = verifyProofs([, good, ,] as ProofItem[]);
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true, false]);
    expect(0 in outcomes && 2 in outcomes).toBe(true);
  });

  test.each([null, undefined, {}, 'text', new Set()])('%s is no array of items', (items) => {
    expect(() => verifyProofs(items as never)).toThrow(TypeError);
  });
});

test('claims and options are read as own members', () => {
  const { result, claim } = honest('mimc');
  const inherited = Object.assign(Object.create({ hash: 'mimc' }), { ...claim, hash: undefined });
  delete inherited.hash;
  expect(() => verifyProof(result, inherited)).toThrow(/'mimc'/);
  for (const wrong of [null, undefined, 7, 'text']) {
    expect(() => verifyProof(result, wrong as never)).toThrow(/"claim" expected an object/);
    expect(() => createVerifier(wrong as never)).toThrow(/"options" expected an object/);
  }
});

describe('a claim', () => {
  const { result, claim } = honest('poseidon2');
  const verifier = createVerifier({ stateRoot: claim.stateRoot });

  test('may be a whole one of the same root and family, and of no other', () => {
    expect(verifier.verify(result, claim)).toEqual(verifyProof(result, claim));
    const given = (change: object) => () => verifier.verify(result, { ...claim, ...change });
    const other = `0x${'00'.repeat(31)}01`;
    expect(given({ stateRoot: other })).toThrow(/^"stateRoot" expected the root of this verifier/);
    expect(given({ hash: 'mimc' })).toThrow(/^"hash" expected the family of this verifier/);
  });

  test('has no members of other names', () => {
    const wrong = { ...claim, stateroot: claim.stateRoot };
    expect(() => verifier.verify(result, wrong)).toThrow(/"claim\.stateroot" is unknown/);
    expect(() => verifyProof(result, wrong)).toThrow(/"claim\.stateroot" is unknown/);
  });
});
