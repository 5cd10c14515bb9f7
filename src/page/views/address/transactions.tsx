/** The transactions that an address has a part in. */

import type { Hex } from '../../../index.js';
import { Listed } from '../../figure/Listed.js';
import { ListSection } from '../../figure/ListSection.js';
import type { Mark } from '../../figure/marks.js';
import { Amount } from '../../figure/parts.js';
import { parseAmount, parseBlock } from '../../format/claims.js';
import { wholeText } from '../../format/numbers.js';
import { routeHref } from '../../format/route.js';
import { AddressCell, CellOf, TimeCell, TransactionCell } from './cells.js';

/** An amount of the native token. */
function NativeCell({ mark, given }: { mark: Mark; given: unknown }) {
  return (
    <CellOf mark={mark} value={parseAmount(given)}>
      {(amount) => <Amount value={amount} decimals={18} unit="ETH" />}
    </CellOf>
  );
}

export function Transactions({ address }: { address: Hex }) {
  return (
    <ListSection title="Transactions" question="transactions" asked={{ address }}>
      {(pages) => (
        <Listed
          title="Transactions of the address"
          pages={pages}
          toRows={(item) => [item]}
          columns={(mark) => [
            {
              title: 'Transaction',
              mark,
              cell: ({ tx_hash: hash }) => <TransactionCell mark={mark} given={hash} />,
            },
            {
              title: 'Block',
              mark,
              cell: ({ block_height: block }) => (
                <CellOf mark={mark} value={parseBlock(block)}>
                  {(number) => (
                    <a href={routeHref({ view: 'block', subject: String(number) })}>
                      {wholeText(number)}
                    </a>
                  )}
                </CellOf>
              ),
            },
            {
              title: 'Time',
              mark,
              cell: ({ block_signed_at: time }) => <TimeCell mark={mark} given={time} />,
            },
            {
              title: 'From',
              mark,
              cell: ({ from_address: from }) => (
                <AddressCell mark={mark} given={from} own={address} />
              ),
            },
            {
              title: 'To',
              mark,
              cell: ({ to_address: to }) =>
                to === null ? (
                  <CellOf mark={mark} value="a new contract">
                    {(text) => text}
                  </CellOf>
                ) : (
                  <AddressCell mark={mark} given={to} own={address} />
                ),
            },
            {
              title: 'Value',
              mark,
              cell: ({ value }) => <NativeCell mark={mark} given={value} />,
            },
            {
              title: 'Fee',
              mark,
              cell: ({ fees_paid: fee }) => <NativeCell mark={mark} given={fee} />,
            },
            {
              title: 'Result',
              mark,
              cell: ({ successful }) => (
                <CellOf
                  mark={mark}
                  value={typeof successful === 'boolean' ? successful : undefined}
                >
                  {(isDone) => (isDone ? 'succeeded' : <strong>failed</strong>)}
                </CellOf>
              ),
            },
          ]}
        />
      )}
    </ListSection>
  );
}
