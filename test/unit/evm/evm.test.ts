/** The engine by itself: over a state tree in this process, and over a source that never ends. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import { findFork, rulesOf } from '../../../src/evm/call/fork.js';
import {
  type Call,
  createAccessList,
  type Environment,
  EvmError,
  estimateGas,
  openSession,
  type StateSource,
} from '../../../src/evm/index.js';
import { type WorkLimits, workLimits } from '../../../src/evm/state/budget.js';
import { installLine } from '../../../src/peer.js';
import { word } from '../../support/anvil.js';
import { assemble } from '../../support/contracts/assemble.js';
import { deploySamples, type Samples } from '../../support/contracts/samples.js';
import { fromHex, toHex } from '../../support/hex.js';
import { type Living, openLiving } from '../../support/living.js';
import { patience } from '../../support/runs.js';

const nobody: Hex = `0x${'00'.repeat(20)}`;
const callOf = (to: Hex, more: Partial<Call> = {}): Call => ({
  from: nobody,
  to,
  data: new Uint8Array(0),
  value: 0n,
  gas: 30_000_000n,
  gasPrice: 0n,
  maxGasPrice: 0n,
  accessList: [],
  ...more,
});
const environment: Environment = {
  chainId: 31337,
  fork: 'prague',
  number: 1,
  proven: {},
  assumed: {},
};

describe('over a state tree', () => {
  let world: Living;
  let samples: Samples;
  let block: number;
  let source: StateSource;
  let reads: number;
  beforeAll(async () => {
    world = await openLiving();
    samples = await deploySamples(world.l2);
    block = await world.finalize();
    source = {
      known: () => undefined,
      knownCode: () => undefined,
      async read(questions) {
        reads += 1;
        return Promise.all(
          questions.map(async ({ address, storageKeys }) => {
            const { account, storage } = await world.tree.read(address, [...storageKeys], block);
            return { account, values: storage.map(({ value }) => value) };
          }),
        );
      },
      code: (address) => world.l2.call('eth_getCode', address, `0x${block.toString(16)}`),
    };
  }, patience);
  afterAll(() => world.close());

  const open = (more: object = {}) =>
    openSession({ source, environment: { ...environment, number: block }, ...more });

  test.each(['loop', 'list', 'transient', 'proxy', 'look', 'counter'] as const)(
    '%s answers what the node does',
    async (name) => {
      reads = 0;
      const at = `0x${block.toString(16)}`;
      const request = {
        to: samples[name],
        data: `0x${word(BigInt(samples.loop))}`,
        gas: '0x1c9c380',
      };
      const call = callOf(samples[name], { data: fromHex(request.data) });
      const session = await open();
      const outcome = await session.execute(call);
      expect(outcome.kind).toBe('success');
      expect(toHex(outcome.output)).toBe(await world.l2.call('eth_call', request, at));
      const { gas } = await estimateGas(session, call);
      expect(gas).toBe(BigInt(await world.l2.call('eth_estimateGas', request, at)));
      const { outcome: listed } = await createAccessList(await open({ reportsAccess: true }), call);
      const { gasUsed } = await world.l2.call('eth_createAccessList', request, at);
      expect(listed.gasUsed).toBe(BigInt(gasUsed));
      // Slots that are found by one another take a round each.
      expect(reads).toBeLessThan(name === 'list' ? 210 : 12);
    },
  );

  test('calls of one session change nothing for the next', async () => {
    const session = await open();
    const call = callOf(samples.counter);
    const first = await session.execute(call);
    const second = await session.execute(call);
    expect(BigInt(toHex(first.output))).toBe(6n);
    expect(second).toEqual(first);
  });

  test('an endless call ends with its signal, and gives turns before', async () => {
    const controller = new AbortController();
    const session = await open({ signal: controller.signal });
    await session.execute(callOf(samples.counter));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const began = process.cpuUsage();
    const ended = session
      .execute(callOf(samples.endless, { gas: 10n ** 12n }))
      .catch((error) => error);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const spent = process.cpuUsage(began);
    controller.abort(new Error('enough'));
    const aborted = process.cpuUsage();
    expect((await ended).message).toBe('enough');
    const { user, system } = process.cpuUsage(aborted);
    clearInterval(timer);
    expect((user + system) / 1000).toBeLessThan(200);
    expect(turns).toBeGreaterThan((spent.user + spent.system) / 1000 / 50 - 1);
    await expect(open({ signal: controller.signal })).rejects.toThrow('enough');
  });
});

/** An account with code, each slot of which holds another number. */
const endlessSource = (code: Hex): StateSource => ({
  known: () => undefined,
  knownCode: () => undefined,
  read: async (questions) =>
    questions.map(({ storageKeys }) => ({
      account: {
        nonce: 1n,
        balance: 0n,
        storageRoot: `0x${'77'.repeat(32)}`,
        snarkCodeHash: `0x${'77'.repeat(32)}`,
        keccakCodeHash: toHex(keccak_256(fromHex(code))),
        codeSize: BigInt((code.length - 2) / 2),
      },
      values: storageKeys.map((key) => toHex(keccak_256(fromHex(key)))),
    })),
  code: async () => code,
});

async function failureOf(code: Hex): Promise<unknown> {
  const session = await openSession({ source: endlessSource(code), environment });
  return session.execute(callOf(`0x${'aa'.repeat(20)}`)).catch((error) => error);
}

test('a list without end ends with the rounds', async () => {
  const error = await failureOf(assemble('0x01 next: SLOAD DUP1 @next JUMPI'));
  expect(error).toBeInstanceOf(EvmError);
  expect(error).toMatchObject({ code: 'TOO_MANY_ROUNDS' });
});

test('accounts and code without end end with the limits', async () => {
  const accountsOnly = assemble('0x01 next: DUP1 BALANCE POP 0x01 ADD @next JUMP');
  expect(await failureOf(accountsOnly)).toMatchObject({ code: 'TOO_MANY_READS' });
  const hashes = assemble(
    'GAS PUSH0 MSTORE next: 0x20 PUSH0 KECCAK256 DUP1 PUSH0 MSTORE SLOAD POP @next JUMP',
  );
  expect(await failureOf(hashes)).toMatchObject({ code: 'TOO_MANY_READS' });
});

describe('the work of all rounds together', () => {
  const { gas, proofs, time } = workLimits;
  const target: Hex = `0x${'aa'.repeat(20)}`;
  /** Burns some 400,000 gas, reads the slot that the last one names, and goes on so for ever. */
  const chain = assemble(`
    0x01 next: SLOAD
    0x2710 burn: 0x01 SWAP1 SUB DUP1 @burn JUMPI POP
    DUP1 @next JUMPI`);
  const open = (source: StateSource, work: Partial<WorkLimits>, signal?: AbortSignal) =>
    openSession({ source, environment, signal, work: { gas, proofs, time, ...work } });

  test('is bounded in gas: a run costs what it ran, in each round again', async () => {
    const session = await open(endlessSource(chain), { gas: 5_000_000n });
    await expect(session.execute(callOf(target))).rejects.toMatchObject({
      code: 'TOO_MUCH_WORK',
      message: expect.stringMatching(/more than 5000000 gas in all its rounds; ask for less/),
    });
  });

  test('is bounded in proofs, over all calls of a session', async () => {
    // One account and ten slots, one in each round.
    const ten = assemble(`0x01 ${'SLOAD '.repeat(10)} STOP`);
    const session = await open(endlessSource(ten), { proofs: 40 });
    expect((await session.execute(callOf(target))).kind).toBe('success');
    const other: Hex = `0x${'cc'.repeat(20)}`;
    await expect(session.execute(callOf(other))).rejects.toMatchObject({
      code: 'TOO_MUCH_WORK',
      message: expect.stringMatching(/more than 40 proofs/),
    });
  });

  test('is bounded in time, while it waits for the source', async () => {
    const silent = { ...endlessSource(chain), read: () => new Promise<never>(() => {}) };
    const session = await open(silent, { time: 50 });
    await expect(session.execute(callOf(target))).rejects.toMatchObject({
      code: 'TOO_MUCH_WORK',
      message: expect.stringMatching(/longer than 50 ms/),
    });
  });

  test('is bounded in time, while it runs', async () => {
    const loop = assemble('0x01 next: 0x01 ADD DUP1 @next JUMPI');
    const session = await open(endlessSource(loop), { time: 50 });
    const call = { ...callOf(target), gas: 10n ** 15n };
    await expect(session.execute(call)).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
  });

  test('ends with the signal, while it waits for the source', async () => {
    const controller = new AbortController();
    const silent = { ...endlessSource(chain), read: () => new Promise<never>(() => {}) };
    const session = await open(silent, { time: Infinity }, controller.signal);
    const running = session.execute(callOf(target));
    setTimeout(() => controller.abort(new Error('enough')), 20);
    await expect(running).rejects.toThrow('enough');
  });
});

test('what a source refuses ends the call, in a try too', async () => {
  const code = assemble(
    'PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 0xbb GAS CALL PUSH0 MSTORE 0x20 PUSH0 RETURN',
  );
  const source = endlessSource(code);
  const session = await openSession({
    environment,
    source: {
      ...source,
      async read(questions, signal) {
        if (questions.some(({ address }) => address.endsWith('bb'))) throw new Error('not proven');
        return source.read(questions, signal);
      },
    },
  });
  await expect(session.execute(callOf(`0x${'aa'.repeat(20)}`))).rejects.toThrow('not proven');
});

test.each(['proof', 'consensus'])(
  'the rules of a block by %s rest on what was proven of it',
  (strict) => {
    const times = { london: 0, prague: 100, osaka: 200 };
    const l1 = { timestamp: 150n, proven: true };
    const block = { how: strict, isNewest: true, l1 };
    const at = (more: object, own = {}) => rulesOf({ ...block, ...more }, times, own);
    const claim = (value: bigint, proven = false) => ({ timestamp: { value, proven } });
    const newest = { fork: 'prague', isAssumed: true, proven: undefined, claimed: undefined };
    expect(at({})).toEqual(newest);
    // The claim of a server that nobody trusts is no evidence.
    expect(at(claim(5n))).toEqual(newest);
    expect(at(claim(5n, true))).toEqual({
      ...newest,
      fork: 'london',
      isAssumed: false,
      proven: 5n,
    });
    for (const more of [
      { isNewest: false },
      { isNewest: undefined },
      { l1: { ...l1, proven: undefined } },
      { l1: { proven: true } },
      { ...claim(5n), isNewest: false },
    ]) {
      expect(() => at(more)).toThrow(expect.objectContaining({ code: 'FORK_UNKNOWN' }));
      expect(at(more, { fork: 'london' })).toEqual({ ...newest, fork: 'london' });
      expect(at(more, { timestamp: 5n })).toEqual({ ...newest, fork: 'london', claimed: 5n });
    }
    for (const how of ['call', 'quorum', 'given']) {
      const all = { ...newest, fork: 'osaka' };
      expect(at({ how })).toEqual(all);
      expect(at({ how, ...claim(5n) })).toEqual({ fork: 'london', isAssumed: false, claimed: 5n });
      expect(at({ how, ...claim(5n) }, { timestamp: 120n })).toEqual({ ...newest, claimed: 120n });
    }
  },
);

test('forks follow from the time', () => {
  const times = { london: 0, shanghai: 10, prague: 20, osaka: 30 };
  const at = (value: bigint, evidence = 'proven') => findFork(times, { [evidence]: value });
  expect([0n, 9n, 10n, 19n, 20n, 29n, 30n, 99n].map((time) => at(time).fork)).toEqual([
    ...['london', 'london', 'shanghai', 'shanghai'],
    ...['prague', 'prague', 'osaka', 'osaka'],
  ]);
  expect(at(25n)).toEqual({ fork: 'prague', isAssumed: false });
  for (const evidence of ['claimed', 'bound']) {
    expect(at(25n, evidence)).toEqual({ fork: 'prague', isAssumed: true });
  }
  expect(findFork(times, {})).toEqual({ fork: 'osaka', isAssumed: true });
  expect(findFork({}, { proven: 5n })).toEqual({ fork: 'osaka', isAssumed: true });
  expect(findFork({}, { isStrict: true })).toEqual({ fork: 'osaka', isAssumed: true });
  // There is but one possibility.
  expect(findFork({ prague: 0 }, { isStrict: true })).toEqual({ fork: 'prague', isAssumed: false });
  expect(() => findFork({ prague: 10 }, { proven: 5n })).toThrow(
    expect.objectContaining({ name: 'EvmError', code: 'FORK' }),
  );
});

test('no call runs in a block whose rules the engine does not run', async () => {
  const times = { london: 0, osaka: 30, amsterdam: 40 };
  const refused = expect.objectContaining({ name: 'EvmError', code: 'FORK' });
  for (const evidence of ['proven', 'claimed', 'bound'] as const) {
    expect(findFork(times, { [evidence]: 39n }).fork).toBe('osaka');
    for (const time of [40n, 99n]) {
      expect(() => findFork(times, { [evidence]: time })).toThrow(refused);
      expect(() => findFork(times, { [evidence]: time, isStrict: true })).toThrow(
        /amsterdam.*osaka/,
      );
    }
  }
  // A proven time counts more than anybody's word.
  expect(() => findFork(times, { proven: 40n, own: 'osaka' })).toThrow(refused);
  expect(findFork(times, { bound: 40n, own: 'osaka' })).toEqual({ fork: 'osaka', isAssumed: true });
  expect(() => findFork(times, {})).toThrow(refused);
  expect(() => findFork({ amsterdam: 0 }, { own: 'osaka' })).toThrow(refused);
  // The package knows the name, and runs drafts of it.
  const session = openSession({
    environment: { ...environment, fork: 'amsterdam' as never },
    source: endlessSource('0x'),
  });
  await expect(session).rejects.toMatchObject({ name: 'EvmError', code: 'FORK' });
});

test('the best evidence decides about the fork; without any, nobody does', () => {
  const times = { london: 0, shanghai: 10, prague: 20, osaka: 30 };
  const own = 'shanghai' as const;
  const all = { proven: 35n, own, claimed: 25n, bound: 5n, isStrict: true };
  expect(findFork(times, all)).toEqual({ fork: 'osaka', isAssumed: false });
  expect(findFork(times, { ...all, proven: undefined })).toEqual({ fork: own, isAssumed: true });
  const words = { claimed: 25n, bound: 5n, isStrict: true };
  expect(findFork(times, words)).toEqual({ fork: 'prague', isAssumed: true });
  expect(findFork(times, { bound: 5n, isStrict: true })).toEqual({
    fork: 'london',
    isAssumed: true,
  });
  expect(findFork({}, { own })).toEqual({ fork: own, isAssumed: true });
  const error = expect.objectContaining({ name: 'EvmError', code: 'FORK_UNKNOWN' });
  expect(() => findFork(times, { isStrict: true })).toThrow(error);
});

test('without the packages a call fails with the line that installs them', async () => {
  const args = ['--import', 'tsx', '--import', './test/support/refuseEvm.mjs'];
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...args,
    'test/support/withoutEvm.ts',
  ]);
  const { block, code, reason, message } = JSON.parse(stdout);
  expect({ block, code, reason }).toEqual({ block: '0x5', code: -31003, reason: 'MISSING_PEER' });
  expect(message).toContain(
    installLine(['@ethereumjs/evm', '@ethereumjs/common', '@ethereumjs/util']),
  );
});
