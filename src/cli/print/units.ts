/** Amounts, times and addresses of a chain, for people. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { timeText } from './print.js';

/** A whole number of smallest units in larger ones, exactly. @param value decimal digits */
export function inUnits(value: string, decimals: number): string {
  const digits = value.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return rest === '' ? whole : `${whole}.${rest}`;
}

/** An amount of the native token. @param wei a quantity or a number */
export const etherText = (wei: string | bigint): string =>
  `${inUnits(String(BigInt(wei)), 18)} ether`;

/** A price of gas. @param wei a quantity */
export const gweiText = (wei: string): string => `${inUnits(String(BigInt(wei)), 9)} gwei`;

/** The last second that dates reach. */
const lastSecond = 8_640_000_000_000n;

/** A time with its zone. @param seconds since 1970, a quantity */
export function secondsText(seconds: string): string {
  const time = BigInt(seconds);
  return time > lastSecond ? `${time} s` : timeText(1000 * Number(time));
}

/** An address in which the case of each letter says a bit of its hash (EIP-55). @param address of 0x and 40 hex digits */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = Buffer.from(keccak_256(Buffer.from(digits))).toString('hex');
  const cased = [...digits].map((digit, i) => (hash.charAt(i) < '8' ? digit : digit.toUpperCase()));
  return `0x${cased.join('')}`;
}
