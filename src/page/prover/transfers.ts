/** The transfers of tokens from and to an address, the newest first. */
import type { ListPage, TransfersItem } from '../../data/index.js';
import type { Hex } from '../../index.js';
import { proveDecimals } from './contracts.js';
import type { Means } from './means.js';
import { answerPages } from './pages.js';
import type { Session } from './session.js';

const answerPage = answerPages<{ readonly address: Hex }, ListPage<TransfersItem>>(
  'the transfers',
  (data, asked) => data.transfers({ ...asked, pageSize: 25 }),
);

/** With the decimals of the tokens, which the list has by the server's word alone. */
export async function answerTransfers(
  session: Session,
  asked: { readonly address: Hex; readonly page: number },
  means: Means,
) {
  const page = await answerPage(session, asked, means);
  means.say('Proving the decimals of the tokens');
  const tokens = page.items.flatMap(({ transfers }) =>
    transfers.map(({ contract_address: token }) => token as Hex),
  );
  return { ...page, decimals: await proveDecimals(session, tokens, means) };
}
