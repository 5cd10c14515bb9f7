/** What an address holds: amounts that are proven, beside names that nobody proves. */

import type { Hex } from '../../../index.js';
import { Cell } from '../../figure/Figure.js';
import { Listed } from '../../figure/Listed.js';
import { ListSection } from '../../figure/ListSection.js';
import { Reads } from '../../figure/Reads.js';
import { encodeCall } from '../../format/calls.js';
import { parseAddress, parseAmount, parseDecimals } from '../../format/claims.js';
import { routeHref } from '../../format/route.js';
import type { AnswerOf } from '../../worker/protocol.js';
import { AddressCell, AmountCell, nameColumn } from './cells.js';

type Item = AnswerOf<'tokens'>['items'][number];

/**
 * Whether an amount is a number of tokens with ids. The standard is the server's word: an amount counts without a unit only if ids
 * were proven, or a million would be shown of what has decimals.
 */
const isCounted = ({ nft_data: ids }: Item): boolean => (ids?.length ?? 0) > 0;

export function Tokens({ address }: { address: Hex }) {
  return (
    <ListSection title="Tokens" question="tokens" asked={{ address }}>
      {(pages) => (
        <Listed
          title="What the address holds"
          pages={pages}
          toRows={(item) => [item]}
          detail={({ contract_address: contract, native_token: isNative, nft_data: ids }) => {
            const to = parseAddress(contract);
            if (ids?.length) return <span class="note">Of the ids that the server names.</span>;
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
              cell: (item) => (
                <AmountCell
                  mark={mark}
                  value={parseAmount(item.balance)}
                  decimals={isCounted(item) ? 0 : parseDecimals(item.contract_decimals)}
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
