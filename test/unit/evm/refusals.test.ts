/** What ends a call or a run of it before its own end, and that nothing is left behind. */
import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import type { AccountOverride, Call } from '../../../src/evm/call/call.js';
import { openSession, type StateSource } from '../../../src/evm/index.js';
import { createBudget, workLimits } from '../../../src/evm/state/budget.js';
import { word } from '../../support/anvil.js';
import { assemble } from '../../support/contracts/assemble.js';
import { fromHex } from '../../support/hex.js';

const target: Hex = `0x${'aa'.repeat(20)}`;
const other: Hex = `0x${'bb'.repeat(20)}`;
const rich: Hex = `0x${'cc'.repeat(20)}`;
const zero: Hex = `0x${word(0)}`;

const account = {
  ...{ nonce: 0n, balance: 10n ** 18n, storageRoot: zero, snarkCodeHash: zero },
  ...{ keccakCodeHash: zero, codeSize: 0n },
};

/** Every slot holds one. */
const state: StateSource = {
  known: () => undefined,
  knownCode: () => undefined,
  read: async (questions) =>
    questions.map(({ storageKeys }) => ({
      account,
      values: storageKeys.map((): Hex => `0x${word(1)}`),
    })),
  code: async () => '0x',
};

async function run(
  code: string,
  {
    source = state,
    more = {},
    override = {},
  }: { source?: StateSource; more?: Partial<Call>; override?: AccountOverride } = {},
) {
  const environment = { chainId: 1, fork: 'osaka', number: 1, proven: {}, assumed: {} } as const;
  const overrides = new Map([[target, { code: fromHex(assemble(code)), ...override }]]);
  const session = await openSession({ source, environment, overrides });
  return session.execute({
    ...{ from: rich, to: target, data: new Uint8Array(0), value: 0n, gas: 30_000_000n },
    ...{ gasPrice: 0n, maxGasPrice: 0n, accessList: [], ...more },
  });
}

describe('a wait within the budget', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

  test('leaves neither a timer nor a listener', async () => {
    const { signal } = new AbortController();
    const before = timers();
    expect(await createBudget(workLimits, signal).within(Promise.resolve(7))).toBe(7);
    const failing = createBudget(workLimits, signal).within(Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(timers()).toBe(before);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('does not begin once time is up, or the caller has given up', async () => {
    const late = createBudget({ ...workLimits, time: 0 }, undefined);
    await expect(late.within(Promise.resolve(7))).rejects.toMatchObject({ code: 'TOO_MUCH_WORK' });
    const reason = new Error('enough');
    const given = createBudget(workLimits, AbortSignal.abort(reason));
    await expect(given.within(Promise.resolve(7))).rejects.toBe(reason);
    // Nobody hears how work ends that was not waited for.
    await expect(given.within(Promise.reject(new Error('other')))).rejects.toBe(reason);
  });
});

test('what a contract sends that is the sender itself depends on the price of gas', async () => {
  const send = `0x00 0x00 0x00 0x00 0x01 ${other} GAS CALL POP`;
  const more = { from: target, gasPrice: undefined, maxGasPrice: 1n };
  const refused = { code: 'HEADER_VALUE', message: expect.stringContaining('baseFee') };
  await expect(run(send, { more })).rejects.toMatchObject(refused);
  expect((await run(send, { more: { ...more, maxGasPrice: 0n, gasPrice: 0n } })).kind).toBe(
    'success',
  );
});

test('nobody is asked for code that could not be used', async () => {
  const code = vi.fn(async (): Promise<Hex> => '0x');
  const large = {
    ...account,
    codeSize: 8n * 1024n * 1024n + 1n,
    keccakCodeHash: `0x${'11'.repeat(32)}` as Hex,
  };
  const source: StateSource = {
    ...state,
    code,
    read: async (questions) => questions.map(() => ({ account: large, values: [] })),
  };
  const call = `0x00 0x00 0x00 0x00 ${other} GAS STATICCALL POP`;
  await expect(run(call, { source })).rejects.toMatchObject({ code: 'TOO_MANY_READS' });
  expect(code).not.toHaveBeenCalled();
});

test('a sender that is not known yet costs no round of its own', async () => {
  const read = vi.fn(state.read);
  const more = { gasPrice: 1n, maxGasPrice: 1n };
  expect((await run('0x00 SLOAD POP', { source: { ...state, read }, more })).kind).toBe('success');
  expect(read).toHaveBeenCalledTimes(1);
});

test('a run that lacks something does not go on for long', async () => {
  // Without end while the slot seems to be zero.
  const now = vi.spyOn(performance, 'now').mockClear();
  expect((await run('next: 0x00 SLOAD ISZERO @next JUMPI')).kind).toBe('success');
  expect(now.mock.calls.length).toBeLessThan(50_000);
  now.mockRestore();
});

test('an error from below is told as one of the engine', async () => {
  const cause = new Error('broken');
  const source: StateSource = {
    ...state,
    known() {
      throw cause;
    },
  };
  await expect(run('STOP', { source })).rejects.toMatchObject({ code: 'ENGINE', cause });
});

test('members that Object.prototype lends are refused', async () => {
  const given = { value: 1n, configurable: true };
  Object.defineProperty(Object.prototype, 'gasRefund', given);
  try {
    await expect(run('STOP')).rejects.toMatchObject({
      code: 'ENGINE',
      message: expect.stringContaining('gasRefund'),
    });
  } finally {
    delete (Object.prototype as { gasRefund?: bigint }).gasRefund;
  }
});
