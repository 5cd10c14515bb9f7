/** Lists about an address or a token, as a server has them: each item is verified. */
import type {
  AllowancesItem,
  BalanceItem,
  HoldersPage,
  ListPage,
  NftApprovalsItem,
  TransactionsPage,
  WalletNftsItem,
} from '../../data/index.js';
import type { Hex } from '../../index.js';
import { answerPages } from './pages.js';

/** Whose list is wanted. */
interface Whose {
  readonly address: Hex;
}

export const answerTokens = answerPages<Whose, ListPage<BalanceItem>>(
  'what the address holds',
  (data, asked) => data.balances({ ...asked, pageSize: 50 }),
);

/** The newest first. */
export const answerTransactions = answerPages<Whose, TransactionsPage>(
  'the transactions',
  (data, asked) => data.transactions({ ...asked, withoutLogs: true }),
);

export const answerNfts = answerPages<Whose, ListPage<WalletNftsItem>>('the NFTs', (data, asked) =>
  data.nfts({ ...asked, pageSize: 20 }),
);

export const answerAllowances = answerPages<Whose, ListPage<AllowancesItem>>(
  'who may take tokens',
  (data, asked) => data.allowances({ ...asked, pageSize: 25 }),
);

export const answerNftApprovals = answerPages<Whose, ListPage<NftApprovalsItem>>(
  'who may take NFTs',
  (data, asked) => data.nftApprovals({ ...asked, pageSize: 25 }),
);

/** The largest first. */
export const answerHolders = answerPages<{ readonly token: Hex }, HoldersPage>(
  'the holders',
  (data, asked) => data.holders({ ...asked, pageSize: 50 }),
);
