/** A table whose columns are marked in their heads; on a phone each row is a card. */
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { MarkSign } from './Figure.js';
import type { Mark } from './marks.js';

export interface Column<Row> {
  readonly title: string;
  /** Undefined: each cell has its own. */
  readonly mark?: Mark | undefined;
  cell(row: Row): ComponentChildren;
}

/** Rows that are made at once: of a thousand, the reader would feel the pause. */
const atOnce = 50;

/** How many pieces are there yet: one more in each turn of the browser. */
function useGradually(pieces: number): number {
  const [made, setMade] = useState(1);
  useEffect(() => {
    if (made >= pieces) return;
    const timer = setTimeout(() => setMade(made + 1));
    return () => clearTimeout(timer);
  }, [made, pieces]);
  return made;
}

function Rows<Row>({ columns, rows }: { columns: readonly Column<Row>[]; rows: readonly Row[] }) {
  return (
    <tbody>
      {rows.map((row, i) => (
        // The rows of an answer never change their order.
        <tr key={i}>
          {columns.map(({ title, cell }) => (
            <td key={title} data-title={title}>
              {cell(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

export function Table<Row>({
  title,
  columns,
  rows,
}: {
  /** For those who cannot see where it stands. */
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
}) {
  // The same pieces again are left as they are.
  const pieces = useMemo(
    () =>
      Array.from({ length: Math.ceil(rows.length / atOnce) }, (_, i) => (
        <Rows key={i} columns={columns} rows={rows.slice(i * atOnce, (i + 1) * atOnce)} />
      )),
    [rows, columns],
  );
  const made = useGradually(pieces.length);
  return (
    <table>
      <caption class="hidden">{title}</caption>
      <thead>
        <tr>
          {columns.map(({ title: name, mark }) => (
            <th key={name} scope="col">
              {name} {mark && <MarkSign mark={mark} />}
            </th>
          ))}
        </tr>
      </thead>
      {pieces.slice(0, made)}
    </table>
  );
}
