/** All that the page asks its worker. What not every reader asks is loaded when it is asked. */
import { answerAccount } from './account.js';
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
  tokens: loaded(async () => (await import('./tokens.js')).answerTokens),
  transaction: loaded(async () => (await import('./transaction.js')).answerTransaction),
  events: loaded(async () => (await import('./events.js')).answerEvents),
  message: loaded(async () => (await import('./message.js')).answerMessage),
  abi: loaded(async () => (await import('./abi.js')).answerAbi),
  call: loaded(async () => (await import('./call.js')).answerCall),
  block: loaded(async () => (await import('./block.js')).answerBlock),
};

export type Questions = typeof questions;
