/** Arguments of a function, from the texts that a reader has typed. */
import type { Param } from './abi.js';
import { checksummed } from './hex.js';

/** A text is no value of its type; the message says what was expected. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError';
}

/** Values of one list. */
const mostItems = 10_000;

function parseInteger(type: string, text: string): bigint {
  const isSigned = type.startsWith('int');
  const bits = BigInt(type.replace(/^u?int/, ''));
  const [low, high] = isSigned
    ? [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n]
    : [0n, (1n << bits) - 1n];
  if (!/^(-?\d{1,78}|0x[0-9a-f]{1,64})$/i.test(text)) {
    throw new ArgumentError('expected a whole number, by digits alone or in hex with 0x');
  }
  const value = BigInt(text);
  if (value >= low && value <= high) return value;
  throw new ArgumentError(`expected a number from ${low} to ${high}`);
}

function parseAddress(text: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) throw new ArgumentError('expected 0x and 40 hex digits');
  const isMixed = /[a-f]/.test(text) && /[A-F]/.test(text.slice(2));
  if (isMixed && checksummed(text) !== text) {
    throw new ArgumentError('the checksum in its letters is wrong: a digit is mistyped');
  }
  return text.toLowerCase();
}

function parseBytes(type: string, text: string): string {
  const width = type.slice('bytes'.length);
  const digits = width === '' ? '([0-9a-f]{2})*' : `[0-9a-f]{${2 * Number(width)}}`;
  if (new RegExp(`^0x${digits}$`, 'i').test(text)) return text.toLowerCase();
  throw new ArgumentError(
    width === ''
      ? 'expected 0x and hex digits in pairs'
      : `expected 0x and ${2 * Number(width)} hex digits`,
  );
}

/** A value of a type that is no list. */
function parseElementary(type: string, text: string): unknown {
  if (type === 'string') return text;
  const trimmed = text.trim();
  if (type === 'address') return parseAddress(trimmed);
  if (type.startsWith('bytes')) return parseBytes(type, trimmed);
  if (type !== 'bool') return parseInteger(type, trimmed);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  throw new ArgumentError('expected true or false');
}

/** Behind what a value of a list, or a member, is wrong. */
function within<T>(at: string | number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new ArgumentError(`${at}: ${error.message}`);
  }
}

function readList({ type, ...param }: Param, length: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ArgumentError('expected a list, such as [1, 2]');
  if (value.length > mostItems) throw new ArgumentError(`expected at most ${mostItems} values`);
  if (length !== '' && value.length !== Number(length)) {
    throw new ArgumentError(`expected ${length} values, got ${value.length}`);
  }
  const item = { ...param, type: type.slice(0, -(length.length + 2)) };
  return value.map((one, i) => within(`value ${i + 1}`, () => readJson(item, one)));
}

function readTuple(components: readonly Param[], value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) {
    throw new ArgumentError('expected a list, or members by their names');
  }
  if (Array.isArray(value) && value.length !== components.length) {
    throw new ArgumentError(`expected ${components.length} values, got ${value.length}`);
  }
  const byName = value as Record<string, unknown>;
  return components.map((part, i) => {
    const name = part.name === '' ? `value ${i + 1}` : part.name;
    if (!Array.isArray(value) && !Object.hasOwn(byName, part.name)) {
      throw new ArgumentError(`expected the member ${name}`);
    }
    return within(name, () => readJson(part, Array.isArray(value) ? value[i] : byName[part.name]));
  });
}

function readJson(param: Param, value: unknown): unknown {
  const [, length] = /\[(\d*)\]$/.exec(param.type) ?? [];
  if (length !== undefined) return readList(param, length, value);
  if (param.components !== undefined) return readTuple(param.components, value);
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new ArgumentError('write so large a number in quotes: "123"');
  }
  if (typeof value === 'object' || value === undefined) throw new ArgumentError('expected a value');
  return parseElementary(param.type, String(value));
}

const isElementary = ({ type, components }: Param): boolean =>
  components === undefined && !type.endsWith(']');

/**
 * The value of an argument, for encoding.
 *
 * @param text lists and tuples as JSON
 * @throws ArgumentError
 */
export function parseArgument(param: Param, text: string): unknown {
  if (isElementary(param)) return parseElementary(param.type, text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ArgumentError('expected JSON, such as ["1", "2"]');
  }
  return readJson(param, value);
}
