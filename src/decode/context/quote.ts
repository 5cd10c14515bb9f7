/** The worth of an amount. Exact: no floating point touches an amount. */

/** `units` divided by 10 to the power of `scale`; never negative. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** A number as people and JavaScript write it. The widths bound what is computed with it. */
const numberForm = /^(\d{1,60})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/;

/** Reads a number from 0; undefined for anything else. */
export function readDecimal(value: unknown): Decimal | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const match = typeof text === 'string' ? numberForm.exec(text) : null;
  if (match === null) return undefined;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** The worth of an amount of a token. @param amount in smallest units */
export function worthOf(amount: bigint, decimals: number, price: Decimal): Decimal {
  return { units: amount * price.units, scale: decimals + price.scale };
}

export const isBelow = (a: Decimal, b: Decimal): boolean =>
  a.units * 10n ** BigInt(b.scale) < b.units * 10n ** BigInt(a.scale);

/** The nearest JSON number. */
export const toNumber = ({ units, scale }: Decimal): number => Number(`${units}e-${scale}`);

const million = 1_000_000n;
const billion = 1000n * million;

/** US dollars, cut to cents; from a million on in millions (M), from a billion on in billions (B), cut as well. */
export function prettyQuote({ units, scale }: Decimal): string {
  const cents = (units * 100n) / 10n ** BigInt(scale);
  const dollars = cents / 100n;
  const [unit, suffix] =
    dollars >= billion ? [billion, 'B'] : dollars >= million ? [million, 'M'] : [1n, ''];
  const shown = cents / unit;
  const whole = String(shown / 100n).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return `$${whole}.${String(shown % 100n).padStart(2, '0')}${suffix}`;
}

/** How an amount is shown that has no price. */
export const noQuote = prettyQuote({ units: 0n, scale: 0 });
