/**
 * The constants of both hash families, derived from their published seeds
 * (protocol.md section 2). Nothing here is typed by hand but the two primes, the
 * two seeds and the recipe of the internal matrix, which the protocol states as such.
 */
// @ts-nocheck

import { keccak_256 } from '@noble/hashes/sha3.js';

export const mimcPrime =
  8444461749428370424248824938781546531375899335154063827935233455917409239041n;
export const koalaPrime = 2n ** 31n - 2n ** 24n + 1n;

const toBigInt = (bytes: Uint8Array): bigint => bytes.reduce((n, b) => (n << 8n) | BigInt(b), 0n);

/** Returns `count` field elements of the keccak chain that starts at `seed`; each link hashes the raw digest before it. */
function chain(seed: string, count: number, prime: bigint): bigint[] {
  let digest = keccak_256(new TextEncoder().encode(seed));
  return Array.from({ length: count }, () => {
    digest = keccak_256(digest);
    return toBigInt(digest) % prime;
  });
}

/** keccak256 over the constants as the protocol publishes it, so that a slip in the chain stops the build. */
function expectChecksum(constants: bigint[], width: number, expected: string): void {
  const text = constants.map((c) => c.toString(16).padStart(2 * width, '0')).join('');
  const actual = toBigInt(
    keccak_256(Uint8Array.from(text.match(/../g) ?? [], (x) => Number.parseInt(x, 16))),
  );
  if (actual !== BigInt(expected))
    throw new Error(`round constants differ from the published ones: ${actual.toString(16)}`);
}

/** The 62 round constants of MiMC. */
export const mimcConstants = chain('seed', 62, mimcPrime);
expectChecksum(
  mimcConstants,
  32,
  '0x999259117a5597673274c4c60cd9399cf0c6cd2ffd163011bfc8fd42fd9d6e11',
);

const koalaChain = chain('Poseidon2-koalabear[t=16,rF=6,rP=21,d=3]', 117, koalaPrime);
expectChecksum(koalaChain, 4, '0xc81e8d04fc2ee79026b58a8b6376fb2f5fe081c761f9b9ce2a15fbd966e2121d');

/** Poseidon2: 16 constants for each full round. */
export const fullRoundConstants = [0, 16, 32, 69, 85, 101].map((at) =>
  koalaChain.slice(at, at + 16),
);
/** Poseidon2: one constant for each of the 21 partial rounds. */
export const partialRoundConstants = koalaChain.slice(48, 69);
