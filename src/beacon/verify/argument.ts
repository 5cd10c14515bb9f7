/** Arguments of the caller: wrong ones are its own mistakes, and are told before any answer is looked at. */
import { wrongRange, wrongType } from '../../errors.js';

/** A whole number in a range. @throws TypeError or RangeError that names it */
export function checkNumberWithin(
  value: unknown,
  name: string,
  least: number,
  most: number,
): number {
  if (typeof value !== 'number') throw wrongType(name, 'expected a number');
  if (!Number.isInteger(value) || value < least || value > most) {
    throw wrongRange(name, `expected a whole number from ${least} to ${most}`);
  }
  return value;
}
