/** What somebody waits who checks one answer and exits. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HashFamily } from '../src/index.js';
import { type Case, oneProof } from './cases.js';
import { type Spread, spreadOf } from './measure.js';

const child = fileURLToPath(new URL('coldChild.mjs', import.meta.url));

/** Milliseconds. */
export interface ColdStart {
  readonly load: Spread;
  readonly first: Spread;
  readonly whole: Spread;
}

function start(input: string): { load: number; first: number } {
  return JSON.parse(execFileSync(process.execPath, [child], { input, encoding: 'utf8' }));
}

/** Both families by turns. */
export function coldStarts(processes = 21): Record<HashFamily, ColdStart> {
  const inputs = Object.entries(oneProof).map(([family, { result, claim }]: [string, Case]) => ({
    family: family as HashFamily,
    input: JSON.stringify({ result, claim }),
    times: [] as { load: number; first: number }[],
  }));
  for (let i = 0; i < processes; i++) {
    for (const { input, times } of inputs) times.push(start(input));
  }
  return Object.fromEntries(
    inputs.map(({ family, times }) => [
      family,
      {
        load: spreadOf(times.map(({ load }) => load)),
        first: spreadOf(times.map(({ first }) => first)),
        whole: spreadOf(times.map(({ load, first }) => load + first)),
      },
    ]),
  ) as Record<HashFamily, ColdStart>;
}
