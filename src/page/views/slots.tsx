/** The storage of a contract, slot by slot. */
import { useState } from 'preact/hooks';
import type { Hex as Digits } from '../../index.js';
import { Cell } from '../figure/Figure.js';
import { proven } from '../figure/marks.js';
import { Hex } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { Table } from '../figure/Table.js';
import { shortened } from '../format/hex.js';
import { routeHref } from '../format/route.js';
import { mostSlots, parseSlot } from '../format/slot.js';
import type { AnswerOf } from '../worker/protocol.js';

/** Slots that are read at first. */
const fewSlots = 10;

function Slots({ address, answer }: { address: string; answer: AnswerOf<'slots'> }) {
  const mark = proven(answer.anchor);
  return (
    <Table
      title="Slots"
      rows={answer.slots}
      columns={[
        {
          title: 'Slot',
          cell: ({ key }) => (
            <a href={routeHref({ view: 'proof', address, slot: key })}>
              <code title={key}>{shortened(key)}</code>
            </a>
          ),
        },
        {
          title: 'Value',
          mark,
          cell: ({ value, exists }) => (
            <Cell mark={mark}>{exists ? <Hex value={value} /> : 'empty: it does not exist'}</Cell>
          ),
        },
      ]}
    />
  );
}

export function Storage({ address }: { address: string }) {
  const [first, setFirst] = useState('0');
  const [count, setCount] = useState(fewSlots);
  const [asked, setAsked] = useState<{ from: bigint; count: number }>();
  const [problem, setProblem] = useState('');
  function read(event: Event) {
    event.preventDefault();
    const from = parseSlot(first);
    setProblem(from === undefined ? 'The first slot is a number, or up to 64 hex digits.' : '');
    setAsked(from === undefined ? undefined : { from, count });
  }
  return (
    <section>
      <h2>Storage</h2>
      <form class="line" onSubmit={read}>
        <label for="first-slot">First slot</label>
        <input
          id="first-slot"
          type="text"
          value={first}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => setFirst(currentTarget.value)}
        />
        <label for="slot-count">How many</label>
        <input
          id="slot-count"
          type="number"
          min={1}
          max={mostSlots}
          value={count}
          onInput={({ currentTarget }) => setCount(currentTarget.valueAsNumber || 1)}
        />
        <button type="submit">Read</button>
      </form>
      {problem !== '' && (
        <p class="failure" role="alert">
          {problem}
        </p>
      )}
      {asked && (
        <Section title="Slots" question="slots" asked={{ address: address as Digits, ...asked }}>
          {(answer) => <Slots address={address} answer={answer} />}
        </Section>
      )}
    </section>
  );
}
