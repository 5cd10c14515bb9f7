/** Precompiled contracts that may take long: done in parts, with turns of the event loop between them. */
import type { EVMOpts, PrecompileFunc, PrecompileInput } from '@ethereumjs/evm';
import { concatBytes, type Hex } from '../../bytes.js';
import type { CallFork } from '../../forks.js';
import type { Tick } from '../../turns.js';
import type { Overrides } from '../call/call.js';
import { createHash } from '../call/hashes.js';
import type { Packages } from '../call/packages.js';
import { none } from '../state/base.js';
import type { OpcodeHeader } from '../state/header.js';
import { createBlake2f } from './blake2f.js';
import { createModexp } from './modexp.js';
import { blsCheck, bn254Check, InvalidPoint, type PairingCheck } from './pairing.js';

type Library = Packages['evm'];
type CustomPrecompiles = NonNullable<EVMOpts['customPrecompiles']>;

/** Enough for any part of what was paid for as a whole. */
const paid = 10n ** 18n;

/** Points times scalars, summed: by address, the bytes of each, how many are done at once, and the address of the addition. */
const sums = [
  { end: '0c', width: 160, few: 4, adder: '0b' },
  { end: '0e', width: 288, few: 1, adder: '0d' },
] as const;

const pairings: readonly (readonly [string, PairingCheck])[] = [
  ['08', bn254Check],
  ['0f', blsCheck],
];

interface PrecompileOptions {
  readonly fork: CallFork;
  /** Any change of a precompiled contract's account puts an ordinary account in its place, as in geth. */
  readonly overrides: Overrides;
  readonly header: OpcodeHeader;
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

  /** Does input of more than a few parts by `work`, which gives undefined for invalid input. */
  function inParts(
    end: string,
    { width, few }: { width: number; few: number },
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
    return inParts(end, { width, few: 1 }, async ({ data }) => {
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

  function sum({ end, width, few, adder }: (typeof sums)[number]): PrecompileFunc {
    return inParts(end, { width, few }, async (input) => {
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

  const all: [string, PrecompileFunc][] = [
    ...pairings.map(([end, check]): [string, PrecompileFunc] => [end, pairing(end, check)]),
    ...sums.map((one): [string, PrecompileFunc] => [one.end, sum(one)]),
    ['02', createHash(library, 'sha256', { original: original('02'), tick })],
    ['03', createHash(library, 'ripemd160', { original: original('03'), tick })],
    ['05', createModexp(library, { fork, header, tick })],
    ['09', createBlake2f(original('09'), tick)],
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
