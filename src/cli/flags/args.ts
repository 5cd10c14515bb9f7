/** Reads the arguments of a command strictly: an argument that is mistyped or given twice is an error, never ignored. */
import { parseArgs } from 'node:util';
import type { WrongArgument } from '../../errors.js';
import type { HashFamily } from '../../index.js';
import { UsageError } from '../exit/exit.js';
import { quote } from '../print/print.js';

/** An option as `parseArgs` takes it, or one that has no effect any more. */
interface Option {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly idle?: boolean;
}

/** The options of a command by name. */
type Options = Record<string, Option>;

/** An option with a value, at most once. */
export const option = { type: 'string' } as const;
/** An option with a value, any number of times. */
export const many = { type: 'string', multiple: true } as const;
/** An option without a value. */
export const flag = { type: 'boolean' } as const;
/** A flag without effect: accepted, because an older release had it, but named nowhere. */
export const idleFlag = { type: 'boolean', idle: true } as const;

/** Options as a message lists them. */
export const listOf = (options: Options): string =>
  Object.entries(options)
    .filter(([, { idle }]) => !idle)
    .map(([name]) => `--${name}`)
    .join(', ');

/** `parseArgs` takes the last of a repeated option, and says in many words what else is wrong. */
function checkOptions(args: readonly string[], options: Options, advice: string): void {
  const config = { args: [...args], options, allowPositionals: true, strict: false } as const;
  const seen = new Set<string>();
  for (const token of parseArgs({ ...config, tokens: true }).tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const known = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!known) {
      const text = `unknown option ${quote(rawName)}; the options are ${listOf(options)}${advice}`;
      throw new UsageError(text);
    }
    if (known.type === 'boolean') {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value; leave it out`);
    } else if (!value || (!inlineValue && /^-./.test(value))) {
      throw new UsageError(`${rawName} needs a value after it`);
    }
    if (seen.has(name) && !known.multiple) {
      throw new UsageError(`${rawName} is given more than once; give it once`);
    }
    seen.add(name);
  }
}

/** The value given for each option. */
type Values<T extends Options> = {
  [K in keyof T]?: T[K] extends { multiple: true }
    ? string[]
    : T[K]['type'] extends 'boolean'
      ? boolean
      : string;
};

/**
 * The options of a command, and its FILE.
 *
 * @param files how many the command takes
 * @param advice what to say behind the options if one is unknown
 * @throws UsageError
 */
export function readArgs<T extends Options>(
  args: readonly string[],
  options: T,
  files: 0 | 1,
  advice = '',
): { values: Values<T>; file: string } {
  checkOptions(args, options, advice);
  const config = { args: [...args], options, allowPositionals: true as const };
  const { values, positionals } = parseArgs(config);
  if (positionals.length > files) {
    throw new UsageError(
      files === 0
        ? `unexpected argument ${quote(positionals[0] as string)}; this command takes options only`
        : `expected one FILE, got ${positionals.length}; give one, or - for standard input`,
    );
  }
  return { values: values as Values<T>, file: positionals[0] ?? '-' };
}

/** The family that `--hash` names. @throws UsageError */
export function readHash(text = 'poseidon2'): HashFamily {
  if (text === 'poseidon2' || text === 'mimc') return text;
  throw new UsageError(`--hash expected poseidon2 or mimc, got ${quote(text)}`);
}

/** A variable of the environment; undefined if it is empty. */
export const fromEnvironment = (name: string): string | undefined => process.env[name] || undefined;

/**
 * Refuses a URL in the place of a folder or file: a store would be made in a folder of that name, and messages would show
 * it with the password in it. @param option that holds it @throws UsageError
 */
export function refuseUrl(name: string, option: string): void {
  if (/^\s*[a-z][a-z\d+.-]+:\//i.test(name))
    throw new UsageError(`${option} expected the name of a file or folder, got a URL`);
}

/** A whole number among the options. @throws UsageError */
export function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text))
    throw new UsageError(`--${name} expected a whole number, got ${quote(text)}`);
  return Number(text);
}

/** @throws UsageError */
export function portOf(text: string): number {
  const port = wholeNumber('port', text) as number;
  if (port > 65_535) throw new UsageError('--port expected a number up to 65535');
  return port;
}

/** Names of the library's arguments -> the options that they come from. */
export type Names = Readonly<Record<string, string>>;

/** The option that an argument comes from; undefined if it comes from none. */
function optionOf(names: Names, argument: string | undefined): string | undefined {
  const [, name = '', index] = /^([\w.]+)(?:\[(\d+)\])?$/.exec(argument ?? '') ?? [];
  const own = names[name];
  return own === undefined || index === undefined ? own : `${own} number ${Number(index) + 1}`;
}

/**
 * Turns the error of a call with the user's arguments into a UsageError that names the option, if an argument is wrong.
 */
export function asUsage(names: Names, cause: unknown): unknown {
  if (!(cause instanceof TypeError || cause instanceof RangeError)) return cause;
  const { argument, reason } = cause as Partial<WrongArgument>;
  const option = optionOf(names, argument);
  const message = option === undefined ? cause.message : `${option} ${reason}`;
  return new UsageError(message, { cause });
}
