/** Amounts and times in the reader's own form. Digits are never rounded away without a word. */

/** Most digits behind the point that are shown before the rest is cut, with a sign that it is. */
const mostDecimals = 6;

/** The sign between whole and part in a locale. */
const pointOf = (locale: string | undefined): string =>
  new Intl.NumberFormat(locale).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ??
  '.';

/** A whole number, with the groups of the locale. */
export const wholeText = (value: bigint | number, locale?: string): string =>
  new Intl.NumberFormat(locale).format(value);

export interface AmountText {
  /** All digits. */
  readonly whole: string;
  /** At most six behind the point; ends in an ellipsis if digits are missing. */
  readonly short: string;
}

/** Most decimals of a unit: 10^77 is the largest power of ten that a uint256 can have. */
export const mostUnitDecimals = 77;

/**
 * An amount in smallest units.
 *
 * @param given decimals of the unit; if a server says what no unit has, the amount is shown in smallest units
 */
export function amountText(value: bigint, given: number, locale?: string): AmountText {
  const isUnit = Number.isInteger(given) && given >= 0 && given <= mostUnitDecimals;
  const decimals = isUnit ? given : 0;
  const unit = 10n ** BigInt(decimals);
  const [sign, size] = value < 0n ? ['-', -value] : ['', value];
  const head = sign + wholeText(size / unit, locale);
  const digits = (size % unit).toString().padStart(decimals, '0').replace(/0+$/, '');
  if (size % unit === 0n) return { whole: head, short: head };
  const point = pointOf(locale);
  const whole = `${head}${point}${digits}`;
  const isCut = digits.length > mostDecimals;
  return { whole, short: isCut ? `${head}${point}${digits.slice(0, mostDecimals)}…` : whole };
}

/** A time. @param seconds since 1970 */
export const timeText = (seconds: bigint | number, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    1000 * Number(seconds),
  );

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago something was. @param now ms since 1970 */
export function agoText(seconds: bigint | number, now: number, locale?: string): string {
  const past = Math.round(now / 1000) - Number(seconds);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const [unit, length] = units.find(([, size]) => Math.abs(past) >= size) ?? ['second', 1];
  return format.format(-Math.round(past / length), unit);
}
