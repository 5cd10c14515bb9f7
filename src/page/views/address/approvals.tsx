/** Who may take something of an address, and how it is taken back. */

import type { Hex } from '../../../index.js';
import { Listed } from '../../figure/Listed.js';
import { ListSection } from '../../figure/ListSection.js';
import { type Mark, serversWord } from '../../figure/marks.js';
import { Amount } from '../../figure/parts.js';
import type { Column } from '../../figure/Table.js';
import {
  parseAddress,
  parseAmount,
  parseDecimals,
  parseIds,
  parseSeconds,
} from '../../format/claims.js';
import { timeText } from '../../format/numbers.js';
import { type RevokeCall, revokeAllowance, revokeApproval } from '../../format/revoke.js';
import type { AnswerOf } from '../../worker/protocol.js';
import { AddressCell, AmountCell, CellOf, nameColumn, TimeCell } from './cells.js';
import { Revoke } from './revoke.js';

type Allowed = AnswerOf<'allowances'>['items'][number];
type Approved = AnswerOf<'nftApprovals'>['items'][number];

interface Approval<Item extends { readonly spenders: readonly unknown[] }> {
  readonly item: Item;
  readonly spender: Item['spenders'][number];
}

const toRows = <Item extends { readonly spenders: readonly unknown[] }>(
  item: Item,
): Approval<Item>[] => item.spenders.map((spender) => ({ item, spender }));

const timeMark = serversWord('When it was approved last');

const approvedColumn: Column<{ readonly spender: { readonly block_signed_at?: unknown } }> = {
  title: 'Approved',
  mark: timeMark,
  cell: ({ spender }) => <TimeCell mark={timeMark} given={spender.block_signed_at} />,
};

const spenderColumn = (
  mark: Mark,
): Column<{ readonly spender: { readonly spender_address: string } }> => ({
  title: 'Spender',
  mark,
  cell: ({ spender }) => <AddressCell mark={mark} given={spender.spender_address} />,
});

/** How much a spender may take. */
function Taken({ mark, row: { item, spender } }: { mark: Mark; row: Approval<Allowed> }) {
  const { allowance, permit2: isPermit2, expires_at: end } = spender;
  const amount = allowance === 'UNLIMITED' ? ('UNLIMITED' as const) : parseAmount(allowance);
  const seconds = parseSeconds(end);
  return (
    <CellOf mark={mark} value={amount}>
      {(most) => (
        <>
          {most === 'UNLIMITED' ? (
            <strong>UNLIMITED</strong>
          ) : (
            <Amount value={most} decimals={parseDecimals(item.contract_decimals)} />
          )}
          {isPermit2 === true && ' by Permit2'}
          {seconds !== undefined && ` until ${timeText(seconds)}`}
        </>
      )}
    </CellOf>
  );
}

function allowanceCalls({ item, spender }: Approval<Allowed>): RevokeCall[] {
  const [token, by] = [item.token_address, spender.spender_address].map(parseAddress);
  return token && by ? [revokeAllowance({ token, spender: by }, spender.permit2 === true)] : [];
}

export function Allowances({ address }: { address: Hex }) {
  return (
    <ListSection title="Who may take tokens" question="allowances" asked={{ address }}>
      {(pages) => (
        <Listed
          title="Allowances of the address"
          pages={pages}
          toRows={toRows<Allowed>}
          detail={(row) => <Revoke calls={allowanceCalls(row)} />}
          columns={(mark) => [
            nameColumn(({ item }) => item.ticker_symbol ?? item.token_address_label),
            {
              title: 'Token',
              mark,
              cell: ({ item }) => <AddressCell mark={mark} given={item.token_address} />,
            },
            spenderColumn(mark),
            {
              title: 'May take',
              mark,
              cell: (row) => <Taken mark={mark} row={row} />,
            },
            {
              title: 'At risk now',
              mark,
              cell: ({ item, spender }) => (
                <AmountCell
                  mark={mark}
                  value={parseAmount(spender.value_at_risk)}
                  decimals={parseDecimals(item.contract_decimals)}
                />
              ),
            },
            approvedColumn,
          ]}
        />
      )}
    </ListSection>
  );
}

/** Ids that are shown at most. */
const mostIds = 20;

function Ids({ mark, spender }: { mark: Mark; spender: Approval<Approved>['spender'] }) {
  return (
    <CellOf mark={mark} value={parseIds(spender.token_ids_approved)}>
      {(ids) => {
        if (ids === 'all') return <strong>ALL</strong>;
        const rest = ids.length - mostIds;
        return `${ids.slice(0, mostIds).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
      }}
    </CellOf>
  );
}

function approvalCalls({ item, spender }: Approval<Approved>): RevokeCall[] {
  const [contract, by] = [item.contract_address, spender.spender_address].map(parseAddress);
  const ids = parseIds(spender.token_ids_approved);
  return contract && by && ids ? revokeApproval({ contract, spender: by }, ids) : [];
}

export function NftApprovals({ address }: { address: Hex }) {
  return (
    <ListSection title="Who may take NFTs" question="nftApprovals" asked={{ address }}>
      {(pages) => (
        <Listed
          title="Approvals of the NFTs of the address"
          pages={pages}
          toRows={toRows<Approved>}
          detail={(row) => <Revoke calls={approvalCalls(row)} />}
          columns={(mark) => [
            nameColumn(({ item }) => item.contract_address_label ?? item.contract_ticker_symbol),
            {
              title: 'Contract',
              mark,
              cell: ({ item }) => <AddressCell mark={mark} given={item.contract_address} />,
            },
            spenderColumn(mark),
            {
              title: 'May take',
              mark,
              cell: ({ spender }) => <Ids mark={mark} spender={spender} />,
            },
            approvedColumn,
          ]}
        />
      )}
    </ListSection>
  );
}
