/** The logs of a transaction as they stand in its receipt. */
import { Data } from '../figure/Data.js';
import { Figure } from '../figure/Figure.js';
import { provenInBlock } from '../figure/marks.js';
import { Hex, Rows } from '../figure/parts.js';
import { useGrowing } from '../figure/useGrowing.js';
import { wholeText } from '../format/numbers.js';
import type { AnswerOf } from '../worker/protocol.js';

type Found = Extract<AnswerOf<'transaction'>, { kind: 'transaction' }>;
type Log = Found['receipt']['logs'][number];

function LogRows({ log, answer }: { log: Log; answer: Found }) {
  const mark = provenInBlock(answer);
  return (
    <Rows
      rows={[
        [
          'Contract',
          <Figure mark={mark}>
            <Hex value={log.address} to="address" />
          </Figure>,
        ],
        ...log.topics.map(
          (topic, i) =>
            [
              `Topic ${i}`,
              <Figure mark={mark}>
                <Hex value={topic} />
              </Figure>,
            ] as const,
        ),
        [
          'Data',
          <Figure mark={mark}>
            <Data value={log.data} title="data" />
          </Figure>,
        ],
      ]}
    />
  );
}

export function Logs({ answer }: { answer: Found }) {
  const { logs } = answer.receipt;
  const [shown, more] = useGrowing(logs);
  if (logs.length === 0) return <p class="note">It has no logs.</p>;
  return (
    <details class="logs">
      <summary>
        {logs.length === 1 ? '1 log' : `${wholeText(logs.length)} logs`}, as they are
      </summary>
      <ol>
        {shown.map((log) => (
          <li key={log.logIndex}>
            <h3>Log {wholeText(BigInt(log.logIndex))} of the block</h3>
            <LogRows log={log} answer={answer} />
          </li>
        ))}
      </ol>
      {more}
    </details>
  );
}
