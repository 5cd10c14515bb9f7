/** What a wallet holds, as a server lists it; each amount is verified. */
import type { BalanceItem, ListPage } from '../../data/index.js';
import type { Hex } from '../../index.js';
import { answerPages } from './pages.js';

export const answerTokens = answerPages<{ readonly address: Hex }, ListPage<BalanceItem>>(
  'what the address holds',
  (data, asked) => data.balances({ ...asked, pageSize: 50 }),
);
