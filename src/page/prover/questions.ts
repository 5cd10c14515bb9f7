/** All that the page asks its worker. What not every reader asks is loaded when it is asked. */
import { answerAccount, answerSlots } from './account.js';
import type { Pasted } from './anatomy.js';
import type { Means } from './means.js';
import type { Session } from './session.js';
import { answerTrust } from './trust.js';

type Answers<Asked, Answer> = (session: Session, asked: Asked, means: Means) => Promise<Answer>;

const loaded =
  <Asked, Answer>(load: () => Promise<Answers<Asked, Answer>>): Answers<Asked, Answer> =>
  async (session, asked, means) =>
    (await load())(session, asked, means);

export const questions = {
  trust: answerTrust,
  account: answerAccount,
  anatomy: loaded(async () => (await import('./anatomy.js')).answerAnatomy),
  reads: loaded(async () => (await import('./reads.js')).answerReads),
  slots: answerSlots,
  token: loaded(async () => (await import('./contracts.js')).answerToken),
  holders: loaded(async () => (await import('./lists.js')).answerHolders),
  tokens: loaded(async () => (await import('./lists.js')).answerTokens),
  transactions: loaded(async () => (await import('./lists.js')).answerTransactions),
  transfers: loaded(async () => (await import('./transfers.js')).answerTransfers),
  nfts: loaded(async () => (await import('./lists.js')).answerNfts),
  allowances: loaded(async () => (await import('./lists.js')).answerAllowances),
  nftApprovals: loaded(async () => (await import('./lists.js')).answerNftApprovals),
  transaction: loaded(async () => (await import('./transaction.js')).answerTransaction),
  events: loaded(async () => (await import('./events.js')).answerEvents),
  message: loaded(async () => (await import('./message.js')).answerMessage),
  abi: loaded(async () => (await import('./abi.js')).answerAbi),
  call: loaded(async () => (await import('./readContract.js')).answerCall),
  block: loaded(async () => (await import('./block.js')).answerBlock),
};

/** Questions that ask nobody, so that they need no session. */
export const lone = {
  explain: async (asked: Pasted, _means: Means) =>
    (await import('./anatomy.js')).explainPasted(asked),
};

type Lone = {
  readonly [Name in keyof typeof lone]: (
    session: undefined,
    ...rest: Parameters<(typeof lone)[Name]>
  ) => ReturnType<(typeof lone)[Name]>;
};

export type Questions = typeof questions & Lone;
