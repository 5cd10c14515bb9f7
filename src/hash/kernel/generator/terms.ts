/**
 * Straight-line signed 64-bit code that knows between which limits each of its values lies.
 *
 * A term carries its AssemblyScript text, the exact ends of its range, and the same computation on BigInts.
 * Building a term whose range does not fit 64 bits throws, so code that was emitted cannot overflow as long
 * as its inputs keep the ranges they were declared with.
 */
type Values = Map<string, bigint>;

export interface Range {
  min: bigint;
  max: bigint;
}

export interface Term extends Range {
  code: string;
  value: (values: Values) => bigint;
}

const LIMIT = 1n << 63n;

function checked(term: Term): Term {
  if (term.max >= LIMIT || term.min < -LIMIT)
    throw new RangeError(`${term.min}..${term.max} exceeds 64 bits: ${term.code}`);
  return term;
}

/** Smallest range with all of `ends`. */
export function rangeOf(...ends: bigint[]): Range {
  const [min = 0n] = ends.filter((x) => ends.every((y) => x <= y));
  const [max = 0n] = ends.filter((x) => ends.every((y) => x >= y));
  return { min, max };
}

export const productRange = (a: Range, b: Range): Range =>
  rangeOf(a.min * b.min, a.min * b.max, a.max * b.min, a.max * b.max);

const variable = (name: string, { min, max }: Range): Term =>
  checked({ code: name, min, max, value: (values) => values.get(name) ?? 0n });

export const constant = (n: bigint): Term =>
  checked({ code: `${n}`, min: n, max: n, value: () => n });

/** The sum of two terms, in brackets so that it can be a factor. */
export const add = (a: Term, b: Term): Term =>
  checked({
    code: `(${a.code} + ${b.code})`,
    min: a.min + b.min,
    max: a.max + b.max,
    value: (v) => a.value(v) + b.value(v),
  });

export const mul = (a: Term, b: Term): Term =>
  checked({
    code: `${a.code} * ${b.code}`,
    ...productRange(a, b),
    value: (v) => a.value(v) * b.value(v),
  });

export const twice = (a: Term): Term =>
  checked({
    code: `(${a.code} << 1)`,
    min: 2n * a.min,
    max: 2n * a.max,
    value: (v) => 2n * a.value(v),
  });

/** a / 2^bits, rounded down. */
export const shiftRight = (a: Term, bits: number): Term => ({
  code: `(${a.code}) >> ${bits}`,
  min: a.min >> BigInt(bits),
  max: a.max >> BigInt(bits),
  value: (v) => a.value(v) >> BigInt(bits),
});

/** a mod 2^bits, not negative. */
export const low = (a: Term, bits: number): Term => {
  const mask = (1n << BigInt(bits)) - 1n;
  return { code: `(${a.code}) & ${mask}`, min: 0n, max: mask, value: (v) => a.value(v) & mask };
};

/** Terms to add and to take away, in the order in which they are computed; the first one is added. */
export type Sum = { sign: 1n | -1n; term: Term }[];

export const plus = (...terms: Term[]): Sum => terms.map((term) => ({ sign: 1n, term }));
export const minus = (...terms: Term[]): Sum => terms.map((term) => ({ sign: -1n, term }));
export const negated = (sum: Sum): Sum =>
  sum.map(({ sign, term }) => ({ sign: sign === 1n ? -1n : 1n, term }));

/**
 * The value of `exact`, computed as `steps`. Arithmetic modulo 2^64 gives the same word both ways when the exact
 * sum fits, which is checked here; `Code.run` checks that the two agree.
 */
export function sum(steps: Sum, exact: Sum = steps): Term {
  const total = (end: 'min' | 'max', other: 'min' | 'max') =>
    exact.reduce((n, { sign, term }) => n + sign * (sign === 1n ? term[end] : term[other]), 0n);
  const evaluate = (sum: Sum, v: Values) =>
    sum.reduce((n, { sign, term }) => n + sign * term.value(v), 0n);
  return checked({
    code: steps
      .map(({ sign, term }, i) => (i === 0 ? '' : sign === 1n ? ' + ' : ' - ') + term.code)
      .join(''),
    min: total('min', 'max'),
    max: total('max', 'min'),
    value: (v) => {
      const value = BigInt.asIntN(64, evaluate(steps, v));
      if (value !== evaluate(exact, v))
        throw new RangeError(`${value} instead of ${evaluate(exact, v)}`);
      return value;
    },
  });
}

/** A sequence of definitions, as AssemblyScript text and as something that can be run on BigInts. */
export class Code {
  readonly definitions: { name: string; term: Term }[] = [];
  readonly inputs: ({ name: string } & Range)[] = [];

  /** Declares a value that the code expects within `range`. */
  input(name: string, range: Range): Term {
    this.inputs.push({ name, ...range });
    return variable(name, range);
  }

  /** Binds a term to a local variable; what is returned stands for the variable. */
  define(name: string, term: Term): Term {
    this.definitions.push({ name, term });
    return variable(name, term);
  }

  /** Runs the definitions on `values`; throws if one leaves the range that the generator promised for it. */
  run(values: Values): Values {
    const all = new Map(values);
    for (const { name, term } of this.definitions) {
      const value = term.value(all);
      if (value > term.max || value < term.min)
        throw new RangeError(`${name} = ${value} is not in ${term.min}..${term.max}`);
      all.set(name, value);
    }
    return all;
  }

  text(): string {
    return this.definitions.map(({ name, term }) => `const ${name}: i64 = ${term.code}\n`).join('');
  }
}
