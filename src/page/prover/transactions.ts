/** The transactions of an address, the newest first. */
import type { TransactionsPage } from '../../data/index.js';
import type { Hex } from '../../index.js';
import { answerPages } from './pages.js';

export const answerTransactions = answerPages<{ readonly address: Hex }, TransactionsPage>(
  'the transactions',
  (data, asked) => data.transactions({ ...asked, withoutLogs: true }),
);
