/** A figure with its mark. Nothing is shown as a figure without one. */
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { routeHref } from '../format/route.js';
import type { Mark } from './marks.js';
import { Rows } from './parts.js';

const signs: Readonly<Record<Mark['kind'], { readonly sign: string; readonly word: string }>> = {
  proven: { sign: '✓', word: 'proven' },
  word: { sign: '“ ”', word: 'the server’s word' },
  missing: { sign: '–', word: 'not available' },
};

/** The mark alone: touched, it says why. */
export function MarkSign({ mark }: { mark: Mark }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { sign, word } = signs[mark.kind];
  return (
    <span class="mark">
      <button
        type="button"
        class={`sign ${mark.kind}`}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={`${word}: why?`}
        title={word}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={({ key }) => key === 'Escape' && setOpen(false)}
      >
        <span aria-hidden="true">{sign}</span>
      </button>
      <span id={id} role="note" class="why" hidden={!isOpen}>
        <strong>{word}.</strong> {mark.why}
        {mark.proof && (
          <>
            {' '}
            <a href={routeHref({ view: 'proof', ...mark.proof })}>Look at the proof</a>
          </>
        )}
      </span>
    </span>
  );
}

interface Props {
  readonly mark: Mark;
  readonly children?: ComponentChildren;
}

export function Figure({ mark, children }: Props) {
  return (
    <span class="figure" data-mark={mark.kind}>
      <span class="value">{mark.kind === 'missing' ? signs.missing.word : children}</span>
      <MarkSign mark={mark} />
    </span>
  );
}

/** Rows whose figures have one mark. */
export function FigureRows({
  mark,
  rows,
}: {
  mark: Mark;
  rows: readonly (readonly [string, ComponentChildren])[];
}) {
  return <Rows rows={rows.map(([name, value]) => [name, <Figure mark={mark}>{value}</Figure>])} />;
}

/** A figure of a column whose head has the mark. */
export function Cell({ mark, children }: Props) {
  return (
    <span class="figure" data-mark={mark.kind}>
      <span class="value">{children}</span>
    </span>
  );
}
