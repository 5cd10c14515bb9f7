/** AssemblyScript source of the MiMC products and constants, and the ranges under which the kernel uses them. */
// @ts-nocheck

import { mimcConstants, mimcPrime as p } from './constants.js';
import { BITS, LIMBS, limbsOf, MASK, productCode, squareCode } from './products.js';
import { productRange, type Range, rangeOf, type Term } from './terms.js';

export const R = 1n << BigInt(LIMBS * BITS);

const indices = Array.from({ length: LIMBS }, (_, i) => i);
const canonical: Range = { min: 0n, max: p - 1n };
const plus = (...ranges: Range[]): Range => ({
  min: ranges.reduce((n, r) => n + r.min, 0n),
  max: ranges.reduce((n, r) => n + r.max, 0n),
});
const union = (...ranges: Range[]): Range =>
  rangeOf(...ranges.flatMap(({ min, max }) => [min, max]));

/** Range of a Montgomery product: (a b - q p) / R with 0 <= q < R. */
const montgomeryRange = (ab: Range): Range => ({
  min: (ab.min >> BigInt(LIMBS * BITS)) - p,
  max: ab.max >> BigInt(LIMBS * BITS),
});
const product = (a: Range, b: Range): Range => montgomeryRange(productRange(a, b));
const square = (a: Range): Range => montgomeryRange({ ...productRange(a, a), min: 0n });

/** Ranges of the numbers a block goes through (protocol.md section 2, Miyaguchi-Preneel). */
export function valueRanges() {
  const message = product(canonical, canonical);
  // what one product with R mod p leaves of any number within 16 p; asserted below for the numbers it gets
  const anything: Range = { min: -16n * p, max: 16n * p };
  const chaining = union(product(anything, canonical), { min: 0n, max: 0n });
  let input = plus(message, chaining, canonical);
  let power = input;
  let output = input;
  for (let round = 0; round < mimcConstants.length; round++) {
    let x = input;
    for (let i = 0; i < 4; i++) {
      x = square(x);
      power = union(power, x);
    }
    // a round adds chaining value and constant to its result, the last one twice the chaining value and the message
    const addend =
      round < mimcConstants.length - 1
        ? plus(chaining, canonical)
        : plus(chaining, chaining, message);
    input = plus(product(x, input), addend);
    power = union(power, input);
    output = union(output, input);
  }
  if (output.min < anything.min || output.max > anything.max)
    throw new RangeError('the clean-up product gets more than its range');
  return { message, chaining, power, output };
}

/** Limbs of a normalized number: only the top one depends on the number's range. */
const limbRanges = (range: Range): Range[] =>
  indices.map((i) =>
    i < LIMBS - 1
      ? { min: 0n, max: MASK }
      : { min: range.min >> BigInt(BITS * i), max: range.max >> BigInt(BITS * i) },
  );

/** The two products with the ranges under which the kernel calls them. */
export function mimcProducts() {
  const { message, chaining, power, output } = valueRanges();
  const operand = limbRanges(union(power, output, canonical));
  const addend = limbRanges(chaining).map((h, i) =>
    plus(h, h, union(limbRanges(message)[i] as Range, limbRanges(canonical)[i] as Range)),
  );
  return { square: squareCode(limbRanges(power)), product: productCode(operand, operand, addend) };
}

const each = (line: (i: number) => string): string => indices.map(line).join('\n');
const assign = (result: Term[]): string => each((i) => `a${i} = ${result[i]?.code}`);

/** Returns the source of the module `products`. */
export function emitMimcProducts(): string {
  const { square, product } = mimcProducts();
  return `
/** Writes x^16 / 2^(261 * 15) to dst. */
export function power16(x: usize, dst: usize): void {
${each((i) => `let a${i} = load<i64>(x, ${8 * i})`)}
for (let i = 0; i < 4; i++) {
${square.code.text()}
${assign(square.result)}
}
${each((i) => `store<i64>(dst, a${i}, ${8 * i})`)}
}

/** Writes a * b / 2^261 + h + c to dst; c has limbs of 32 bits. */
export function product(a: usize, b: usize, h: usize, c: usize, dst: usize): void {
${each((i) => `let a${i} = load<i64>(a, ${8 * i})`)}
${each((i) => `const b${i} = load<i64>(b, ${8 * i})`)}
${each((i) => `const s${i} = load<i64>(h, ${8 * i}) + <i64>load<i32>(c, ${4 * i})`)}
${product.code.text()}
${each((i) => `store<i64>(dst, ${product.result[i]?.code}, ${8 * i})`)}
}
`;
}

/** Returns the source of the module `constants`. */
export function emitMimcConstants(): string {
  // behind the round constants stays room for one more, which the kernel fills anew for each block
  const rounds = [...mimcConstants.flatMap((c) => limbsOf((c * R) % p)), ...limbsOf(0n)];
  const table = (n: bigint) => `memory.data<i64>([${limbsOf(n).join()}], 16)`;
  const word = (i: number) => `0x${BigInt.asUintN(64, p >> BigInt(192 - 64 * i)).toString(16)}`;
  return `
/** Round constants in Montgomery form, nine limbs of 32 bits each. */
export const ROUNDS: usize = memory.data<i32>([${rounds.join()}], 16)
/** 2^522, 2^261 and 1, mod p. */
export const R_SQUARED: usize = ${table((R * R) % p)}
export const R_ONE: usize = ${table(R % p)}
export const ONE: usize = ${table(1n)}
export const PRIME: usize = ${table(p)}
/** The prime as big-endian words of 64 bits, highest first. */
${[0, 1, 2, 3].map((i) => `export const PRIME_${i}: u64 = ${word(i)}`).join('\n')}
`;
}
