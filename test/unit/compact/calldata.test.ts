import { type Abi, decodeFunctionData, encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, test } from 'vitest';
import { specOf } from '../../../src/codec/spec.js';
import { describeCalls } from '../../../src/compact/calldata.js';
import { type Calldata, type CalldataCheckName, toCalldata } from '../../../src/compact/index.js';
import { type HashFamily, type Hex, type ProofClaim, ShapeError } from '../../../src/index.js';
import { forgeries } from '../../forged/cases.js';
import { address as addressOf, slotKey, World } from '../../forged/world.js';
import { failedChecks, type Returned, rawStatement } from '../../support/calldata.js';
import {
  type Digits,
  digits,
  digitsOf,
  hash,
  hashAccount,
  hashAddress,
  hashWord,
} from '../../support/reference.js';
import { codeOfRefusal } from '../../support/refusals.js';
import { absent, families, honest, type Wire } from '../../support/runs.js';
import { claimOf } from '../../vectors/proofs.js';
import { loadFolder } from '../../vectors/run.js';

const hex = (text: Digits): Hex => `0x${text}`;

/** What a contract of a family returns, by its published behaviour and the reference hashes. */
function contractOf(family: HashFamily): (call: Calldata['calls'][number]) => Returned {
  const isZero = (text: Digits) => /^0*$/.test(text);
  function verifyProof(nodes: Digits[], leafIndex: bigint, root: Digits): Returned {
    if (nodes.length !== 42 || leafIndex >= 2n ** 40n) return undefined;
    const [top, leaf] = [nodes[0] as Digits, nodes[41] as Digits];
    if (nodes.some((node) => node.length % 64 !== 0)) return undefined;
    if (top.length !== (family === 'mimc' ? 128 : 192)) return undefined;
    let digest = hash(family, leaf);
    for (let height = 0; height < 40; height++) {
      const node = nodes[40 - height] as Digits;
      const sibling = height === 0 && isZero(node) ? digits(0n) : hash(family, node);
      const isRight = (leafIndex >> BigInt(height)) & 1n;
      digest = hash(family, isRight ? sibling + digest : digest + sibling);
    }
    return digits(hash(family, top.slice(0, -64) + digest) === root ? 1n : 0n);
  }
  const text = (value: unknown) => digitsOf(value as Hex);
  return ({ signature, args }) => {
    const [first, second, third] = args;
    switch (signature.split('(')[0]) {
      case 'verifyProof':
        return verifyProof((first as Hex[]).map(digitsOf), second as bigint, text(third));
      case 'mimcHash':
      case 'poseidon2Hash':
        return hash(family, text(first));
      case 'hashAccountKey':
        return hashAddress(family, text(first));
      case 'hashAccountValue':
        return text(first).length === 384 ? hashAccount(family, text(first)) : undefined;
      case 'hashStorageValue':
        return hashWord(family, text(first));
      default:
        throw new Error(`no function ${signature}`);
    }
  };
}

/** The functions of the published verifiers. */
const abis: Record<HashFamily, readonly string[]> = {
  mimc: [
    'function verifyProof(bytes[],uint256,bytes32) pure returns (bool)',
    'function hashAccountValue(bytes) pure returns (bytes32)',
    'function hashStorageValue(bytes32) pure returns (bytes32)',
    'function mimcHash(bytes) pure returns (bytes32)',
  ],
  poseidon2: [
    'function verifyProof(bytes[],uint256,bytes32) pure returns (bool)',
    'function hashAccountValue(bytes) pure returns (bytes32)',
    'function hashStorageValue(bytes32) pure returns (bytes32)',
    'function poseidon2Hash(bytes) pure returns (bytes32)',
    'function hashAccountKey(address) pure returns (bytes32)',
  ],
};

const failedOf = (calldata: Calldata): string[] =>
  failedChecks(calldata, calldata.calls.map(contractOf(calldata.hash)));

/** Forgeries of a wrong shape -> the check that fails. */
const shapeChecks: [forgery: RegExp, check: CalldataCheckName | 'none'][] = [
  [/ \+ p$/, 'CANONICAL'],
  [/next free node above/, 'INDEX'],
  [/^limb of next above 0xffff$|^(nonce|codeSize) of 2\^64$|^(prev|next) of 2\^40$/, 'RANGE'],
  [/empty sibling leaf/, 'WIDTHS'],
  // The value of a neighbour is in no calldata: what is left of the result is true.
  [/with a value of 32 bytes$/, 'none'],
];

describe.each(families)('%s', (family) => {
  const spec = specOf(family);
  const name = family === 'mimc' ? 'mimc-bls12-377' : 'poseidon2-koalabear';
  const valid = loadFolder('vectors').filter(
    ({ json }) => json.kind === 'getProof' && json.hash === name && (json.expect as Wire).valid,
  );

  test.each(valid.map((file) => [file.name, file] as const))(
    '%s: every call returns what its checks say, and is encoded as others encode it',
    (_, file) => {
      const calldata = toCalldata(file.json.result, claimOf(file));
      expect(failedOf(calldata)).toEqual([]);
      const abi: Abi = parseAbi(abis[family]);
      for (const { signature, args, data } of calldata.calls) {
        const decoded = decodeFunctionData({ abi, data });
        const functionName = signature.split('(')[0] as string;
        expect(decoded.functionName).toBe(functionName);
        // viem writes addresses in mixed case.
        const lower = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);
        expect(decoded.args?.map(lower)).toEqual(args);
        expect(encodeFunctionData({ abi, functionName, args })).toBe(data);
      }
    },
  );

  test.each(forgeries(family))('forged: $name', (forgery) => {
    const { name, stateRoot, account, slots, result, code } = forgery;
    const claim: ProofClaim = {
      stateRoot,
      address: hex(addressOf(account)),
      storageKeys: slots.map((slot) => hex(slotKey(slot))),
      hash: family,
    };
    expect(codeOfRefusal(() => toCalldata(result, claim))).toBe(code);
    const statement = rawStatement(spec, result, claim);
    // Labels, counts and kinds of entries are in no calldata.
    const isOfWire =
      ['KEY_MISMATCH', 'SLOT_COUNT', 'SLOT_WITHHELD'].includes(code) ||
      name.startsWith('both kinds');
    expect(typeof statement === 'string').toBe(isOfWire);
    if (typeof statement === 'string') return;
    const [, ofShape] = shapeChecks.find(([names]) => names.test(name)) ?? [];
    if (code === 'ShapeError') expect(ofShape).toBeDefined();
    const expected: Record<string, CalldataCheckName | 'none' | undefined> = {
      HKEY_MISMATCH: 'KEY',
      HVALUE_MISMATCH: 'VALUE',
      NOT_NEIGHBOURS: 'NEIGHBOURS',
      KEY_NOT_BETWEEN: 'BETWEEN',
      ROOT_MISMATCH: 'PATH',
      SUB_TREE_ROOT_MISMATCH: 'PATH',
      INDEX_OUT_OF_RANGE: 'INDEX',
      ShapeError: ofShape,
      // The calls show that there is no account, which is true, and nothing of the slots.
      SLOT_OF_ABSENT_ACCOUNT: 'none',
    };
    const failed = failedOf(describeCalls(statement));
    if (expected[code] === 'none') expect(failed).toEqual([]);
    else expect(failed).toContain(expected[code]);
  });

  test('only what is verified becomes calldata', () => {
    const { result, claim } = honest(family);
    const other = { ...claim, stateRoot: absent(family).claim.stateRoot };
    expect(() => toCalldata(result, other)).toThrow(/ROOT_MISMATCH/);
    expect(() => toCalldata({}, claim)).toThrow(ShapeError);
    expect(() => toCalldata(result, { ...claim, address: '0x' })).toThrow(RangeError);
  });

  test('a call is made once, however many keys it serves', () => {
    const world = new World(family);
    const slots = ['one', 'gap', 'one'];
    const claim: ProofClaim = {
      stateRoot: world.stateRoot,
      address: hex(addressOf('alice')),
      storageKeys: slots.map((slot) => hex(slotKey(slot))),
      hash: family,
    };
    const calldata = toCalldata(world.result('alice', slots), claim);
    const once = toCalldata(world.result('alice', slots.slice(0, 2)), {
      ...claim,
      storageKeys: (claim.storageKeys ?? []).slice(0, 2),
    });
    expect(calldata).toEqual(once);
    const all = calldata.calls.map(({ data }) => data);
    expect(new Set(all).size).toBe(all.length);
  });

  test('a slot that nothing has to prove has no calls, and a check instead if storage is pristine', () => {
    const missing = absent(family);
    const calldata = toCalldata(missing.result, missing.claim);
    expect(calldata.checks.map(({ name }) => name)).not.toContain('STORAGE_ROOT');
    const [file] = valid.filter((each) => each.name.includes('no-storage'));
    if (file === undefined) throw new Error('no such vector');
    const pristine = toCalldata(file.json.result, claimOf(file));
    const checks = pristine.checks.filter(({ name }) => name === 'STORAGE_ROOT');
    expect(checks).toMatchObject([
      { kind: 'equal', right: { from: 'constant', value: hex(digitsOf(spec.emptyRoot)) } },
    ]);
  });

  test('an account without slots says nothing of its storage', () => {
    const { result, claim } = honest(family);
    const own = { ...claim, storageKeys: [] };
    const calldata = toCalldata({ ...result, storageProofs: [] }, own);
    expect(calldata.checks.map(({ name }) => name)).not.toContain('STORAGE_ROOT');
    expect(failedOf(calldata)).toEqual([]);
  });

  test('the calls of one proof never hold under the checks of another', () => {
    const world = new World(family);
    const statements: [account: string, slots: string[]][] = [
      ...['alice', 'bob', 'carol', 'absent', 'gap', 'nobody', 'a', 'zz'].map(
        (account): [string, string[]] => [account, []],
      ),
      ...['one', 'two', 'three', 'four', 'gone', 'gap', 'absent', 'a', 'zz'].map(
        (slot): [string, string[]] => ['alice', [slot]],
      ),
      ['bob', ['one']],
      ['bob', ['gap']],
      ['alice', ['one', 'two']],
      ['alice', ['two', 'one']],
      ['alice', ['one', 'gap']],
    ];
    const resultOf = (account: string, slots: readonly string[]) => ({
      accountProof: world.accountProof(account),
      storageProofs: slots.map((slot) =>
        world.slotProof(slot, account === 'bob' ? world.foreign : world.storage),
      ),
    });
    const proofs = statements.map(([account, slots]) =>
      toCalldata(resultOf(account, slots), {
        stateRoot: world.stateRoot,
        address: hex(addressOf(account)),
        storageKeys: slots.map((slot) => hex(slotKey(slot))),
        hash: family,
      }),
    );
    const returned = proofs.map(({ calls }) => calls.map(contractOf(family)));
    let pairs = 0;
    for (const [i, { checks, hash: of }] of proofs.entries()) {
      const [account, slots] = statements[i] as (typeof statements)[number];
      for (const [j, { calls }] of proofs.entries()) {
        const failed = failedChecks({ calls, checks, hash: of }, returned[j] as Returned[]);
        const [other, others] = statements[j] as (typeof statements)[number];
        // What shows more shows this, too: the account alone, or the first of two slots.
        const isShown = account === other && slots.every((slot, at) => slot === others[at]);
        if (isShown) expect(failed).toEqual([]);
        else expect(failed).toContain('STATEMENT');
        pairs += isShown ? 0 : 1;
      }
    }
    expect(pairs).toBeGreaterThan(400);
  });

  test('the call that hashes a key hashes that key alone, and the one of node 0 that node', () => {
    const world = new World(family);
    const { calls, ...rest } = toCalldata(world.result('nobody', []), {
      stateRoot: world.stateRoot,
      address: hex(addressOf('nobody')),
      hash: family,
    });
    const withArgument = (at: number, argument: Hex) => {
      const changed = calls.map((call, i) => (i === at ? { ...call, args: [argument] } : call));
      return failedChecks({ ...rest, calls: changed }, calls.map(contractOf(family)));
    };
    const [key, top] = [calls[0]?.args[0] as Hex, calls[2]?.args[0] as Hex];
    expect(withArgument(0, key)).toEqual([]);
    // The hash of longer bytes is no key's, and lies between two leaves like any other.
    expect(withArgument(0, `${key}${'00'.repeat(32)}`)).toEqual(['STATEMENT']);
    expect(withArgument(2, hex(`${digitsOf(top).slice(0, -2)}ff`))).toEqual(['TOP_NODE']);
  });

  test('calls and checks are frozen, and each says in words what it is', () => {
    const { result, claim } = honest(family);
    const { calls, checks, ...rest } = toCalldata(result, claim);
    expect(rest).toEqual({ hash: family });
    expect([calls, checks, ...calls, ...checks].every(Object.isFrozen)).toBe(true);
    for (const { text } of calls) expect(text).toMatch(/ of (account|slot|the|node) /);
    for (const { text } of checks) expect(text).toMatch(/calls\[\d+\]/);
    const names = new Set(checks.map(({ name }) => name));
    expect([...names].sort()).toEqual([
      ...['BETWEEN', 'CANONICAL', 'HEAD_OR_TAIL', 'INDEX', 'KEY', 'NEIGHBOURS', 'PATH', 'RANGE'],
      ...['STATEMENT', 'STATE_ROOT', 'STORAGE_ROOT', 'TOP_NODE', 'VALUE', 'WIDTHS'],
    ]);
  });
});

test('edits that the contract does not see are seen by a check', () => {
  // The same numbers to the hash: a path of aliases is accepted on chain.
  for (const family of families) {
    const { result, claim } = honest(family);
    const spec = specOf(family);
    const statement = rawStatement(spec, result, claim);
    if (typeof statement === 'string') throw new Error(statement);
    expect(failedOf(describeCalls(statement))).toEqual([]);
    const aliased = structuredClone(result);
    const nodes = aliased.accountProof.proof.proofRelatedNodes;
    const width = family === 'mimc' ? 64 : 8;
    const p = family === 'mimc' ? spec.contract.element.modulus : 2130706433n;
    const element = BigInt(`0x${nodes[39].slice(2, 2 + width)}`) + p;
    nodes[39] = `0x${element.toString(16).padStart(width, '0')}${nodes[39].slice(2 + width)}`;
    const edited = rawStatement(spec, aliased, claim);
    if (typeof edited === 'string') throw new Error(edited);
    expect(failedOf(describeCalls(edited))).toEqual(['CANONICAL']);
    // Half of node 0 is not read on chain.
    const other = structuredClone(result);
    const own = other.accountProof.proof.proofRelatedNodes;
    own[0] = `${own[0].slice(0, -64)}${'00'.repeat(32)}`;
    const topped = rawStatement(spec, other, claim);
    if (typeof topped === 'string') throw new Error(topped);
    expect(failedOf(describeCalls(topped))).toEqual(['TOP_NODE']);
  }
});

test('a path that a polluted prototype lends is not taken', () => {
  for (const family of families) {
    const { result, claim } = absent(family);
    const expected = toCalldata(result, claim);
    const lent = Object.prototype as Wire;
    lent.path = { leafIndex: 0n, nodes: [] };
    try {
      expect(toCalldata(result, claim)).toEqual(expected);
    } finally {
      delete lent.path;
    }
  }
});
