/** The transfers of tokens from and to an address. */

import type { Hex } from '../../../index.js';
import { Listed } from '../../figure/Listed.js';
import { ListSection } from '../../figure/ListSection.js';
import { parseAmount } from '../../format/claims.js';
import { AddressCell, AmountCell, CellOf, nameColumn, TimeCell, TransactionCell } from './cells.js';

const ways: ReadonlyMap<string, string> = new Map([
  ['transfer-in', 'in'],
  ['transfer-out', 'out'],
]);

export function Transfers({ address }: { address: Hex }) {
  return (
    <ListSection title="Transfers of tokens" question="transfers" asked={{ address }}>
      {(pages) => {
        const decimals = new Map(pages.flatMap((page) => [...page.decimals]));
        return (
          <>
            <Listed
              title="Transfers of the address"
              pages={pages}
              toRows={({ transfers }) => transfers}
              columns={(mark) => [
                {
                  title: 'Transaction',
                  mark,
                  cell: ({ tx_hash: hash }) => <TransactionCell mark={mark} given={hash} />,
                },
                {
                  title: 'Time',
                  mark,
                  cell: ({ block_signed_at: time }) => <TimeCell mark={mark} given={time} />,
                },
                {
                  title: 'Way',
                  mark,
                  cell: ({ transfer_type: type }) => (
                    <CellOf mark={mark} value={ways.get(type ?? '')}>
                      {(way) => way}
                    </CellOf>
                  ),
                },
                {
                  title: 'Amount',
                  mark,
                  cell: ({ delta, contract_address: token }) => (
                    <AmountCell
                      mark={mark}
                      value={parseAmount(delta)}
                      decimals={decimals.get(token.toLowerCase())}
                    />
                  ),
                },
                nameColumn(
                  ({ contract_ticker_symbol: symbol, contract_name: name }) => symbol ?? name,
                ),
                {
                  title: 'Token',
                  mark,
                  cell: ({ contract_address: token }) => <AddressCell mark={mark} given={token} />,
                },
                {
                  title: 'Other side',
                  mark,
                  cell: ({ transfer_type: type, from_address: from, to_address: to }) => (
                    <AddressCell
                      mark={mark}
                      given={type === 'transfer-in' ? from : to}
                      own={address}
                    />
                  ),
                },
              ]}
            />
            <p class="note">
              A transfer is what the token’s contract has logged. Amounts are in the decimals that
              it says now.
            </p>
          </>
        );
      }}
    </ListSection>
  );
}
