/** Reads the arguments of a command strictly: an argument that is mistyped or given twice is an error, never ignored. */
import { parseArgs } from 'node:util';
import type { WrongArgument } from '../../errors.js';
import { UsageError, unknownName } from '../exit/exit.js';
import { quote } from '../print/print.js';
import type { Flag, Flags, Values } from './flag.js';
import { type OutputValues, withOutput } from './output.js';

/** Flags of another form of the command, and what to say of one that is given here. */
type Elsewhere = readonly [flags: Flags, advice: string];

/** Names of flags as they are written. */
export const namesOf = (flags: Flags): string[] =>
  Object.entries(flags)
    .filter(([, { idle }]) => !idle)
    .flatMap(([name, { alias }]) => (alias === undefined ? [name] : [name, alias]))
    .map((name) => `--${name}`);

/** What is wrong with a flag that the command does not have. */
function unknownFlag(rawName: string, flags: Flags, [others, advice]: Elsewhere): UsageError {
  const text = `unknown option ${quote(rawName)}`;
  if (namesOf(others).includes(rawName)) return new UsageError(`${text}; ${advice}`);
  return unknownName(text, rawName, namesOf(flags));
}

/** The flag that a name on the command line is of, by its name. */
function entryOf(flags: Flags, name: string): readonly [name: string, flag: Flag] | undefined {
  if (Object.hasOwn(flags, name)) return [name, flags[name] as Flag];
  return Object.entries(flags).find(([, { alias }]) => alias === name);
}

/** How `parseArgs` takes flags. */
const optionsOf = (flags: Flags) =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, { argument, alias = name }]) => {
      const option = { type: argument === undefined ? 'boolean' : 'string' } as const;
      return [name, alias].map((one) => [one, option]);
    }),
  );

/** The texts that flags are given on a command line, and its files. `parseArgs` would take the last of a repeated flag. */
function tokensOf(args: readonly string[], flags: Flags, elsewhere: Elsewhere) {
  const config = { args: [...args], options: optionsOf(flags), allowPositionals: true } as const;
  const given = new Map<string, string[]>();
  const written = new Map<string, string>();
  const { tokens, positionals } = parseArgs({ ...config, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { rawName, value, inlineValue } = token;
    const entry = entryOf(flags, token.name);
    if (!entry) throw unknownFlag(rawName, flags, elsewhere);
    const [name, { argument, many }] = entry;
    if (argument === undefined) {
      if (value !== undefined) throw new UsageError(`${rawName} takes no value; leave it out`);
    } else if (!value || (!inlineValue && /^-./.test(value))) {
      throw new UsageError(`${rawName} needs a value after it`);
    }
    const texts = given.get(name);
    if (texts && !many) {
      const first = written.get(name) as string;
      if (first === rawName)
        throw new UsageError(`${rawName} is given more than once; give it once`);
      throw new UsageError(`--${name} and --${entry[1].alias} are one option; give one of them`);
    }
    written.set(name, rawName);
    given.set(name, [...(texts ?? []), value ?? '']);
  }
  return { given, positionals };
}

/** The error of a choice that there is not. @param what a flag or a command @param name that is none of its choices */
export function unknownChoice(what: string, name: string, choices: readonly string[]): UsageError {
  const all = choices.length === 2 ? choices.join(' or ') : `one of ${choices.join(', ')}`;
  return unknownName(`${what} expected ${all}, got ${quote(name)}`, name, choices);
}

/** What a text stands for. @throws UsageError */
function readText(text: string, name: string, { choices, read }: Flag): unknown {
  if (read) return read(text, `--${name}`);
  if (choices === undefined || choices.includes(text)) return text;
  throw unknownChoice(`--${name}`, text, choices);
}

/** The value of a flag. @param own texts on the command line; undefined if there are none @throws UsageError */
function toValue(name: string, flag: Flag, own: readonly string[] | undefined): unknown {
  const { argument, many, environment, adds, required } = flag;
  if (argument === undefined) return own !== undefined;
  const unseen = environment === undefined ? undefined : fromEnvironment(environment);
  let texts = own ?? [];
  if (adds) texts = [...texts, ...(unseen?.split(',') ?? []).filter((text) => text !== '')];
  else if (!own && unseen !== undefined) texts = many ? unseen.split(',') : [unseen];
  else if (!own && flag.default !== undefined) texts = [flag.default];
  if (texts.length === 0 && required !== undefined) {
    const also = environment === undefined ? '' : ` or ${environment}`;
    throw new UsageError(`--${name}${also} is required: ${required}`);
  }
  const values = texts.map((text) => readText(text, name, flag));
  return many ? values : values[0];
}

/** A command line that was read. */
interface Args<T extends Flags> {
  readonly values: Values<T> & OutputValues;
  /** Names of the flags that stand on it: the environment may have others, for another command. */
  readonly given: ReadonlySet<string>;
  /** Its operand; `-` if none is given. */
  readonly file: string;
}

/**
 * The flags of a command, those that each command takes, and its operand.
 *
 * @param own flags of the command alone
 * @param operands how many files the command takes; or the name of the one thing that it takes, such as `TX`
 * @throws UsageError
 */
export function readArgs<T extends Flags>(
  args: readonly string[],
  own: T,
  operands: 0 | 1 | 'TX' | 'BLOCK' | 'HASH' | 'ADDRESS' | 'TOKEN',
  elsewhere: Elsewhere = [{}, ''],
): Args<T> {
  const flags = withOutput(own);
  const { given, positionals } = tokensOf(args, flags, elsewhere);
  if (positionals.length > (operands === 0 ? 0 : 1)) {
    const count = `got ${positionals.length}; give one`;
    const texts = {
      0: `unexpected argument ${quote(positionals[0] as string)}; this command takes options only`,
      1: `expected one FILE, ${count}, or - for standard input`,
    };
    throw new UsageError(
      typeof operands === 'number' ? texts[operands] : `expected one ${operands}, ${count}`,
    );
  }
  // A command says by the order in which it asks which of several mistakes comes first.
  const values: Args<T>['values'] = Object.create(null);
  for (const [name, flag] of Object.entries(flags)) {
    Object.defineProperty(values, name, { get: () => toValue(name, flag, given.get(name)) });
  }
  // Colours are set before the command line is read (readOutput); a wrong value is refused here.
  void values.color;
  return { values, given: new Set(given.keys()), file: positionals[0] ?? '-' };
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
