/** The help of a command. */
import type { Flags } from '../flags/flag.js';

export interface Page {
  readonly synopsis: string;
  /** Lines on what is no flag. */
  readonly operands?: string;
  readonly flags: Flags;
  /** Lines behind those of the flags. */
  readonly also?: string;
  /** What else is to be said: the packages that it needs, and its exit codes. */
  readonly rest: string;
}

/** Columns of the names of flags. */
const nameWidth = 12;

/** The lines of flags: a flag without help of its own stands beside the next. */
function flagLines(flags: Flags): string[] {
  let names: string[] = [];
  return Object.entries(flags).flatMap(([name, { help, idle }]) => {
    if (idle) return [];
    names.push(`--${name}`);
    if (help === undefined) return [];
    const all = names.join(', ');
    names = [];
    const indent = `\n${' '.repeat(nameWidth + 2)}`;
    const gap = all.length < nameWidth ? ' '.repeat(nameWidth - all.length) : indent;
    return [`  ${all}${gap}${help.replaceAll('\n', indent)}`];
  });
}

/** The help of a command, as it is printed. */
export function helpText({ synopsis, operands, flags, also, rest }: Page): string {
  const lines = [operands, ...flagLines(flags), also].filter((line) => line !== undefined);
  return [synopsis, lines.join('\n'), rest].join('\n\n');
}
