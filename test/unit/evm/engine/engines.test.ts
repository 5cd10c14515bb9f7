/** Engines serve one run after another: no run sees anything of those beside it or before it. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { type Call, openSession, type StateSource } from '../../../../src/evm/index.js';
import type { CallFork } from '../../../../src/forks.js';
import { assemble } from '../../../support/contracts/assemble.js';
import { fromHex, toHex } from '../../../support/hex.js';

const target: Hex = `0x${'aa'.repeat(20)}`;
const rich: Hex = `0x${'bb'.repeat(20)}`;
const identity: Hex = `0x${'00'.repeat(19)}04`;
const word = (value: bigint | number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
/** All is known, and nobody exists: a call takes one run. */
const source: StateSource = {
  known: () => ({ account: null, slots: new Map() }),
  knownCode: () => undefined,
  read: () => Promise.reject(new Error('away')),
  code: () => Promise.reject(new Error('away')),
};

/** Stores each value that the opcodes leave on the stack as the next word of memory. */
const told = (from: number, ...pieces: string[]): string =>
  pieces
    .map((one, i) => `${one} 0x${((from + i) * 32).toString(16).padStart(4, '0')} MSTORE`)
    .join(' ');
const world = ['NUMBER', 'TIMESTAMP', 'CHAINID', 'CALLER', 'ORIGIN', 'GASPRICE'];
const held = ['0x00 SLOAD', '0x07 SLOAD', `${rich} BALANCE`];

/** Tells all that it sees, changes its storage, works for some 60 ms, and tells all again. */
const witness = (rounds: number, hasTransient: boolean): Uint8Array => {
  const seen = [...world, ...held, ...(hasTransient ? ['0x00 TLOAD'] : [])];
  const writes = `CALLER 0x00 SSTORE ${hasTransient ? 'CALLER 0x00 TSTORE' : ''}`;
  const work = `0x${rounds.toString(16).padStart(6, '0')} next: 0x01 SWAP1 SUB DUP1 @next JUMPI POP`;
  const size = (2 * seen.length * 32).toString(16).padStart(4, '0');
  return fromHex(
    assemble(
      `${told(0, ...seen)} ${writes} ${work} ${told(seen.length, ...seen)} 0x${size} 0x00 RETURN`,
    ),
  );
};

interface Scene {
  readonly id: number;
  readonly fork?: CallFork;
  readonly chainId?: number;
  readonly reportsAccess?: boolean;
  readonly rounds?: number;
}

/** Runs the witness in a scene where everything is told by one number. @returns the outcome, and what it must have told */
async function play({ id, fork = 'prague', chainId = 1, reportsAccess, rounds = 20_000 }: Scene) {
  const hasTransient = fork !== 'london';
  const from: Hex = `0x${(0x1000 + id).toString(16).padStart(40, 'c')}`;
  const session = await openSession({
    source,
    environment: {
      ...{ chainId, fork, number: 100 + id, proven: { timestamp: BigInt(5000 + id) }, assumed: {} },
    },
    reportsAccess,
    overrides: new Map([
      [target, { code: witness(rounds, hasTransient), state: new Map([[word(7), word(70 + id)]]) }],
      [rich, { balance: BigInt(900 + id) }],
      [from, { balance: 10n ** 20n }],
    ]),
  });
  const gasPrice = BigInt(30 + id);
  const call: Call = {
    ...{ from, to: target, data: new Uint8Array(0), value: 0n, gas: 20_000_000n },
    ...{ gasPrice, maxGasPrice: gasPrice, accessList: [] },
  };
  const outcome = await session.execute(call);
  const sender = BigInt(from);
  const seen = [100 + id, 5000 + id, chainId, sender, sender, gasPrice];
  const held = (slot: bigint) => [slot, 70 + id, 900 + id];
  const transient = (value: bigint) => (hasTransient ? [value] : []);
  const expected = [
    ...[...seen, ...held(0n), ...transient(0n)],
    ...[...seen, ...held(sender), ...transient(sender)],
  ];
  return { outcome, expected: expected.map((value) => word(value).slice(2)).join('') };
}

afterEach(() => vi.restoreAllMocks());

describe('a run sees its own block, sender, overrides and storage', () => {
  const scenes = Array.from(
    // More than the engines that are kept.
    { length: 20 },
    (_, id): Scene => ({
      id,
      ...(id % 2 === 0 && { fork: id % 4 === 0 ? 'london' : 'osaka', chainId: 1 + id }),
      ...(id % 3 === 0 && { reportsAccess: true }),
    }),
  );
  test('beside others, and after them', { timeout: 240_000 }, async () => {
    // Each turn of the event loop lets another run go on: without any, one would follow the other.
    let turns = 0;
    const { performance: clock } = globalThis;
    let now = 0;
    vi.spyOn(clock, 'now').mockImplementation(() => {
      turns++;
      now += turns % 200 === 0 ? 25 : 0;
      return now;
    });
    const gas: bigint[][] = [];
    for (let time = 0; time < 2; time++) {
      const all = await Promise.all(scenes.map((scene) => play({ ...scene, rounds: 2000 })));
      for (const { outcome, expected } of all) {
        expect(outcome).toMatchObject({ kind: 'success', assumed: [] });
        expect(toHex(outcome.output).slice(2)).toBe(expected);
      }
      gas.push(all.map(({ outcome }) => outcome.gasUsed));
    }
    // No address or slot is warm because another run has touched it.
    expect(gas[1]).toEqual(gas[0]);
    const alone = await play({ id: 1, rounds: 2000 });
    expect(alone.outcome.gasUsed).toBe(gas[0]?.[1]);
  });

  test('after one that failed', async () => {
    const { outcome: before } = await play({ id: 1, rounds: 10 });
    const broken = { ...source, known: () => undefined };
    const environment = { chainId: 1, fork: 'prague', number: 1, proven: {}, assumed: {} } as const;
    const writes = fromHex(assemble('0x01 0x00 SSTORE 0x01 0x00 TSTORE TIMESTAMP'));
    for (const failing of [
      { source: broken, overrides: new Map() },
      // Refused in the middle: the time of the block is not known.
      { source, overrides: new Map([[target, { code: writes }]]) },
    ]) {
      const session = await openSession({ ...failing, environment });
      const call: Call = {
        ...{ from: rich, to: target, data: new Uint8Array(0), value: 0n, gas: 1_000_000n },
        ...{
          gasPrice: 0n,
          maxGasPrice: 0n,
          accessList: [{ address: rich, storageKeys: [word(0)] }],
        },
      };
      await expect(session.execute(call)).rejects.toThrow(/away|TIMESTAMP/);
    }
    const { outcome, expected } = await play({ id: 1, rounds: 10 });
    expect(toHex(outcome.output).slice(2)).toBe(expected);
    expect(outcome.gasUsed).toBe(before.gasUsed);
  });
});

test('a precompiled contract that one run has replaced is there for the next', async () => {
  const environment = { chainId: 1, fork: 'prague', number: 1, proven: {}, assumed: {} } as const;
  const call: Call = {
    ...{ from: rich, to: identity, data: Uint8Array.of(1, 2, 3), value: 0n, gas: 1_000_000n },
    ...{ gasPrice: 0n, maxGasPrice: 0n, accessList: [] },
  };
  const run = async (overrides: Map<Hex, { code: Uint8Array }>) =>
    toHex((await (await openSession({ source, environment, overrides })).execute(call)).output);
  const seven = fromHex(assemble('0x07 0x00 MSTORE8 0x01 0x00 RETURN'));
  for (let time = 0; time < 2; time++) {
    expect(await run(new Map())).toBe('0x010203');
    expect(await run(new Map([[identity, { code: seven }]]))).toBe('0x07');
  }
});

test.each([
  // Thousands of opcodes that touch memory stand before the first jump.
  [
    'straight',
    `0x01 0x20 MSTORE 0x00 ${'MLOAD '.repeat(24_000)} @end JUMP INVALID end: 0x20 0x20 RETURN`,
  ],
  ['without memory', '@end JUMP INVALID end: 0x01 0x00 MSTORE 0x20 0x00 RETURN'],
])('code is run again and again: %s', async (_, text) => {
  const environment = { chainId: 1, fork: 'prague', number: 1, proven: {}, assumed: {} } as const;
  const code = fromHex(assemble(text));
  const overrides = new Map([[target, { code }]]);
  const call: Call = {
    ...{ from: rich, to: target, data: new Uint8Array(0), value: 0n, gas: 1_000_000n },
    ...{ gasPrice: 0n, maxGasPrice: 0n, accessList: [] },
  };
  for (let time = 0; time < 3; time++) {
    const session = await openSession({ source, environment, overrides });
    const { kind, output } = await session.execute(call);
    expect([kind, toHex(output)]).toEqual(['success', word(1)]);
  }
});
