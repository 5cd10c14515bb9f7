/** Turns of the event loop while calls run: asked for often enough, whatever a contract does, and each run's own. */
import * as chains from '@ethereumjs/common';
import * as library from '@ethereumjs/evm';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { withTurns } from '../../../../src/evm/engine/steps.js';
import { openSession, type StateSource } from '../../../../src/evm/index.js';
import type { CallFork } from '../../../../src/forks.js';
import { word } from '../../../support/anvil.js';
import { assemble } from '../../../support/contracts/assemble.js';
import { fromHex, toHex } from '../../../support/hex.js';

const target: Hex = `0x${'aa'.repeat(20)}`;
const other: Hex = `0x${'bb'.repeat(20)}`;
const source: StateSource = {
  known: () => undefined,
  knownCode: () => undefined,
  read: async (questions) => questions.map(() => ({ account: null, values: [] })),
  code: async () => '0x',
};

/** Runs code, or creates a contract with it. */
async function run(
  code: Uint8Array,
  {
    fork = 'osaka',
    isInit = false,
    beside = new Uint8Array(0),
  }: { fork?: CallFork; isInit?: boolean; beside?: Uint8Array } = {},
) {
  const environment = { chainId: 1, fork, number: 1, proven: {}, assumed: {} } as const;
  const overrides = new Map<Hex, { code: Uint8Array }>([[other, { code: beside }]]);
  if (!isInit) overrides.set(target, { code });
  const session = await openSession({ source, environment, overrides });
  return session.execute({
    ...{
      from: target,
      to: isInit ? undefined : target,
      data: isInit ? code : new Uint8Array(0),
      value: 0n,
    },
    ...{ gas: 50_000_000n, gasPrice: 0n, maxGasPrice: 0n, accessList: [] },
  });
}

const repeated = (body: string, count: number, before = ''): Uint8Array =>
  fromHex(`0x${assemble(before).slice(2)}${assemble(body).slice(2).repeat(count)}`);

afterEach(() => vi.restoreAllMocks());

/** How often the clock is looked at in a run: before each turn that is not due yet, too. */
async function looks(...args: Parameters<typeof run>): Promise<number> {
  const now = vi.spyOn(performance, 'now').mockClear();
  expect((await run(...args)).kind).toBe('success');
  return now.mock.calls.length;
}

describe('a run looks at the clock', () => {
  test('with each opcode whose memory may grow', async () => {
    expect(await looks(repeated('0x00 MSIZE MSTORE', 2000))).toBeGreaterThan(2000);
    expect(await looks(repeated('0x00 MSIZE MSTORE8', 2000))).toBeGreaterThan(2000);
    expect(await looks(repeated('MSIZE MLOAD POP', 2000))).toBeGreaterThan(2000);
    expect(await looks(repeated('0x00 MLOAD 0x00 MSTORE', 2000))).toBeLessThan(1000);
  });

  test('with each opcode of code that is longer than a contract may be', async () => {
    expect(await looks(repeated('ISZERO', 24_000, '0x00'))).toBeLessThan(1000);
    expect(await looks(repeated('ISZERO', 30_000, '0x00'))).toBeGreaterThan(30_000);
    expect(await looks(repeated('ISZERO', 30_000, '0x00'), { isInit: true })).toBeGreaterThan(
      30_000,
    );
  });

  test('with each part of what is hashed', async () => {
    const hash = (number: string) =>
      fromHex(assemble(`0x00 0x00 0x200000 0x00 ${number} GAS STATICCALL POP`));
    expect(await looks(hash('0x02'))).toBeGreaterThan(32);
    expect(await looks(hash('0x03'))).toBeGreaterThan(32);
    expect(await looks(fromHex(assemble('0x200000 0x00 KECCAK256 POP')))).toBeGreaterThan(32);
  });

  test('with each part of the code of an override', async () => {
    // 16 parts of an account that is not even called.
    const beside = new Uint8Array(1024 * 1024);
    const before = await looks(new Uint8Array(1));
    expect((await looks(new Uint8Array(1), { beside })) - before).toBeGreaterThan(10);
  });
});

test('RIPEMD160 of megabytes', async () => {
  const code = fromHex(
    assemble(
      '0x00 0x00 0x200000 0x00 0x03 GAS STATICCALL POP 0x20 0x00 0x00 RETURNDATACOPY 0x20 0x00 RETURN',
    ),
  );
  const expected = toHex(ripemd160(new Uint8Array(0x200000))).slice(2);
  expect(toHex((await run(code)).output)).toBe(`0x${expected.padStart(64, '0')}`);
});

test('a hash that the gas does not pay for fails, and costs what it had', async () => {
  // 65,537 bytes are 2049 words of 12 gas, and 60.
  for (const [gas, isDone] of [
    [24_648, true],
    [24_647, false],
  ] as const) {
    const call = `0x00 0x00 0x010001 0x00 0x02 0x${gas.toString(16).padStart(4, '0')} STATICCALL`;
    const code = fromHex(assemble(`${call} 0x00 MSTORE 0x20 0x00 RETURN`));
    expect(toHex((await run(code)).output)).toBe(`0x${word(isDone ? 1 : 0)}`);
  }
});

describe('code of more than 256 KiB is not run', () => {
  const most = 262_144;
  const create = (opcode: string, length: string) =>
    fromHex(assemble(`${opcode === 'CREATE2' ? '0x00' : ''} ${length} 0x00 0x00 ${opcode}`));

  test('of a contract, and of a creation', async () => {
    const refused = {
      code: 'TOO_MUCH_WORK',
      message: expect.stringContaining('262145 bytes of code'),
    };
    expect((await run(new Uint8Array(most))).kind).toBe('success');
    await expect(run(new Uint8Array(most + 1))).rejects.toMatchObject(refused);
    expect((await run(new Uint8Array(most), { isInit: true, fork: 'london' })).kind).toBe(
      'success',
    );
    const creation = run(new Uint8Array(most + 1), { isInit: true, fork: 'london' });
    await expect(creation).rejects.toMatchObject(refused);
  });

  test.each(['CREATE', 'CREATE2'])('by %s, nor hashed', async (opcode) => {
    expect((await run(create(opcode, '0x040000'), { fork: 'london' })).kind).toBe('success');
    const refused = run(create(opcode, '0x040001'), { fork: 'london' });
    await expect(refused).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
    // Where init code has a bound of its own, that comes first.
    expect((await run(create(opcode, '0x040001'))).kind).toBe('halt');
  });
});

test('opcodes with a turn', async () => {
  const common = chains.createCustomCommon({ chainId: 1 }, chains.Mainnet, {
    hardfork: 'osaka',
    params: library.paramsEVM,
  });
  const { opcodeMap } = library.getOpcodesForHF(common);
  const ticked = new Error('ticked');
  const tick = () => {
    throw ticked;
  };
  const { short, long } = withTurns(opcodeMap, tick, () => {});
  /** Without a stack: a turn comes before anything is read. */
  async function isTicking({ opcodeInfo, gasHandler }: (typeof short)[number]): Promise<boolean> {
    try {
      if (opcodeInfo.dynamicGas) await gasHandler({} as never, 0n, common);
    } catch (error) {
      return error === ticked;
    }
    return false;
  }
  const names: string[] = [];
  for (const step of long) expect(await isTicking(step)).toBe(true);
  for (const step of short) if (await isTicking(step)) names.push(step.opcodeInfo.name);
  expect([...new Set(names)].sort().join(' ')).toBe(
    'CALL CALLCODE CALLDATACOPY CODECOPY CREATE CREATE2 DELEGATECALL EXP EXTCODECOPY EXTCODEHASH EXTCODESIZE JUMPDEST KECCAK256 LOG MCOPY RETURN RETURNDATACOPY REVERT SELFDESTRUCT SLOAD SSTORE STATICCALL TLOAD TSTORE BALANCE'
      .split(' ')
      .sort()
      .join(' '),
  );
});
