/** An address: what the state has of it, and what it holds. */
import { Figure } from '../figure/Figure.js';
import { proven } from '../figure/marks.js';
import { Amount, Hex, Rows } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { wholeText } from '../format/numbers.js';
import { routeHref } from '../format/route.js';
import type { AnswerOf } from '../worker/protocol.js';
import { Tokens } from './tokens.js';

type Digits = `0x${string}`;

function Account({ answer }: { answer: AnswerOf<'account'> }) {
  const { anchor, state } = answer;
  const mark = proven(anchor);
  if (state.account === null) {
    return (
      <p>
        <Figure mark={mark}>
          This account does not exist: it has no balance, no code, and has sent nothing.
        </Figure>
      </p>
    );
  }
  const { balance, nonce, codeSize, keccakCodeHash, storageRoot } = state.account;
  return (
    <Rows
      rows={[
        [
          'Balance',
          <Figure mark={mark}>
            <Amount value={balance} decimals={18} unit="ETH" />
          </Figure>,
        ],
        ['Nonce', <Figure mark={mark}>{wholeText(nonce)}</Figure>],
        ...(codeSize === undefined
          ? []
          : [['Code', <Figure mark={mark}>{wholeText(codeSize)} bytes</Figure>] as const]),
        [
          'Code hash',
          <Figure mark={mark}>
            <Hex value={keccakCodeHash} />
          </Figure>,
        ],
        [
          'Storage root',
          <Figure mark={mark}>
            <Hex value={storageRoot} />
          </Figure>,
        ],
      ]}
    />
  );
}

export function Address({ subject }: { subject: string }) {
  const address = subject as Digits;
  return (
    <article>
      <h1>
        Address <Hex value={address} />
      </h1>
      <p>
        <a href={routeHref({ view: 'call', subject })}>Call a function of it</a>
      </p>
      <Section title="Account" question="account" asked={{ address }}>
        {(answer) => <Account answer={answer} />}
      </Section>
      <Section title="Tokens" question="tokens" asked={{ address }}>
        {(answer) => <Tokens answer={answer} />}
      </Section>
    </article>
  );
}
