/** AssemblyScript source of the Poseidon2 constants, in Montgomery form and in the order `poseidon2.ts` reads them. */
import { fullRoundConstants, koalaPrime as p, partialRoundConstants } from './constants.js';

const montgomery = (x: bigint): bigint => (x << 32n) % p;

/** Added to a reduced element these give a signed one, so that the S-box starts without a reduction. */
const lessPrime = (x: bigint): bigint => montgomery(x) - p;

/** Index of the state element in lane `lane` of vector `vector`. */
const transposed = Array.from({ length: 16 }, (_, at) => (at >> 2) + 4 * (at & 3));

/** Returns the source of the module `constants`. */
export function emitPoseidon2Constants(): string {
  const full = fullRoundConstants.flatMap((round) =>
    transposed.map((at) => lessPrime(round[at] ?? 0n)),
  );
  // the word after the last constant is read, and added, by the last partial round
  const partial = [...partialRoundConstants.map(montgomery), 0n];
  return `
export const FULL_ROUNDS: usize = memory.data<i32>([${full.join()}], 16)
export const PARTIAL_ROUNDS: usize = memory.data<i32>([${partial.join()}], 16)
export const TO_MONTGOMERY: i32 = ${montgomery(1n << 32n)}
`;
}
