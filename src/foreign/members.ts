/**
 * Reads members of foreign values. Each is read once, as an own data property, so that no accessor, prototype or Proxy
 * can answer the check one way and the use another.
 */
import { shown } from '../errors.js';

/** A foreign object, and its location in the whole value. */
export interface Source {
  readonly target: object;
  /** For example `accountProof.proof`; `` for the whole. */
  readonly at: string;
}

/** A foreign array. */
export interface ArraySource extends Source {
  /** Whole, from 0. Not bounded: the caller compares it before it reads an element. */
  readonly length: number;
}

/** Makes the caller's own error. @param at location of the value that is refused */
export type Refuse = (at: string, reason: string, options?: ErrorOptions) => Error;

/** The reading functions of one caller; each throws what the caller's {@link Refuse} makes. */
export interface MemberReader {
  /** An object to read members from; an array is one too. */
  openObject(value: unknown, at: string): Source;
  openArray(value: unknown, at: string): ArraySource;
  /** Own data property `key`; undefined if it is missing. */
  readMember(source: Source, key: string | number): unknown;
  /** Describes a value for a message; only a number is shown itself. */
  nameOf(value: unknown, at: string): string;
}

/** Location of a member, `a.b` or `a[0]`. */
export function memberPath({ at }: Pick<Source, 'at'>, key: string | number): string {
  if (typeof key === 'number') return `${at}[${key}]`;
  return at === '' ? key : `${at}.${key}`;
}

/**
 * An own member of parsed JSON, which holds neither accessors nor proxies; undefined if it is missing, or the value is no
 * object. For what may be malformed without an error, and for lists of many thousand entries: reading a descriptor for
 * each member takes four times as long.
 */
export const ownMember = (value: unknown, key: string | number): unknown =>
  hasMember(value, key) ? value[key] : undefined;

/** Whether a value is an object with an own member. */
export const hasMember = <K extends string | number>(
  value: unknown,
  key: K,
): value is { readonly [key in K]: unknown } =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key);

/** Own elements of an array, those that are missing as undefined: a prototype that was polluted must not answer. */
export const ownElements = (array: readonly unknown[], length: number = array.length): unknown[] =>
  Array.from({ length }, (_, i) => ownMember(array, i));

/** Own members that are there, by name. */
export const ownNamed = <T extends object, K extends keyof T & string>(
  object: T,
  names: readonly K[],
): Partial<Pick<T, K>> =>
  Object.fromEntries(
    names.filter((name) => hasMember(object, name)).map((name) => [name, object[name]]),
  ) as Partial<Pick<T, K>>;

const unreadable = 'expected plain data, but reading it threw';

/** Opens a reader that refuses with the caller's errors. */
export function createMemberReader(refuse: Refuse): MemberReader {
  /**
   * Asks a foreign value something. This `catch` holds no check of ours: whatever foreign code threw (a Proxy's trap, a
   * revoked Proxy) becomes the caller's error.
   */
  function ask<S, T>(
    question: (target: S, key: PropertyKey) => T,
    target: S,
    key: PropertyKey,
    { at }: { readonly at: string },
  ): T {
    try {
      return question(target, key);
    } catch (cause) {
      throw refuse(at, unreadable, { cause });
    }
  }

  function readMember(source: Source, key: string | number): unknown {
    let descriptor: PropertyDescriptor | undefined;
    // Not by `ask`, with the same catch: a path has 42 members, and a function that asks many questions is slower.
    try {
      descriptor = Object.getOwnPropertyDescriptor(source.target, key);
    } catch (cause) {
      throw refuse(source.at, unreadable, { cause });
    }
    if (descriptor === undefined) return undefined;
    if (!Object.hasOwn(descriptor, 'value')) {
      throw refuse(memberPath(source, key), 'expected plain data, got an accessor');
    }
    return descriptor.value;
  }

  // A revoked Proxy throws even if it is only asked whether it is an array.
  const nameOf = (value: unknown, at: string) => ask(shown, value, '', { at });

  return {
    readMember,
    nameOf,
    openObject(value, at) {
      if (typeof value !== 'object' || value === null) {
        throw refuse(at, `expected an object, got ${nameOf(value, at)}`);
      }
      return { target: value, at };
    },
    openArray(value, at) {
      if (!ask(Array.isArray, value, 'length', { at })) {
        throw refuse(at, `expected an array, got ${nameOf(value, at)}`);
      }
      const source = { target: value as object, at };
      const length = readMember(source, 'length');
      // The length of a Proxy around an array may be anything.
      if (!Number.isSafeInteger(length) || (length as number) < 0) {
        throw refuse(at, 'expected an array of a whole length');
      }
      // Written out: with a spread, parsing a proof takes 1.1 times as long.
      return { target: source.target, at, length: length as number };
    },
  };
}
