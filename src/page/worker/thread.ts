/** The worker: it asks, verifies and answers, so that the page never waits. */

import type { Means } from '../prover/means.js';
import { lone, questions } from '../prover/questions.js';
import { openSession, type Session } from '../prover/session.js';
import { toFailure } from './failure.js';
import type { FromWorker, ToWorker } from './protocol.js';

let session: Promise<Session> | undefined;
const running = new Map<number, AbortController>();

const tell = (message: FromWorker): void => self.postMessage(message);

type Answer = (session: Session, asked: unknown, means: Means) => Promise<unknown>;
type LoneAnswer = (asked: unknown, means: Means) => Promise<unknown>;

/** @throws the error of the question */
async function find(
  { name, asked }: Extract<ToWorker, { type: 'ask' }>,
  means: Means,
): Promise<unknown> {
  if (name in lone) return (lone[name as keyof typeof lone] as LoneAnswer)(asked, means);
  if (session === undefined) throw new Error('no endpoint is named');
  return (questions[name as keyof typeof questions] as Answer)(await session, asked, means);
}

async function answer(question: Extract<ToWorker, { type: 'ask' }>): Promise<void> {
  const { id } = question;
  const control = new AbortController();
  running.set(id, control);
  const { signal } = control;
  const say = (text: string) => {
    if (!signal.aborted) tell({ type: 'progress', id, text });
  };
  try {
    const found = await find(question, { signal, say });
    if (!signal.aborted) tell({ type: 'answer', id, answer: found });
  } catch (error) {
    if (!signal.aborted) tell({ type: 'failure', id, failure: toFailure(error) });
  } finally {
    running.delete(id);
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'ask') void answer(data);
  else if (data.type === 'stop') running.get(data.id)?.abort();
  else {
    session = openSession(data.settings);
    // Each question says it.
    session.catch(() => {});
  }
});
