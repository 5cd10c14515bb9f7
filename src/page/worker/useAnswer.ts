/** A question of a component. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from './client.js';
import type { AnswerOf, AskedOf, Failure, QuestionName } from './protocol.js';

/** How far a question is. */
export type Asking<Answer> =
  | { readonly state: 'asking'; readonly text: string }
  | { readonly state: 'answered'; readonly answer: Answer }
  | { readonly state: 'failed'; readonly failure: Failure };

const begun = { state: 'asking', text: '' } as const;

/** A question as text, so that two can be compared. */
const keyOf = (...question: unknown[]): string =>
  JSON.stringify(question, (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** Asks when it is shown, anew for another question, and stops when it is shown no more. @param round asks anew if it differs */
export function useAnswer<Name extends QuestionName>(
  name: Name,
  asked: AskedOf<Name>,
  round = 0,
): Asking<AnswerOf<Name>> {
  const key = keyOf(name, asked, round);
  const [held, setHeld] = useState<{ key: string; asking: Asking<AnswerOf<Name>> }>();
  useEffect(() => {
    const set = (asking: Asking<AnswerOf<Name>>) => setHeld({ key, asking });
    return ask(name, asked, {
      onProgress: (text) => set({ state: 'asking', text }),
      onAnswer: (answer) => set({ state: 'answered', answer }),
      onFailure: (failure) => set({ state: 'failed', failure }),
    });
  }, [key]);
  // An answer to another question is never shown in the place of this one, not for a moment.
  return held?.key === key ? held.asking : begun;
}
