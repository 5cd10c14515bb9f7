/** Tokens with ids that an address has. */
import type { ListPage, WalletNftsItem } from '../../data/index.js';
import type { Hex } from '../../index.js';
import { answerPages } from './pages.js';

export const answerNfts = answerPages<{ readonly address: Hex }, ListPage<WalletNftsItem>>(
  'the NFTs',
  (data, asked) => data.nfts({ ...asked, pageSize: 20 }),
);
