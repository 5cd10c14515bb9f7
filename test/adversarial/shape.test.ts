/** Whatever a server sends: our errors only, bounded work, no effect. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { sharedHasher } from '../../src/hash/engine.js';
import { type ProofClaim, parseProof, ShapeError, verifyProof } from '../../src/index.js';
import { codeOfRefusal, refusalByPage } from '../support/refusals.js';
import { families, honest, runsOf, saved, type Wire } from '../support/runs.js';

/** The error that an answer is refused with. */
function refusalOf(result: unknown, claim: ProofClaim): unknown {
  try {
    verifyProof(result, claim);
  } catch (error) {
    return error;
  }
  throw new Error('accepted');
}

const { claim } = honest('poseidon2');
const fresh = (): Wire => honest('poseidon2').result;
const nodes = (result: Wire): Wire[] => result.accountProof.proof.proofRelatedNodes;

test('arbitrary JSON only ever produces ShapeError', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(() => parseProof(value)).toThrow(ShapeError);
    }),
    runsOf(),
  );
});

test('any value at all only ever produces ShapeError', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(anything, (value) => {
      expect(() => parseProof(value)).toThrow(ShapeError);
    }),
    runsOf(),
  );
});

test('anything in the place of any member is refused, or is what stood there', () => {
  const places = [
    ['accountProof'],
    ['accountProof', 'key'],
    ['accountProof', 'leafIndex'],
    ['accountProof', 'proof'],
    ['accountProof', 'proof', 'value'],
    ['accountProof', 'proof', 'proofRelatedNodes'],
    ['accountProof', 'proof', 'proofRelatedNodes', '7'],
    ['storageProofs', '0'],
    ['storageProofs', '1', 'leftProof'],
    ['storageProofs', '1', 'rightLeafIndex'],
    ['storageProofs', '1', 'rightProof', 'value'],
    ['storageProofs', '0', 'key'],
  ];
  const value = fc.oneof(
    fc.anything({ withBigInt: true }),
    fc.nat({ max: 20 }),
    fc.constantFrom(Symbol('x'), () => 1),
  );
  fc.assert(
    fc.property(fc.constantFrom(...places), value, (place, substitute) => {
      const result = fresh();
      const target = place.slice(0, -1).reduce((member, name) => member[name], result);
      const last = place.at(-1) as string;
      fc.pre(substitute !== null || place.join() !== 'storageProofs,0');
      if (Object.is(target[last], substitute)) return;
      target[last] = substitute;
      // A number may be the index of another leaf: the second verifier says what is wrong with it.
      const isIndex = last.endsWith('ndex');
      const code = isIndex ? refusalByPage(result, claim, 'poseidon2') : 'ShapeError';
      expect(codeOfRefusal(() => verifyProof(result, claim))).toBe(code);
    }),
    runsOf(),
  );
});

describe('hostile objects', () => {
  const hostile: [string, (result: Wire) => unknown][] = [
    [
      'an accessor for the result',
      (result) =>
        Object.defineProperty({ storageProofs: [] }, 'accountProof', {
          get: () => result.accountProof,
          enumerable: true,
        }),
    ],
    [
      'an accessor that throws',
      (result) =>
        Object.defineProperty(result.accountProof, 'key', {
          get() {
            throw new Error('boo');
          },
        }) && result,
    ],
    [
      'an accessor for a node',
      (result) =>
        Object.defineProperty(nodes(result), 3, { get: () => `0x${'00'.repeat(64)}` }) && result,
    ],
    ['an inherited member', (result) => Object.create(result)],
    ['members behind __proto__', (result) => JSON.parse(`{"__proto__":${JSON.stringify(result)}}`)],
    [
      'a class with getters',
      (result) =>
        new (class {
          get accountProof() {
            return result.accountProof;
          }
          get storageProofs() {
            return result.storageProofs;
          }
        })(),
    ],
    [
      'a hole among the nodes',
      (result) => {
        delete nodes(result)[5];
        return result;
      },
    ],
    [
      'an array-like object for the nodes',
      (result) => {
        result.accountProof.proof.proofRelatedNodes = { ...nodes(result), length: 42 };
        return result;
      },
    ],
    ['a Map', (result) => new Map(Object.entries(result))],
    [
      'a String object for a node',
      (result) => {
        nodes(result)[9] = Object(nodes(result)[9]);
        return result;
      },
    ],
    [
      'an object with toString for a node',
      (result) => {
        const text = nodes(result)[9];
        nodes(result)[9] = { toString: () => text, length: text.length };
        return result;
      },
    ],
    [
      'a Number object for an index',
      (result) => {
        result.accountProof.leafIndex = Object(result.accountProof.leafIndex);
        return result;
      },
    ],
    [
      'a bigint for an index',
      (result) => {
        result.accountProof.leafIndex = BigInt(result.accountProof.leafIndex);
        return result;
      },
    ],
    ['a function', () => () => 1],
    [
      'a Proxy whose traps throw',
      (result) =>
        new Proxy(result, {
          getOwnPropertyDescriptor() {
            throw new TypeError('trap');
          },
        }),
    ],
    [
      'a Proxy whose traps throw no error',
      (result) => {
        result.accountProof = new Proxy(result.accountProof, {
          getOwnPropertyDescriptor() {
            throw 'text';
          },
        });
        return result;
      },
    ],
    [
      'a revoked Proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
    [
      'a revoked Proxy for the entries',
      (result) => {
        const { proxy, revoke } = Proxy.revocable([], {});
        revoke();
        result.storageProofs = proxy;
        return result;
      },
    ],
    [
      'a Proxy that lies about its length',
      (result) => {
        result.storageProofs = new Proxy([], {
          getOwnPropertyDescriptor: (target, name) =>
            name === 'length'
              ? { value: 1.5, writable: true, configurable: false }
              : Reflect.getOwnPropertyDescriptor(target, name),
        });
        return result;
      },
    ],
    [
      'a cycle',
      (result) => {
        result.accountProof.proof = result;
        return result;
      },
    ],
  ];

  test.each(hostile)('%s is a ShapeError', (_, make) => {
    expect(refusalOf(make(fresh()), claim)).toBeInstanceOf(ShapeError);
  });

  test('an accessor is refused as such, wherever a member may stand', () => {
    const get = () => undefined;
    for (const [name, of] of [
      ['accountProof', (result: Wire) => result],
      ['leftProof', (result: Wire) => result.accountProof],
      ['value', (result: Wire) => result.accountProof.proof],
      ['3', (result: Wire) => nodes(result)],
    ] as const) {
      const result = fresh();
      Object.defineProperty(of(result), name, { get });
      expect(refusalOf(result, claim)).toMatchObject({
        message: expect.stringMatching(/accessor/),
      });
    }
  });

  test('what is no object is told by its type, and none of its code runs', () => {
    for (const [value, type] of [
      [null, 'null'],
      ['text', 'string'],
      [7, 'number'],
      [undefined, 'undefined'],
    ]) {
      const message = expect.stringMatching(`expected an object, got ${type}`);
      expect(refusalOf(value, claim)).toMatchObject({ path: '', message });
      const { storageProofs } = fresh();
      const path = 'accountProof';
      expect(refusalOf({ accountProof: value, storageProofs }, claim)).toMatchObject({
        path,
        message,
      });
    }
    const toString = vi.fn(() => '2');
    for (const index of [{ toString, valueOf: toString }, Symbol('2')]) {
      const result = fresh();
      result.accountProof.leafIndex = index;
      expect(refusalOf(result, claim)).toBeInstanceOf(ShapeError);
    }
    expect(toString).not.toHaveBeenCalled();
  });

  test('what a Proxy threw is kept as the cause', () => {
    const cause = new Error('trap');
    const proxy = new Proxy(
      {},
      {
        getOwnPropertyDescriptor() {
          throw cause;
        },
      },
    );
    expect(refusalOf(proxy, claim)).toMatchObject({ cause });
  });

  test('a negative length is refused', () => {
    const result = fresh();
    result.storageProofs = new Proxy([], {
      getOwnPropertyDescriptor: (target, name) =>
        name === 'length'
          ? { value: -1, writable: true, configurable: false }
          : Reflect.getOwnPropertyDescriptor(target, name),
    });
    expect(() => parseProof(result)).toThrow(ShapeError);
  });

  test('a deep object costs no stack', () => {
    const result = fresh();
    let deep: Wire = {};
    for (let i = 0; i < 100_000; i++) deep = { proof: deep };
    result.accountProof = deep;
    expect(refusalOf(result, claim)).toBeInstanceOf(ShapeError);
  });

  test('each member is asked for once, so a second answer cannot differ', () => {
    const counts = new Map<string, number>();
    const watch = (value: Wire, at: string): Wire =>
      typeof value !== 'object' || value === null
        ? value
        : new Proxy(value, {
            getOwnPropertyDescriptor(target, name) {
              const place = `${at}.${String(name)}`;
              counts.set(place, (counts.get(place) ?? 0) + 1);
              const descriptor = Reflect.getOwnPropertyDescriptor(target, name);
              if (descriptor?.configurable) descriptor.value = watch(descriptor.value, place);
              return descriptor;
            },
            get: () => {
              throw new Error('members are not to be read by [[Get]]');
            },
            ownKeys: () => {
              throw new Error('members are not to be listed');
            },
            has: () => {
              throw new Error('members are not to be looked for');
            },
          });
    expect(verifyProof(watch(fresh(), ''), claim)).toEqual(verifyProof(fresh(), claim));
    expect(Math.max(...counts.values())).toBe(1);
    expect(counts.size).toBeGreaterThan(5 * 42);
  });

  test('a getter that would change its answer is not run', () => {
    const get = vi.fn();
    const result = fresh();
    Object.defineProperty(result, 'storageProofs', { get });
    expect(refusalOf(result, claim)).toMatchObject({ path: 'storageProofs' });
    expect(get).not.toHaveBeenCalled();
  });

  test('a polluted prototype lends no member', () => {
    const result = fresh();
    const { storageProofs } = result;
    delete result.storageProofs;
    // An accessor's descriptor would inherit the polluted `value`.
    Object.defineProperty(result.accountProof, 'key', { get: () => 1 });
    const prototype = Object.prototype as Wire;
    prototype.storageProofs = storageProofs;
    prototype.value = 1;
    let error: unknown;
    try {
      error = refusalOf(result, claim);
    } finally {
      delete prototype.storageProofs;
      delete prototype.value;
    }
    expect(error).toBeInstanceOf(ShapeError);
  });

  test('the input is not changed, and frozen input is read', () => {
    const freeze = (value: Wire): Wire => {
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
      return Object.freeze(value);
    };
    const result = freeze(fresh());
    const before = JSON.stringify(result);
    verifyProof(result, claim);
    expect(JSON.stringify(result)).toBe(before);
  });

  test('members that no rule names are never read', () => {
    const result = fresh();
    const explode = {
      get() {
        throw new Error('read');
      },
      enumerable: true,
    };
    for (const target of [
      result,
      result.accountProof,
      result.accountProof.proof,
      result.storageProofs,
    ]) {
      Object.defineProperty(target, 'extra', explode);
      Object.defineProperty(target, 'flags', explode);
    }
    expect(verifyProof(result, claim).account?.nonce).toBe(3n);
  });
});

describe('oversize input', () => {
  /** An array that says it has a million entries, and counts how often it is asked. */
  function countedArray(length: number, entry: unknown): { array: unknown[]; reads: () => number } {
    let reads = 0;
    const array = new Proxy(new Array(length), {
      getOwnPropertyDescriptor(target, name) {
        reads++;
        if (name === 'length') return Reflect.getOwnPropertyDescriptor(target, name);
        return { value: entry, configurable: true, enumerable: true, writable: true };
      },
    });
    return { array, reads: () => reads };
  }

  /** Runs `action`; gives the number of digests it made. */
  function hashesOf(action: () => void): number {
    let count = 0;
    const spies = families.flatMap((family) => {
      const { hash, hashEach, recoverRoots } = sharedHasher(family);
      return [
        vi.spyOn(sharedHasher(family), 'hash').mockImplementation((bytes) => {
          count++;
          return hash(bytes);
        }),
        vi.spyOn(sharedHasher(family), 'hashEach').mockImplementation((bytes, width) => {
          count += bytes.length / width;
          return hashEach(bytes, width);
        }),
        vi.spyOn(sharedHasher(family), 'recoverRoots').mockImplementation((paths) => {
          count += paths.length;
          return recoverRoots(paths);
        }),
      ];
    });
    action();
    for (const spy of spies) spy.mockRestore();
    return count;
  }

  test('the counter of digests counts', () => {
    expect(hashesOf(() => verifyProof(fresh(), claim))).toBe(7 + 5);
  });

  const million = 1_000_000;
  const huge = `0x${'00'.repeat(50_000_000)}`;
  const cases: [string, (result: Wire) => { reads: () => number }][] = [
    [
      'a million nodes',
      (result) => {
        const { array, reads } = countedArray(million, `0x${'00'.repeat(64)}`);
        result.accountProof.proof.proofRelatedNodes = array;
        return { reads };
      },
    ],
    [
      'a million entries',
      (result) => {
        const { array, reads } = countedArray(million, null);
        result.storageProofs = array;
        return { reads };
      },
    ],
    [
      'a node of 100 MB',
      (result) => {
        nodes(result)[20] = huge;
        return { reads: () => 0 };
      },
    ],
    [
      'a value of 100 MB',
      (result) => {
        result.accountProof.proof.value = huge;
        return { reads: () => 0 };
      },
    ],
    [
      'a key of 100 MB',
      (result) => {
        result.accountProof.key = huge;
        return { reads: () => 0 };
      },
    ],
  ];

  test.each(cases)('%s: refused, nothing hashed, a bounded number of reads', (name, change) => {
    // The claim says how many entries there are; that comes before their shape.
    const code = name === 'a million entries' ? 'SLOT_COUNT' : 'ShapeError';
    const result = fresh();
    const { reads } = change(result);
    const charCodeAt = vi.spyOn(String.prototype, 'charCodeAt');
    const hashes = hashesOf(() => {
      expect(() => parseProof(result)).toThrow(ShapeError);
      expect(codeOfRefusal(() => verifyProof(result, claim))).toBe(code);
    });
    const characters = charCodeAt.mock.calls.length;
    charCodeAt.mockRestore();
    expect(hashes).toBe(0);
    expect(reads()).toBeLessThanOrEqual(4);
    // At most the honest parts of the answer are looked into, twice.
    expect(characters).toBeLessThan(200_000);
  });

  test('the storage keys of one claim are capped', () => {
    const storageKeys = new Array(16_385).fill(`0x${'00'.repeat(32)}`);
    expect(() => verifyProof(fresh(), { ...claim, storageKeys })).toThrow(RangeError);
  });
});

describe('encodings', () => {
  const word = '00'.repeat(64);
  const bad: unknown[] = [
    '',
    '0x',
    word,
    `0X${word}`,
    `0x${word}0`,
    `0x${word}00`,
    `0x${word.slice(2)}`,
    ` 0x${word}`,
    `0x${word.slice(1)} `,
    `0x${word.slice(1)}g`,
    `0x${word.slice(1)}０`,
    `0x${word.slice(1)}\ud800`,
    `0x${word.slice(2)}😀`,
    null,
    undefined,
    0,
    1n,
    true,
    [],
    {},
    new Uint8Array(64),
  ];
  test.each(bad.map((value, i) => [i, value]))(
    'node form %i is refused by its path',
    (_, value) => {
      const result = fresh();
      nodes(result)[20] = value;
      expect(refusalOf(result, claim)).toMatchObject({
        name: 'ShapeError',
        path: 'accountProof.proof.proofRelatedNodes[20]',
      });
    },
  );

  const indices: unknown[] = [
    -1,
    -0,
    0.5,
    1e300,
    2 ** 40,
    2 ** 53,
    2 ** 53 + 2,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '2',
    '0x2',
    2n,
    null,
    undefined,
    true,
    [2],
    {},
  ];
  test.each(indices.map((value, i) => [i, value]))('index form %i is refused', (_, value) => {
    const result = fresh();
    result.accountProof.leafIndex = value;
    expect(refusalOf(result, claim)).toBeInstanceOf(ShapeError);
  });

  test.each(families)('%s: a right proof of the other family names both', (family) => {
    const other = family === 'mimc' ? 'poseidon2' : 'mimc';
    const { result, claim: own } = honest(family);
    const root = `0x${'00'.repeat(31)}01` as const;
    const error = refusalOf(result, { ...own, stateRoot: root, hash: other });
    expect(error).toMatchObject({ code: 'WRONG_FAMILY' });
    expect((error as Error).message).toMatch(/poseidon2/);
    expect((error as Error).message).toMatch(/mimc/);
    expect(() => parseProof(result, { hash: other })).toThrow(
      expect.objectContaining({ code: 'WRONG_FAMILY' }),
    );
  });

  // Every width from nothing to a word and more, for each member that is hex and no node.
  test.each(families)(
    '%s: keys and values of any other width are refused by their path',
    (family) => {
      const places: [string, (result: Wire) => Wire, string, number[]][] = [
        ['accountProof.key', (result) => result.accountProof, 'key', [20]],
        ['accountProof.proof.value', (result) => result.accountProof.proof, 'value', [192]],
        ['storageProofs[0].key', (result) => result.storageProofs[0], 'key', [32]],
        ['storageProofs[0].proof.value', (result) => result.storageProofs[0].proof, 'value', [32]],
        [
          'storageProofs[1].leftProof.value',
          (result) => result.storageProofs[1].leftProof,
          'value',
          [32],
        ],
        [
          'storageProofs[1].rightProof.value',
          (result) => result.storageProofs[1].rightProof,
          'value',
          [32],
        ],
      ];
      for (const [path, of, name, widths] of places) {
        for (const width of [0, 1, 2, 3, 19, 20, 21, 31, 32, 33, 64, 191, 192, 193]) {
          if (widths.includes(width)) continue;
          const { result, claim: own } = honest(family);
          of(result)[name] = `0x${'00'.repeat(width)}`;
          expect(refusalOf(result, own)).toMatchObject({ name: 'ShapeError', path });
        }
      }
    },
  );

  // Treated as empty it would be bound to nothing, so one proof would have many texts.
  test.each(families)('%s: an empty sibling leaf is 32 zero bytes', (family) => {
    const { result, claim: own } = saved('vectors', `getproof-${family}-synthetic-laws.json`);
    const paths = result.storageProofs.flatMap((entry: Wire) =>
      entry.proof ? [entry.proof] : [entry.leftProof, entry.rightProof],
    );
    const path = paths.find((candidate: Wire) => candidate.proofRelatedNodes[40].length === 66);
    const width = family === 'mimc' ? 128 : 192;
    for (const text of [
      `0x${'00'.repeat(31)}01`,
      `0x01${'00'.repeat(31)}`,
      `0x${'00'.repeat(width)}`,
    ]) {
      path.proofRelatedNodes[40] = text;
      expect(refusalOf(result, own)).toMatchObject({
        name: 'ShapeError',
        message: expect.stringMatching(/empty leaf/),
      });
    }
  });

  // Each width is checked on its own: one byte and one block more and less, in every kind of node.
  test.each(families)('%s: every node of another width is refused', (family) => {
    for (const node of [0, 1, 39, 40, 41]) {
      for (const change of [-32, -1, 1, 32]) {
        const { result, claim: own } = honest(family);
        const text = nodes(result)[node] as string;
        nodes(result)[node] = change < 0 ? text.slice(0, 2 * change) : text + '00'.repeat(change);
        // A top node that is one block off, towards the other family, has that family's width.
        const isOther = node === 0 && change === (family === 'mimc' ? 32 : -32);
        const code = isOther ? 'WRONG_FAMILY' : 'ShapeError';
        expect(
          codeOfRefusal(() => verifyProof(result, own)),
          `node ${node}, ${change}`,
        ).toBe(code);
      }
    }
  });
});
