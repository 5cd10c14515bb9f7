/**
 * How far a command has come, on stderr: on a terminal a line that is redrawn; anywhere else, such as in a log, a line
 * every ten seconds. It needs no package, and no output that fails ends the work: main.ts takes stderr's errors.
 */
import type { BulkProgress } from '../../tree/index.js';
import { visible } from '../../visible.js';
import { timeText } from './print.js';
import { createRate } from './rate.js';
import { canRedraw, clearLine, printError, showLine } from './statusLine.js';

/** One step forward. */
export interface Step {
  /** The present work, such as `reading`. */
  readonly phase: string;
  /** How much of the phase is done, from 0 to 1; undefined if its end is not known. */
  readonly share?: number | undefined;
  /** How far it is in figures, such as `12 lines`. */
  readonly figures?: string;
  /** Things that are done so far, from which a rate follows. */
  readonly done?: number;
}

export interface Progress {
  /** To be called at each step: most are not shown. */
  update(step: Step): void;
  /** To be called in the end, whatever happened. */
  stop(): void;
}

/** Ms between two lines. */
const redrawTime = 100;
const logTime = 10_000;

const rateText = (rate: number): string => rate.toFixed(rate < 10 ? 1 : 0);

/** Parts of a line. A phase is over once the next one begins, so no share comes to 100 %. */
const partsOf = ({ phase, share, figures }: Step): string[] => [
  phase,
  ...(share === undefined ? [] : [`${Math.min(99, Math.floor(100 * share))}%`]),
  ...(figures === undefined ? [] : [figures]),
];

/**
 * Begins to show how far some work is.
 *
 * @param options.isRun the work goes on until it is ended: a log then has its first and its last step, too
 */
export function startProgress({ isRun = false } = {}): Progress {
  const isTerminal = canRedraw();
  const every = isTerminal ? redrawTime : logTime;
  const rate = createRate();
  let due = performance.now() + (isTerminal || isRun ? 0 : every);
  let step: Step | undefined;
  let shown = '';
  let timer: NodeJS.Timeout | undefined;

  function show(): void {
    clearTimeout(timer);
    timer = undefined;
    if (step === undefined) return;
    const parts = partsOf(step);
    if (parts.join() === shown) return;
    shown = parts.join();
    due = performance.now() + every;
    const perSecond = rate.perSecond();
    if (perSecond !== undefined) parts.push(`${rateText(perSecond)}/s`);
    if (isTerminal) showLine(parts.join('  '));
    else process.stderr.write(`${timeText(Date.now())} ${parts.join(', ')}\n`);
  }

  return {
    update(now) {
      const isNext = now.phase !== step?.phase;
      if (isNext) rate.reset();
      step = now;
      if (now.done !== undefined) rate.note(now.done);
      const wait = due - performance.now();
      // The next phase may keep the thread: it is named before.
      if (wait <= 0 || (isTerminal && isNext)) show();
      else timer ??= setTimeout(show, wait).unref();
    },
    stop() {
      if (isRun && !isTerminal) show();
      clearTimeout(timer);
      if (isTerminal) clearLine();
    },
  };
}

/** Prints a warning of a run that goes on, with its time: it may come again. A server may have a say in it. */
export const printWarning = (text: string): void =>
  printError(`${timeText(Date.now())} ${visible(text)}`);

/** Phases of work in stages, by the name of the stage. */
export type Phases = Readonly<Partial<Record<BulkProgress['stage'], string>>>;

/** Shows work in stages. @param phases what the stages are to the user */
export function showStages(progress: Progress, phases: Phases): (now: BulkProgress) => void {
  return ({ stage, done, total }) =>
    progress.update({ phase: phases[stage] ?? stage, share: total ? done / total : undefined });
}

/** Shows a run of blocks, up to a head that moves. */
export function showBlocks(progress: Progress, phase: string) {
  return (block: number, head: number): void =>
    progress.update({ phase, figures: `block ${block} of ${head}`, done: block });
}
