/** AssemblyScript source of the Poseidon2 constants, in Montgomery form and in the order `poseidon2.ts` reads them. */
// @ts-nocheck

import { fullRoundConstants, koalaPrime as p, partialRoundConstants } from './constants.js';

const montgomery = (x: bigint): bigint => (x << 32n) % p;

/** Added to a reduced element these give a signed one, so that the S-box starts without a reduction. */
const lessPrime = (x: bigint): bigint => montgomery(x) - p;

/** Index of the state element in lane `lane` of vector `vector`. */
const transposed = Array.from({ length: 16 }, (_, at) => (at >> 2) + 4 * (at & 3));

const vector = (...words: bigint[]): string =>
  `memory.data<i32>([${words.map((x) => BigInt.asIntN(32, x)).join()}], 16)`;
const lanes = (x: bigint): string => vector(x, x, x, x);

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
export const PRIME: usize = ${lanes(p)}
export const INVERSES: usize = ${lanes(0x81000001n)}
export const TO_MONTGOMERY: usize = ${lanes(montgomery(1n << 32n))}
export const ONES: usize = ${lanes(1n)}
export const HALF: usize = ${lanes((p + 1n) / 2n)}
export const KEEP_C: usize = ${vector(0n, -1n, -1n, -1n)}
export const KEEP_D: usize = ${vector(-1n, 0n, -1n, -1n)}
export const POWERS_A: usize = ${vector(1n << 31n, 1n << 24n, 1n << 29n, 1n << 8n)}
export const POWERS_B: usize = ${vector(1n << 24n, 1n << 29n, 1n << 28n, 1n << 8n)}
`;
}
