/** A table whose columns are marked in their heads; on a phone each row is a card. */
import { type ComponentChildren, Fragment } from 'preact';
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

interface Content<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** What stands below a row, over all columns. */
  readonly detail?: ((row: Row) => ComponentChildren) | undefined;
}

function Rows<Row>({ columns, rows, detail }: Content<Row>) {
  return (
    <tbody>
      {rows.map((row, i) => (
        // The rows of an answer never change their order.
        <Fragment key={i}>
          <tr class={detail && 'detailed'}>
            {columns.map(({ title, cell }) => (
              <td key={title} data-title={title}>
                {cell(row)}
              </td>
            ))}
          </tr>
          {detail && (
            <tr>
              <td colSpan={columns.length}>{detail(row)}</td>
            </tr>
          )}
        </Fragment>
      ))}
    </tbody>
  );
}

export function Table<Row>({
  title,
  ...content
}: Content<Row> & {
  /** For those who cannot see where it stands. */
  readonly title: string;
}) {
  const { columns, rows, detail } = content;
  // The same pieces again are left as they are.
  const pieces = useMemo(
    () =>
      Array.from({ length: Math.ceil(rows.length / atOnce) }, (_, i) => (
        <Rows key={i} {...{ columns, detail }} rows={rows.slice(i * atOnce, (i + 1) * atOnce)} />
      )),
    [rows, columns, detail],
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
