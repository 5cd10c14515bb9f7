/** The flags that each command takes: how it prints. */
import type { Flags, Values } from './flag.js';

export const outputFlags = {
  json: {
    group: 'output',
    help: 'print JSON; a failure is { ok: false, code, path, reason }, on one line',
  },
} as const satisfies Flags;

/** The flags of a command, and behind them those of all. An entry of its own may say more of one. */
export const withOutput = (flags: Flags): Flags => ({ ...flags, ...outputFlags, ...flags });

/** Their values. */
export type OutputValues = Values<typeof outputFlags>;

/** How the command prints, whatever else is wrong with its line. */
export function readOutput(args: readonly string[]): OutputValues {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  return { json: options.some((arg) => /^--json(=|$)/.test(arg)) };
}
