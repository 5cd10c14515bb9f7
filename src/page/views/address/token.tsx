/** A contract that is a token: what it says of itself, and who holds it. */

import type { Hex } from '../../../index.js';
import { Figure } from '../../figure/Figure.js';
import { Listed } from '../../figure/Listed.js';
import { ListSection } from '../../figure/ListSection.js';
import { joinPages, provenBut } from '../../figure/listed.js';
import { type Mark, missing } from '../../figure/marks.js';
import { Amount, Rows, Told } from '../../figure/parts.js';
import { Section } from '../../figure/Section.js';
import { parseAmount, parseDecimals } from '../../format/claims.js';
import { wholeText } from '../../format/numbers.js';
import type { AnswerOf } from '../../worker/protocol.js';
import { AddressCell, AmountCell } from './cells.js';

type Token = AnswerOf<'token'>;

/** Whether the contract answers as tokens do. */
const isToken = ({ supply, standards }: Token): boolean =>
  supply !== undefined || standards.length > 0;

const unsaid = missing('The contract does not say it, or what it says cannot be proven.');

function Said({ token }: { token: Token }) {
  const { anchor, assumed, name, symbol, decimals, supply, standards } = token;
  if (anchor === undefined || !isToken(token)) return <p>It does not answer as a token does.</p>;
  const known = provenBut(anchor, assumed);
  const says: Mark = {
    ...known,
    why: `It is what the contract calls itself: any contract may choose any name. ${known.why}`,
  };
  const markOf = (value: unknown, mark: Mark): Mark => (value === undefined ? unsaid : mark);
  return (
    <Rows
      rows={[
        ['Name', <Figure mark={markOf(name, says)}>{name && <Told text={name} />}</Figure>],
        ['Symbol', <Figure mark={markOf(symbol, says)}>{symbol && <Told text={symbol} />}</Figure>],
        [
          'Decimals',
          <Figure mark={markOf(decimals, known)}>
            {decimals !== undefined && wholeText(decimals)}
          </Figure>,
        ],
        [
          'Total supply',
          <Figure mark={markOf(supply, known)}>
            {supply !== undefined && <Amount value={supply} decimals={decimals} />}
          </Figure>,
        ],
        ...(standards.length > 0
          ? [['Standards', <Figure mark={known}>{standards.join(', ')}</Figure>] as const]
          : []),
      ]}
    />
  );
}

/** That nobody else holds any, as far as it can be proven: no proof shows that a contract keeps to its standard. */
function Whole({ pages }: { pages: readonly AnswerOf<'holders'>[] }) {
  const last = pages.at(-1);
  return last?.complete ? (
    <p>
      <Figure mark={provenBut(last.anchor, joinPages(pages).assumed)}>
        The balances above add up to the total supply.
      </Figure>{' '}
      <span class="note">If the contract keeps to ERC-20, nobody else holds any.</span>
    </p>
  ) : null;
}

/** What it would take. */
const incomplete =
  'That these are all holders is not proven: balances of all pages that add up to a proven total supply would do it.';

function Holders({ token }: { token: Hex }) {
  return (
    <ListSection title="Holders" question="holders" asked={{ token }}>
      {(pages) => (
        <>
          <Listed
            title="Holders of the token"
            pages={pages}
            incomplete={incomplete}
            toRows={(item) => [item]}
            columns={(mark) => [
              {
                title: 'Holder',
                mark,
                cell: ({ address: holder }) => <AddressCell mark={mark} given={holder} />,
              },
              {
                title: 'Amount',
                mark,
                cell: ({ balance, contract_decimals: decimals }) => (
                  <AmountCell
                    mark={mark}
                    value={parseAmount(balance)}
                    decimals={parseDecimals(decimals)}
                  />
                ),
              },
            ]}
          />
          <Whole pages={pages} />
        </>
      )}
    </ListSection>
  );
}

export function TokenOf({ address }: { address: Hex }) {
  return (
    <Section
      title="Token"
      question="token"
      asked={{ address }}
      after={(token) => token && isToken(token) && <Holders token={address} />}
    >
      {(token) => <Said token={token} />}
    </Section>
  );
}
