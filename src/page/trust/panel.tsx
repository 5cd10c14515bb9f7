/** From what is trusted to the root, link by link. */
import { Figure } from '../figure/Figure.js';
import { type Mark, missing, proven, trustText } from '../figure/marks.js';
import { Hex, Rows, Time } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { wholeText } from '../format/numbers.js';
import type { AnswerOf } from '../worker/protocol.js';

type Anchor = AnswerOf<'trust'>['anchor'];

/** The L1 block: proven if its hash is the reader's own, or the validators'. */
function l1Mark(anchor: Anchor): Mark {
  const why = trustText(anchor);
  return anchor.l1.proven ? { kind: 'proven', why } : { kind: 'word', why };
}

const signersText = ({ signers, committeeSize }: NonNullable<Anchor['consensus']>): string =>
  signers === undefined
    ? 'nobody: it is the checkpoint itself'
    : `${wholeText(signers)} of ${wholeText(committeeSize)} members of the committee`;

function Chain({ answer }: { answer: AnswerOf<'trust'> }) {
  const { anchor, network } = answer;
  const { l1, timestamp, implementation, stateRoot, l2BlockNumber, consensus } = anchor;
  const mark = l1Mark(anchor);
  // Under an L1 block that is somebody's word, so is all that is read in it.
  const inL1: Mark =
    mark.kind === 'proven'
      ? { ...mark, why: `Proven in that L1 block. ${mark.why}` }
      : { ...mark, why: `Read at that L1 block. ${mark.why}` };
  return (
    <ol class="chain">
      <li>
        <h3>1. What is trusted</h3>
        <p>{trustText(anchor)}</p>
        {consensus && (
          <Rows
            rows={[
              ['Checkpoint', <Hex value={consensus.checkpoint} />],
              ['Slot', <Figure mark={mark}>{wholeText(consensus.slot)}</Figure>],
              ['Signed by', <Figure mark={mark}>{signersText(consensus)}</Figure>],
            ]}
          />
        )}
      </li>
      <li>
        <h3>2. L1 block</h3>
        <Rows
          rows={[
            [
              'Number',
              <Figure mark={mark}>
                {wholeText(l1.blockNumber)} of chain {l1.chainId}
              </Figure>,
            ],
            [
              'Hash',
              <Figure mark={mark}>
                <Hex value={l1.blockHash} />
              </Figure>,
            ],
            [
              'Time',
              <Figure mark={l1.timestamp === undefined ? missing('Nobody says it.') : mark}>
                {l1.timestamp !== undefined && <Time seconds={l1.timestamp} />}
              </Figure>,
            ],
          ]}
        />
      </li>
      <li>
        <h3>3. Contract of the rollup</h3>
        <Rows
          rows={[
            [
              'Address',
              <>
                <Hex value={network.rollup} /> (of the network {network.name})
              </>,
            ],
            ...(implementation === undefined
              ? []
              : [
                  [
                    'Code',
                    <Figure mark={inL1}>
                      <Hex value={implementation} />
                    </Figure>,
                  ] as const,
                ]),
          ]}
        />
      </li>
      <li>
        <h3>4. {anchor.kind === 'header' ? 'Hash of an L2 block' : 'State root of L2'}</h3>
        <Rows
          rows={[
            ...(anchor.kind === 'header'
              ? [
                  [
                    'Block hash',
                    <Figure mark={inL1}>
                      <Hex value={anchor.blockHash} />
                    </Figure>,
                  ] as const,
                ]
              : []),
            [
              'State root',
              <Figure mark={inL1}>
                <Hex value={stateRoot} />
              </Figure>,
            ],
            [
              'L2 block',
              <Figure mark={inL1}>
                {wholeText(l2BlockNumber)} of chain {network.l2ChainId}
              </Figure>,
            ],
            [
              'Time',
              <Figure
                mark={
                  timestamp === undefined
                    ? missing('L1 does not prove it.')
                    : timestamp.proven
                      ? proven(anchor)
                      : inL1
                }
              >
                {timestamp && <Time seconds={timestamp.value} />}
              </Figure>,
            ],
          ]}
        />
      </li>
      <li>
        <h3>5. Each figure of this page</h3>
        <p>
          Accounts and slots by proofs of that state, contracts by running them on it, blocks by
          hashes that stand in it.
        </p>
      </li>
    </ol>
  );
}

export function TrustPanel() {
  return (
    <>
      <h1>Trust</h1>
      <Section title="From what you trust to what you see" question="trust" asked={{}}>
        {(answer) => <Chain answer={answer} />}
      </Section>
    </>
  );
}
