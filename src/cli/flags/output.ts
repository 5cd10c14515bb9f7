/** The flags that each command takes: how it prints. */
import { parseArgs } from 'node:util';
import { colorModes } from '../print/color.js';
import type { Flags, Values } from './flag.js';

const outputFlags = {
  json: {
    group: 'output',
    help: 'print JSON; a failure is { ok: false, code, path, reason }, on one line',
  },
  color: {
    group: 'output',
    argument: 'WHEN',
    choices: colorModes,
    default: 'auto',
    help: 'colour the verdict: auto, always or never; auto: on a terminal, unless NO_COLOR is set',
  },
} as const satisfies Flags;

/** The flags of a command, and behind them those of all. An entry of its own may say more of one. */
export const withOutput = (flags: Flags): Flags => ({ ...flags, ...outputFlags, ...flags });

/** Their values. */
export type OutputValues = Values<typeof outputFlags>;

/** How the command prints, whatever else is wrong with its line. */
export function readOutput(args: readonly string[]): OutputValues {
  const options = { json: { type: 'boolean' }, color: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  return {
    // A text behind `--json=` is refused, as JSON.
    json: Boolean(values.json),
    color: colorModes.find((mode) => mode === values.color) ?? 'auto',
  };
}
