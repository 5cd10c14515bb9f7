import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { planClimb, recoverSubTreeRoot } from '../../src/compact/climb.js';
import { compactProof, verifyAnswer, verifyCompactProof } from '../../src/compact/index.js';
import { verifyCompact } from '../../src/compact/verify.js';
import { openHasher } from '../../src/hash/engine.js';
import type { Hasher } from '../../src/hash/family.js';
import {
  type HashFamily,
  type Hex,
  type ProofClaim,
  ProofError,
  type StateJson,
  stateToJson,
  VerificationError,
  verifyProof,
} from '../../src/index.js';
import { checkClaim } from '../../src/verify/claim.js';
import { forgedCases } from '../compact/forged.js';
import { readCompact } from '../compact/read.js';
import { gapOf, nameWhere, validCases } from '../compact/valid.js';
import { CompactWorld } from '../compact/world.js';
import { own, proof, withLeaves } from '../compact/write.js';
import { slotKey } from '../forged/world.js';
import { toHex } from '../support/hex.js';
import { bytesOf, digits, digitsOf } from '../support/reference.js';
import { absent, families, honest, saved, type Wire } from '../support/runs.js';
import { claimOfCase } from '../vectors/compact.js';
import { claimOf as vectorClaimOf } from '../vectors/proofs.js';
import { loadFolder, vectorFolders } from '../vectors/run.js';

/** What a call is refused with: name of the class, and the code if it has one. */
function refusal(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof VerificationError) return error.code;
    return (error as Error).name;
  }
}

const claimOf = (statement: {
  stateRoot: string;
  address: string;
  storageKeys: string[];
  hash: ProofClaim['hash'];
}): ProofClaim => ({
  stateRoot: `0x${statement.stateRoot}`,
  address: `0x${statement.address}`,
  storageKeys: statement.storageKeys.map((key): Hex => `0x${key}`),
  hash: statement.hash as 'mimc',
});

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
    expect(of({})).toBeUndefined();
    expect(of({ storageKeys: [three, gap, one] })).toMatch(/ROOT|NEIGHBOURS|BETWEEN/);
    expect(of({ storageKeys: [one, gap] })).toBe('LEAF_NOT_NEEDED');
    expect(of({ storageKeys: [] })).toBe('LEAF_NOT_NEEDED');
    const two: Hex = `0x${slotKey('two')}`;
    expect(of({ storageKeys: [one, gap, three, two] })).toMatch(/NEIGHBOURS|BETWEEN/);
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

/** A hasher that counts what it hashes, leaf openings and pairs alike. */
function counting(hasher: Hasher): { hasher: Hasher; inputs: string[] } {
  const inputs: string[] = [];
  const keep = (bytes: Uint8Array, width: number) => {
    for (let at = 0; at < bytes.length; at += width) {
      inputs.push(toHex(bytes.subarray(at, at + width)));
    }
  };
  return {
    inputs,
    hasher: {
      ...hasher,
      hash(bytes) {
        keep(bytes, bytes.length);
        return hasher.hash(bytes);
      },
      hashEach(bytes, width) {
        keep(bytes, width);
        return hasher.hashEach(bytes, width);
      },
    },
  };
}

describe('planClimb and recoverSubTreeRoot', () => {
  const plain = openHasher('poseidon2');

  test('a sibling that a polluted prototype lends is none', () => {
    const plan = planClimb([2], 4);
    expect(plan.siblingCount).toBe(2);
    const lent = { value: 3, writable: true, configurable: true };
    Object.defineProperty(Array.prototype, 1, lent);
    try {
      expect(planClimb([2], 4)).toEqual(plan);
    } finally {
      delete (Array.prototype as unknown[])[1];
    }
  });

  const leafOf = (index: number) => bytesOf(digits(BigInt(index + 1)));

  /** Sub-tree root of full leaves 0 .. nextFreeNode - 1, node by node; with the siblings of a way. */
  function tree(nextFreeNode: number) {
    const zero = new Uint8Array(32);
    const levels: Uint8Array[][] = [Array.from({ length: nextFreeNode }, (_, i) => leafOf(i))];
    const empty: Uint8Array[] = [zero];
    const pair = (left: Uint8Array, right: Uint8Array) =>
      plain.hash(Uint8Array.from([...left, ...right]));
    for (let height = 0; height < 40; height++) {
      const below = levels[height] as Uint8Array[];
      const none = empty[height] as Uint8Array;
      empty.push(pair(none, none));
      levels.push(
        Array.from({ length: Math.ceil(below.length / 2) }, (_, i) =>
          pair(below[2 * i] as Uint8Array, below[2 * i + 1] ?? none),
        ),
      );
    }
    return { levels, root: (levels[40] as [Uint8Array])[0] };
  }

  test.each([
    [1, [0]],
    [2, [0]],
    [2, [0, 1]],
    [7, [3]],
    [7, [6]],
    [7, [0, 1, 2, 3, 4, 5, 6]],
    [8, [0, 7]],
    [9, [8]],
    [100, [3, 4, 64, 98, 99]],
  ])('of %i leaves, from %j: the root, and each shared node once', (nextFreeNode, indices) => {
    const { levels, root } = tree(nextFreeNode);
    const climb = planClimb(indices, nextFreeNode);
    const siblings: Uint8Array[] = [];
    const above = new Set<string>();
    for (let height = 0; height < 40; height++) {
      const way = new Set(indices.map((index) => Math.floor(index / 2 ** height)));
      for (const node of way) {
        above.add(`${height + 1}:${Math.floor(node / 2)}`);
        const sibling = node % 2 === 0 ? node + 1 : node - 1;
        const given = levels[height]?.[sibling];
        if (!way.has(sibling) && given) siblings.push(given);
      }
    }
    expect(climb.siblingCount).toBe(siblings.length);
    const leaves = Uint8Array.from(indices.flatMap((index) => [...leafOf(index)]));
    const given = Uint8Array.from(siblings.flatMap((sibling) => [...sibling]));
    // Once before, so that the digests of empty sub-trees are known to this hasher.
    const { hasher, inputs } = counting(plain);
    const recover = () => recoverSubTreeRoot({ hasher, climb, leaves, siblings: given });
    expect(toHex(recover())).toBe(toHex(root));
    inputs.length = 0;
    expect(toHex(recover())).toBe(toHex(root));
    expect(inputs.length).toBe(above.size);
    expect(new Set(inputs).size).toBe(inputs.length);
  });
});

describe('what is no Uint8Array, or a strange one', () => {
  const { result, claim } = honest('poseidon2');
  const bytes = compactProof(result, claim);
  const state = verifyProof(result, claim);
  const verify = (value: unknown) => () => verifyCompactProof(value as Uint8Array, claim);
  const revoked = Proxy.revocable(new Uint8Array(8), {});
  revoked.revoke();
  const transferred = new Uint8Array(bytes);
  structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
  const lying = Object.defineProperty(new Uint8Array(0), 'length', { value: bytes.length });

  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a text', Buffer.from(bytes).toString('base64')],
    ['an array', [...bytes]],
    ['an ArrayBuffer', bytes.buffer],
    ['a DataView', new DataView(bytes.buffer)],
    ['16-bit words', new Uint16Array(8)],
    ['a clamped array', new Uint8ClampedArray(bytes)],
    ['a Proxy', new Proxy(bytes, {})],
    ['a revoked Proxy', revoked.proxy],
    ['an object with the prototype', Object.create(Uint8Array.prototype)],
    ['an array-like with a tag', { [Symbol.toStringTag]: 'Uint8Array', length: 8 }],
    ['no bytes', new Uint8Array(0)],
    ['a buffer that was transferred', transferred],
    ['an own length', lying],
    ['more bytes than any proof has', new Uint8Array(60_000_000)],
  ])('%s', (_, value) => {
    expect(refusal(verify(value))).toBe('ShapeError');
    // Whatever is no bytes is held to be a result, and is none.
    expect(refusal(() => verifyAnswer(value, claim))).toBe('ShapeError');
  });

  test('the length is looked at before the bytes are', () => {
    expect(verify(new Uint8Array(60_000_000))).toThrow(/expected 1 to \d+ bytes, got 60000000/);
  });

  class Mischief extends Uint8Array {
    override get length() {
      return 3;
    }
    override subarray(): never {
      throw new Error('its own');
    }
    override [Symbol.iterator](): never {
      throw new Error('its own');
    }
    static get [Symbol.species](): never {
      throw new Error('its own');
    }
  }
  const throwing = Object.defineProperty(bytes.slice(), 'constructor', {
    get() {
      throw new Error('its own');
    },
  });
  Object.defineProperty(throwing.buffer, 'constructor', {
    get() {
      throw new Error('its own');
    },
  });
  const inWasm = new Uint8Array(new WebAssembly.Memory({ initial: 1 }).buffer, 5, bytes.length);
  inWasm.set(bytes);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  const elsewhere = runInNewContext('new Uint8Array(given)', { given: [...bytes] });

  test.each<[string, Uint8Array]>([
    ['a Buffer', Buffer.from(bytes)],
    ['a part of a larger buffer', Uint8Array.from([9, 9, 9, ...bytes, 9]).subarray(3, -1)],
    ['bytes of a WebAssembly memory', inWasm],
    ['shared bytes', shared],
    ['bytes of another realm', elsewhere],
    ['a subclass whose members lie', new Mischief(bytes)],
    ['own members that throw', throwing],
  ])('%s is taken for the bytes that it holds', (_, value) => {
    expect(verify(value)()).toEqual(state);
    expect(verifyAnswer(value, claim)).toEqual(state);
  });
});

describe('claims', () => {
  const { result, claim } = honest('poseidon2');
  const bytes = compactProof(result, claim);
  const never = new Proxy({}, { getPrototypeOf: () => expect.unreachable() });

  test.each<[string, unknown]>([
    ['none', undefined],
    ['a text', 'claim'],
    ['no root', { ...claim, stateRoot: undefined }],
    ['a root of zeros', { ...claim, stateRoot: `0x${digits(0n)}` }],
    ['a short address', { ...claim, address: '0x11' }],
    ['no keys', { ...claim, storageKeys: null }],
    ['too many keys', { ...claim, storageKeys: { length: 16385 } }],
    ['another family', { ...claim, hash: 'keccak' }],
    ['another engine', { ...claim, engine: 'none' }],
  ])('%s: an error of the caller, before the answer is looked at', (_, own) => {
    for (const call of [verifyCompactProof, verifyAnswer, compactProof]) {
      const action = () => (call as (a: unknown, b: unknown) => unknown)(never, own);
      expect(refusal(action)).toMatch(/^(TypeError|RangeError)$/);
    }
    expect(refusal(() => verifyCompactProof(bytes, own as ProofClaim))).toMatch(
      /^(Type|Range)Error/,
    );
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

test('a key that hashed to the hKey of the head would prove nothing', () => {
  const world = new CompactWorld('poseidon2');
  const statement = world.statement('alice', ['one']);
  const [account] = world.parts('alice', []);
  const value = digits(77n);
  const storage = withLeaves(world.storage, [{ ...own(world.storage, 0n, 1n), content: value }]);
  const claim = checkClaim(claimOf(statement));
  const { hasher } = claim.spec;
  // A hash that is broken in two places: key and value both come to 0.
  const toZero = [statement.storageKeys[0] as string, value].map((word) =>
    toHex(claim.spec.wordBlocks(bytesOf(word))),
  );
  const broken: Hasher = {
    ...hasher,
    hashEach(bytes, width) {
      const isBroken = bytes.length === width && toZero.includes(toHex(bytes));
      return isBroken ? new Uint8Array(32) : hasher.hashEach(bytes, width);
    },
  };
  const verify = () =>
    verifyCompact(
      { ...claim, spec: { ...claim.spec, hasher: broken } },
      bytesOf(proof([account, storage])),
    );
  expect(refusal(verify)).toBe('HEAD_OR_TAIL');
  expect(verify).toThrow(/^"storageTree.leaves\[0\].hKey" /);
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
  const statementOf = ({ stateRoot, address, storageKeys = [], hash }: ProofClaim) => ({
    stateRoot: digitsOf(stateRoot).toLowerCase(),
    address: digitsOf(address).toLowerCase(),
    storageKeys: storageKeys.map((key) => digitsOf(key).toLowerCase()),
    hash: hash as HashFamily,
  });
  /** What was proven, as the second implementation says it. */
  const provenOf = ({ account, storage }: Pick<StateJson, 'account' | 'storage'>) => ({
    account: account && [
      ...[account.nonce, account.balance].map((value) => digits(BigInt(value))),
      ...[account.storageRoot, account.snarkCodeHash, account.keccakCodeHash].map(digitsOf),
      digits(BigInt(account.codeSize)),
    ],
    storage: storage.map(({ key, value, exists }) => ({
      key: digitsOf(key),
      value: digitsOf(value),
      exists,
    })),
  });

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

describe.each(families)(
  '%s: nothing is hashed before the bytes are known to be a proof',
  (family) => {
    const cases = forgedCases(family).filter(({ code }) => /ShapeError|RANGE/.test(code));
    test.each(cases)('$name', ({ statement, proof: bytes }) => {
      const claim = checkClaim(claimOf(statement));
      const { hasher, inputs } = counting(claim.spec.hasher);
      const own = { ...claim, spec: { ...claim.spec, hasher } };
      expect(() => verifyCompact(own, bytesOf(bytes))).toThrow(ProofError);
      expect(inputs).toEqual([]);
    });
  },
);
