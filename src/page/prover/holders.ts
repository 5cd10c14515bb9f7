/** The holders of a token, the largest first. */
import type { HoldersPage } from '../../data/index.js';
import type { Hex } from '../../index.js';
import { answerPages } from './pages.js';

export const answerHolders = answerPages<{ readonly token: Hex }, HoldersPage>(
  'the holders',
  (data, asked) => data.holders({ ...asked, pageSize: 50 }),
);
