/** What an address holds: amounts that are proven, beside names that nobody proves. */

import type { Hex } from '../../../index.js';
import { Cell } from '../../figure/Figure.js';
import { Listed } from '../../figure/Listed.js';
import { ListSection } from '../../figure/ListSection.js';
import { parseAmount, parseDecimals } from '../../format/claims.js';
import { AddressCell, AmountCell, nameColumn } from './cells.js';

/** Whether amounts are numbers of tokens: of those with ids. */
const isCounted = (standards: readonly string[] | null | undefined): boolean =>
  standards?.some((one) => one === 'erc721' || one === 'erc1155') === true;

export function Tokens({ address }: { address: Hex }) {
  return (
    <ListSection title="Tokens" question="tokens" asked={{ address }}>
      {(pages) => (
        <Listed
          title="What the address holds"
          pages={pages}
          toRows={(item) => [item]}
          columns={(mark) => [
            {
              title: 'Amount',
              mark,
              cell: ({ balance, contract_decimals: decimals, supports_erc: standards }) => (
                <AmountCell
                  mark={mark}
                  value={parseAmount(balance)}
                  decimals={isCounted(standards) ? 0 : parseDecimals(decimals)}
                />
              ),
            },
            nameColumn(({ contract_ticker_symbol: symbol, contract_name: name }) => symbol ?? name),
            {
              title: 'Contract',
              mark,
              cell: ({ contract_address: contract, native_token: isNative }) =>
                isNative ? (
                  <Cell mark={mark}>native token</Cell>
                ) : (
                  <AddressCell mark={mark} given={contract} />
                ),
            },
          ]}
        />
      )}
    </ListSection>
  );
}
