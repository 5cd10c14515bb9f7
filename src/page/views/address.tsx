/** An address: what the state has of it, and what it holds. */
import type { Hex } from '../../index.js';
import { Figure, FigureRows } from '../figure/Figure.js';
import { proven } from '../figure/marks.js';
import { Amount, Hex as HexText } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { wholeText } from '../format/numbers.js';
import { routeHref } from '../format/route.js';
import type { AnswerOf } from '../worker/protocol.js';
import { Allowances, NftApprovals } from './address/approvals.js';
import { Nfts } from './address/nfts.js';
import { TokenOf } from './address/token.js';
import { Tokens } from './address/tokens.js';
import { Transactions } from './address/transactions.js';
import { Transfers } from './address/transfers.js';
import { Storage } from './slots.js';

function Account({ answer }: { answer: AnswerOf<'account'> }) {
  const { anchor, state } = answer;
  const mark = proven(anchor, undefined, { address: state.address });
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
    <FigureRows
      mark={mark}
      rows={[
        ['Balance', <Amount value={balance} decimals={18} unit="ETH" />],
        ['Nonce', wholeText(nonce)],
        ...(codeSize === undefined ? [] : [['Code', `${wholeText(codeSize)} bytes`] as const]),
        ['Code hash', <HexText value={keccakCodeHash} />],
        ['Storage root', <HexText value={storageRoot} />],
      ]}
    />
  );
}

/** What all accounts without code have as the hash of it: of no bytes. */
const noCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** What is asked once the account is known: it comes first, for it is what most readers came for. */
function Rest({ address, isContract }: { address: Hex; isContract: boolean }) {
  return (
    <>
      {isContract && <TokenOf address={address} />}
      <Tokens address={address} />
      <Transactions address={address} />
      <Transfers address={address} />
      <Nfts address={address} />
      <Allowances address={address} />
      <NftApprovals address={address} />
      {isContract && <Storage address={address} />}
    </>
  );
}

export function Address({ subject }: { subject: string }) {
  const address = subject as Hex;
  return (
    <article>
      <h1>
        Address <HexText value={address} />
      </h1>
      <p>
        <a href={routeHref({ view: 'call', subject })}>Call a function of it</a> ·{' '}
        <a href={routeHref({ view: 'proof', address })}>Look at the proof of it</a>
      </p>
      <Section
        title="Account"
        question="account"
        asked={{ address }}
        after={(answer) => {
          const hash = answer?.state.account?.keccakCodeHash ?? noCode;
          return <Rest address={address} isContract={hash !== noCode} />;
        }}
      >
        {(answer) => <Account answer={answer} />}
      </Section>
    </article>
  );
}
