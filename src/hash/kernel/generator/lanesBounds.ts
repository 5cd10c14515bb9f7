/**
 * The ranges on which `assembly/laneElements.ts` and `assembly/poseidon2Lanes.ts` rely, evaluated at their ends and turning
 * points. README.md derives them. Lanes are computed here as the machine does: words modulo 2^32, doubles as doubles.
 */
import { koalaPrime as p } from './constants.js';
import { half, shift } from './emitPoseidon2Lanes.js';

const word = 1n << 32n;
const u32 = (n: bigint) => BigInt.asUintN(32, n);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const INVERSE = 1 / Number(p);
const ROUND = 2 ** 52 + 2 ** 51;

function expect(condition: boolean, what: string): void {
  if (!condition) throw new RangeError(what);
}

/** How far a result may be off the nearest residue beyond P / 2. */
const slack = 1n << 11n;
/** How far a loose lane may be above P. */
const loose = 1n << 19n;

/** Words around every place where something turns over. */
const turns = [
  0n,
  p / 2n,
  p,
  (3n * p) / 2n,
  2n * p,
  word / 2n,
  word - p,
  word - p / 2n,
  word,
  1n << 24n,
  1n << 30n,
  3n << 30n,
];
const near = turns.flatMap((x) => [-2n, -1n, 0n, 1n, 2n].map((by) => x + by));
const words = near.filter((x) => x >= 0n && x < word);
const strict = words.filter((x) => x < p);

const shrink = (x: bigint) => smaller(x, u32(x - p));
/** x y - q P, with q the nearest quotient by doubles. */
function reduced(x: bigint, y: bigint, quotient: number): bigint {
  const rounded = ROUND + quotient;
  expect(rounded >= 2 ** 52 && rounded < 2 ** 53, 'a quotient leaves the low word of its double');
  const q = BigInt(rounded) - BigInt(ROUND);
  return x * y - q * p;
}

const isSigned = (x: bigint) => x >= -word / 2n && x < word / 2n;
const isCentred = (x: bigint) => x >= -p / 2n - slack && x <= p / 2n + slack;

function checkCube(x: bigint): void {
  const share = Number(x) * INVERSE;
  const square = reduced(x, x, Number(x) * share);
  expect(isCentred(square), 'the square is not centred');
  const cube = reduced(square, x, Number(square) * share);
  expect(isCentred(cube), 'the cube is not centred');
  expect((cube - x ** 3n) % p === 0n, 'the cube is another');
  // a partial round: the sum that it is taken off is strict
  expect(
    isSigned(-half - cube) && isSigned(p - 1n - half - cube),
    'the next S-box input is no word',
  );
  // a full round: an addend is from `shift` to P - 1 above
  expect(
    shift + cube >= 0n && shift + p - 1n + cube < 2n * p + 4n * slack,
    'a full round gives no loose lane',
  );
}

function checkScale(x: bigint): void {
  for (const k of [1n, 2n, 4n, 6n, 16n, 24n]) {
    const missing = ~x & ((1n << k) - 1n);
    const scaled = (x >> k) + missing * 127n * (1n << (24n - k));
    expect(scaled >= 0n && scaled < p, 'scaleDown is not strict');
    const offset = p - 1n - (p - 1n) / (1n << k);
    expect((((scaled - offset) << k) - x) % p === 0n, 'scaleDown is another');
    // dot_i16x8_s takes signed halves
    if (k <= 8n) expect(missing < 1n << 15n, 'scaleDown: too many low bits');
  }
}

/** x less its share of P, where the share, cut off at each addend, is up to `below` too low before it is shifted. */
function checkShare(x: bigint, share: bigint, bits: bigint, what: string): void {
  expect(share < word, `${what}: share`);
  const rest = x - (share >> bits) * p;
  expect(rest >= 0n && rest < 2n * p && shrink(rest) < p, what);
}

/** Throws if a function of the lanes could break its promise. */
export function checkLanesBounds(): void {
  // A full round gives lanes below P + 4 slack. `add` adds up what its arguments are loose by, as the matrix adds up its
  // columns: 7 fold within a quarter, 28 fold in a sum, 35 fold together.
  expect(35n * 4n * slack < loose, 'mix');
  // one of them less P, as `summed` adds them
  expect(isSigned(-p) && isSigned(p + 2n * loose), 'the S-box input of a full round is no word');
  for (const x of words) checkCube(BigInt.asIntN(32, x));
  for (const x of strict) {
    checkScale(x);
    for (const y of strict) {
      expect(shrink(x + y) < p && (shrink(x + y) - x - y) % p === 0n, 'add');
      const difference = smaller(u32(x - y), u32(u32(x - y) + p));
      expect(difference < p && (difference - x + y) % p === 0n, 'sub');
      checkShare(9n * x + y, x + ((x + y) >> 3n), 28n, 'times9');
      checkShare(16n * x + y, x + (y >> 4n), 27n, 'times16');
      // sixteen lanes in pairs; and six means, which count twice, with three lanes and an addend
      checkShare(8n * (x + y), 8n * (x >> 4n) + 8n * (y >> 4n), 27n, 'the first sum');
      checkShare(
        2n * 3n * (x + y) + 2n * (x + y),
        3n * ((x + y) >> 3n) + 2n * ((x + y) >> 4n),
        27n,
        'the sum of a round',
      );
    }
  }
}
