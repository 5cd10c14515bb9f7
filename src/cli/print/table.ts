/** Tables for people, with foreign text in them. */
import { visible } from '../../visible.js';
import { inUnits } from './units.js';

/** Most characters of a text of the server's that are shown. */
const mostText = 80;

export type Row = readonly string[];

/** Text of a server's for a cell: cut, on one line. */
export const cellText = (text: string | null | undefined): string => {
  const all = text ?? '';
  return visible(all.length > mostText ? `${all.slice(0, mostText)}...` : all);
};

/** Columns, aligned. @param right those of numbers */
export function table(rows: readonly Row[], right: readonly number[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  const cells = (row: Row) =>
    row.map((cell, i) => {
      const width = widths[i] as number;
      return right.includes(i) ? cell.padStart(width) : cell.padEnd(width);
    });
  return rows.map((row) => cells(row).join('  ').trimEnd()).join('\n');
}

/** Whether amounts can be written with so many decimals. */
export const isWritable = (decimals: unknown): decimals is number =>
  typeof decimals === 'number' && Number.isSafeInteger(decimals) && decimals >= 0 && decimals <= 77;

/** An amount; in smallest units if the decimals are not known. */
export function amountText(amount: string | null | undefined, decimals: unknown): string {
  if (amount === null || amount === undefined) return '?';
  if (isWritable(decimals)) return inUnits(amount, decimals);
  return `${amount} smallest unit${amount === '1' ? '' : 's'}`;
}
