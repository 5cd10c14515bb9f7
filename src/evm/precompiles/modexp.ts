/** MODEXP, the precompile 0x05 (EIP-198), square by square: the package does all of it at once, which may take minutes. */
import type { PrecompileFunc } from '@ethereumjs/evm';
import { bytesToInteger, decodeHex, encodeHex } from '../../bytes.js';
import { type CallFork, isSince } from '../../forks.js';
import type { Tick } from '../../turns.js';
import { EvmError } from '../call/errors.js';
import { greater } from '../call/gas.js';
import type { Packages } from '../call/packages.js';
import { none } from '../state/base.js';
import type { OpcodeHeader } from '../state/header.js';

/** Longest base and modulus in bytes. One step with them takes some 20 ms, and no step can be done in parts. */
const maxOperand = 65_536n;

/** Longest exponent in bytes: its length is counted in numbers of JavaScript. */
const maxExponent = 2n ** 40n;

/** Longest operands from Osaka on (EIP-7823). */
const osakaOperand = 1024n;

/** Work between two ticks: squares of the modulus' bytes. Some milliseconds if it is short. */
const workOfTick = 2 ** 20;

/** The three lengths in front of the operands, in bytes. */
interface Lengths {
  readonly base: bigint;
  readonly exponent: bigint;
  readonly modulus: bigint;
}

/** Bytes of the input; what is behind its end counts as zeros. */
function sliceOf(data: Uint8Array, at: number, length: number): Uint8Array {
  const slice = new Uint8Array(length);
  slice.set(data.subarray(at, at + length));
  return slice;
}

/** By text, which takes as long as the number is, and not the square of it. */
const integerOf = (bytes: Uint8Array): bigint =>
  bytes.length === 0 ? 0n : BigInt(encodeHex(bytes));

/** @param head the first 32 bytes of the exponent, or all of it if it is shorter */
function gasOf({ base, exponent, modulus }: Lengths, head: bigint, fork: CallFork): bigint {
  const isOsaka = isSince(fork, 'osaka');
  const longest = greater(base, modulus);
  const words = (longest + 7n) / 8n;
  const more = greater(exponent - 32n, 0n) * (isOsaka ? 16n : 8n);
  const bits = head === 0n ? 0n : BigInt(head.toString(2).length - 1);
  const steps = greater(more + bits, 1n);
  // EIP-7883, and EIP-2565 before.
  if (isOsaka) return greater(steps * (longest > 32n ? 2n * words * words : 16n), 500n);
  return greater((steps * words * words) / 3n, 200n);
}

/** @param tick is awaited often */
async function powerOf(
  { base, exponent, modulus }: { base: bigint; exponent: Uint8Array; modulus: bigint },
  { zeros, width, tick }: { zeros: number; width: number; tick: Tick },
): Promise<bigint> {
  const factor = base % modulus;
  const work = Math.max(width * width, 64);
  let result = 1n % modulus;
  let done = 0;
  for (let i = 0; i < exponent.length + zeros; i++) {
    const byte = exponent[i] ?? 0;
    for (let bit = 7; bit >= 0; bit--) {
      result = (result * result) % modulus;
      if ((byte >> bit) & 1) result = (result * factor) % modulus;
      done += work;
      if (done < workOfTick) continue;
      done = 0;
      await tick();
    }
  }
  return result;
}

export function createModexp(
  library: Packages['evm'],
  { fork, header, tick }: { fork: CallFork; header: OpcodeHeader; tick: Tick },
): PrecompileFunc {
  const failed = (gasLimit: bigint) => ({
    returnValue: none,
    executionGasUsed: gasLimit,
    exceptionError: new library.EVMError(library.EVMError.errorMessages.OUT_OF_GAS),
  });

  return async ({ data, gasLimit }) => {
    const [base, exponent, modulus] = [0, 32, 64].map((at) =>
      bytesToInteger(sliceOf(data, at, 32)),
    ) as [bigint, bigint, bigint];
    const lengths: Lengths = { base, exponent, modulus };
    const start = 96n + base;
    const isBehind = start > BigInt(data.length);
    const rest = isBehind ? none : data.subarray(Number(start));
    const headLength = Number(exponent < 32n ? exponent : 32n);
    const gas = gasOf(lengths, integerOf(sliceOf(rest, 0, headLength)), fork);
    if (gas > gasLimit) return failed(gasLimit);
    const longest = greater(base, modulus);
    if (isSince(fork, 'osaka') && greater(longest, exponent) > osakaOperand) {
      return failed(gasLimit);
    }
    if (longest === 0n) return { returnValue: none, executionGasUsed: gas };
    if (longest > maxOperand || exponent > maxExponent) {
      const text = `the contract asked for MODEXP of ${longest} bytes; more than ${maxOperand} are not done`;
      return header.refuse(new EvmError('UNSUPPORTED', text));
    }
    const width = Number(modulus);
    const divisor = integerOf(sliceOf(rest, Number(exponent), width));
    const returnValue = new Uint8Array(width);
    if (divisor > 0n) {
      const given = rest.subarray(0, Number(exponent));
      const operands = {
        base: integerOf(sliceOf(data, 96, Number(base))),
        exponent: given,
        modulus: divisor,
      };
      const zeros = Number(exponent) - given.length;
      const power = await powerOf(operands, { zeros, width, tick });
      decodeHex(`0x${power.toString(16).padStart(2 * width, '0')}`, width, returnValue);
    }
    return { returnValue, executionGasUsed: gas };
  };
}
