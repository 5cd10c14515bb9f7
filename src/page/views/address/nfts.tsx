/** Tokens with ids that an address has. Pictures are shown only if they stand in what came: nothing is fetched. */

import type { Hex } from '../../../index.js';
import { Cell } from '../../figure/Figure.js';
import { Listed } from '../../figure/Listed.js';
import { ListSection } from '../../figure/ListSection.js';
import { serversWord } from '../../figure/marks.js';
import { Copy, Told } from '../../figure/parts.js';
import { parseAmount, parsePicture } from '../../format/claims.js';
import type { AnswerOf } from '../../worker/protocol.js';
import { AddressCell, AmountCell, CellOf, nameColumn } from './cells.js';

type Item = AnswerOf<'nfts'>['items'][number];
type Token = NonNullable<Item['nft_data']>[number];

interface Row {
  readonly item: Item;
  /** Undefined: the server names none of those that there are. */
  readonly token: Token | undefined;
}

const toRows = (item: Item): Row[] => {
  const tokens = item.nft_data ?? [];
  return tokens.length > 0
    ? tokens.map((token) => ({ item, token }))
    : [{ item, token: undefined }];
};

const documentMark = serversWord('What the document says');

/** What a server says that the document of a token says. */
function Document({ token }: { token: Token | undefined }) {
  const { external_data: data, token_url: url } = token ?? {};
  const isMembers = typeof data === 'object' && data !== null;
  const { name, image } = (isMembers ? data : {}) as Partial<Record<string, unknown>>;
  const picture = parsePicture(image);
  const link = picture === undefined && typeof image === 'string' ? image : url;
  return (
    <Cell mark={documentMark}>
      {picture !== undefined && <img class="nft" src={picture} alt={`Token ${token?.token_id}`} />}
      {typeof name === 'string' && <Told text={name} />}
      {typeof link === 'string' && (
        <span class="link">
          <Told text={link} /> <Copy text={link} title="link" />
        </span>
      )}
      {picture === undefined && typeof name !== 'string' && typeof link !== 'string' && '–'}
    </Cell>
  );
}

export function Nfts({ address }: { address: Hex }) {
  return (
    <ListSection title="NFTs" question="nfts" asked={{ address }}>
      {(pages) => (
        <Listed
          title="NFTs of the address"
          pages={pages}
          toRows={toRows}
          columns={(mark) => [
            nameColumn(({ item }) => item.contract_name ?? item.contract_ticker_symbol),
            {
              title: 'Contract',
              mark,
              cell: ({ item }) => <AddressCell mark={mark} given={item.contract_address} />,
            },
            {
              title: 'Id',
              mark,
              cell: ({ token }) => (
                <CellOf mark={mark} value={parseAmount(token?.token_id)}>
                  {(id) => <code>{String(id)}</code>}
                </CellOf>
              ),
            },
            {
              // Of a contract whose ids nobody names, an amount may have decimals.
              title: 'All of the contract',
              mark,
              cell: ({ item, token }) => (
                <AmountCell
                  mark={mark}
                  value={parseAmount(item.balance)}
                  decimals={token === undefined ? undefined : 0}
                />
              ),
            },
            {
              title: 'Document',
              mark: documentMark,
              cell: ({ token }) => <Document token={token} />,
            },
          ]}
        />
      )}
    </ListSection>
  );
}
