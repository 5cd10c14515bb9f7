/** The items of a list: those that were verified, and apart from them those that a server merely names. */
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Figure } from './Figure.js';
import { joinPages, type ListedPage, provenBut } from './listed.js';
import { type Mark, serversWord } from './marks.js';
import { type Column, Table } from './Table.js';

interface Props<Item, Row> {
  /** What the rows are, such as `Transactions`. */
  readonly title: string;
  /** At least one. */
  readonly pages: readonly ListedPage<Item>[];
  readonly toRows: (item: Item) => readonly Row[];
  /** @param mark of what is proven of verified items */
  readonly columns: (mark: Mark) => readonly Column<Row>[];
  /** What is said if nothing proves that the list lacks nothing. */
  readonly incomplete?: string;
  /** What stands below a row that is verified. */
  readonly detail?: (row: Row) => ComponentChildren;
}

export function Listed<Item, Row>({
  title,
  pages,
  toRows,
  columns,
  detail,
  incomplete = 'That the server lists all of them is not proven.',
}: Props<Item, Row>) {
  // The same pages again are the same tables: what is there of them is not made anew.
  const { assumed, verified, claimed } = useMemo(() => {
    const { anchor, items, unproven, assumed } = joinPages(pages);
    const mark = provenBut(anchor, assumed);
    return {
      assumed,
      verified: { rows: items.flatMap(toRows), columns: columns(mark), detail },
      claimed: { rows: unproven.flatMap(toRows), columns: columns(serversWord('It')) },
    };
  }, [pages]);
  if (verified.rows.length === 0 && claimed.rows.length === 0) {
    return <Figure mark={serversWord('That there are none')}>None</Figure>;
  }
  return (
    <>
      {verified.rows.length > 0 && <Table title={title} {...verified} />}
      {claimed.rows.length > 0 && (
        <>
          <h3>Not proven</h3>
          <p class="note">
            Nothing proves these under the root of now. They are what a server says.
          </p>
          <Table title={`${title}, not proven`} {...claimed} />
        </>
      )}
      {assumed.includes('completeness') && <p class="note">{incomplete}</p>}
    </>
  );
}
