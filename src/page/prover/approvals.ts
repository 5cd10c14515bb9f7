/** Who may take something of an address. */
import type { AllowancesItem, ListPage, NftApprovalsItem } from '../../data/index.js';
import type { Hex } from '../../index.js';
import { answerPages } from './pages.js';

export const answerAllowances = answerPages<{ readonly address: Hex }, ListPage<AllowancesItem>>(
  'who may take tokens',
  (data, asked) => data.allowances({ ...asked, pageSize: 25 }),
);

export const answerNftApprovals = answerPages<
  { readonly address: Hex },
  ListPage<NftApprovalsItem>
>('who may take NFTs', (data, asked) => data.nftApprovals({ ...asked, pageSize: 25 }));
