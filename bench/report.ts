/** Tables of figures with their bars. */
import type { Spread } from './measure.js';
import type { Table } from './tables.js';

/** The least that is asked of a figure, and what is hoped for. */
export interface Target {
  readonly must: number;
  readonly stretch: number;
  /** Which side of the bar is good. */
  readonly good: 'below' | 'above';
  /** What the figure counts; default `x`, a ratio. */
  readonly unit?: string;
}

export interface Row {
  readonly what: string;
  /** A reason if there is no figure. */
  readonly figure: Spread | string;
  readonly target?: Target;
  /** What the figure counts; default `x`, a ratio. */
  readonly unit?: string;
}

/** Three significant digits. */
export function digits(value: number): string {
  if (Math.abs(value) >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(3)));
}

/** Time in the unit that suits it. */
export function time(microseconds: number): string {
  if (microseconds >= 1e6) return `${digits(microseconds / 1e6)} s`;
  if (microseconds >= 1e3) return `${digits(microseconds / 1e3)} ms`;
  return `${digits(microseconds)} µs`;
}

function verdict({ figure, target }: Row): string {
  if (target === undefined || typeof figure === 'string') return '';
  const holds = (bar: number) =>
    target.good === 'below' ? figure.median <= bar : figure.median >= bar;
  if (holds(target.stretch)) return 'stretch met';
  return holds(target.must) ? 'met' : '**missed**';
}

function barText({ target }: Row): string {
  if (target === undefined) return '';
  const sign = target.good === 'below' ? '≤' : '≥';
  return `${sign} ${target.must} (${target.stretch})`;
}

/** Figures against their bars. */
export function ratioTable(rows: readonly Row[]): Table {
  return {
    head: ['what', 'median', 'quartiles', 'bar (stretch)', ''],
    rows: rows.map((row) => {
      const { what, figure, unit = 'x' } = row;
      if (typeof figure === 'string') return [what, figure, '', barText(row), ''];
      return [
        what,
        `${digits(figure.median)} ${unit}`,
        `${digits(figure.low)} to ${digits(figure.high)}`,
        barText(row),
        verdict(row),
      ];
    }),
  };
}

export interface TimeRow {
  readonly what: string;
  /** Microseconds. */
  readonly spread: Spread;
}

/** Absolute times, for scale only. */
export function timeTable(rows: readonly TimeRow[]): Table {
  return {
    head: ['time', 'median', 'quartiles', 'per second and core'],
    rows: rows.map(({ what, spread }) => [
      what,
      time(spread.median),
      `${time(spread.low)} to ${time(spread.high)}`,
      digits(1e6 / spread.median),
    ]),
  };
}
