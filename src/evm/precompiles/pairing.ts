/** Pairing checks of the precompiles 0x08 (EIP-197) and 0x0f (EIP-2537), pair by pair. */

import { bls12_381 } from '@noble/curves/bls12-381.js';
import { bn254 } from '@noble/curves/bn254.js';
import { encodeHex } from '../../bytes.js';
import type { Tick } from '../../turns.js';

type Curve = Pick<typeof bn254, 'G1' | 'G2' | 'pairingBatch' | 'fields'>;
type Pair = Parameters<Curve['pairingBatch']>[0][number];

/** Thrown for coordinates that are no point of the group. */
export class InvalidPoint extends Error {}

export interface PairingCheck {
  /** Bytes of a pair. */
  readonly width: number;
  /**
   * Whether the product of the pairings is one.
   *
   * @param tick is awaited after each pair
   * @throws InvalidPoint, and any error of a tick
   */
  check(data: Uint8Array, tick: Tick): Promise<boolean>;
}

function pairingCheck(
  curve: Curve,
  /** Bytes of a coordinate, and which part of one of the second group comes first. */
  { width, isImaginaryFirst }: { width: number; isImaginaryFirst: boolean },
): PairingCheck {
  const { G1, G2, pairingBatch } = curve;
  const { Fp12 } = curve.fields;

  /** undefined: one of the points is infinity, which counts as one. @throws Error */
  function readPair(pair: Uint8Array): Pair | undefined {
    const numbers = Array.from({ length: 6 }, (_, i) =>
      BigInt(encodeHex(pair.subarray(i * width, (i + 1) * width))),
    );
    const [x, y, ...rest] = numbers as [bigint, bigint, ...bigint[]];
    const [a, b, c, d] = rest as [bigint, bigint, bigint, bigint];
    const fp2 = (first: bigint, second: bigint) =>
      isImaginaryFirst ? { c0: second, c1: first } : { c0: first, c1: second };
    const isFirstZero = x === 0n && y === 0n;
    const isSecondZero = rest.every((number) => number === 0n);
    // Both are checked, even if one of them is infinity.
    const g1 = isFirstZero ? G1.Point.ZERO : G1.Point.fromAffine({ x, y });
    const g2 = isSecondZero ? G2.Point.ZERO : G2.Point.fromAffine({ x: fp2(a, b), y: fp2(c, d) });
    if (!isFirstZero) g1.assertValidity();
    if (!isSecondZero) g2.assertValidity();
    return isFirstZero || isSecondZero ? undefined : { g1, g2 };
  }

  /** @throws InvalidPoint */
  function checkedPair(pair: Uint8Array): Pair | undefined {
    try {
      return readPair(pair);
    } catch (cause) {
      throw new InvalidPoint('a point is not valid', { cause });
    }
  }

  return {
    width: 6 * width,
    async check(data, tick) {
      let product = Fp12.ONE;
      for (let at = 0; at < data.length; at += 6 * width) {
        const pair = checkedPair(data.subarray(at, at + 6 * width));
        // The last step is shared by all pairs, and done once.
        if (pair) product = Fp12.mul(product, pairingBatch([pair], false));
        await tick();
      }
      return Fp12.eql(Fp12.finalExponentiate(product), Fp12.ONE);
    },
  };
}

export const bn254Check: PairingCheck = pairingCheck(bn254, { width: 32, isImaginaryFirst: true });
export const blsCheck: PairingCheck = pairingCheck(bls12_381, {
  width: 64,
  isImaginaryFirst: false,
});
