/** What a call has returned, or why it was reverted: both are proven. */

import type { Hex as Digits } from '../../index.js';
import { Data } from '../figure/Data.js';
import { Figure } from '../figure/Figure.js';
import { forkText } from '../figure/listed.js';
import { type Mark, provenInBlock, serversWord } from '../figure/marks.js';
import { Copy, Hex, Rows, Told } from '../figure/parts.js';
import { Reads } from '../figure/Reads.js';
import type { AbiFunction } from '../format/abi.js';
import { wholeText } from '../format/numbers.js';
import type { Shown } from '../format/values.js';
import type { AnswerOf } from '../worker/protocol.js';

type Answer = AnswerOf<'call'>;
type Ended = Exclude<Answer, { kind: 'argument' }>;

/** What is said elsewhere on the page, or chosen by its settings. */
const explained: readonly string[] = ['fork', 'blockHash'];

/** What a run has read of its block may be somebody's word: then the result is as well. */
const forkTextOf = (fork: string | undefined): string =>
  fork === undefined
    ? forkText
    : `It ran by the rules of the fork ${fork}, which the settings of this page name.`;

function markOf({ anchor, assumed, restsOn, fork }: Ended): Mark {
  const words = assumed.filter((name) => !explained.includes(name));
  if (words.length > 0) return serversWord(`What it read of its block (${words.join(', ')})`);
  const isOnHashes = restsOn === 'operator' || assumed.includes('blockHash');
  const ground = { anchor, restsOn: isOnHashes ? ('operator' as const) : undefined };
  return provenInBlock(ground, assumed.includes('fork') ? forkTextOf(fork) : undefined);
}

/** Longest text that is shown of a result. */
const mostText = 1000;

function Value({ value }: { value: Shown }) {
  const { kind, text, items, left } = value;
  switch (kind) {
    case 'address':
      return <Hex value={text.toLowerCase()} to="address" />;
    case 'number':
      return (
        <>
          {wholeText(BigInt(text))} <Copy text={text} title="number" />
        </>
      );
    case 'hex':
      return text.length > 66 ? <Data value={text} title="data" /> : <code>{text}</code>;
    case 'text':
      return <Told text={text} most={mostText} />;
    default:
      return (
        <ol class="values" start={0}>
          {items.map((item, i) => (
            <li key={i}>
              {item.name !== '' && <span class="note">{item.name} </span>}
              <Value value={item} />
            </li>
          ))}
          {left > 0 && <li class="note">and {wholeText(left)} more, which the data has</li>}
        </ol>
      );
  }
}

const titleOf = ({ name, type }: Shown, i: number) =>
  `${name === '' ? `Value ${i + 1}` : name} (${type})`;

function Values({ values, mark }: { values: readonly Shown[]; mark: Mark }) {
  return (
    <Rows
      rows={values.map((value, i) => [
        titleOf(value, i),
        <Figure mark={mark}>
          <Value value={value} />
        </Figure>,
      ])}
    />
  );
}

/** What the call returned in words, if there are no values to show. */
function emptyText({ values, data }: Extract<Answer, { kind: 'returned' }>): string | undefined {
  if (values?.length === 0) return 'It ended well, and returns nothing.';
  if (values !== undefined) return undefined;
  return data === '0x'
    ? 'It returned nothing: there is no contract at this address, or it has no such function.'
    : 'It returned data that is not of the form which the ABI says.';
}

function Returned({ answer, mark }: { answer: Extract<Answer, { kind: 'returned' }>; mark: Mark }) {
  const text = emptyText(answer);
  return (
    <>
      {text !== undefined && (
        <p>
          <Figure mark={mark}>{text}</Figure>
        </p>
      )}
      {answer.values && <Values values={answer.values} mark={mark} />}
    </>
  );
}

function Reverted({ answer, mark }: { answer: Extract<Answer, { kind: 'reverted' }>; mark: Mark }) {
  const { reason } = answer;
  return (
    <>
      <p>
        <Figure mark={mark}>
          Reverted by the contract
          {reason ? (
            <>
              : <Told text={reason.name} />
              {reason.meaning !== undefined && `, ${reason.meaning}`}
            </>
          ) : (
            ', for a reason that the ABI does not name'
          )}
          .
        </Figure>
      </p>
      {reason && <Values values={reason.values} mark={mark} />}
    </>
  );
}

export function CallResult({
  address,
  answer,
  item,
}: {
  address: Digits;
  answer: Answer;
  item: AbiFunction;
}) {
  if (answer.kind === 'argument') {
    const { index, problem } = answer;
    return (
      <p class="failure" role="alert">
        {item.inputs[index]?.name || `Argument ${index + 1}`}: {problem}.
      </p>
    );
  }
  const mark = markOf(answer);
  return (
    <>
      {answer.kind === 'returned' && <Returned answer={answer} mark={mark} />}
      {answer.kind === 'reverted' && <Reverted answer={answer} mark={mark} />}
      {answer.kind === 'ended' && (
        <p>
          <Figure mark={mark}>
            It did not end well: <Told text={answer.text} most={mostText} />
          </Figure>
        </p>
      )}
      <Rows
        rows={[
          ['Call data', <Data value={answer.input} title="call data" />],
          ...(answer.kind === 'ended'
            ? []
            : [
                [
                  'Returned data',
                  <Figure mark={mark}>
                    <Data value={answer.data} title="returned data" />
                  </Figure>,
                ] as const,
              ]),
        ]}
      />
      <Reads call={{ to: address, data: answer.input }} of="the call" />
    </>
  );
}
