/** A block: what its header says, and its transactions. */

import type { ComponentChildren } from 'preact';
import type { Hex as Digits } from '../../index.js';
import { Data } from '../figure/Data.js';
import { Cell, FigureRows, MarkSign } from '../figure/Figure.js';
import { provenInBlock } from '../figure/marks.js';
import { OtherHashes } from '../figure/OtherHashes.js';
import { Amount, Hex, Time } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { useGrowing } from '../figure/useGrowing.js';
import { shareText } from '../format/gas.js';
import { wholeText } from '../format/numbers.js';
import { routeHref } from '../format/route.js';
import type { AnswerOf, Failure } from '../worker/protocol.js';

type Answer = AnswerOf<'block'>;

function Header({ answer }: { answer: Answer }) {
  const { block } = answer;
  const mark = provenInBlock({ ...answer, number: BigInt(block.number) });
  const [used, limit] = [BigInt(block.gasUsed), BigInt(block.gasLimit)];
  const { baseFeePerGas, withdrawals } = block;
  const rows: (readonly [string, ComponentChildren])[] = [
    ['Number', wholeText(BigInt(block.number))],
    ['Hash', <Hex value={block.hash} />],
    ['Time', <Time seconds={BigInt(block.timestamp)} />],
    ['Parent', <Hex value={block.parentHash} to="block" />],
    ['Fee recipient', <Hex value={block.miner} to="address" />],
    ['Gas used', `${wholeText(used)} of ${wholeText(limit)} (${shareText(used, limit)})`],
    ...(baseFeePerGas === undefined
      ? []
      : [['Base fee', <Amount value={BigInt(baseFeePerGas)} decimals={9} unit="gwei" />] as const]),
    ['Size', `${wholeText(BigInt(block.size))} bytes`],
    ...(withdrawals?.length ? [['Withdrawals', wholeText(withdrawals.length)] as const] : []),
  ];
  return <FigureRows mark={mark} rows={rows} />;
}

/** Members that few readers look for. */
function More({ answer }: { answer: Answer }) {
  const { block } = answer;
  const mark = provenInBlock({ ...answer, number: BigInt(block.number) });
  const hash = (name: string, value: Digits | undefined) =>
    value === undefined ? [] : [[name, <Hex value={value} />] as const];
  const rows: (readonly [string, ComponentChildren])[] = [
    ...hash('State root (Ethereum’s form)', block.stateRoot),
    ...hash('Transactions root', block.transactionsRoot),
    ...hash('Receipts root', block.receiptsRoot),
    ...hash('Withdrawals root', block.withdrawalsRoot),
    ...hash('Requests hash', block.requestsHash),
    ...hash('Beacon block root', block.parentBeaconBlockRoot),
    ...hash('Mix hash', block.mixHash),
    ...hash('Uncles hash', block.sha3Uncles),
    ['Extra data', <Data value={block.extraData} title="extra data" />],
    ['Logs bloom', <Data value={block.logsBloom} title="logs bloom" />],
  ];
  return (
    <details>
      <summary>More of the header</summary>
      <FigureRows mark={mark} rows={rows} />
    </details>
  );
}

function Transactions({ answer }: { answer: Answer }) {
  const { transactions } = answer.block;
  const [shown, more] = useGrowing(transactions);
  const mark = provenInBlock(answer, 'These are all of its transactions, in their order.');
  return (
    <>
      <h3>
        {transactions.length === 1
          ? '1 transaction'
          : `${wholeText(transactions.length)} transactions`}{' '}
        <MarkSign mark={mark} />
      </h3>
      <ol class="hashes" start={0}>
        {shown.map((hash) => (
          <li key={hash}>
            <Cell mark={mark}>
              <Hex value={hash} to="transaction" />
            </Cell>
          </li>
        ))}
      </ol>
      {more}
    </>
  );
}

/** The way to the blocks beside it. */
function Beside({ answer }: { answer: Answer }) {
  const number = Number(answer.block.number);
  const href = (to: number) => routeHref({ view: 'block', subject: String(to) });
  return (
    <nav aria-label="Blocks beside it" class="beside">
      {number > 0 && (
        <a href={href(number - 1)} rel="prev">
          ← Block {wholeText(number - 1)}
        </a>
      )}
      {number < answer.newest ? (
        <a href={href(number + 1)} rel="next">
          Block {wholeText(number + 1)} →
        </a>
      ) : (
        <span>The newest that is proven</span>
      )}
    </nav>
  );
}

function Failed({ failure, subject }: { failure: Failure; subject: string }) {
  if (failure.code === 'TOO_NEW') {
    return <p>This block is not final on L1 yet. Come back when L1 has finalized a later one.</p>;
  }
  if (failure.code !== 'NOT_PROVEN' || !subject.startsWith('0x')) return null;
  return (
    <p>
      That there is no such block is the server’s word.{' '}
      <OtherHashes subject={subject} views={['transaction', 'message']} />
    </p>
  );
}

export function Block({ subject }: { subject: string }) {
  const isHash = subject.startsWith('0x');
  return (
    <article>
      <h1>Block {isHash ? <Hex value={subject} /> : wholeText(BigInt(subject))}</h1>
      <Section
        title="Block"
        question="block"
        asked={{ block: isHash ? (subject as Digits) : Number(subject) }}
        failed={(failure) => <Failed failure={failure} subject={subject} />}
      >
        {(answer) => (
          <>
            <Header answer={answer} />
            <More answer={answer} />
            <Transactions answer={answer} />
            <Beside answer={answer} />
          </>
        )}
      </Section>
    </article>
  );
}
