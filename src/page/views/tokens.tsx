/** What an address holds: amounts that are proven, beside names that nobody proves. */
import { Cell } from '../figure/Figure.js';
import { type Mark, proven, serversWord } from '../figure/marks.js';
import { Amount, Hex, Told } from '../figure/parts.js';
import { Table } from '../figure/Table.js';
import type { AnswerOf } from '../worker/protocol.js';

type Item = AnswerOf<'tokens'>['items'][number];

/** An amount with its own mark; it is none of the server's if that has no digits. */
function Held({ item, mark }: { item: Item; mark: Mark }) {
  const { balance, contract_decimals: decimals } = item;
  const value = typeof balance === 'string' && /^\d+$/.test(balance) ? BigInt(balance) : undefined;
  if (value === undefined) return <Cell mark={mark}>–</Cell>;
  return (
    <Cell mark={mark}>
      <Amount value={value} decimals={typeof decimals === 'number' ? decimals : 0} />
    </Cell>
  );
}

export function Tokens({ answer }: { answer: AnswerOf<'tokens'> }) {
  const { anchor, items, unproven, hasMore } = answer;
  const byProof = proven(anchor);
  const byWord = serversWord('The amount');
  const rows = [...items, ...unproven];
  const markOf = (item: Item) => (item.verified ? byProof : byWord);
  if (rows.length === 0) return <p>The server lists none. That there are none is not proven.</p>;
  return (
    <>
      <Table
        title="What the address holds"
        rows={rows}
        columns={[
          {
            title: 'Amount',
            mark: unproven.length > 0 ? undefined : byProof,
            cell: (item) => <Held item={item} mark={markOf(item)} />,
          },
          {
            title: 'Name',
            mark: serversWord('The name'),
            cell: ({ contract_ticker_symbol: symbol, contract_name: name }) => (
              <Cell mark={serversWord('The name')}>
                <Told text={String(symbol ?? name ?? 'no name')} />
              </Cell>
            ),
          },
          {
            title: 'Contract',
            cell: ({ contract_address: contract, native_token: isNative }) =>
              isNative ? 'native token' : <Hex value={String(contract)} to="address" />,
          },
        ]}
      />
      <p class="note">
        That the server lists all of them is not proven{hasMore ? ', and it has more' : ''}.
      </p>
    </>
  );
}
