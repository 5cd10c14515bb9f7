/** A part of a view that is a list of any length: its pages are asked for one after the other. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { AnswerOf, AskedOf, QuestionName } from '../worker/protocol.js';
import { useAnswer } from '../worker/useAnswer.js';
import { Unanswered } from './Section.js';

/** Questions about lists, which take the number of a page and answer whether there are more. */
type ListName = {
  [Name in QuestionName]: AskedOf<Name> extends { readonly page: number } ? Name : never;
}[QuestionName];

interface ListProps<Name extends ListName> {
  readonly title: string;
  readonly question: Name;
  readonly asked: Omit<AskedOf<Name>, 'page'>;
  /** @param pages from the first on */
  readonly children: (pages: readonly AnswerOf<Name>[]) => ComponentChildren;
}

/** A part of a view that is a list, whose further pages are asked for by a button. */
export function ListSection<Name extends ListName>({
  title,
  question,
  asked,
  children,
}: ListProps<Name>) {
  const [round, setRound] = useState(0);
  const [earlier, setEarlier] = useState<readonly AnswerOf<Name>[]>([]);
  const page = { ...asked, page: earlier.length } as unknown as AskedOf<Name>;
  const asking = useAnswer(question, page, round);
  const pages = useMemo(
    () => (asking.state === 'answered' ? [...earlier, asking.answer] : earlier),
    [earlier, asking],
  );
  const hasMore = asking.state === 'answered' && asking.answer.hasMore;
  const isAskingMore = asking.state === 'asking' && earlier.length > 0;
  function retry() {
    // From the start: what comes next is held against another root than what came before.
    setEarlier([]);
    setRound(round + 1);
  }
  return (
    <section data-question={question} data-state={asking.state}>
      <h2>{title}</h2>
      {pages.length > 0 && children(pages)}
      <Unanswered asking={asking} onRetry={retry} />
      {(hasMore || isAskingMore) && (
        // It stays while it works: who steers by keys keeps the place.
        <button
          type="button"
          aria-disabled={isAskingMore}
          onClick={() => hasMore && setEarlier(pages)}
        >
          Show more
        </button>
      )}
    </section>
  );
}
