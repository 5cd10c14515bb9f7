/** A flag of the command: one entry, from which the parser, the messages and the help follow. */

/** Parts of the help behind the flags that most people need, in their order. */
export const groups = ['source', 'limits', 'security', 'output'] as const;

/** What is known of a flag. Its name is its key in the table of its command. */
export interface Flag {
  /** What stands behind it, as the help shows it: `HEX`. A switch has none. */
  readonly argument?: string;
  /** It may be given any number of times. */
  readonly many?: true;
  /** The only texts that it takes. */
  readonly choices?: readonly string[];
  /** Makes a value of its text. @param name as it is written, `--port` @throws UsageError */
  readonly read?: (text: string, name: string) => unknown;
  /** The variable of the environment that stands in for it; one that may be given many times is split at commas. */
  readonly environment?: string;
  /** The variable of the environment does not stand in for it: both count. */
  readonly adds?: true;
  readonly default?: string;
  /** What it is, for the message that it is missing; undefined if it may be. */
  readonly required?: string;
  /** Another name for it. */
  readonly alias?: string;
  /** Without effect: accepted, because an older release had it, but named nowhere. */
  readonly idle?: true;
  /** The part of the help that it stands in; undefined if most people need it. */
  readonly group?: (typeof groups)[number];
  /** In a few words; its default and variable are added. */
  readonly help?: string;
}

/** The flags of a command by name, each part of the help has them in this order. */
export type Flags = Readonly<Record<string, Flag>>;

/** What one text of a flag stands for. */
type Read<F> = F extends { read: (text: string, name: string) => infer T }
  ? T
  : F extends { choices: readonly (infer T)[] }
    ? T
    : string;

/** The value of a flag; a list if it may be given many times. */
type Value<F> = F extends { argument: string }
  ? F extends { many: true }
    ? readonly Read<F>[]
    : Read<F> | (F extends { default: string } | { required: string } ? never : undefined)
  : boolean;

/** The values of flags. One that is wrong, or required and missing, throws a UsageError when it is asked for. */
export type Values<T extends Flags> = { readonly [K in keyof T]: Value<T[K]> };
