/** Compact proofs made of results. */
import { describe, expect, test } from 'vitest';
import { compactProof, verifyCompactProof } from '../../../src/compact/index.js';
import { type Hex, type ProofClaim, stateToJson, verifyProof } from '../../../src/index.js';
import { readCompact } from '../../compact/read.js';
import { claimOf, codeOfLaw, provenOf, refusal, statementOf } from '../../compact/support.js';
import { gapOf, nameWhere } from '../../compact/valid.js';
import { CompactWorld } from '../../compact/world.js';
import { slotKey } from '../../forged/world.js';
import { digits, digitsOf } from '../../support/reference.js';
import { absent, families, honest, saved, type Wire } from '../../support/runs.js';
import { claimOf as vectorClaimOf } from '../../vectors/proofs.js';
import { loadFolder, vectorFolders } from '../../vectors/run.js';

describe.each(families)('%s', (family) => {
  test('whatever way a server says that slots are zero, the bytes are the same', () => {
    const name = `getproof-${family}-synthetic-null-mixed.json`;
    const { result, claim } = saved('vectors', name);
    const bytes = compactProof(result, claim);
    for (const storageProofs of [[], [null, null, null]]) {
      expect(compactProof({ ...result, storageProofs }, claim)).toEqual(bytes);
    }
    const none = { ...claim, storageKeys: [] };
    expect(compactProof({ ...result, storageProofs: [] }, none)).toEqual(bytes);
  });

  test('keys and address in upper case are the same statement', () => {
    const { result, claim } = honest(family);
    const upper = (text: string): Hex => `0x${text.slice(2).toUpperCase()}`;
    const own = {
      ...claim,
      address: upper(claim.address),
      storageKeys: (claim.storageKeys ?? []).map(upper),
    };
    const bytes = compactProof(result, own);
    expect(bytes).toEqual(compactProof(result, claim));
    expect(verifyCompactProof(bytes, own)).toEqual(verifyProof(result, own));
  });

  test('only what is verified is converted', () => {
    const { result, claim } = honest(family);
    const other = structuredClone(result);
    other.storageProofs[0].proof.value = `0x${digits(99n)}`;
    expect(refusal(() => compactProof(other, claim))).toBe('HVALUE_MISMATCH');
    expect(refusal(() => compactProof(null, claim))).toBe('ShapeError');
    expect(refusal(() => compactProof(compactProof(result, claim), claim))).toBe('ShapeError');
    const wrong = { ...claim, stateRoot: claim.stateRoot.replace(/.$/, '0') as Hex };
    expect(refusal(() => compactProof(result, wrong))).toBe('ROOT_MISMATCH');
  });

  test('a result is read once', () => {
    const { result, claim } = honest(family);
    let reads = 0;
    const counting = new Proxy(result, {
      getOwnPropertyDescriptor(target, name) {
        if (name === 'accountProof') reads++;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
    expect(compactProof(counting, claim)).toEqual(compactProof(result, claim));
    expect(reads).toBe(1);
  });

  test('a proof holds for its own claim only', () => {
    const { result, claim } = honest(family);
    const bytes = compactProof(result, claim);
    const [one, gap, three] = claim.storageKeys as [Hex, Hex, Hex];
    const of = (own: Partial<ProofClaim>) =>
      refusal(() => verifyCompactProof(bytes, { ...claim, ...own }));
    /** How the hashes of the keys lie decides which law is broken: the second reader says it. */
    const byPage = (own: Partial<ProofClaim>) =>
      codeOfLaw[String(readCompact(digitsOf(bytes), statementOf({ ...claim, ...own })))];
    expect(of({})).toBeUndefined();
    const swapped = { storageKeys: [three, gap, one] };
    expect(byPage(swapped)).toBe({ poseidon2: 'NOT_NEIGHBOURS', mimc: 'ROOT_MISMATCH' }[family]);
    expect(of(swapped)).toBe(byPage(swapped));
    expect(of({ storageKeys: [one, gap] })).toBe('LEAF_NOT_NEEDED');
    expect(of({ storageKeys: [] })).toBe('LEAF_NOT_NEEDED');
    const two: Hex = `0x${slotKey('two')}`;
    const another = { storageKeys: [one, gap, three, two] };
    expect(byPage(another)).toBe({ poseidon2: 'NOT_NEIGHBOURS', mimc: 'KEY_NOT_BETWEEN' }[family]);
    expect(of(another)).toBe(byPage(another));
    expect(of({ storageKeys: [one, gap, three, one, gap] })).toBeUndefined();
    expect(of({ address: `0x${'22'.repeat(20)}` })).toBe('ROOT_MISMATCH');
    const otherRoot = absent(family).claim.stateRoot;
    expect(of({ stateRoot: otherRoot })).toBe('ROOT_MISMATCH');
  });

  test('what is proven is frozen, deeply', () => {
    const { result, claim } = honest(family);
    const state = verifyCompactProof(compactProof(result, claim), claim);
    const parts = [state, state.account, state.storage, ...state.storage];
    expect(parts.every(Object.isFrozen)).toBe(true);
  });

  test('the bytes are copied and never changed', () => {
    const { result, claim } = honest(family);
    const bytes = compactProof(result, claim);
    const before = bytes.slice();
    const state = verifyCompactProof(bytes, claim);
    expect(bytes).toEqual(before);
    bytes.fill(0);
    expect(state).toEqual(verifyProof(result, claim));
  });

  test('both engines make and take the same bytes', () => {
    const { result, claim } = honest(family);
    const [wasm, portable] = (['wasm', 'portable'] as const).map((engine) => ({
      ...claim,
      engine,
    })) as [ProofClaim, ProofClaim];
    const bytes = compactProof(result, wasm);
    expect(compactProof(result, portable)).toEqual(bytes);
    expect(verifyCompactProof(bytes, portable)).toEqual(verifyCompactProof(bytes, wasm));
  });

  test('a proof of the other family is refused', () => {
    const other = families.find((name) => name !== family) as 'mimc';
    const bytes = compactProof(honest(other).result, honest(other).claim);
    const verify = () => verifyCompactProof(bytes, honest(family).claim);
    expect(refusal(verify)).toBe('ShapeError');
    expect(verify).toThrow(/canonical elements of (MiMC|Poseidon2)/);
  });
});

test.each<[string, bigint, bigint[], number]>([
  // The sibling leaf, and above it the node of the leaves 4 to 7.
  ['only beside the path', 3n, [4n, 5n], 40],
  ['only beside the whole tree', 4n, [], 38],
])('a tree with leaves beyond its next free node is not converted: %s', (_, next, removed, at) => {
  const world = new CompactWorld('poseidon2');
  expect(world.storage.indexOf(world.slotHash('one'))).toBe(2n);
  for (const index of removed) world.storage.remove(index);
  world.storage.nextFreeNode = next;
  world.settle();
  const claim = claimOf(world.statement('alice', ['one']));
  const result = world.result('alice', ['one']);
  expect(verifyProof(result, claim).storage[0]?.exists).toBe(true);
  expect(refusal(() => compactProof(result, claim))).toBe('BEYOND_NEXT_FREE_NODE');
  const path = `storageProofs[0].proof.proofRelatedNodes[${at}]`;
  expect(() => compactProof(result, claim)).toThrow(
    `"${path}" expected no leaf at or beyond the next free node ${next}: the root is no rollup's (BEYOND_NEXT_FREE_NODE)`,
  );
});

test('a tree whose list of leaves breaks its own laws is not converted', () => {
  const world = new CompactWorld('poseidon2');
  const { storage } = world;
  const between = storage.indexOf(world.slotHash('one')) as bigint;
  const { prev, next } = storage.leaf(between);
  // Both name each other past a leaf that exists: no rollup has such a root.
  storage.leaf(prev).next = next;
  storage.leaf(next).prev = prev;
  world.settle();
  const absent = nameWhere('poseidon2', (own, name) => gapOf(own, name).includes(between));
  const statement = world.statement('alice', ['one', absent]);
  const result: Wire = world.result('alice', ['one']);
  result.storageProofs.push(storage.nonExistence(slotKey(absent), prev, next));
  const claim = claimOf(statement);
  expect(verifyProof(result, claim).storage.map(({ exists }) => exists)).toEqual([true, false]);
  expect(refusal(() => compactProof(result, claim))).toBe('NOT_NEIGHBOURS');
});

test('a proof of many slots is a fraction of the result', () => {
  const { result, claim } = saved('vectors', 'getproof-poseidon2-synthetic-slots.json');
  const bytes = compactProof(result, claim);
  expect(JSON.stringify(result).length / bytes.length).toBeGreaterThan(50);
});

describe('a second implementation, written from the page', () => {
  const files = vectorFolders().flatMap((folder) => loadFolder(folder));

  test.each(
    files
      .filter(({ json }) => json.kind === 'getProof' && (json.expect as Wire).valid)
      .map((file) => [file.name, file] as const),
  )('%s: it reads what compactProof makes', (_, file) => {
    const claim = vectorClaimOf(file);
    const state = verifyProof(file.json.result, claim);
    const bytes = compactProof(file.json.result, claim);
    expect(readCompact(digitsOf(bytes), statementOf(claim))).toEqual(provenOf(stateToJson(state)));
  });
});
