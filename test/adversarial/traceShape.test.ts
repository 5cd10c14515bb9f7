/** Whatever a state manager sends: our errors only, bounded work, no effect. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { sharedHasher } from '../../src/hash/engine.js';
import { ShapeError } from '../../src/index.js';
import { verifyTransition } from '../../src/trace/index.js';
import { codeOfRefusal, traceRefusalByPage } from '../support/refusals.js';
import { families, runsOf, type Wire } from '../support/runs.js';
import { refusalOf, savedRun } from '../support/traces.js';

const { claim } = savedRun('poseidon2');
const { parentRoot } = claim;
const fresh = (): Wire => savedRun('poseidon2').traces;
const verify = (traces: unknown) => verifyTransition(traces, { parentRoot });

/** The first trace of each type, by its number. */
const types = [0, 1, 2, 3, 4] as const;
const placeOf = (traces: Wire, type: number): [number, number] => {
  const block = traces.findIndex((b: Wire) => b.some((t: Wire) => t.type === type));
  return [block, traces[block].findIndex((t: Wire) => t.type === type)];
};

/** What each type is made of. */
const members: Record<(typeof types)[number], Record<string, string>> = {
  0: { nextFreeNode: 'free', subRoot: 'digest', leaf: 'leaf', proof: 'place', value: 'value' },
  1: {
    nextFreeNode: 'free',
    subRoot: 'digest',
    leftLeaf: 'leaf',
    leftProof: 'place',
    rightLeaf: 'leaf',
    rightProof: 'place',
  },
  2: {
    newNextFreeNode: 'free',
    oldSubRoot: 'digest',
    newSubRoot: 'digest',
    priorLeftLeaf: 'leaf',
    leftProof: 'place',
    newProof: 'place',
    priorRightLeaf: 'leaf',
    rightProof: 'place',
    value: 'value',
  },
  3: {
    newNextFreeNode: 'free',
    oldSubRoot: 'digest',
    newSubRoot: 'digest',
    priorUpdatedLeaf: 'leaf',
    proof: 'place',
    oldValue: 'value',
    newValue: 'value',
  },
  4: {
    newNextFreeNode: 'free',
    oldSubRoot: 'digest',
    newSubRoot: 'digest',
    priorLeftLeaf: 'leaf',
    leftProof: 'place',
    priorDeletedLeaf: 'leaf',
    deletedProof: 'place',
    priorRightLeaf: 'leaf',
    rightProof: 'place',
    deletedValue: 'value',
  },
};

const notObjects = [undefined, null, 7, 'text', true];
const notText = [undefined, null, 7, {}, [], { length: 66, charCodeAt: () => 0x30 }];
const badText = (bytes: number) => [
  '',
  '0x',
  `0x${'00'.repeat(bytes - 1)}`,
  `0x${'00'.repeat(bytes + 1)}`,
  `0x${'00'.repeat(bytes)}0`,
  `0X${'00'.repeat(bytes)}`,
  `${'00'.repeat(bytes + 1)}`,
  `0x${'zz'.repeat(bytes)}`,
  `0x${'\uff10'.repeat(2 * bytes)}`,
];
const notWhole = [
  undefined,
  null,
  '3',
  1.5,
  -1,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  3n,
  {},
];
const wrong = {
  digest: [...notText, ...badText(32), `0x${'ff'.repeat(32)}`],
  free: [...notWhole, 2 ** 40 + 1],
  index: [...notWhole, 2 ** 40],
  siblings: [...notObjects, {}, [], new Array(40), { length: 40 }],
};

describe.each(types)('type %i', (type) => {
  const [block, i] = placeOf(fresh(), type);
  const at = `traces[${block}][${i}]`;
  /** Puts a value somewhere in the trace; the refusal must name the place. */
  const refuses = (path: (string | number)[], value: unknown, where = path) => {
    const traces = fresh();
    const holder = path.slice(0, -1).reduce((m, name) => m[name], traces[block][i]);
    holder[path.at(-1) as string] = value;
    const place = where.map((name) => (typeof name === 'number' ? `[${name}]` : `.${name}`));
    const error = refusalOf(() => verify(traces));
    expect(error).toBeInstanceOf(ShapeError);
    expect(error.path).toBe(`${at}${place.join('')}`);
  };

  test('every member is of its own shape, and is missed', () => {
    for (const value of [...notWhole, 5, 255]) refuses(['type'], value);
    for (const value of [
      ...notText,
      ...badText(20).filter((text) => text !== '0x'),
      `0x${'00'.repeat(32)}`,
    ]) {
      refuses(['location'], value);
    }
    for (const value of [...notText, ...badText(32)]) refuses(['key'], value);
    for (const [name, shape] of Object.entries(members[type])) {
      if (shape === 'free') for (const value of wrong.free) refuses([name], value);
      if (shape === 'digest') for (const value of wrong.digest) refuses([name], value);
      if (shape === 'value')
        for (const value of [...notText, ...badText(32)]) refuses([name], value);
      if (shape === 'leaf') {
        for (const value of notObjects) refuses([name], value);
        for (const value of wrong.digest) refuses([name, 'hkey'], value);
        for (const value of wrong.digest) refuses([name, 'hval'], value);
        for (const value of wrong.index) refuses([name, 'prevLeaf'], value);
        for (const value of wrong.index) refuses([name, 'nextLeaf'], value);
      }
      if (shape === 'place') {
        for (const value of notObjects) refuses([name], value);
        for (const value of wrong.index) refuses([name, 'leafIndex'], value);
        for (const value of wrong.siblings) {
          const hole = Array.isArray(value) && value.length === 40 ? [0] : [];
          refuses([name, 'siblings'], value, [name, 'siblings', ...hole]);
        }
        for (const height of [0, 7, 39]) {
          for (const value of wrong.digest) refuses([name, 'siblings', height], value);
        }
        const { siblings } = fresh()[block][i][name];
        refuses([name, 'siblings'], siblings.slice(1));
        refuses([name, 'siblings'], [...siblings, siblings[0]]);
      }
    }
  });

  test('members of other types are not read', () => {
    const traces = fresh();
    const trace = traces[block][i];
    const explode = {
      get() {
        throw new Error('read');
      },
    };
    const others = Object.values(members).flatMap((of) => Object.keys(of));
    for (const name of [...others, 'extra', '__proto__']) {
      if (!Object.hasOwn(trace, name)) Object.defineProperty(trace, name, explode);
    }
    expect(verify(traces)).toEqual(verify(fresh()));
  });
});

test('values of accounts are held to their ranges', () => {
  for (const family of families) {
    for (const [type, names] of [
      [0, ['value']],
      [2, ['value']],
      [3, ['oldValue', 'newValue']],
      [4, ['deletedValue']],
    ] as const) {
      for (const name of names) {
        for (const [word, field] of [
          [0, 'nonce'],
          [2, 'storageRoot'],
          [3, 'snarkCodeHash'],
          [5, 'codeSize'],
        ] as const) {
          const { traces, claim: own } = savedRun(family);
          const world = traces.flat().find((t: Wire) => t.type === type && t.location === '0x');
          const text = world[name] as string;
          world[name] = text.slice(0, 2 + 64 * word) + 'ff'.repeat(32) + text.slice(66 + 64 * word);
          const error = refusalOf(() => verifyTransition(traces, own));
          expect(error).toBeInstanceOf(ShapeError);
          expect(error.path).toMatch(
            new RegExp(`^traces\\[\\d\\]\\[\\d+\\]\\.${name}\\.${field}$`),
          );
        }
        const { traces, claim: own } = savedRun(family);
        const world = traces.flat().find((t: Wire) => t.type === type && t.location === '0x');
        world[name] = `0x${'00'.repeat(32)}`;
        expect(refusalOf(() => verifyTransition(traces, own))).toBeInstanceOf(ShapeError);
      }
    }
  }
});

/** Whether a value holds no trace at all, and so changes nothing. */
const isEmptyRun = (value: unknown): boolean =>
  Array.isArray(value) &&
  Array.from(value).every((block) => Array.isArray(block) && block.length === 0);

test('any value at all only ever produces ShapeError', () => {
  const anything = fc.oneof(
    fc.jsonValue(),
    fc.anything({
      withBigInt: true,
      withMap: true,
      withNullPrototype: true,
      withSparseArray: true,
    }),
    fc.array(fc.array(fc.anything({ withBigInt: true }))),
  );
  fc.assert(
    fc.property(anything, (value) => {
      if (isEmptyRun(value)) expect(verify(value).endRoot).toBe(parentRoot);
      else expect(refusalOf(() => verify(value))).toBeInstanceOf(ShapeError);
    }),
    runsOf(),
  );
});

test('anything in the place of any member is refused by an error of ours, or is no other', () => {
  const value = fc.oneof(
    fc.anything({ withBigInt: true }),
    fc.constantFrom(Symbol('x'), () => 1),
  );
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.nat(), { maxLength: 4 }), value, (at, steps, substitute) => {
      const traces = fresh();
      const all = traces.flat();
      let holder = all[at % all.length];
      const nameAt = (step: number) => Object.keys(holder)[step % Object.keys(holder).length];
      let name = nameAt(steps[0] ?? 0) as string;
      for (const step of steps.slice(1)) {
        if (typeof holder[name] !== 'object') break;
        holder = holder[name];
        name = nameAt(step) as string;
      }
      if (Object.is(holder[name], substitute)) return;
      holder[name] = substitute;
      // A number or a text may be of the right shape: the second verifier says what is wrong with it.
      const code = traceRefusalByPage(traces, { family: 'poseidon2', parentRoot });
      expect(code).toBeDefined();
      expect(codeOfRefusal(() => verify(traces))).toBe(code);
    }),
    runsOf(),
  );
});

describe('hostile objects', () => {
  const throwing = (): never => {
    throw new TypeError('trap');
  };
  const revoked = (of: object) => {
    const { proxy, revoke } = Proxy.revocable(of, {});
    revoke();
    return proxy;
  };
  const lying = (length: unknown) =>
    new Proxy([], {
      getOwnPropertyDescriptor: (target, name) =>
        name === 'length'
          ? { value: length, writable: true, configurable: false }
          : Reflect.getOwnPropertyDescriptor(target, name),
    });
  const hostile: [string, (traces: Wire) => unknown][] = [
    ['an accessor for a block', (traces) => Object.defineProperty(traces, 0, { get: throwing })],
    [
      'an accessor for a trace',
      (traces) => Object.defineProperty(traces[0], 3, { get: throwing }) && traces,
    ],
    [
      'an accessor for a type',
      (traces) => Object.defineProperty(traces[0][0], 'type', { get: () => 0 }) && traces,
    ],
    [
      'an accessor for a sibling',
      (traces) =>
        Object.defineProperty(traces[0][0].proof.siblings, 9, { get: throwing }) && traces,
    ],
    [
      'a hole among the blocks',
      (traces) => {
        delete traces[1];
        return traces;
      },
    ],
    [
      'a hole among the traces',
      (traces) => {
        delete traces[0][1];
        return traces;
      },
    ],
    [
      'a hole among the siblings',
      (traces) => {
        delete traces[0][0].proof.siblings[1];
        return traces;
      },
    ],
    [
      'an inherited trace',
      (traces) => {
        traces[0][0] = Object.create(traces[0][0]);
        return traces;
      },
    ],
    [
      'members behind __proto__',
      (traces) => {
        traces[0][0] = JSON.parse(`{"__proto__":${JSON.stringify(traces[0][0])}}`);
        return traces;
      },
    ],
    ['an array-like object', (traces) => ({ ...traces, length: traces.length })],
    ['an iterable', (traces) => new Set(traces)],
    [
      'a String object',
      (traces) => {
        traces[0][0].key = Object(traces[0][0].key);
        return traces;
      },
    ],
    [
      'a Number object',
      (traces) => {
        traces[0][0].type = Object(0);
        return traces;
      },
    ],
    [
      'a Proxy whose traps throw',
      (traces) => {
        traces[0][0].proof = new Proxy(traces[0][0].proof, { getOwnPropertyDescriptor: throwing });
        return traces;
      },
    ],
    ['a revoked Proxy', () => revoked([])],
    [
      'a revoked Proxy for a block',
      (traces) => {
        traces[0] = revoked([]);
        return traces;
      },
    ],
    [
      'a revoked Proxy for a trace',
      (traces) => {
        traces[0][0] = revoked({});
        return traces;
      },
    ],
    ['a Proxy of a broken length', () => lying(1.5)],
    [
      'a Proxy of a negative length',
      (traces) => {
        traces[0] = lying(-1);
        return traces;
      },
    ],
    [
      'a cycle',
      (traces) => {
        traces[0][0].proof = traces;
        return traces;
      },
    ],
    ['a function', () => () => []],
  ];

  test.each(hostile)('%s is a ShapeError', (_, make) => {
    expect(refusalOf(() => verify(make(fresh())))).toBeInstanceOf(ShapeError);
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
            get: throwing,
            ownKeys: throwing,
            has: throwing,
            set: throwing,
            defineProperty: throwing,
          });
    expect(verify(watch(fresh(), ''))).toEqual(verify(fresh()));
    expect(Math.max(...counts.values())).toBe(1);
    expect(counts.size).toBeGreaterThan(37 * 80);
  });

  test('a polluted prototype lends no member', () => {
    const traces = fresh();
    const { key } = traces[0][0];
    delete traces[0][0].key;
    const prototype = Object.prototype as Wire;
    prototype.key = key;
    let error: unknown;
    try {
      error = refusalOf(() => verify(traces));
    } finally {
      delete prototype.key;
    }
    expect(error).toMatchObject({ name: 'ShapeError', path: 'traces[0][0].key' });
  });

  test('frozen input is read and not changed', () => {
    const freeze = (value: Wire): Wire => {
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
      return Object.freeze(value);
    };
    const traces = freeze(fresh());
    const before = JSON.stringify(traces);
    verify(traces);
    expect(JSON.stringify(traces)).toBe(before);
  });
});

describe('oversize input', () => {
  /** An array that says it has many entries, and counts how often it is asked. */
  function counted(length: number, entry: unknown): { array: unknown[]; reads: () => number } {
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

  test('too many blocks or traces are refused by their count', () => {
    const blocks = counted(65537, []);
    expect(refusalOf(() => verify(blocks.array))).toMatchObject({
      path: 'traces',
      name: 'ShapeError',
    });
    expect(blocks.reads()).toBe(1);
    expect(verify(new Array(65536).fill([])).blockRoots.length).toBe(65536);

    const block = counted(65537, {});
    expect(refusalOf(() => verify([block.array]))).toMatchObject({ path: 'traces[0]' });
    expect(block.reads()).toBe(1);
    const half = counted(32769, {});
    expect(refusalOf(() => verify([half.array, half.array]))).toMatchObject({ path: 'traces[1]' });
    expect(half.reads()).toBe(2);
    // So many are looked at, one after the other.
    expect(refusalOf(() => verify([counted(65536, {}).array]))).toMatchObject({
      path: 'traces[0][0].type',
    });
  });

  test('what is refused by its shape is not hashed, wherever the fault lies', () => {
    const hash = vi.spyOn(sharedHasher('poseidon2'), 'hash');
    const traces = fresh();
    const last = traces.at(-1).at(-1);
    const huge = `0x${'00'.repeat(50_000_000)}`;
    for (const [holder, name] of [
      [last, 'key'],
      [last, 'location'],
      [last, 'deletedValue'],
      [last, 'newSubRoot'],
      [last.priorDeletedLeaf, 'hkey'],
      [last.deletedProof.siblings, '39'],
    ]) {
      const value = holder[name];
      holder[name] = huge;
      expect(refusalOf(() => verify(traces))).toBeInstanceOf(ShapeError);
      holder[name] = value;
    }
    const { siblings } = last.deletedProof;
    const many = counted(1_000_000, `0x${'00'.repeat(32)}`);
    last.deletedProof.siblings = many.array;
    expect(refusalOf(() => verify(traces))).toBeInstanceOf(ShapeError);
    expect(many.reads()).toBe(1);
    expect(hash).not.toHaveBeenCalled();
    last.deletedProof.siblings = siblings;
    verify(traces);
    expect(hash).toHaveBeenCalled();
    hash.mockRestore();
  });
});
