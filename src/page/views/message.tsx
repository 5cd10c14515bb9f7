/** A message from L2 to L1: its status, what it carries, and how it is claimed. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Hex as Digits } from '../../index.js';
import { Data } from '../figure/Data.js';
import { Figure, FigureRows } from '../figure/Figure.js';
import { type Mark, operatorText, provenOnL1, serversWord } from '../figure/marks.js';
import { OtherHashes } from '../figure/OtherHashes.js';
import { Amount, Copy, Hex, Rows } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { wholeText } from '../format/numbers.js';
import { routeHref } from '../format/route.js';
import type { AnswerOf, Failure } from '../worker/protocol.js';

type Answer = AnswerOf<'message'>;
type Known = Exclude<Answer['status'], { status: 'unknown' }>;
interface Range {
  readonly from: number;
  readonly to: number;
}

const texts = {
  claimed: 'Claimed: it was carried out on L1, and cannot be again.',
  claimable: 'Claimable: anyone can have it carried out on L1 now.',
  pending: 'Pending: its block is not final on L1 yet.',
} as const;

/** The members hash to what was asked for, whoever has said them. */
const byHash: Mark = {
  kind: 'proven',
  why: 'These are the only members that have the hash of this message; they were hashed in this page.',
};

/** That L2 has sent a message whose block is not final yet is its node's word. */
const statusMark = ({ assumed, ...status }: Known): Mark =>
  assumed.length === 0 ? provenOnL1(status) : serversWord('That L2 has sent this message');

function Members({ hash, message }: Known) {
  const { from, to, value, fee, messageNumber, data } = message;
  const rows: (readonly [string, ComponentChildren])[] = [
    ['Hash', <Hex value={hash} to="message" />],
    ['From, on L2', <Hex value={from} to="address" />],
    ['To, on L1', <Hex value={to} />],
    ['Value', <Amount value={value} decimals={18} unit="ETH" />],
    ['Fee for the claim', <Amount value={fee} decimals={18} unit="ETH" />],
    ['Number', wholeText(messageNumber)],
    ['Call data', <Data value={data} title="call data" />],
  ];
  return <FigureRows mark={byHash} rows={rows} />;
}

/** The call that claims a message, as data. */
function Claim({ proof, rollup, l1ChainId }: Answer & { proof: NonNullable<Answer['proof']> }) {
  const mark = provenOnL1(proof, 'The proof in it was checked here, as the contract does.');
  return (
    <details class="claim">
      <summary>Claim it on L1</summary>
      <p>Send this data to the contract on L1. Whoever sends it gets the fee.</p>
      <Rows
        rows={[
          ['Contract', <Hex value={rollup} />],
          ['Chain', String(l1ChainId)],
          [
            'Data',
            <Figure mark={mark}>
              <code class="block">{proof.calldata}</code>
              <Copy text={proof.calldata} title="call data of the claim" />
            </Figure>,
          ],
          [
            'Place in its tree',
            <Figure mark={mark}>
              {wholeText(proof.leafIndex)}, of height {wholeText(proof.depth)}
            </Figure>,
          ],
          [
            'Root of its tree',
            <Figure mark={mark}>
              <Hex value={proof.root} />
            </Figure>,
          ],
        ]}
      />
    </details>
  );
}

function Known({ answer, status }: { answer: Answer; status: Known }) {
  const { proof } = answer;
  const { l2BlockNumber: block, finalizedBlock } = status;
  return (
    <>
      <Rows
        rows={[
          ['Status', <Figure mark={statusMark(status)}>{texts[status.status]}</Figure>],
          [
            'L2 block',
            <Figure mark={serversWord('The block that has sent it')}>
              <a href={routeHref({ view: 'block', subject: String(block) })}>{wholeText(block)}</a>
            </Figure>,
          ],
          [
            'Final on L1',
            <Figure mark={provenOnL1(status)}>up to L2 block {wholeText(finalizedBlock)}</Figure>,
          ],
        ]}
      />
      <Members {...status} />
      {proof && status.status === 'claimable' && <Claim {...answer} proof={proof} />}
    </>
  );
}

function Status({ answer }: { answer: Answer }) {
  const { status } = answer;
  if (status.status !== 'unknown') return <Known answer={answer} status={status} />;
  const { from, to } = status.blocks;
  return (
    <p>
      <Figure mark={provenOnL1(status, `All logs of these blocks are proven. ${operatorText}`)}>
        Unknown: no block from {wholeText(from)} to {wholeText(to)} has sent such a message.
      </Figure>
    </p>
  );
}

/** Asks for the blocks that a message may be in: then it can be proven that none has it. */
function RangeForm({ onRange }: { onRange: (range: Range) => void }) {
  const [problem, setProblem] = useState('');
  function prove(event: Event) {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const [from = '', to = ''] = ['from', 'to'].map((name) => String(given.get(name)).trim());
    if (![from, to].every((text) => /^\d{1,15}$/.test(text)) || Number(from) > Number(to)) {
      return setProblem('Two numbers of blocks are wanted, the lower one first.');
    }
    onRange({ from: Number(from), to: Number(to) });
  }
  return (
    <form class="range" onSubmit={prove}>
      <p>Name the blocks that it may be in, and it is proven whether one of them has it.</p>
      <label>
        First block <input type="text" name="from" inputMode="numeric" autocomplete="off" />
      </label>
      <label>
        Last block <input type="text" name="to" inputMode="numeric" autocomplete="off" />
      </label>
      <button type="submit">Prove it</button>
      {problem !== '' && <p role="alert">{problem}</p>}
    </form>
  );
}

interface FailedProps {
  readonly failure: Failure;
  readonly hash: Digits;
  readonly onRange: (range: Range) => void;
}

function Failed({ failure, hash, onRange }: FailedProps) {
  if (failure.code !== 'NOT_FOUND') return null;
  return (
    <>
      <p>
        That there is no such message is the server’s word.{' '}
        <OtherHashes subject={hash} views={['transaction', 'block']} />
      </p>
      <RangeForm onRange={onRange} />
    </>
  );
}

/** @param blocks that it may be in; undefined for the latest */
export function MessageStatus({
  hash,
  title,
  blocks,
}: {
  hash: Digits;
  title: string;
  blocks?: Range;
}) {
  const [range, setRange] = useState(blocks);
  return (
    <Section
      title={title}
      question="message"
      asked={{ hash, ...(range && { blocks: range }) }}
      failed={(failure) => <Failed failure={failure} hash={hash} onRange={setRange} />}
    >
      {(answer) => <Status answer={answer} />}
    </Section>
  );
}

export function Message({ subject }: { subject: string }) {
  const hash = subject as Digits;
  return (
    <article>
      <h1>
        Message to L1 <Hex value={hash} />
      </h1>
      <MessageStatus hash={hash} title="Status" />
    </article>
  );
}
