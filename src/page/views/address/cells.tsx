/** Cells that several lists of an address share. A member that has not its form is shown as missing, never as a figure. */
import type { ComponentChildren } from 'preact';
import { Cell } from '../../figure/Figure.js';
import { type Mark, missing, serversWord } from '../../figure/marks.js';
import { Amount, Hex, Told } from '../../figure/parts.js';
import type { Column } from '../../figure/Table.js';
import { parseAddress, parseHash, parseSeconds } from '../../format/claims.js';
import { timeText } from '../../format/numbers.js';

const absent = missing('It did not come, or not in its form.');

/** A value if there is one. */
export function CellOf<Value>({
  mark,
  value,
  children,
}: {
  mark: Mark;
  value: Value | undefined;
  children: (value: Value) => ComponentChildren;
}) {
  if (value === undefined) return <Cell mark={absent}>–</Cell>;
  return <Cell mark={mark}>{children(value)}</Cell>;
}

/** An address. @param own the address that the view is about */
export function AddressCell({ mark, given, own }: { mark: Mark; given: unknown; own?: string }) {
  return (
    <CellOf mark={mark} value={parseAddress(given)}>
      {(value) => (value === own ? 'this address' : <Hex value={value} to="address" />)}
    </CellOf>
  );
}

/** Where one reads on about a transaction. */
export function TransactionCell({ mark, given }: { mark: Mark; given: unknown }) {
  return (
    <CellOf mark={mark} value={parseHash(given)}>
      {(value) => <Hex value={value} to="transaction" />}
    </CellOf>
  );
}

export function TimeCell({ mark, given }: { mark: Mark; given: unknown }) {
  return (
    <CellOf mark={mark} value={parseSeconds(given)}>
      {(seconds) => (
        <time dateTime={new Date(1000 * seconds).toISOString()}>{timeText(seconds)}</time>
      )}
    </CellOf>
  );
}

/** An amount of a token. @param decimals undefined: it is shown in smallest units */
export function AmountCell({
  mark,
  value,
  decimals,
}: {
  mark: Mark;
  value: bigint | undefined;
  decimals: number | undefined;
}) {
  return (
    <CellOf mark={mark} value={value}>
      {(amount) => <Amount value={amount} decimals={decimals} />}
    </CellOf>
  );
}

const nameMark = serversWord('The name');

/** The column with the name of a token: whoever made it chose that, and a server told us. */
export const nameColumn = <Row,>(nameOf: (row: Row) => unknown): Column<Row> => ({
  title: 'Name',
  mark: nameMark,
  cell: (row) => {
    const name = nameOf(row);
    return (
      <CellOf mark={nameMark} value={typeof name === 'string' && name !== '' ? name : undefined}>
        {(text) => <Told text={text} />}
      </CellOf>
    );
  },
});
