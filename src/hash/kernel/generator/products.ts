/**
 * Montgomery products of MiMC as straight-line code: a * b / 2^261, numbers of nine limbs of 29 bits.
 *
 * Columns are summed one at a time with the reduction interleaved. The prime is 1 mod 2^47, so its lowest
 * limb is 1: the quotient digit that clears a column is the column's own low 29 bits, digit times prime is taken
 * away, and the carry is the column shifted. Results are therefore signed: limbs 0..7 are 0 .. 2^29 - 1, and
 * limb 8 carries the sign.
 */
import { mimcPrime } from './constants.js';
import {
  add,
  Code,
  constant,
  low,
  minus,
  mul,
  negated,
  plus,
  type Range,
  type Sum,
  shiftRight,
  sum,
  type Term,
  twice,
} from './terms.js';

export const LIMBS = 9;
export const BITS = 29;
export const MASK = (1n << BigInt(BITS)) - 1n;

const indices = Array.from({ length: LIMBS }, (_, i) => i);

/** Limbs of n; the last one keeps the sign. */
export const limbsOf = (n: bigint): bigint[] =>
  indices.map((i) => (i < LIMBS - 1 ? (n >> BigInt(BITS * i)) & MASK : n >> BigInt(BITS * i)));

const primeLimbs = limbsOf(mimcPrime).map(constant);

interface Product {
  code: Code;
  /** The nine limbs of the result. */
  result: Term[];
}

/** One column of a product: the sum it stands for, and the steps that compute it. */
interface Column {
  exact: Term[];
  steps: Sum;
}

/** x[i] y[k-i] at these positions i, one multiplication each. */
function plainColumn(x: Term[], y: Term[], positions: number[], k: number): Term[] {
  return positions.map((i) => mul(x[i] as Term, y[k - i] as Term));
}

/**
 * Columns of x * y with about half the multiplications: x[i] y[j] + x[j] y[i] is
 * (x[i] + x[j]) (y[i] + y[j]) - x[i] y[i] - x[j] y[j], and the products x[i] y[i] serve all columns. What a column
 * takes away is a window over them, which moves from column to column: it grows or shrinks by one at each end.
 */
class Columns {
  private readonly squares: Term[] = [];
  private window: Term | undefined;
  private covered: number[] = [];

  constructor(
    private readonly code: Code,
    private readonly name: string,
    private readonly x: Term[],
    private readonly y: Term[],
  ) {}

  /** x[i] y[i], defined when first asked for. */
  private square(i: number): Term {
    this.squares[i] ??= this.code.define(
      `${this.name}${i}`,
      mul(this.x[i] as Term, this.y[i] as Term),
    );
    return this.squares[i] as Term;
  }

  /** Column k over these ascending positions, which are symmetric: with i comes k - i. */
  next(k: number, positions: number[]): Column {
    const { x, y } = this;
    const exact = plainColumn(x, y, positions, k);
    if (positions.length < 2) return { exact, steps: plus(...exact) };
    this.slideTo(k, positions);
    const pairs = positions.filter((i) => 2 * i < k).reverse();
    const terms = pairs.map((i) =>
      mul(add(x[i] as Term, x[k - i] as Term), add(y[i] as Term, y[k - i] as Term)),
    );
    // the middle is in the window too, hence twice
    if (positions.includes(k / 2)) terms.unshift(twice(this.square(k / 2)));
    return { exact, steps: [...plus(...terms), ...minus(this.window as Term)] };
  }

  private slideTo(k: number, positions: number[]): void {
    const exact = plus(...positions.map((i) => this.square(i)));
    const entering = positions.filter((i) => !this.covered.includes(i)).map((i) => this.square(i));
    const leaving = this.covered.filter((i) => !positions.includes(i)).map((i) => this.square(i));
    const before = this.window ? [this.window] : [];
    this.window = this.code.define(
      `${this.name}w${k}`,
      sum([...plus(...before, ...entering), ...minus(...leaving)], exact),
    );
    this.covered = positions;
  }
}

/** Positions i with i and k - i both in least .. LIMBS - 1. */
const column = (k: number, least = 0): number[] =>
  indices.filter((i) => i >= least && k - i >= least && k - i < LIMBS);

/**
 * Emits the nine quotient digits and the nine result limbs of the product whose columns `columnOf` gives.
 * `addends[i]` is added to limb i of the result before carries are taken, so that it comes out normalized.
 */
function reduceColumns(code: Code, columnOf: (k: number) => Column, addends: Term[]): Term[] {
  const quotient: Term[] = [];
  const result: Term[] = [];
  const reduction = new Columns(code, 'e', quotient, primeLimbs);
  let carry: Term | undefined;
  for (let k = 0; k < 2 * LIMBS - 1; k++) {
    const { exact, steps } = columnOf(k);
    // digits meet the prime's limbs 1..8; limb 0 did its part when the digit left its column
    const reduced = reduction.next(k, column(k, 1));
    const first = minus(
      ...(k > 0 && k < LIMBS ? [mul(quotient[0] as Term, primeLimbs[k] as Term)] : []),
    );
    const addend = plus(...(k < LIMBS ? [] : addends.slice(k - LIMBS, k - LIMBS + 1)));
    // what comes from the column before is taken in last: other sums need not wait for it
    const last = plus(...(carry ? [carry] : []));
    const total = code.define(
      `t${k}`,
      sum(
        [...steps, ...addend, ...first, ...negated(reduced.steps), ...last],
        [...plus(...exact), ...addend, ...first, ...minus(...reduced.exact), ...last],
      ),
    );
    const digit = low(total, BITS);
    if (k < LIMBS) quotient.push(code.define(`q${k}`, digit));
    else result.push(code.define(`r${k - LIMBS}`, digit));
    carry = code.define(`c${k}`, shiftRight(total, BITS));
  }
  result.push(code.define(`r${LIMBS - 1}`, sum(plus(carry as Term, ...addends.slice(-1)))));
  return result;
}

/** a * a / 2^261 of a number with these limbs; the operand is a0..a8. */
export function squareCode(ranges: Range[]): Product {
  const code = new Code();
  const a = ranges.map((range, i) => code.input(`a${i}`, range));
  const doubled = a.slice(0, -1).map((limb, i) => code.define(`d${i}`, add(limb, limb)));
  const columnOf = (k: number): Column => {
    const halves = column(k).filter((i) => 2 * i <= k);
    const exact = halves.map((i) => mul((2 * i < k ? doubled[i] : a[i]) as Term, a[k - i] as Term));
    return { exact, steps: plus(...exact) };
  };
  return { code, result: reduceColumns(code, columnOf, []) };
}

/** a * b / 2^261 + s of numbers with these limbs; the operands are a0..a8, b0..b8 and s0..s8. */
export function productCode(rangesA: Range[], rangesB: Range[], rangesS: Range[]): Product {
  const code = new Code();
  const a = rangesA.map((range, i) => code.input(`a${i}`, range));
  const b = rangesB.map((range, i) => code.input(`b${i}`, range));
  const s = rangesS.map((range, i) => code.input(`s${i}`, range));
  const columns = new Columns(code, 'p', a, b);
  return { code, result: reduceColumns(code, (k) => columns.next(k, column(k)), s) };
}
