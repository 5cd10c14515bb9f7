/** The part of a path in which nothing happens, folded. */
import type { Level } from '../../explain/index.js';

/** Levels side by side: each shown, or folded into one line. */
export interface Run {
  readonly isFolded: boolean;
  readonly levels: readonly Level[];
}

/** Fewer than these are not worth a fold. */
const least = 3;

/** @param shown levels that are never folded, because a law looks there */
export function foldLevels(levels: readonly Level[], shown: ReadonlySet<number>): Run[] {
  const runs: { isFolded: boolean; levels: Level[] }[] = [];
  for (const level of levels) {
    const isFolded = level.siblingIsEmpty && !shown.has(level.level);
    const last = runs.at(-1);
    if (last?.isFolded === isFolded) last.levels.push(level);
    else runs.push({ isFolded, levels: [level] });
  }
  return runs.map((run) => ({ ...run, isFolded: run.isFolded && run.levels.length >= least }));
}
