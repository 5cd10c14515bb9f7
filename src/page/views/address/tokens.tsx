/** What an address holds: amounts that are proven, beside names that nobody proves. */

import type { Hex } from '../../../index.js';
import { Cell } from '../../figure/Figure.js';
import { Listed } from '../../figure/Listed.js';
import { ListSection } from '../../figure/ListSection.js';
import { Reads } from '../../figure/Reads.js';
import { encodeCall } from '../../format/calls.js';
import { parseAddress, parseAmount, parseDecimals } from '../../format/claims.js';
import { routeHref } from '../../format/route.js';
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
          detail={({ contract_address: contract, native_token: isNative }) => {
            const to = parseAddress(contract);
            if (isNative || to === undefined) {
              return <a href={routeHref({ view: 'proof', address })}>Look at the proof</a>;
            }
            const data = encodeCall('balanceOf(address)', address);
            return <Reads call={{ to, data }} of={`the amount of ${to}`} />;
          }}
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
