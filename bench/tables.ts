/** Tables of Markdown: made as the formatter has them, and read again. */

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const isFigure = (cell: string) => /^[\d.≤≥-]/.test(cell);

/** A table with columns of one width, figures to the right. */
export function textOf({ head, rows: body }: Table): string {
  const columns = head.map((_, i) => body.map((row) => row[i] ?? ''));
  const isRight = columns.map(
    (cells, i) => i > 0 && cells.some(isFigure) && cells.every((cell) => !cell || isFigure(cell)),
  );
  const widths = columns.map((cells, i) =>
    Math.max(3, ...[head[i] as string, ...cells].map((cell) => cell.length)),
  );
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const padded = [head, ...body].map((row) =>
    line(
      widths.map((width, i) => {
        const cell = row[i] ?? '';
        return isRight[i] ? cell.padStart(width) : cell.padEnd(width);
      }),
    ),
  );
  const rule = line(
    widths.map((width, i) => (isRight[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))),
  );
  return [padded[0] as string, rule, ...padded.slice(1)].join('\n');
}

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** All tables of a page, in order. */
export function tablesOf(page: string): Table[] {
  const blocks = page.match(/^\|.*\|\n\|[ :|-]+\|\n(\|.*\|(\n|$))+/gm) ?? [];
  return blocks.map((block) => {
    const [head, , ...rows] = block.trimEnd().split('\n').map(cellsOf);
    return { head: head as string[], rows };
  });
}

/** The only table of a page whose first column has this head. */
export function tableOf(page: string, first: string): Table {
  const found = tablesOf(page).filter(({ head }) => head[0] === first);
  if (found.length !== 1) throw new Error(`${found.length} tables begin with ${first}`);
  return found[0] as Table;
}

const units: Readonly<Record<string, number>> = {
  ...{ ns: 1e-3, µs: 1, ms: 1e3, s: 1e6 },
  ...{ B: 1, kB: 1e3, MB: 1e6, KiB: 2 ** 10, MiB: 2 ** 20 },
};

/** The first number of a cell: times in µs, sizes in bytes. */
export function figureOf(cell: string): number {
  const [, number, unit = ''] = /^[^\d]*([\d,]+(?:\.\d+)?) ?([a-zA-Zµ]*)/.exec(cell) ?? [];
  if (number === undefined) throw new Error(`no figure: ${cell}`);
  return Number(number.replaceAll(',', '')) * (units[unit] ?? 1);
}
