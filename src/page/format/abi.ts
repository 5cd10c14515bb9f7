/** The functions of a contract, from what a reader has pasted: a compiler's JSON, or signatures as text. */
import { parseAbi } from 'viem/utils';
import { mostAbiText } from './presets.js';

/** A parameter. Its type is one that values are read and written of. */
export interface Param {
  readonly name: string;
  /** As in Solidity; `tuple` and its arrays have components. */
  readonly type: string;
  readonly components?: readonly Param[];
}

export interface AbiFunction {
  readonly name: string;
  readonly inputs: readonly Param[];
  readonly outputs: readonly Param[];
  /** Whether it promises to change nothing. */
  readonly isView: boolean;
}

/** An error that a contract reverts with. */
export interface AbiError {
  readonly name: string;
  readonly inputs: readonly Param[];
}

export interface Abi {
  readonly functions: readonly AbiFunction[];
  readonly errors: readonly AbiError[];
  /** How many functions and errors are of a form or type that is not known here. */
  readonly skipped: number;
}

/** The text is no ABI; the message says why. */
export class AbiTextError extends Error {
  override readonly name = 'AbiTextError';
}

const most = { line: 2000, items: 2000, params: 100, depth: 6, name: 200 };

const elementary = /^(address|bool|string|bytes([1-9]|[12]\d|3[0-2])?|u?int\d{0,3})$/;
const form = /^([a-z0-9]+)((?:\[\d{0,4}\]){0,4})$/;

/** Thrown within an item that is left out. */
class Unknown extends Error {}

const isMembers = (value: unknown): value is Partial<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function readName(value: unknown): string {
  if (typeof value === 'string' && /^[\w$]*$/.test(value) && value.length <= most.name)
    return value;
  throw new Unknown();
}

/** The type without its arrays, in the form that hashes to selectors. */
function readBase(base: string): string {
  if (base === 'tuple') return base;
  if (!elementary.test(base)) throw new Unknown();
  const whole = /^u?int$/.test(base) ? `${base}256` : base;
  const bits = /^u?int(\d+)$/.exec(whole)?.[1];
  if (bits !== undefined && (Number(bits) % 8 !== 0 || Number(bits) > 256 || Number(bits) === 0)) {
    throw new Unknown();
  }
  return whole;
}

/** @throws Unknown */
function readParams(value: unknown, depth = 0): Param[] {
  if (!Array.isArray(value) || value.length > most.params || depth > most.depth) {
    throw new Unknown();
  }
  return value.map((one: unknown) => {
    const { name = '', type, components } = isMembers(one) ? one : {};
    const [, base = '', lengths = ''] = (typeof type === 'string' && form.exec(type)) || [];
    // A list of nothing has any length in no bytes, and would be read without end.
    if (/\[0+\]/.test(lengths)) throw new Unknown();
    const known = { name: readName(name), type: readBase(base) + lengths };
    if (base !== 'tuple') return known;
    const parts = readParams(components, depth + 1);
    if (parts.length === 0) throw new Unknown();
    return { ...known, components: parts };
  });
}

function readItem(item: unknown): { function?: AbiFunction; error?: AbiError } | undefined {
  if (!isMembers(item)) throw new Unknown();
  const { type = 'function', inputs = [], outputs = [], stateMutability, constant } = item;
  if (type === 'error') return { error: { name: readName(item.name), inputs: readParams(inputs) } };
  if (type !== 'function') return undefined;
  const name = readName(item.name);
  if (name === '') throw new Unknown();
  const isView = stateMutability === 'view' || stateMutability === 'pure' || constant === true;
  return { function: { name, inputs: readParams(inputs), outputs: readParams(outputs), isView } };
}

/** Items of a compiler, or of signatures. */
function readItems(items: readonly unknown[]): Abi {
  if (items.length > most.items) {
    throw new AbiTextError(`expected at most ${most.items} items, got ${items.length}`);
  }
  const functions: AbiFunction[] = [];
  const errors: AbiError[] = [];
  let skipped = 0;
  for (const item of items) {
    try {
      const read = readItem(item);
      if (read?.function) functions.push(read.function);
      if (read?.error) errors.push(read.error);
    } catch (error) {
      if (!(error instanceof Unknown)) throw error;
      skipped++;
    }
  }
  if (functions.length > 0) return { functions, errors, skipped };
  throw new AbiTextError(skipped > 0 ? 'none of its functions can be read' : 'it has no function');
}

function parseJson(text: string): Abi {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new AbiTextError(`it is no JSON: ${(cause as Error).message}`, { cause });
  }
  // What compilers write has the ABI as a member.
  const list = isMembers(value) && !Array.isArray(value) ? (value.abi ?? [value]) : value;
  if (!Array.isArray(list)) throw new AbiTextError('expected a list of functions');
  if (!list.every((item) => typeof item === 'string')) return readItems(list);
  return parseSignatures(list);
}

const keyword = /^(function|event|error|struct|constructor|fallback|receive|modifier)\b/;

function parseSignatures(given: readonly string[]): Abi {
  const lines = given.map((line) => line.trim().replace(/;$/, '')).filter((line) => line !== '');
  if (lines.length > most.items) throw new AbiTextError(`expected at most ${most.items} lines`);
  const long = lines.findIndex((line) => line.length > most.line);
  if (long >= 0) throw new AbiTextError(`line ${long + 1} is longer than ${most.line} characters`);
  const whole = lines.map((line) => (keyword.test(line) ? line : `function ${line}`));
  try {
    return readItems(parseAbi(whole));
  } catch (cause) {
    if (cause instanceof AbiTextError) throw cause;
    const { shortMessage, message } = cause as Error & { shortMessage?: string };
    const [first = ''] = (shortMessage ?? message).split('\n');
    throw new AbiTextError(`it cannot be read: ${first}`, { cause });
  }
}

/** @throws AbiTextError */
export function parseAbiText(text: string): Abi {
  if (text.length > mostAbiText) {
    throw new AbiTextError(`expected at most ${mostAbiText} characters, got ${text.length}`);
  }
  const trimmed = text.trim();
  return /^[[{]/.test(trimmed) ? parseJson(trimmed) : parseSignatures(trimmed.split('\n'));
}

const typeOf = ({ type, components }: Param): string =>
  components === undefined ? type : `(${components.map(typeOf)})${type.slice('tuple'.length)}`;

/** The form whose hash names it in a call, such as `balanceOf(address)`. */
export const signatureOf = ({ name, inputs }: AbiError): string => `${name}(${inputs.map(typeOf)})`;
