/** AssemblyScript source of the constants of `assembly/poseidon2Lanes.ts`. README.md says what they are for. */
import { fullRoundConstants, koalaPrime as p, partialRoundConstants } from './constants.js';

const mod = (x: bigint): bigint => ((x % p) + p) % p;
const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n);
/** An element that is there by construction. */
const at = <T>(values: readonly T[], i: number): T => values[i] as T;

function inverse(x: bigint): bigint {
  let result = 1n;
  let square = mod(x);
  for (let exponent = p - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = mod(result * square);
    square = mod(square * square);
  }
  return result;
}

const first4 = [2n, 3n, 1n, 1n];
/** circ(2 M4, M4, M4, M4) with M4 = circ(2, 3, 1, 1), as the protocol states it. */
const externalMatrix = Array.from({ length: 16 }, (_, i) =>
  Array.from({ length: 16 }, (_, j) => {
    const small = at(first4, (j - i) & 3);
    return i >> 2 === j >> 2 ? 2n * small : small;
  }),
);

/** What the external matrix makes `sums`: Gaussian elimination. */
function beforeMatrix(sums: readonly bigint[]): bigint[] {
  const rows = externalMatrix.map((row, i) => [...row, at(sums, i)]);
  for (let column = 0; column < 16; column++) {
    const pivot = rows.findIndex((row, i) => i >= column && mod(at(row, column)) !== 0n);
    const above = at(rows, column);
    rows[column] = at(rows, pivot);
    rows[pivot] = above;
    const scale = inverse(at(at(rows, column), column));
    const unit = at(rows, column).map((x) => mod(x * scale));
    rows.forEach((row, i) => {
      const factor = at(row, column);
      rows[i] = i === column ? unit : row.map((x, k) => mod(x - factor * at(unit, k)));
    });
  }
  return rows.map((row) => at(row, 16));
}

/** What is taken off the sum of the others, for the S-box input of a partial round to be signed. */
export const half: bigint = p / 2n;
/** Half of P and a margin: added to a cube, it makes every lane positive. */
export const shift: bigint = half + (1n << 12n);
const atLeastShift = (x: bigint): bigint => mod(x - shift) + shift;
const none = Array.from({ length: 16 }, () => 0n);
const moved = (round: number): bigint[] => beforeMatrix(at(fullRoundConstants, round));

/** Elements whose diagonal entries are d and -d, and d. */
const pairs: readonly { a: number; b: number; d: bigint }[] = [
  { a: 3, b: 6, d: inverse(2n) },
  { a: 4, b: 7, d: 3n },
  { a: 5, b: 8, d: 4n },
  { a: 9, b: 12, d: inverse(1n << 8n) },
  { a: 10, b: 13, d: inverse(1n << 3n) },
  { a: 11, b: 15, d: inverse(1n << 24n) },
];

/** What `scaleDown` adds to x / 2^k. */
const raised = (k: bigint): bigint => p - 1n - (p - 1n) / (1n << k);
/** What a round adds to d^2 times the mean before, pair by pair. */
const pairOffsets = [
  raised(2n),
  0n,
  0n,
  raised(16n),
  raised(6n),
  raised(24n) * inverse(1n << 24n) + raised(24n),
];

/**
 * The constants of the partial rounds, and those of the full round after them. `scaleDown` adds known numbers to its results,
 * and every round constant goes into the sum of the state, where it costs one addition: both are offsets that run
 * through the linear layer. They are followed here, and taken off by the constants of later rounds.
 */
function partialAddends(): { addends: bigint[]; last: bigint[] } {
  const after = at(fullRoundConstants, 3);
  // Less P, as the last ones are: what they are added to is strict, and becomes signed.
  const addends = [at(partialRoundConstants, 0) - p];
  let means = pairs.map(() => raised(1n));
  let before = pairs.map(() => 0n);
  /** Of elements 1, 2 and 14. */
  let singles: [bigint, bigint, bigint] = [0n, 0n, 0n];
  for (let round = 0; round < 21; round++) {
    // What the sum of all but element 0 is to be off by: the next constant, and what the S-box input is less.
    const wanted = mod((round < 20 ? at(partialRoundConstants, round + 1) : at(after, 0)) + half);
    // The first sum is taken of the elements themselves.
    const known = round === 0 ? 0n : sum(singles) + 2n * sum(means);
    addends.push(mod(wanted - known));
    const next = pairs.map(({ d }, i) => mod(wanted + d * d * at(before, i) + at(pairOffsets, i)));
    before = means;
    means = next;
    singles = [
      mod(wanted + singles[0]),
      mod(wanted + 2n * singles[1]),
      mod(wanted - inverse(16n) * singles[2] - raised(4n)),
    ];
  }
  const off = [...none];
  [off[1], off[2], off[14]] = singles;
  pairs.forEach(({ a, b, d }, i) => {
    off[a] = at(means, i) + d * at(before, i);
    off[b] = at(means, i) - d * at(before, i);
  });
  // Element 0 has its constant already. The last round reads one addend more, whose sum nothing uses.
  return {
    addends: [...addends, 0n],
    last: after.map((x, i) => (i === 0 ? 0n : mod(x - at(off, i)) - p)),
  };
}

function bitsOf(double: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, double);
  return view.getBigInt64(0);
}
const words = (values: readonly bigint[]): string =>
  `memory.data<i32>([${values.map((x) => BigInt.asIntN(32, x)).join()}], 16)`;
const lanes = (x: bigint): string => words([x, x, x, x]);
const doubles = (x: number): string => `memory.data<i64>([${bitsOf(x)}, ${bitsOf(x)}], 16)`;
/** Factors as `multiply` reads them: the share of P as a double, then the factor. */
const factors = (values: readonly bigint[]): string =>
  `memory.data<i64>([${values.map(mod).flatMap((x) => [bitsOf(Number(x) / Number(p)), x])}], 16)`;

/** Returns the source of the module `laneConstants`. */
export function emitLaneConstants(): string {
  const full = [moved(1), moved(2), none, moved(4), moved(5), none].flatMap((round) =>
    round.map(atLeastShift),
  );
  const { addends, last } = partialAddends();
  return `
export const FIRST_ADDENDS: usize = ${words(moved(0))}
export const FULL_ADDENDS: usize = ${words(full)}
export const PARTIAL_ADDENDS: usize = ${words(addends)}
export const LAST_ADDENDS: usize = ${words(last)}
export const OPENING: usize = ${factors(pairs.map(({ d }) => inverse(2n * d)))}
export const CLOSING: usize = ${factors(pairs.map(({ d }) => d))}
export const PRIME: usize = ${lanes(p)}
export const HALF: usize = ${lanes(half)}
export const FACTOR_127: usize = ${lanes(127n)}
export const LOW_1: usize = ${lanes(1n)}
export const LOW_2: usize = ${lanes(3n)}
export const LOW_4: usize = ${lanes(15n)}
export const LOW_6: usize = ${lanes(63n)}
export const LOW_16: usize = ${lanes(0xffffn)}
export const LOW_24: usize = ${lanes(0xffffffn)}
export const INVERSE: usize = ${doubles(1 / Number(p))}
export const ROUND: usize = ${doubles(2 ** 52 + 2 ** 51)}
`;
}
