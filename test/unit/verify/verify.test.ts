import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Hex,
  parseProof,
  ShapeError,
  verifyExistence,
  verifyNonExistence,
  verifyProof,
} from '../../../src/index.js';
import { digits, digitsOf, hashWord, moduli } from '../../support/reference.js';
import { ReferenceTree } from '../../support/referenceTree.js';
import {
  absent,
  families,
  honest,
  patience,
  runsOf,
  saved,
  type Wire,
} from '../../support/runs.js';

const hex = (text: string): Hex => `0x${text}`;
const zero = digits(0n);

describe.each(families)('%s claims', (family) => {
  const { result, claim } = honest(family);
  const verify = (change: object) => () => verifyProof(result, { ...claim, ...change });
  const p = moduli[family];
  const aboveField = family === 'mimc' ? digits(p) : digits(p, 4) + '00'.repeat(28);

  test.each<[string, object, ErrorConstructor | RangeErrorConstructor]>([
    ['a root of zero', { stateRoot: hex(zero) }, RangeError],
    ['a root of 31 bytes', { stateRoot: hex(zero.slice(2)) }, RangeError],
    ['a root that is no digest of the family', { stateRoot: hex(aboveField) }, RangeError],
    ['a root that is no string', { stateRoot: 1n }, TypeError],
    ['no root', { stateRoot: undefined }, TypeError],
    ['an address of 32 bytes', { address: hex(digits(1n)) }, RangeError],
    ['an address that is no hex', { address: `0x${'zz'.repeat(20)}` }, RangeError],
    ['an address that is no string', { address: null }, TypeError],
    ['a slot key of 31 bytes', { storageKeys: [hex(zero.slice(2))] }, RangeError],
    ['a slot key that is a number', { storageKeys: [0] }, TypeError],
    ['a hole among the slot keys', { storageKeys: new Array(1) }, TypeError],
    ['slot keys that are no array', { storageKeys: hex(zero) }, TypeError],
    ['an unknown family', { hash: 'keccak' }, TypeError],
  ])('%s is a wrong claim, whatever the answer', (_, change, type) => {
    expect(verify(change)).toThrow(type);
    const unread = new Proxy(
      {},
      {
        getOwnPropertyDescriptor: () => {
          throw new Error('read');
        },
      },
    );
    expect(() => verifyProof(unread, { ...claim, ...change } as Wire)).toThrow(type);
  });

  test('the cap on slot keys holds whatever the array says of itself', () => {
    const keys = [hex(zero)];
    keys[Symbol.iterator] = function* () {
      for (let i = 0; i < 20_000; i++) yield hex(zero);
    } as never;
    expect(verify({ storageKeys: keys })).toThrow(expect.objectContaining({ code: 'SLOT_COUNT' }));
    for (const storageKeys of [null, new Array(16385).fill(hex(zero))]) {
      expect(verify({ storageKeys })).toThrow(storageKeys ? RangeError : TypeError);
    }
    expect(verify({ hash: null })).toThrow(TypeError);
    expect(verify({ hash: 'MiMC' })).toThrow(/"MiMC"/);
  });

  test('a slot neighbour holds one word', () => {
    for (const side of ['left', 'right']) {
      const { result: own } = honest(family);
      own.storageProofs[1][`${side}Proof`].value = hex('00'.repeat(192));
      expect(() => verifyProof(own, claim)).toThrow(ShapeError);
    }
  });

  const words: [number, string][] = [
    [2, 'storageRoot'],
    [3, 'snarkCodeHash'],
  ];
  if (family === 'mimc') words.push([1, 'balance']);
  test.each(words)('word %i of an account, %s, has no alias', (word, name) => {
    const { result: own } = honest(family);
    const { proof } = own.accountProof;
    const width = family === 'mimc' ? 64 : 8;
    const at = 2 + 64 * word;
    const element = BigInt(`0x${proof.value.slice(at, at + width)}`) + p;
    proof.value =
      proof.value.slice(0, at) + digits(element, width / 2) + proof.value.slice(at + width);
    expect(() => verifyProof(own, claim)).toThrow(
      expect.objectContaining({ name: 'ShapeError', path: `accountProof.proof.value.${name}` }),
    );
  });

  test('a root of the other field names both families and the usual mistake', () => {
    const message = (() => {
      try {
        verify({ stateRoot: hex(aboveField) })();
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(message).toMatch(/poseidon2/);
    expect(message).toMatch(/mimc/);
    expect(message).toMatch(/header's stateRoot/);
  });

  test('addresses, keys and roots in upper case are the same claim', () => {
    const upper = (text: string) => hex(text.slice(2).toUpperCase());
    const state = verifyProof(result, {
      stateRoot: upper(claim.stateRoot),
      address: upper(claim.address),
      storageKeys: (claim.storageKeys ?? []).map(upper),
      hash: family,
    });
    expect(state).toEqual(verifyProof(result, claim));
    expect(
      JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? '' : value)),
    ).not.toMatch(/0x[0-9a-f]*[A-F]/);
  });

  test('what is proven is frozen, deeply', () => {
    const state = verifyProof(result, claim);
    expect(Object.isFrozen(state)).toBe(true);
    expect(Object.isFrozen(state.account)).toBe(true);
    expect(Object.isFrozen(state.storage)).toBe(true);
    expect(state.storage).toHaveLength(3);
    for (const slot of state.storage) expect(Object.isFrozen(slot)).toBe(true);
    const parsed = parseProof(result, { hash: family });
    expect(parsed.hash).toBe(family);
    expect([parsed, parsed.accountProof, parsed.storageProofs].every(Object.isFrozen)).toBe(true);
    for (const entry of parsed.storageProofs) expect(Object.isFrozen(entry)).toBe(true);
  });

  test('what is proven does not change with the input afterwards', () => {
    const { result: own } = honest(family);
    const parsed = parseProof(own, { hash: family });
    const before = structuredClone(parsed);
    own.accountProof.proof.proofRelatedNodes.length = 0;
    own.storageProofs.length = 0;
    expect(parsed).toEqual(before);
  });

  test("neighbours' values reach nobody", () => {
    const marker = 'beef'.repeat(16);
    const { result: own } = honest(family);
    own.storageProofs[1].leftProof.value = hex(marker);
    own.storageProofs[1].rightProof.value = hex(marker);
    const text = (value: unknown) =>
      JSON.stringify(value, (_, member) =>
        typeof member === 'bigint'
          ? String(member)
          : member instanceof Uint8Array
            ? digitsOf(member)
            : member,
      );
    expect(text(parseProof(own, { hash: family }))).not.toContain('beef');
    expect(text(verifyProof(own, claim))).not.toContain('beef');
  });

  test('an account neighbour of one word is head or tail', () => {
    const { result: own, claim: ownClaim } = absent(family);
    const word = hex(zero);
    for (const side of ['left', 'right']) {
      const copy = structuredClone(own);
      const isEnd = copy.accountProof[`${side}LeafIndex`] <= 1;
      copy.accountProof[`${side}Proof`].value = word;
      const verifyCopy = () => verifyProof(copy, ownClaim);
      if (isEnd) verifyCopy();
      else expect(verifyCopy).toThrow(ShapeError);
    }
  });

  test('an account with a balance of any 32 bytes or of the field', () => {
    const state = verifyProof(result, claim);
    expect(state.account?.balance).toBe(10n ** 18n);
    expect(state.account?.keccakCodeHash).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    );
  });
});

describe.each(families)('%s trees', (family) => {
  const key = (n: number) => digits(BigInt(n) * 7919n + 1n);

  test(
    'every key of a tree is proven to exist, every other one not to, after deletions too',
    () => {
      const operation = fc.record({ key: fc.nat({ max: 12 }), insert: fc.boolean() });
      const operations = fc.array(operation, { minLength: 1, maxLength: 16 });
      fc.assert(
        fc.property(operations, fc.integer({ min: 2, max: 2 ** 39 }), (steps, first) => {
          const tree = new ReferenceTree(family);
          tree.nextFreeNode = BigInt(first);
          for (const { key: n, insert } of steps) {
            const hKey = hashWord(family, key(n));
            const at = tree.indexOf(hKey);
            if (insert && at === undefined) tree.insert(hKey, hashWord(family, key(n)), key(n));
            if (!insert && at !== undefined) tree.remove(at);
          }
          const common = { hash: family, root: hex(tree.root) } as const;
          const n = (steps[0] as { key: number }).key;
          for (const candidate of [n, 13]) {
            const hKey = hashWord(family, key(candidate));
            const proof = tree.prove(key(candidate), hKey);
            const exists = () =>
              verifyExistence({ ...common, hKey: hex(hKey), hValue: hex(hKey), proof });
            const isAbsent = () => verifyNonExistence({ ...common, hKey: hex(hKey), proof });
            if (tree.indexOf(hKey) === undefined) {
              isAbsent();
              expect(exists).toThrow(expect.objectContaining({ code: 'WRONG_KIND' }));
            } else {
              exists();
              expect(isAbsent).toThrow(expect.objectContaining({ code: 'WRONG_KIND' }));
            }
          }
        }),
        { numRuns: Math.ceil(runsOf(family).numRuns / 4) },
      );
    },
    patience,
  );

  test('absence of a present key fails for every pair of leaves', () => {
    const tree = new ReferenceTree(family);
    for (let n = 0; n < 4; n++) {
      const hKey = hashWord(family, key(n));
      tree.insert(hKey, hKey, key(n));
    }
    const root = hex(tree.root);
    const indices = [...tree.leaves.keys()];
    const codes = new Set<string>();
    for (let n = 0; n < 4; n++) {
      const hKey = hex(hashWord(family, key(n)));
      for (const left of indices) {
        for (const right of indices) {
          const proof = tree.nonExistence(key(n), left, right);
          // The second verifier has the order: first whether the key lies between the leaves. If it does, so does its
          // own leaf, and the two do not name each other.
          const [below, above] = [hex(tree.leaf(left).hKey), hex(tree.leaf(right).hKey)];
          const code = below < hKey && hKey < above ? 'NOT_NEIGHBOURS' : 'KEY_NOT_BETWEEN';
          codes.add(code);
          expect(() => verifyNonExistence({ hash: family, root, hKey, proof })).toThrow(
            expect.objectContaining({ code }),
          );
        }
      }
    }
    expect(codes.size).toBe(2);
  });

  test('smallest and largest absent key, and an empty tree', () => {
    const empty = new ReferenceTree(family);
    const one = new ReferenceTree(family);
    const middle = hashWord(family, key(1));
    one.insert(middle, middle, key(1));
    const smallest = digits(1n);
    // One below the tail's hKey: the last element one less.
    const largest = digits(BigInt(hex(one.leaf(1n).hKey)) - 1n);
    for (const tree of [empty, one]) {
      for (const hKey of [smallest, largest]) {
        const proof = tree.prove(key(1), hKey);
        const claim = { hash: family, root: hex(tree.root), hKey: hex(hKey), proof };
        expect(() => verifyNonExistence(claim)).not.toThrow();
      }
    }
  });

  test('head and tail are no keys', () => {
    const tree = new ReferenceTree(family);
    for (const index of [0n, 1n]) {
      const { hKey } = tree.leaf(index);
      const common = { hash: family, root: hex(tree.root), hKey: hex(hKey) } as const;
      const existence = tree.existence(key(1), index);
      expect(() => verifyExistence({ ...common, hValue: hex(zero), proof: existence })).toThrow(
        expect.objectContaining({ code: 'HEAD_OR_TAIL' }),
      );
      const nonExistence = tree.nonExistence(key(1), 0n, 1n);
      expect(() => verifyNonExistence({ ...common, proof: nonExistence })).toThrow(
        expect.objectContaining({ code: 'KEY_NOT_BETWEEN' }),
      );
    }
  });

  test('a proof of one kind is refused as the other', () => {
    const tree = new ReferenceTree(family);
    const hKey = hashWord(family, key(1));
    const common = { hash: family, root: hex(tree.root), hKey: hex(hKey) } as const;
    const gap = tree.prove(key(1), hKey);
    expect(() => verifyExistence({ ...common, hValue: hex(hKey), proof: gap })).toThrow(
      /WRONG_KIND/,
    );
    tree.insert(hKey, hKey, key(1));
    const leaf = tree.prove(key(1), hKey);
    const root = hex(tree.root);
    expect(() => verifyNonExistence({ ...common, root, proof: leaf })).toThrow(/WRONG_KIND/);
    verifyExistence({ ...common, root, hValue: hex(hKey), proof: leaf });
  });

  test.each(['root', 'hKey', 'hValue'])('a wrong %s argument is a RangeError', (name) => {
    const tree = new ReferenceTree(family);
    const hKey = hashWord(family, key(1));
    tree.insert(hKey, hKey, key(1));
    const right = {
      hash: family,
      root: hex(tree.root),
      hKey: hex(hKey),
      hValue: hex(hKey),
    } as const;
    const proof = tree.prove(key(1), hKey);
    const verify = (value: unknown) => () =>
      verifyExistence({ ...right, [name]: value, proof } as Wire);
    expect(verify(hex('ff'.repeat(32)))).toThrow(RangeError);
    expect(verify('0x')).toThrow(RangeError);
    expect(verify(undefined)).toThrow(TypeError);
    if (name === 'root') expect(verify(hex(zero))).toThrow(RangeError);
  });

  test('a leaf that holds zero exists, a missing one does not', () => {
    const { result, claim } = saved('vectors', `getproof-${family}-synthetic-slots.json`);
    const state = verifyProof(result, claim);
    expect(state.storage.map(({ exists }) => exists)).toEqual(
      result.storageProofs.map((entry: Wire) => 'proof' in entry),
    );
  });
});
