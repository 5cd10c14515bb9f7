/**
 * Reads members of foreign objects. Each is read once, as an own data property, so that no accessor,
 * prototype or Proxy can answer the check one way and the use another.
 */
import { ShapeError, shown } from '../errors.js';

/** Path of a member, `a.b` or `a[0]`. */
export function memberPath(at: string, key: string | number): string {
  if (typeof key === 'number') return `${at}[${key}]`;
  return at === '' ? key : `${at}.${key}`;
}

/**
 * Asks a foreign object something. This is the one `catch` of the verifier and holds no check of ours:
 * whatever foreign code threw (a Proxy's trap, a revoked Proxy) becomes a ShapeError.
 */
function ask<S, T>(
  question: (target: S, key: PropertyKey) => T,
  target: S,
  key: PropertyKey,
  at: string,
): T {
  try {
    return question(target, key);
  } catch (cause) {
    throw new ShapeError(at, 'expected plain data, but reading it threw', { cause });
  }
}

/** What a foreign value is, for a message. @throws ShapeError for a revoked Proxy */
export function shownAt(value: unknown, at: string): string {
  return ask(shown, value, '', at);
}

/** An object to read members from. @throws ShapeError where `value` is none */
export function asObject(value: unknown, at: string): object {
  if (typeof value !== 'object' || value === null) {
    throw new ShapeError(at, `expected an object, got ${shownAt(value, at)}`);
  }
  return value;
}

/** Own data property `key`, or undefined where there is none. @throws ShapeError for an accessor */
export function readMember(target: object, key: string | number, at: string): unknown {
  const descriptor = ask(Object.getOwnPropertyDescriptor, target, key, at);
  if (descriptor === undefined) return undefined;
  if (!Object.hasOwn(descriptor, 'value')) {
    throw new ShapeError(memberPath(at, key), 'expected plain data, got an accessor');
  }
  return descriptor.value;
}

/** Length of an array. @throws ShapeError where `value` is no array */
export function readLength(value: unknown, at: string): number {
  if (!ask(Array.isArray, value, 'length', at)) {
    throw new ShapeError(at, `expected an array, got ${shownAt(value, at)}`);
  }
  const length = readMember(value as object, 'length', at);
  // The length of a Proxy around an array may be anything.
  if (!Number.isSafeInteger(length) || (length as number) < 0) {
    throw new ShapeError(at, 'expected an array of a whole length');
  }
  return length as number;
}
