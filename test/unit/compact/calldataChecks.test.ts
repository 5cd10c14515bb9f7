/** Every call and check of a statement, in full: the table of docs/bridge.md, with the widths of docs/compact.md. */
import { describe, expect, test } from 'vitest';
import { specOf } from '../../../src/codec/spec.js';
import { describeCalls } from '../../../src/compact/calldata.js';
import type { WireStatement } from '../../../src/compact/calls.js';
import { type Calldata, type CalldataValue, toCalldata } from '../../../src/compact/index.js';
import { rawStatement } from '../../support/calldata.js';
import { toHex } from '../../support/hex.js';
import { absent as absentResult, families, honest, saved } from '../../support/runs.js';

/** By family: bytes of an integer, of node 0 and of a leaf; elements of a digest, and where those of an account begin. */
const forms = {
  mimc: {
    ...{ integer: 32, top: 64, leaf: 128, limbs: '' },
    ...{
      element: 32,
      modulus: 8444461749428370424248824938781546531375899335154063827935233455917409239041n,
    },
    ...{
      from: 32,
      hash: 'mimcHash(bytes)',
      tail: 8444461749428370424248824938781546531375899335154063827935233455917409239040n,
    },
    ...{ emptyRoot: 0x07977874126658098c066972282d4c85f230520af3847e297fe7524f976873e5n },
  },
  poseidon2: {
    ...{ integer: 64, top: 96, leaf: 192, limbs: ' in limbs' },
    ...{ element: 4, modulus: 2130706433n },
    ...{ from: 64, hash: 'poseidon2Hash(bytes)', tail: BigInt(`0x${'7f000000'.repeat(8)}`) },
    ...{ emptyRoot: 0x2fa0344a2fab2b310d2af3155c330261263f887379aef18b4941e3ea1cc59df7n },
  },
} as const;

const shown = (value: CalldataValue): string => {
  if (value.from === 'constant') {
    expect(value.value).toMatch(/^0x[0-9a-f]{64}$/);
    return `${BigInt(value.value)}`;
  }
  if (value.from === 'result') return `result of ${value.call}`;
  const argument = `argument ${value.argument} of ${value.call}`;
  if (value.from === 'argument') return argument;
  expect(value.from).toBe('bytes');
  const element = value.element === undefined ? '' : ` [${value.element}]`;
  return `${argument}${element} ${value.start} to ${value.end}${value.limbs ? ' in limbs' : ''}`;
};

/** A check in one line, and its words. */
const lineOf = (check: Calldata['checks'][number]): [line: string, text: string] => {
  const { name, kind, text } = check;
  if (kind === 'equal' || kind === 'below') {
    return [`${name}: ${shown(check.left)} ${kind} ${shown(check.right)}`, text];
  }
  const argument = `argument ${check.argument} of ${check.call}`;
  if (kind === 'widths') return [`${name}: ${kind} of ${argument} ${check.widths.join(' ')}`, text];
  const { start, end, width, modulus } = check;
  expect(modulus.length).toBe(2 + 2 * width);
  const range = `${start} to ${end ?? 'the end'}`;
  return [`${name}: ${kind} ${argument} ${range}, ${width} below ${BigInt(modulus)}`, text];
};

const filled = (value: number, width = 32) => new Uint8Array(width).fill(value);
/** A path of two nodes: nothing of a statement need be true. */
const path = (leafIndex: bigint, value: number) => ({
  leafIndex,
  nodes: [filled(value, 4), filled(value + 1, 2)],
});
const stateRoot = filled(0xaa);
const address = filled(0x11, 20);
/** Six words, each of its number. */
const value = Uint8Array.from({ length: 192 }, (_, i) => i >> 5);
const exists = { kind: 'existence', value, path: path(5n, 1) } as const;
const absent = { kind: 'nonExistence', left: path(6n, 10), right: path(7n, 20) } as const;

describe.each(families)('%s', (family) => {
  const spec = specOf(family);
  const { integer, top, leaf, limbs, element, modulus, from, hash, tail, emptyRoot } =
    forms[family];
  const linesOf = (statement: Partial<WireStatement>) => {
    const whole = { spec, stateRoot, address, account: exists, slots: [], isPristine: false };
    const { calls, checks, ...rest } = describeCalls({ ...whole, ...statement });
    expect(rest).toEqual({ hash: family });
    return {
      calls: calls.map(({ signature, args, text }) => [signature, args, text]),
      checks: checks.map(lineOf),
    };
  };
  const ofLeaf = (call: number, start: number, width: number, suffix = '') =>
    `argument 0 of ${call} [41] ${start} to ${start + width}${suffix}`;
  const hKeyOf = (call: number) => ofLeaf(call, 2 * integer, 32);
  const hValueOf = (call: number) => ofLeaf(call, 2 * integer + 32, 32);
  const nextOf = (call: number) => ofLeaf(call, integer, integer, limbs);
  const prevOf = (call: number) => ofLeaf(call, 0, integer, limbs);
  const freeOf = (call: number) => `argument 0 of ${call} [0] 0 to ${integer}${limbs}`;
  /** What is checked of each path, whose node 0 is hashed by the next call. */
  const ofPath = (call: number): [string, string][] => [
    [`PATH: result of ${call} equal 1`, `calls[${call}] returns true`],
    [
      `TOP_NODE: result of ${call + 1} equal argument 2 of ${call}`,
      `calls[${call}]: node 0 hashes to the root`,
    ],
    [
      `TOP_NODE: argument 0 of ${call + 1} 0 to ${top} equal argument 0 of ${call} [0] 0 to ${top}`,
      `calls[${call + 1}] hashes node 0 of calls[${call}]`,
    ],
    [
      `WIDTHS: widths of argument 0 of ${call} ${[top, ...Array(39).fill(64), `32,${leaf}`, leaf].join(' ')}`,
      `calls[${call}]: 42 nodes: the first of ${top} bytes, 39 of 64, the sibling leaf of ${leaf} bytes that are not all zero or of 32 zero bytes, the leaf of ${leaf}`,
    ],
    [
      `CANONICAL: canonical argument 0 of ${call} 0 to the end, ${element} below ${modulus}`,
      `calls[${call}]: every element of every node is below the modulus`,
    ],
    [
      `INDEX: argument 1 of ${call} below ${freeOf(call)}`,
      `calls[${call}]: the leaf index is below the next free node, the beginning of node 0`,
    ],
    [
      `INDEX: ${freeOf(call)} below ${2n ** 40n + 1n}`,
      `calls[${call}]: the next free node is at most 2^40`,
    ],
    [`RANGE: ${prevOf(call)} below ${2n ** 40n}`, `calls[${call}]: prev of the leaf is below 2^40`],
    [`RANGE: ${nextOf(call)} below ${2n ** 40n}`, `calls[${call}]: next of the leaf is below 2^40`],
  ];
  /** What is checked of a leaf that holds a value. */
  const ofValue = (call: number, key: number, hashed: number): [string, string][] => [
    [
      `KEY: ${hKeyOf(call)} equal result of ${key}`,
      `calls[${call}]: hKey of the leaf is what calls[${key}] returns`,
    ],
    [
      `VALUE: ${hValueOf(call)} equal result of ${hashed}`,
      `calls[${call}]: hValue of the leaf is what calls[${hashed}] returns`,
    ],
    [`HEAD_OR_TAIL: 0 below ${hKeyOf(call)}`, `calls[${call}]: the leaf is not the head`],
    [`HEAD_OR_TAIL: ${hKeyOf(call)} below ${tail}`, `calls[${call}]: the leaf is not the tail`],
  ];
  /** What is checked of two leaves with a key between them. */
  const ofGap = (left: number, right: number, key: number): [string, string][] => [
    [
      `NEIGHBOURS: ${nextOf(left)} equal argument 1 of ${right}`,
      `next of the leaf of calls[${left}] is the leaf index of calls[${right}]`,
    ],
    [
      `NEIGHBOURS: ${prevOf(right)} equal argument 1 of ${left}`,
      `prev of the leaf of calls[${right}] is the leaf index of calls[${left}]`,
    ],
    [
      `BETWEEN: ${hKeyOf(left)} below result of ${key}`,
      `hKey of the leaf of calls[${left}] is below what calls[${key}] returns`,
    ],
    [
      `BETWEEN: result of ${key} below ${hKeyOf(right)}`,
      `hKey of the leaf of calls[${right}] is above what calls[${key}] returns`,
    ],
  ];
  const trusted = (call: number): [string, string] => [
    `STATE_ROOT: argument 2 of ${call} equal ${BigInt(toHex(stateRoot))}`,
    `calls[${call}]: the root is the trusted state root`,
  ];
  const addressAsked = 'calls[0]: the key that is hashed is the address asked about';
  const addressNumber = BigInt(toHex(address));
  /** What binds call 0 to the address: a word of bytes, and nothing behind it, or an address. */
  const ofAddress: [string, string][] =
    family === 'mimc'
      ? [
          ['STATEMENT: widths of argument 0 of 0 32', `${addressAsked}, alone`],
          [`STATEMENT: argument 0 of 0 0 to 32 equal ${addressNumber}`, addressAsked],
        ]
      : [[`STATEMENT: argument 0 of 0 equal ${addressNumber}`, addressAsked]];
  const ofSlot = (call: number, key: number): [string, string] => [
    `STATEMENT: argument 0 of ${call} equal ${BigInt(toHex(filled(key)))}`,
    `calls[${call}]: the key that is hashed is the slot asked about`,
  ];
  /** What is checked of the account, whose value call 3 hashes. */
  const ofAccount: [string, string][] = [
    ...ofAddress,
    ...ofPath(1),
    ...ofValue(1, 0, 3),
    trusted(1),
    [`RANGE: argument 0 of 3 0 to 32 below ${2n ** 64n}`, 'calls[3]: the nonce is below 2^64'],
    [
      `RANGE: argument 0 of 3 160 to 192 below ${2n ** 64n}`,
      'calls[3]: the code size is below 2^64',
    ],
    [
      `CANONICAL: canonical argument 0 of 3 ${from} to 128, ${element} below ${modulus}`,
      `calls[3]: every element of bytes ${from} to 128 of the value is below the modulus`,
    ],
  ];
  const ofStorage = (call: number): [string, string] => [
    `STORAGE_ROOT: argument 2 of ${call} equal argument 0 of 3 64 to 96`,
    `calls[${call}]: the root is the storage root in the value of calls[3]`,
  ];
  const named = `account 0x${'11'.repeat(20)}`;
  const verify = 'verifyProof(bytes[],uint256,bytes32)';
  const nodesOf = (first: number) => [toHex(filled(first, 4)), toHex(filled(first + 1, 2))];
  const word = 'hashStorageValue(bytes32)';
  const accountKey =
    family === 'mimc'
      ? [hash, [`0x${'00'.repeat(12)}${'11'.repeat(20)}`], `hKey of ${named}`]
      : ['hashAccountKey(address)', [`0x${'11'.repeat(20)}`], `hKey of ${named}`];
  const accountCalls = [
    accountKey,
    [verify, [nodesOf(1), 5n, toHex(stateRoot)], `the path of ${named}`],
    [hash, [nodesOf(1)[0]], 'the root of node 0 of calls[1]'],
    ['hashAccountValue(bytes)', [toHex(value)], `hValue of ${named}`],
  ];

  test('an account, a slot that is absent and one that exists', () => {
    const slots = [
      { key: filled(7), proof: absent },
      { key: filled(8), proof: { kind: 'existence', value: filled(9), path: path(8n, 30) } },
    ] as const;
    const storageRoot = toHex(filled(2));
    const [seven, eight] = [`slot 0x${'07'.repeat(32)}`, `slot 0x${'08'.repeat(32)}`];
    expect(linesOf({ slots })).toEqual({
      calls: [
        ...accountCalls,
        [word, [toHex(filled(7))], `hKey of ${seven}`],
        [verify, [nodesOf(10), 6n, storageRoot], `the path of the left neighbour of ${seven}`],
        [hash, [nodesOf(10)[0]], 'the root of node 0 of calls[5]'],
        [verify, [nodesOf(20), 7n, storageRoot], `the path of the right neighbour of ${seven}`],
        [hash, [nodesOf(20)[0]], 'the root of node 0 of calls[7]'],
        [word, [toHex(filled(8))], `hKey of ${eight}`],
        [verify, [nodesOf(30), 8n, storageRoot], `the path of ${eight}`],
        [hash, [nodesOf(30)[0]], 'the root of node 0 of calls[10]'],
        [word, [toHex(filled(9))], `hValue of ${eight}`],
      ],
      checks: [
        ...ofAccount,
        ofSlot(4, 7),
        ...ofPath(5),
        ...ofPath(7),
        ...ofGap(5, 7, 4),
        ofStorage(5),
        ofStorage(7),
        ofSlot(9, 8),
        ...ofPath(10),
        ...ofValue(10, 9, 12),
        ofStorage(10),
      ],
    });
  });

  test('an account that is absent', () => {
    const root = toHex(stateRoot);
    expect(linesOf({ account: absent })).toEqual({
      calls: [
        accountKey,
        [verify, [nodesOf(10), 6n, root], `the path of the left neighbour of ${named}`],
        [hash, [nodesOf(10)[0]], 'the root of node 0 of calls[1]'],
        [verify, [nodesOf(20), 7n, root], `the path of the right neighbour of ${named}`],
        [hash, [nodesOf(20)[0]], 'the root of node 0 of calls[3]'],
      ],
      checks: [...ofAddress, ...ofPath(1), ...ofPath(3), ...ofGap(1, 3, 0), trusted(1), trusted(3)],
    });
  });

  test('an account whose storage is pristine', () => {
    expect(linesOf({ isPristine: true })).toEqual({
      calls: accountCalls,
      checks: [
        ...ofAccount,
        [
          `STORAGE_ROOT: argument 0 of 3 64 to 96 equal ${emptyRoot}`,
          'calls[3]: the storage root of the value is that of an empty tree, so that every slot is zero',
        ],
      ],
    });
  });

  test.each([
    ['honest', honest(family)],
    ['absent', absentResult(family)],
    ['without storage', saved('vectors', `getproof-${family}-synthetic-no-storage.json`)],
    ['of many slots', saved('vectors', `getproof-${family}-synthetic-slots.json`)],
  ])('a result that is verified is stated as it is: %s', (_, { result, claim }) => {
    for (const storageKeys of [claim.storageKeys ?? [], []]) {
      const own = { ...claim, storageKeys };
      const asked = storageKeys.length > 0 ? result : { ...result, storageProofs: [] };
      const statement = rawStatement(spec, asked, own);
      if (typeof statement === 'string') throw new Error(statement);
      const calldata = toCalldata(asked, own);
      expect(calldata).toEqual(describeCalls(statement));
      const { calls, checks } = calldata;
      const lists = calls.map(({ args }) => args);
      expect([calldata, calls, checks, ...calls, ...lists, ...checks].every(Object.isFrozen)).toBe(
        true,
      );
    }
  });

  test('a path that serves two keys is called and checked once', () => {
    const twice = { kind: 'nonExistence', left: path(6n, 10), right: path(6n, 10) } as const;
    const { calls, checks } = linesOf({ account: twice });
    expect(calls.length).toBe(3);
    expect(checks).toEqual([...ofAddress, ...ofPath(1), ...ofGap(1, 1, 0), trusted(1), trusted(1)]);
  });
});
