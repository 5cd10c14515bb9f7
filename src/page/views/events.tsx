/** What happened in a transaction, for people. */
import type { ComponentChildren } from 'preact';
import { Cell, MarkSign } from '../figure/Figure.js';
import { type Mark, missing, provenInBlock } from '../figure/marks.js';
import { Amount, Hex, Rows, Told } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { useGrowing } from '../figure/useGrowing.js';
import type { AnswerOf } from '../worker/protocol.js';

type Answer = AnswerOf<'events'>;
type Event = Answer['events'][number];
type Detail = Event['details'][number];
type Token = NonNullable<Event['tokens']>[number];
type Nft = NonNullable<Event['nfts']>[number];
type Row = readonly [string, ComponentChildren];

interface Marks {
  /** Of what stands in the logs. */
  readonly inLog: Mark;
  /** Of what a contract says of itself. */
  readonly byContract: Mark;
}

function detailRow({ heading, value, type }: Detail, { inLog }: Marks): Row {
  const isAddress = type === 'address' && /^0x[0-9a-f]{40}$/i.test(value);
  const isWord = type === 'address' && /^0x[0-9a-f]{64}$/i.test(value);
  return [
    heading,
    <Cell mark={inLog}>
      {isAddress && <Hex value={value.toLowerCase()} to="address" />}
      {isWord && <Hex value={value} />}
      {!isAddress && !isWord && <Told text={value} />}
    </Cell>,
  ];
}

/** A contract's name for itself; what it does not say, or nobody knows, is missing. */
function Name({ text, mark }: { text: string; mark: Mark }) {
  if (text === '') {
    return (
      <Cell mark={missing('No contract has said a name under proof.')}>
        <span class="note">without a name</span>
      </Cell>
    );
  }
  return (
    <Cell mark={mark}>
      <Told text={text} />
    </Cell>
  );
}

function tokenRow({ heading, value, decimals, ticker_symbol }: Token, marks: Marks): Row {
  return [
    heading,
    <>
      <Cell mark={marks.inLog}>
        {/* The decoder has 0 for those that nobody has proven, too. */}
        <Amount value={BigInt(value)} decimals={decimals || undefined} />
      </Cell>{' '}
      <Name text={ticker_symbol} mark={marks.byContract} />
    </>,
  ];
}

function nftRow({ heading, token_identifier: id, ...nft }: Nft, marks: Marks): Row {
  return [
    heading,
    <>
      <Cell mark={marks.inLog}>
        number <Told text={id} /> of <Hex value={nft.collection_address} to="address" />
      </Cell>{' '}
      <Name text={nft.collection_name ?? ''} mark={marks.byContract} />
    </>,
  ];
}

/** The table of a row's headings may have a heading twice. */
function numbered(rows: readonly Row[]): Row[] {
  const counts = new Map<string, number>();
  return rows.map(([name, value]) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return [count === 1 ? name : `${name} ${count}`, value];
  });
}

function EventItem({ event, marks }: { event: Event; marks: Marks }) {
  const { name, action, details, tokens = [], nfts = [], raw_log: log } = event;
  const rows: Row[] = [
    ...(log
      ? [
          [
            'Contract',
            <>
              <Cell mark={marks.inLog}>
                <Hex value={log.sender_address} to="address" />
              </Cell>{' '}
              <Name text={log.sender_name ?? ''} mark={marks.byContract} />
            </>,
          ] as const,
        ]
      : []),
    ...details.map((detail) => detailRow(detail, marks)),
    ...tokens.map((token) => tokenRow(token, marks)),
    ...nfts.map((nft) => nftRow(nft, marks)),
  ];
  return (
    <li>
      <h3>
        <Told text={name} /> <span class="note">{action}</span> <MarkSign mark={marks.inLog} />
      </h3>
      <Rows rows={numbered(rows)} />
    </li>
  );
}

function List({ answer }: { answer: Answer }) {
  const { events, unproven, isCut } = answer;
  const [shown, more] = useGrowing(events);
  const marks = {
    inLog: provenInBlock(answer, 'It stands in the receipt of the transaction.'),
    byContract: provenInBlock(
      answer,
      'A token calls itself that: anyone may take any name. Which token an event is about is the word of the contract that has logged it.',
    ),
  };
  return (
    <>
      {events.length === 0 && <p class="note">No event of a known kind. Its logs stand below.</p>}
      <ol class="events">
        {shown.map((event, i) => (
          <EventItem key={i} event={event} marks={marks} />
        ))}
      </ol>
      {more}
      {events.length > 0 && (
        <p class="note">
          Names and decimals are what the contracts say of themselves.{' '}
          <MarkSign mark={marks.byContract} />
        </p>
      )}
      {isCut && <p class="note">It has more logs than are decoded here.</p>}
      {unproven.length > 0 && (
        <p class="note">
          Names and decimals are not available of{' '}
          {unproven.map((address) => (
            <Hex key={address} value={address} to="address" />
          ))}
          : amounts of it are in its smallest units.
        </p>
      )}
    </>
  );
}

export function Events({ hash }: { hash: `0x${string}` }) {
  return (
    <Section title="What happened" question="events" asked={{ hash }}>
      {(answer) => <List answer={answer} />}
    </Section>
  );
}
