/** A transaction: what was paid, what happened, and the data behind it. */

import type { ComponentChildren } from 'preact';
import type { Hex as Digits } from '../../index.js';
import { Data } from '../figure/Data.js';
import { Figure, FigureRows } from '../figure/Figure.js';
import { provenInBlock } from '../figure/marks.js';
import { OtherHashes } from '../figure/OtherHashes.js';
import { Amount, Hex, Time } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { shareText } from '../format/gas.js';
import { wholeText } from '../format/numbers.js';
import { routeHref } from '../format/route.js';
import { sentMessages } from '../format/sent.js';
import type { AnswerOf, Failure } from '../worker/protocol.js';
import { Events } from './events.js';
import { Logs } from './logs.js';
import { MessageStatus } from './message.js';

type Answer = AnswerOf<'transaction'>;
type Found = Extract<Answer, { kind: 'transaction' }>;

const types: Readonly<Record<string, string>> = {
  '0x0': 'before fees by EIP-1559',
  '0x1': 'with an access list',
  '0x2': 'by EIP-1559',
  '0x3': 'with blobs',
  '0x4': 'sets the code of accounts',
};

function statusText({ status }: Found['receipt']): string {
  if (status === undefined) return 'not in receipts of before Byzantium';
  return status === '0x1' ? 'Succeeded' : 'Reverted: it changed nothing, and paid for its gas';
}

function Recipient({ receipt: { to, contractAddress, status } }: Pick<Found, 'receipt'>) {
  if (to !== null) return <Hex value={to} to="address" />;
  return (
    <>
      none: {status === '0x0' ? 'would have created' : 'creates'} the contract{' '}
      <Hex value={contractAddress as string} to="address" />
    </>
  );
}

/** What was offered and what was paid, in gas and its price. */
function gasRows({ transaction, receipt }: Found): (readonly [string, ComponentChildren])[] {
  const [used, limit] = [BigInt(receipt.gasUsed), BigInt(transaction.gas)];
  const gwei = (name: string, price: Digits | undefined) =>
    price === undefined
      ? []
      : [[name, <Amount value={BigInt(price)} decimals={9} unit="gwei" />] as const];
  return [
    ['Fee', <Amount value={used * BigInt(receipt.effectiveGasPrice)} decimals={18} unit="ETH" />],
    ['Gas used', `${wholeText(used)} of ${wholeText(limit)} (${shareText(used, limit)})`],
    ...gwei('Gas price', receipt.effectiveGasPrice),
    ...gwei('Most that it would pay', transaction.maxFeePerGas),
    ...gwei('Most for the tip', transaction.maxPriorityFeePerGas),
  ];
}

function Paid({ answer }: { answer: Found }) {
  const { transaction, receipt } = answer;
  const mark = provenInBlock({ ...answer, number: BigInt(receipt.blockNumber) });
  const rows: (readonly [string, ComponentChildren])[] = [
    ['Status', statusText(receipt)],
    [
      'Block',
      <a href={routeHref({ view: 'block', subject: String(BigInt(receipt.blockNumber)) })}>
        {wholeText(BigInt(receipt.blockNumber))}
      </a>,
    ],
    ['Time', <Time seconds={BigInt(transaction.blockTimestamp)} />],
    ['From', <Hex value={transaction.from} to="address" />],
    ['To', <Recipient receipt={receipt} />],
    ['Value', <Amount value={BigInt(transaction.value)} decimals={18} unit="ETH" />],
    ...gasRows(answer),
    ['Nonce', wholeText(BigInt(transaction.nonce))],
    ['Place in the block', wholeText(BigInt(receipt.transactionIndex))],
    ['Type', `${BigInt(transaction.type)}: ${types[transaction.type] ?? 'not known'}`],
    ['Input', <Data value={transaction.input} title="input" />],
  ];
  return <FigureRows mark={mark} rows={rows} />;
}

/** Messages whose status is shown; few transactions send more. */
const mostMessages = 5;

/** The messages to L1 that it has sent, by its proven logs. */
function Sent({ answer }: { answer: Found }) {
  const { receipt, messageService } = answer;
  const hashes = sentMessages(receipt.logs, messageService);
  const block = Number(receipt.blockNumber);
  return (
    <>
      {hashes.slice(0, mostMessages).map((hash, i) => (
        <MessageStatus
          key={hash}
          hash={hash}
          title={hashes.length === 1 ? 'Message to L1' : `Message ${i + 1} to L1`}
          blocks={{ from: block, to: block }}
        />
      ))}
      {hashes.slice(mostMessages).map((hash) => (
        <p key={hash}>
          And the message <Hex value={hash} to="message" />
        </p>
      ))}
    </>
  );
}

function Failed({ failure, subject }: { failure: Failure; subject: string }) {
  if (failure.code === 'TOO_NEW') {
    return <p>Its block is not final on L1 yet. Come back when L1 has finalized a later one.</p>;
  }
  if (failure.code !== 'NOT_PROVEN') return null;
  return (
    <p>
      No proof shows such a transaction. That there is none is not proven either: it is the server’s
      word. <OtherHashes subject={subject} views={['block', 'message']} />
    </p>
  );
}

export function Transaction({ subject }: { subject: string }) {
  const hash = subject as Digits;
  return (
    <article>
      <h1>
        Transaction <Hex value={hash} />
      </h1>
      <Section
        title="Transaction"
        question="transaction"
        asked={{ hash }}
        failed={(failure) => <Failed failure={failure} subject={subject} />}
      >
        {(answer) =>
          answer.kind === 'block' ? (
            <p>
              <Figure mark={provenInBlock({ ...answer, number: BigInt(answer.number) })}>
                This is the hash of{' '}
                <a href={routeHref({ view: 'block', subject: String(BigInt(answer.number)) })}>
                  block {wholeText(BigInt(answer.number))}
                </a>
                , not of a transaction.
              </Figure>
            </p>
          ) : (
            <>
              <Paid answer={answer} />
              <Events hash={hash} />
              <Logs answer={answer} />
              <Sent answer={answer} />
            </>
          )
        }
      </Section>
    </article>
  );
}
