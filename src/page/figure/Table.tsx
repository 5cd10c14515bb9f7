/** A table whose columns are marked in their heads; on a phone each row is a card. */
import { type ComponentChildren, Fragment } from 'preact';
import { MarkSign } from './Figure.js';
import type { Mark } from './marks.js';

export interface Column<Row> {
  readonly title: string;
  /** Undefined: each cell has its own. */
  readonly mark?: Mark | undefined;
  cell(row: Row): ComponentChildren;
}

export function Table<Row>({
  title,
  columns,
  rows,
  detail,
}: {
  /** For those who cannot see where it stands. */
  title: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** What stands below a row, over all columns. */
  detail?: ((row: Row) => ComponentChildren) | undefined;
}) {
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
      <tbody>
        {rows.map((row, i) => (
          // The rows of an answer never change their order.
          <Fragment key={i}>
            <tr class={detail && 'detailed'}>
              {columns.map(({ title: name, cell }) => (
                <td key={name} data-title={name}>
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
    </table>
  );
}
