/** Precompiled contracts that may take long: done in parts, with turns of the event loop between them. */
import type { EVMOpts, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm';
import { concatBytes, type Hex } from '../bytes.js';
import { none } from './base.js';
import type { Fork, Overrides } from './call.js';
import { EvmError } from './errors.js';
import type { Header } from './header.js';
import { createModexp } from './modexp.js';
import type { Packages } from './packages.js';
import { blsCheck, bn254Check, InvalidPoint, type PairingCheck } from './pairing.js';

type Library = Packages['evm'];
type CustomPrecompiles = NonNullable<EVMOpts['customPrecompiles']>;
type Tick = () => Promise<void> | undefined;

/** Pairs and points that the package does at once: as many take less than a turn. */
const few = 4;

/** Rounds of BLAKE2b that the package does at once, in some 40 ms. Hashes take 12. */
const maxRounds = 100_000;

/** Enough for any part of what was paid for as a whole. */
const paid = 10n ** 18n;

/** Points times scalars, summed: by address, the bytes of each, and the address of the addition. */
const sums = [
  ['0c', 160, '0b'],
  ['0e', 288, '0d'],
] as const;

const pairings: readonly (readonly [string, PairingCheck])[] = [
  ['08', bn254Check],
  ['0f', blsCheck],
];

export interface PrecompileOptions {
  readonly fork: Fork;
  /** Any change of a precompiled contract's account puts an ordinary account in its place, as in geth. */
  readonly overrides: Overrides;
  readonly header: Header;
  readonly tick: Tick;
}

export function customPrecompiles(
  library: Library,
  common: Parameters<Library['getActivePrecompiles']>[0],
  { fork, overrides, header, tick }: PrecompileOptions,
): CustomPrecompiles {
  const active = library.getActivePrecompiles(common);
  const nameOf = (end: string) => end.padStart(40, '0');
  const original = (end: string) => active.get(nameOf(end)) as PrecompileFunc;

  /** Does long input by `work`, which gives undefined for invalid input. */
  function inParts(
    end: string,
    width: number,
    work: (input: PrecompileInput) => Promise<Uint8Array | undefined>,
  ): PrecompileFunc {
    return async (input) => {
      const { data, gasLimit } = input;
      if (data.length % width !== 0 || data.length <= few * width) return original(end)(input);
      // The gas follows from the length alone, and zeros, which are infinity, are done at once.
      const blank = await original(end)({ ...input, data: new Uint8Array(data.length) });
      if (blank.exceptionError) return blank;
      const returnValue = await work(input);
      if (returnValue) return { ...blank, returnValue };
      const exceptionError = new library.EVMError(library.EVMError.errorMessages.OUT_OF_RANGE);
      return { returnValue: none, executionGasUsed: gasLimit, exceptionError };
    };
  }

  function pairing(end: string, { width, check }: PairingCheck): PrecompileFunc {
    return inParts(end, width, async ({ data }) => {
      const word = new Uint8Array(32);
      try {
        word[31] = (await check(data, tick)) ? 1 : 0;
        return word;
      } catch (error) {
        // A tick ends the run; all else says that a point is not valid.
        if (error instanceof InvalidPoint) return undefined;
        throw error;
      }
    });
  }

  function sum(end: string, width: number, adder: string): PrecompileFunc {
    return inParts(end, width, async (input) => {
      let total: Uint8Array | undefined;
      for (let at = 0; at < input.data.length; at += few * width) {
        const data = input.data.subarray(at, at + few * width);
        const part = await original(end)({ ...input, data, gasLimit: paid });
        if (part.exceptionError) return undefined;
        const both = total && concatBytes(total, part.returnValue);
        const added = both && (await original(adder)({ ...input, data: both, gasLimit: paid }));
        total = added?.returnValue ?? part.returnValue;
        await tick();
      }
      return total;
    });
  }

  const blake: PrecompileFunc = (input) => {
    const { data, gasLimit } = input;
    const rounds =
      data.length === 213 ? new DataView(data.buffer, data.byteOffset).getUint32(0) : 0;
    // One round costs one gas.
    if (rounds > maxRounds && BigInt(rounds) <= gasLimit) {
      const text = `the contract asked for ${rounds} rounds of BLAKE2b; more than ${maxRounds} are not done`;
      return header.refuse(new EvmError('UNSUPPORTED', text));
    }
    return original('09')(input);
  };

  const all: [string, PrecompileFunc][] = [
    ...pairings.map(([end, check]): [string, PrecompileFunc] => [end, pairing(end, check)]),
    ...sums.map(([end, width, adder]): [string, PrecompileFunc] => [end, sum(end, width, adder)]),
    ['05', createModexp(library, { fork, header, tick })],
    ['09', blake],
  ];
  const own = all
    .filter(([end]) => active.has(nameOf(end)))
    .map(([end, run]) => ({ address: `0x${nameOf(end)}` as const, function: run }));
  const replaced = [...active.keys()]
    .map((name): Hex => `0x${name}`)
    .filter((address) => overrides.has(address));
  // An entry without a function takes the contract away.
  return [
    ...own.filter(({ address }) => !overrides.has(address)),
    ...replaced.map((address) => ({ address })),
  ];
}
