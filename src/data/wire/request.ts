/** What a caller asks for: each member has a rule, and one that no rule names is refused. */
import type { Hex } from '../../bytes.js';
import { wrongRange, wrongType } from '../../errors.js';
import { ownOptions } from '../../foreign/argument.js';
import { hexText } from '../../foreign/values.js';

/** What each request about a chain may have besides. */
export interface Asked {
  /** Default: the client's `chain`. */
  chainName?: string | undefined;
  /** Ends the request and its repetitions; what was asked then fails with the reason of the signal. */
  signal?: AbortSignal | undefined;
}

/** Reads a member. @throws TypeError or RangeError that names it */
type Rule<T> = (value: unknown, name: string) => T;

type Rules = Readonly<Record<string, Rule<unknown>>>;

export type Read<T extends Rules> = { readonly [K in keyof T]: ReturnType<T[K]> };

const bytes =
  (width: number): Rule<Hex> =>
  (value, name) => {
    const hex = hexText(value, width);
    if (hex === undefined) throw wrongRange(name, `expected 0x and ${2 * width} hex digits`);
    return hex;
  };

/** 20 bytes. */
export const addressRule = bytes(20);
/** 32 bytes. */
export const hashRule = bytes(32);

export const wholeNumberRule =
  (least: number): Rule<number> =>
  (value, name) => {
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
    throw wrongRange(name, `expected a whole number from ${least}`);
  };

/** The number of a block. */
export const blockRule = wholeNumberRule(0);
export const pageSizeRule = wholeNumberRule(1);

/** The id of a token. */
export const tokenIdRule: Rule<bigint> = (value, name) => {
  if (typeof value !== 'bigint') throw wrongType(name, 'expected a bigint');
  if (value >= 0n && value < 2n ** 256n) return value;
  throw wrongRange(name, 'expected a whole number from 0 to below 2^256');
};

export const flagRule: Rule<boolean> = (value, name) => {
  if (typeof value === 'boolean') return value;
  throw wrongType(name, 'expected true or false');
};

export const textRule: Rule<string> = (value, name) => {
  if (typeof value === 'string' && value !== '') return value;
  throw wrongType(name, 'expected a text');
};

/** Topics that a question may name; a server of this library takes as many. */
const mostHashes = 100;

export const hashesRule: Rule<readonly Hex[]> = (value, name) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostHashes) {
    throw wrongRange(name, `expected a list of 1 to ${mostHashes}`);
  }
  return Array.from(value, (one, i) => hashRule(one, `${name}[${i}]`));
};

/** A time, as paths have it: in seconds. */
export const timeRule: Rule<string> = (value, name) => {
  if (!(value instanceof Date)) throw wrongType(name, 'expected a Date');
  const milliseconds = value.getTime();
  // Years of more or fewer digits have no place in a path.
  if (!(milliseconds >= 0 && milliseconds < 253_402_300_800_000)) {
    throw wrongRange(name, 'expected a time from 1970 to 9999');
  }
  return value.toISOString().replace(/\.\d+Z$/, 'Z');
};

/** A member that may be left out. */
export const optionalRule =
  <T>(rule: Rule<T>): Rule<T | undefined> =>
  (value, name) =>
    value === undefined ? undefined : rule(value, name);

/** A member that is checked where it is used. */
export const anything =
  <T>(): Rule<T> =>
  (value) =>
    value as T;

/** The members of {@link Asked}. */
export const askedRules = {
  chainName: anything<string | undefined>(),
  signal: anything<AbortSignal | undefined>(),
};

/**
 * @param strengthening names that must have a value if they are there: without it, less would be verified than was meant
 * @returns the members that have a rule, each read once
 * @throws TypeError or RangeError that names a member
 */
export function readRequest<T extends Rules>(
  request: object,
  rules: T,
  strengthening: readonly (keyof T & string)[] = [],
): Read<T> {
  const names = Object.keys(rules);
  const given: Readonly<Record<string, unknown>> = ownOptions(
    request as Record<string, unknown>,
    names,
    'request',
    strengthening,
  );
  return Object.fromEntries(
    names.map((name) => [name, rules[name]?.(given[name], name)]),
  ) as Read<T>;
}
