/** A question of a component. */
import { useEffect, useState } from 'preact/hooks';
import { ask } from './client.js';
import type { AnswerOf, AskedOf, Failure, QuestionName } from './protocol.js';

/** How far a question is. */
export type Asking<Answer> =
  | { readonly state: 'asking'; readonly text: string }
  | { readonly state: 'answered'; readonly answer: Answer }
  | { readonly state: 'failed'; readonly failure: Failure };

/** Asks when it is shown, anew for another question, and stops when it is shown no more. @param round asks anew if it differs */
export function useAnswer<Name extends QuestionName>(
  name: Name,
  asked: AskedOf<Name>,
  round = 0,
): Asking<AnswerOf<Name>> {
  const [asking, setAsking] = useState<Asking<AnswerOf<Name>>>({ state: 'asking', text: '' });
  const key = JSON.stringify([name, asked, round]);
  useEffect(() => {
    setAsking({ state: 'asking', text: '' });
    return ask(name, asked, {
      onProgress: (text) => setAsking({ state: 'asking', text }),
      onAnswer: (answer) => setAsking({ state: 'answered', answer }),
      onFailure: (failure) => setAsking({ state: 'failed', failure }),
    });
  }, [key]);
  return asking;
}
