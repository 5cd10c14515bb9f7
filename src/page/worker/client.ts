/** The page's side of the worker. */
import type { Settings } from '../settings/settings.js';
import type { AnswerOf, AskedOf, Failure, FromWorker, QuestionName, ToWorker } from './protocol.js';

interface Listener {
  readonly onProgress: (text: string) => void;
  readonly onAnswer: (answer: unknown) => void;
  readonly onFailure: (failure: Failure) => void;
}

/** What is told of one question. */
export interface Listeners<Name extends QuestionName> {
  readonly onProgress: (text: string) => void;
  readonly onAnswer: (answer: AnswerOf<Name>) => void;
  readonly onFailure: (failure: Failure) => void;
}

const worker = new Worker(new URL('./thread.ts', import.meta.url), { type: 'module' });
const listeners = new Map<number, Listener>();
let questions = 0;

const send = (message: ToWorker): void => worker.postMessage(message);

worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
  const listener = listeners.get(data.id);
  if (data.type === 'progress') return listener?.onProgress(data.text);
  listeners.delete(data.id);
  if (data.type === 'answer') listener?.onAnswer(data.answer);
  else listener?.onFailure(data.failure);
});
worker.addEventListener('error', () => {
  const message = 'the part of the page that verifies has failed; reload the page';
  for (const { onFailure } of listeners.values()) {
    onFailure({ kind: 'unknown', code: 'WORKER', message });
  }
  listeners.clear();
});

/** From now on questions are answered by these settings. */
export const openSession = (settings: Settings): void => send({ type: 'open', settings });

/** Asks. @returns stops it: nothing more is told of it */
export function ask<Name extends QuestionName>(
  name: Name,
  asked: AskedOf<Name>,
  { onProgress, onAnswer, onFailure }: Listeners<Name>,
): () => void {
  const id = questions++;
  listeners.set(id, {
    onProgress,
    onAnswer: (answer) => onAnswer(answer as AnswerOf<Name>),
    onFailure,
  });
  send({ type: 'ask', id, name, asked });
  return () => {
    if (listeners.delete(id)) send({ type: 'stop', id });
  };
}
