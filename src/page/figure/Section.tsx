/** A part of a view that has its own question: what is being proven, the answer, or why there is none. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { visible } from '../../visible.js';
import type { AnswerOf, AskedOf, Failure, QuestionName } from '../worker/protocol.js';
import { type Asking, useAnswer } from '../worker/useAnswer.js';

const advice: Readonly<Record<Failure['kind'], { readonly title: string; readonly text: string }>> =
  {
    refused: {
      title: 'Refused',
      text: 'A server has answered what is not true, or not what was asked. Nothing of it is shown. Name another server under Trust.',
    },
    unknown: {
      title: 'Not available',
      text: 'It could not be found out now. Nothing was refused. Try again, or name another server under Trust.',
    },
    impossible: { title: 'Not available', text: 'It cannot be proven as it was asked.' },
  };

/** Longest message that is shown: some hold what a server said. */
const mostText = 300;

interface FailedProps {
  readonly failure: Failure;
  readonly onRetry?: () => void;
  /** What the view has to say of it. */
  readonly children?: ComponentChildren;
}

export function Failed({ failure, onRetry, children }: FailedProps) {
  const { title, text } = advice[failure.kind];
  return (
    <div class={`failure ${failure.kind}`} role="alert">
      <strong>{title}</strong> <code>{failure.code}</code>
      <p>{text}</p>
      <p class="reason">
        <bdi>{visible(failure.message.slice(0, mostText))}</bdi>
      </p>
      {children}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** What stands in the place of an answer that is not there. */
export function Unanswered({
  asking,
  onRetry,
  failed,
  onStop,
}: {
  asking: Asking<unknown>;
  onRetry: () => void;
  failed?: ((failure: Failure) => ComponentChildren) | undefined;
  onStop?: (() => void) | undefined;
}) {
  if (asking.state === 'answered') return null;
  if (asking.state === 'failed') {
    return (
      <Failed failure={asking.failure} onRetry={onRetry}>
        {failed?.(asking.failure)}
      </Failed>
    );
  }
  return (
    <>
      <p class="asking" role="status">
        {asking.text || 'Asking'}…
      </p>
      {onStop && (
        <button type="button" onClick={onStop}>
          Stop
        </button>
      )}
    </>
  );
}

interface Props<Name extends QuestionName> {
  readonly title: string;
  readonly question: Name;
  readonly asked: AskedOf<Name>;
  readonly children: (answer: AnswerOf<Name>) => ComponentChildren;
  /** What the view has to say of a failure. */
  readonly failed?: (failure: Failure) => ComponentChildren;
  /** For a question that may take long: the reader wants no answer any more. */
  readonly onStop?: () => void;
  /** What is asked once this is settled. @param answer undefined if there is none */
  readonly after?: (answer: AnswerOf<Name> | undefined) => ComponentChildren;
}

export function Section<Name extends QuestionName>({
  title,
  question,
  asked,
  children,
  failed,
  onStop,
  after,
}: Props<Name>) {
  const [round, setRound] = useState(0);
  const asking = useAnswer(question, asked, round);
  const answer = asking.state === 'answered' ? asking.answer : undefined;
  return (
    <>
      <section data-question={question} data-state={asking.state}>
        <h2>{title}</h2>
        <Unanswered
          asking={asking}
          onRetry={() => setRound(round + 1)}
          failed={failed}
          onStop={onStop}
        />
        {asking.state === 'answered' && children(asking.answer)}
      </section>
      {asking.state !== 'asking' && after?.(answer)}
    </>
  );
}
