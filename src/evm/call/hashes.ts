/** Hashes of long input in parts, with turns of the event loop between them. */
import type { PrecompileFunc } from '@ethereumjs/evm';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '../../bytes.js';
import type { Packages } from './packages.js';

/** Bytes that are hashed between two turns, in some milliseconds. */
export const hashedAtOnce = 65_536;

const hashes = { keccak_256, sha256, ripemd160 };

/** @param tick is awaited between two parts */
export async function hashInParts(
  name: keyof typeof hashes,
  data: Uint8Array,
  tick: () => Promise<void> | undefined,
): Promise<Uint8Array> {
  const state = hashes[name].create();
  for (let at = 0; at < data.length; at += hashedAtOnce) {
    state.update(data.subarray(at, at + hashedAtOnce));
    await tick();
  }
  return state.digest();
}

/**
 * The precompile 0x02 or 0x03.
 *
 * @param options.original the package's, for short input: it hashes all at once, and twice for 0x03
 */
export function createHash(
  { EVMError }: Packages['evm'],
  name: 'sha256' | 'ripemd160',
  { original, tick }: { original: PrecompileFunc; tick: () => Promise<void> | undefined },
): PrecompileFunc {
  return async (input) => {
    const { data, gasLimit, common } = input;
    if (data.length <= hashedAtOnce) return original(input);
    const words = BigInt(Math.ceil(data.length / 32));
    const gas = common.param(`${name}Gas`) + common.param(`${name}WordGas`) * words;
    if (gas > gasLimit) {
      const exceptionError = new EVMError(EVMError.errorMessages.OUT_OF_GAS);
      return { returnValue: new Uint8Array(0), executionGasUsed: gasLimit, exceptionError };
    }
    const digest = await hashInParts(name, data, tick);
    const zeros = new Uint8Array(32 - digest.length);
    return { returnValue: concatBytes(zeros, digest), executionGasUsed: gas };
  };
}
