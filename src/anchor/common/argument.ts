/** Arguments of the caller: wrong ones are its own mistakes, and are told before any answer is looked at. */
import { isZero } from '../../bytes.js';
import { checkHex } from '../../codec/argument.js';
import { shown, wrongRange, wrongType } from '../../errors.js';

/** A whole number from 0 that JavaScript holds exactly. @throws TypeError or RangeError that names it */
export function checkWhole(value: unknown, name: string): number {
  if (typeof value !== 'number') throw wrongType(name, `expected a number, got ${shown(value)}`);
  if (!Number.isSafeInteger(value) || value < 0) {
    throw wrongRange(name, 'expected a whole number from 0');
  }
  return value;
}

/** A hash that is trusted, 32 bytes. @throws TypeError or RangeError that names it */
export function checkTrusted(value: unknown, name: string): Uint8Array {
  const bytes = checkHex(value, 32, name);
  if (isZero(bytes)) throw wrongRange(name, 'is zero');
  return bytes;
}

/** An argument that is an object. @throws TypeError */
export function checkObject(value: unknown, name: string): asserts value is object {
  if (typeof value !== 'object' || value === null) {
    throw wrongType(name, `expected an object, got ${shown(value)}`);
  }
}
