/** MODEXP in parts: the same as the package does at once, without keeping the event loop, and ended by an abort. */
import * as chains from '@ethereumjs/common';
import * as library from '@ethereumjs/evm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EvmError } from '../../../../src/evm/call/errors.js';
import { createModexp } from '../../../../src/evm/precompiles/modexp.js';
import type { EngineHeader } from '../../../../src/evm/state/header.js';
import type { CallFork } from '../../../../src/forks.js';
import { createTurns } from '../../../../src/turns.js';

const header = {
  refuse(error: Error): never {
    throw error;
  },
} as unknown as EngineHeader;

const word = (value: number | bigint) => value.toString(16).padStart(64, '0');
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

/** The input for operands of these lengths, and the bytes behind. */
const inputOf = (lengths: readonly (number | bigint)[], body: Uint8Array) =>
  Uint8Array.from([...bytes(lengths.map(word).join('')), ...body]);

const forks = ['london', 'prague', 'osaka'] as const satisfies readonly CallFork[];

function engines(fork: CallFork, tick: () => Promise<void> | undefined = () => undefined) {
  const common = chains.createCustomCommon({ chainId: 1 }, chains.Mainnet, {
    hardfork: fork,
    params: library.paramsEVM,
  });
  const theirs = library.getActivePrecompiles(common).get('5'.padStart(40, '0'));
  const ours = createModexp(library, { fork, header, tick });
  type Run = typeof ours;
  const runOf = (run: Run) => async (data: Uint8Array, gasLimit: bigint) => {
    const { returnValue, executionGasUsed, exceptionError } = await run({
      ...{ data, gasLimit, common },
      _EVM: {} as never,
    });
    return [Buffer.from(returnValue).toString('hex'), executionGasUsed, exceptionError?.error];
  };
  return { ours: runOf(ours), theirs: runOf(theirs as Run) };
}

const length = fc.oneof(fc.constantFrom(0, 1, 31, 32, 33, 64, 100), fc.nat(150));
const anyInput = fc
  .tuple(length, length, length)
  .chain((lengths) => {
    const all = lengths.reduce((sum, one) => sum + one, 0);
    const full = fc.uint8Array({ minLength: all, maxLength: all });
    // Zeros that are not there count as if they were.
    const body = fc.oneof({ weight: 4, arbitrary: full }, fc.uint8Array({ maxLength: all + 2 }));
    return fc.tuple(fc.constant(lengths), body, fc.nat(120));
  })
  .map(([lengths, body, cut]) => {
    const input = inputOf(lengths, body);
    return cut < 100 ? input : input.subarray(0, cut);
  });
const anyGas = fc.oneof(fc.constant(10n ** 12n), fc.bigInt({ min: 0n, max: 3000n }));

test.each(forks)('%s: any input gives what the package gives', async (fork) => {
  const { ours, theirs } = engines(fork);
  await fc.assert(
    fc.asyncProperty(anyInput, anyGas, async (data, gas) => {
      expect(await ours(data, gas)).toEqual(await theirs(data, gas));
    }),
    { numRuns: 300 },
  );
});

test.each(forks)('%s: lengths at the bounds give what the package gives', async (fork) => {
  const { ours, theirs } = engines(fork);
  const body = new Uint8Array(200).fill(0xa5);
  for (const lengths of [
    ...[1023, 1024, 1025].flatMap((long) => [
      [long, 1, 40],
      [40, long, 33],
      [40, 1, long],
    ]),
    [0, 2n ** 200n, 0],
    [2n ** 256n - 1n, 1, 1],
    [1, 2n ** 256n - 1n, 1],
    [1, 1, 2n ** 64n],
  ]) {
    const data = inputOf(lengths, body);
    for (const gas of [10n ** 12n, 1000n]) {
      expect(await ours(data, gas), `${lengths}`).toEqual(await theirs(data, gas));
    }
  }
});

test('a product by Fermat: a to the power of p - 1 is 1', async () => {
  // 2^255 - 19 is prime.
  const p = 2n ** 255n - 19n;
  const { ours } = engines('prague');
  const data = inputOf([32, 32, 32], bytes(word(7) + word(p - 1n) + word(p)));
  // EIP-2565: 4 words of 8 bytes, squared, times 254 bits, by 3.
  expect(await ours(data, 10n ** 6n)).toEqual([word(1), (16n * 254n) / 3n, undefined]);
});

test('operands that no step is short with are refused, not answered', async () => {
  const { ours } = engines('prague');
  const body = new Uint8Array(70_000).fill(0xff);
  for (const lengths of [
    [65_537, 1, 1],
    [1, 1, 65_537],
  ]) {
    const refused = ours(inputOf(lengths, body), 10n ** 12n);
    await expect(refused).rejects.toBeInstanceOf(EvmError);
    await expect(refused).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  }
  const [value] = await ours(inputOf([1, 1, 65_536], body), 10n ** 12n);
  expect(value).toMatch(/^(00)+ff$|^(ff|00)/);
});

describe('long work', () => {
  // 256 kB of exponent for 8 bytes of modulus: 683 thousand gas, and minutes in the package.
  const data = inputOf([8, 256_000, 8], new Uint8Array(256_016).fill(0xff));

  test('gives the event loop its turns, by the bits of the exponent', async () => {
    let ticks = 0;
    const { ours } = engines('prague', () => {
      ticks += 1;
      return undefined;
    });
    const [value, gas] = await ours(data, 10n ** 6n);
    // (2^64 - 1) modulo itself.
    expect(value).toBe('00'.repeat(8));
    expect(gas).toBe((8n * (256_000n - 32n) + 255n) / 3n);
    // One for 16,384 squares of 8 bytes; some milliseconds.
    expect(ticks).toBe(Math.floor((256_000 * 8) / 16_384));
  });

  test('ends with an abort', async () => {
    const controller = new AbortController();
    const { tick } = createTurns(() => controller.signal.throwIfAborted());
    const { ours } = engines('prague', tick);
    const endless = inputOf([64, 10 ** 6, 64], new Uint8Array(128 + 10 ** 6).fill(0xfd));
    const running = ours(endless, 10n ** 18n);
    setTimeout(() => controller.abort(new Error('enough')), 30);
    await expect(running).rejects.toThrow('enough');
  });
});
