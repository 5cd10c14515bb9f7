import { describe, expect, test } from 'vitest';
import { type HashFamily, type Hex, VerificationError } from '../../../src/index.js';
import { verifyTransition } from '../../../src/trace/index.js';
import { honestRun, traceForgeries } from '../../forged/traceCases.js';
import { Tracer } from '../../forged/tracer.js';
import { verifyTracesByPage } from '../../support/protocolTraces.js';
import { digits, moduli } from '../../support/reference.js';
import { families, type Wire } from '../../support/runs.js';
import { refusalOf } from '../../support/traces.js';

const hex = (text: string): Hex => `0x${text}`;
const verifyRun = ({ blocks, parentRoot, family }: Tracer) =>
  verifyTransition(blocks, { parentRoot, hash: family });

describe.each(families)('%s', (family) => {
  test('an honest run leads from root to root', () => {
    const { blocks, parentRoot, roots } = honestRun(family);
    const endRoot = roots.at(-1) as Hex;
    for (const engine of ['wasm', 'portable', undefined] as const) {
      const options = { parentRoot, endRoot, hash: family, ...(engine && { engine }) };
      const state = verifyTransition(blocks, options);
      expect(state).toEqual({ endRoot, blockRoots: roots });
      expect(Object.isFrozen(state) && Object.isFrozen(state.blockRoots)).toBe(true);
    }
  });

  test('no block, or no trace, leaves the parent root', () => {
    const { parentRoot } = new Tracer(family);
    const claim = { parentRoot, endRoot: parentRoot, hash: family };
    expect(verifyTransition([], claim)).toEqual({ endRoot: parentRoot, blockRoots: [] });
    const blockRoots = [parentRoot, parentRoot];
    expect(verifyTransition([[], []], claim)).toEqual({ endRoot: parentRoot, blockRoots });
    const other = hex(digits(1n));
    expect(() => verifyTransition([[]], { ...claim, endRoot: other })).toThrow(
      expect.objectContaining({ code: 'END_ROOT_MISMATCH', path: '' }),
    );
  });

  test('hex of either case is taken; what comes back is in lower case', () => {
    const { blocks, parentRoot, roots } = honestRun(family);
    const upper = (text: string) => text.toUpperCase().replace('0X', '0x') as Hex;
    const loud = JSON.parse(JSON.stringify(blocks), (_, value) =>
      typeof value === 'string' ? upper(value) : value,
    );
    // One account, told in both cases, is one account.
    loud[0][0].location = blocks[0]?.[0].location;
    const claim = {
      parentRoot: upper(parentRoot),
      endRoot: upper(roots.at(-1) as Hex),
      hash: family,
    };
    expect(verifyTransition(loud, claim)).toEqual({ endRoot: roots.at(-1), blockRoots: roots });
    const { blockRoots } = verifyTransition([[]], { parentRoot: upper(parentRoot), hash: family });
    expect(blockRoots).toEqual([parentRoot]);
  });

  test('the last place of a tree can be taken, and no further one', () => {
    const t = new Tracer(family);
    t.storage('alice').nextFreeNode = (1n << 40n) - 1n;
    t.settle('alice');
    const last = t.insert('alice', 'new', digits(5n));
    t.read('alice', 'new');
    t.account('alice');
    expect(last).toMatchObject({ newNextFreeNode: 2 ** 40, newProof: { leafIndex: 2 ** 40 - 1 } });
    expect(verifyRun(t).endRoot).toBe(t.world.stateRoot);
  });

  test('storage goes on from block to block, also if an account is only read', () => {
    const t = new Tracer(family);
    t.read('alice', 'one');
    t.read(null, 'alice');
    t.nextBlock();
    t.update('alice', 'one', digits(5n));
    t.account('alice');
    t.account('alice', { nonce: digits(5n) });
    t.read('alice', 'one');
    t.nextBlock();
    t.readZero('alice', 'gap');
    t.read(null, 'alice');
    t.readZero('alice', 'gap');
    expect(verifyRun(t).endRoot).toBe(t.world.stateRoot);
  });

  test('an account that is absent has the empty storage tree, before and after its life', () => {
    const t = new Tracer(family);
    t.readZero('gina', 'one');
    t.readZero(null, 'gina');
    t.readZero('gina', 'one');
    t.nextBlock();
    t.insert('gina', 'one', digits(1n));
    t.account('gina');
    t.read('gina', 'one');
    t.nextBlock();
    t.remove('gina', 'one');
    t.insert('gina', 'two', digits(1n));
    t.remove(null, 'gina');
    t.readZero('gina', 'one');
    t.nextBlock();
    t.readZero('gina', 'two');
    t.account('gina');
    expect(verifyRun(t).endRoot).toBe(t.world.stateRoot);
  });

  test.each(traceForgeries(family))('$name is $code', ({ code, path, traces, parentRoot }) => {
    const error = refusalOf(() => verifyTransition(traces, { parentRoot, hash: family }));
    expect(error).toBeInstanceOf(VerificationError);
    expect(error).toMatchObject({ code });
    if (typeof path === 'string') expect(error.path).toBe(path);
    else expect(error.path).toMatch(path);
  });

  const other: HashFamily = family === 'mimc' ? 'poseidon2' : 'mimc';
  const p = moduli[family];
  const aboveField = family === 'mimc' ? digits(p) : digits(p, 4) + '00'.repeat(28);
  const { blocks, parentRoot } = honestRun(family);
  const zero = hex(digits(0n));

  test.each<[string, object, ErrorConstructor | RangeErrorConstructor]>([
    ['no parent root', { parentRoot: undefined }, TypeError],
    ['a parent root that is no string', { parentRoot: 1n }, TypeError],
    ['a parent root of zero', { parentRoot: zero }, RangeError],
    ['a parent root of 31 bytes', { parentRoot: zero.slice(2) }, RangeError],
    ['a parent root that is no digest', { parentRoot: hex(aboveField) }, RangeError],
    ['an end root that is no string', { endRoot: null }, TypeError],
    ['an end root of zero', { endRoot: zero }, RangeError],
    ['an end root that is no digest', { endRoot: hex(aboveField) }, RangeError],
    ['an unknown family', { hash: 'keccak' }, TypeError],
    ['an unknown engine', { engine: 'gpu' }, TypeError],
  ])('%s is a wrong claim, whatever the traces', (_, change, type) => {
    const claim = { parentRoot, hash: family, ...change } as Wire;
    const unread = new Proxy([], {
      getOwnPropertyDescriptor: () => {
        throw new Error('read');
      },
    });
    for (const traces of [blocks, unread]) {
      expect(() => verifyTransition(traces, claim)).toThrow(type);
    }
    const [name] = Object.keys(change);
    expect(refusalOf(() => verifyTransition(unread, claim)).message).toContain(`"${name}"`);
  });

  test('traces of one family are refused as the other', () => {
    const { parentRoot: root } = new Tracer(other);
    const error = refusalOf(() => verifyTransition(blocks, { parentRoot: root, hash: other }));
    // Each family has digests that are not canonical in the other (7.1), and all traces are read before any is verified.
    expect(() => verifyTracesByPage(blocks, { family: other, parentRoot: root })).toThrow(
      expect.objectContaining({ law: '7.1', what: 'not canonical' }),
    );
    expect(error).toMatchObject({
      name: 'ShapeError',
      reason: expect.stringContaining('canonical'),
    });
  });
});
