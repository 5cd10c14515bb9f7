import { fullRoundConstants, koalaPrime as p, partialRoundConstants } from './constants.js';

const mod = (x: bigint) => ((x % p) + p) % p;
const m4 = [
  [2, 3, 1, 1],
  [1, 2, 3, 1],
  [1, 1, 2, 3],
  [3, 1, 1, 2],
];
const matrix = Array.from({ length: 16 }, (_, i) =>
  Array.from({ length: 16 }, (_, j) =>
    BigInt((m4[i & 3]?.[j & 3] ?? 0) * (i >> 2 === j >> 2 ? 2 : 1)),
  ),
);
function inverse(x: bigint): bigint {
  let r = 1n;
  let b = mod(x);
  for (let e = p - 2n; e > 0n; e >>= 1n) {
    if (e & 1n) r = (r * b) % p;
    b = (b * b) % p;
  }
  return r;
}
function solve(m: bigint[][], v: bigint[]): bigint[] {
  const rows = m.map((row, i) => [...row, v[i] ?? 0n]);
  for (let i = 0; i < 16; i++) {
    const pivot = rows.findIndex((row, j) => j >= i && mod(row[i] as bigint) !== 0n);
    [rows[i], rows[pivot]] = [rows[pivot] as bigint[], rows[i] as bigint[]];
    const scale = inverse((rows[i] as bigint[])[i] as bigint);
    rows[i] = (rows[i] as bigint[]).map((x) => mod(x * scale));
    for (let j = 0; j < 16; j++)
      if (j !== i) {
        const f = (rows[j] as bigint[])[i] as bigint;
        rows[j] = (rows[j] as bigint[]).map((x, k) =>
          mod(x - f * ((rows[i] as bigint[])[k] as bigint)),
        );
      }
  }
  return rows.map((row) => row[16] as bigint);
}
const moved = (i: number) => solve(matrix, fullRoundConstants[i] as bigint[]);
/** Half of P and a margin for quotients that are off. */
const shift = p / 2n + (1n << 13n);
const above = (x: bigint) => mod(x - shift) + shift;
const zeros = Array.from({ length: 16 }, () => 0n);
const diagonal = [
  -2n,
  1n,
  2n,
  inverse(2n),
  3n,
  4n,
  -inverse(2n),
  -3n,
  -4n,
  inverse(1n << 8n),
  inverse(8n),
  inverse(1n << 24n),
  -inverse(1n << 8n),
  -inverse(8n),
  -inverse(16n),
  -inverse(1n << 24n),
];
/** What `scaleDown` adds to x / 2^k. */
const raise = (k: bigint) => ((1n << k) - 1n) * 127n * (1n << (24n - k));
const pairs = [
  [3, 6],
  [4, 7],
  [5, 8],
  [9, 12],
  [10, 13],
  [11, 15],
] as const;
/** of the squares */
const pairRaise = [
  raise(2n),
  0n,
  0n,
  raise(16n),
  raise(6n),
  mod(raise(24n) * inverse(1n << 24n) + raise(24n)),
];
function partialAddends() {
  const last = fullRoundConstants[3] as bigint[];
  const addends = [partialRoundConstants[0] as bigint];
  let mean = pairs.map(() => raise(1n));
  let before = pairs.map(() => 0n);
  let single = [0n, 0n, 0n];
  for (let round = 0; round < 21; round++) {
    const next = round < 20 ? (partialRoundConstants[round + 1] as bigint) : (last[0] as bigint);
    const total = mod(next - shift);
    // the first sum is of the elements themselves
    const off =
      round === 0 ? 0n : single.reduce((x, y) => x + y, 0n) + 2n * mean.reduce((x, y) => x + y, 0n);
    addends.push(mod(total - off));
    const after = pairs.map(([i], at) =>
      mod(
        total + (diagonal[i] as bigint) ** 2n * (before[at] as bigint) + (pairRaise[at] as bigint),
      ),
    );
    before = mean;
    mean = after;
    single = [
      mod(total + (single[0] as bigint)),
      mod(total + 2n * (single[1] as bigint)),
      mod(total - inverse(16n) * (single[2] as bigint) - raise(4n)),
    ];
  }
  addends.push(0n);
  const off = zeros.slice();
  [off[1], off[2], off[14]] = single as [bigint, bigint, bigint];
  pairs.forEach(([i, j], at) => {
    const half = (diagonal[i] as bigint) * (before[at] as bigint);
    off[i] = (mean[at] as bigint) + half;
    off[j] = (mean[at] as bigint) - half;
  });
  return { addends, last: last.map((x, i) => (i === 0 ? 0n : mod(x - (off[i] as bigint)))) };
}
/** A factor's share of P as a double, the factor, and nothing: 16 bytes each. */
const factors = (values: bigint[]) =>
  `memory.data<i64>([${values
    .map(mod)
    .flatMap((x) => [bits(Number(x) / Number(p)), x])
    .join()}], 16)`;
const opening = pairs.map(([i]) => inverse(2n * (diagonal[i] as bigint)));
const closing = pairs.map(([i]) => diagonal[i] as bigint);
const bits = (x: number) => {
  const b = new DataView(new ArrayBuffer(8));
  b.setFloat64(0, x);
  return b.getBigInt64(0);
};
const words = (values: bigint[]) =>
  `memory.data<i32>([${values.map((x) => BigInt.asIntN(32, x)).join()}], 16)`;
const lanes = (x: bigint) => words([x, x, x, x]);
const doubles = (x: number) => `memory.data<i64>([${bits(x)}, ${bits(x)}], 16)`;
export function emitLaneConstants(): string {
  const full = [moved(1), moved(2), zeros, moved(4), moved(5), zeros].flatMap((r) => r.map(above));
  const { addends, last } = partialAddends();
  return `
export const FIRST_ADDENDS: usize = ${words(moved(0))}
export const FULL_ADDENDS: usize = ${words(full)}
export const PARTIAL_ADDENDS: usize = ${words(addends)}
export const LAST_ADDENDS: usize = ${words(last)}
export const PRIME: usize = ${lanes(p)}
export const SHIFT: usize = ${lanes(shift)}
export const FACTOR_127: usize = ${lanes(127n)}
export const OPENING: usize = ${factors(opening)}
export const CLOSING: usize = ${factors(closing)}
export const LOW_2: usize = ${lanes(3n)}
export const LOW_6: usize = ${lanes(63n)}
export const LOW_16: usize = ${lanes(0xffffn)}
export const LOW_1: usize = ${lanes(1n)}
export const LOW_4: usize = ${lanes(15n)}
export const LOW_24: usize = ${lanes(0xffffffn)}
export const EXPONENT: usize = ${lanes(0x43300000n)}
export const TWO_52: usize = ${doubles(2 ** 52)}
export const INVERSE: usize = ${doubles(1 / Number(p))}
export const ROUND: usize = ${doubles(2 ** 52 + 2 ** 51)}
export const ROUND_DOWN: usize = ${doubles(2 ** 52 + 2 ** 51 - 1)}
`;
}
