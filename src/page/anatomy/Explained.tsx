/** An explanation: the verdict, each key that was asked for, and each law. */
import { useState } from 'preact/hooks';
import type { Explanation, KeyExplanation, Law } from '../../explain/index.js';
import { visible } from '../../visible.js';
import { Hex, Rows } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import type { Pasted } from '../prover/anatomy.js';
import { changeDigit } from './change.js';
import { Gap } from './Gap.js';
import { Laws } from './Laws.js';
import { type Change, Changer, Path } from './Path.js';

function VerdictBanner({ explanation, ground }: { explanation: Explanation; ground: string }) {
  const { verdict } = explanation;
  if (verdict.verified) {
    return (
      <p class="verdict" data-verdict="verified" role="status">
        <strong>Verified</strong> {ground}
      </p>
    );
  }
  return (
    <div class="verdict failure refused" data-verdict="refused" role="status">
      <strong>Refused</strong> <code>{verdict.code ?? 'MALFORMED'}</code>
      <p>
        At <code>{visible(verdict.path) || 'the answer as a whole'}</code>:{' '}
        <bdi>{visible(verdict.message.slice(0, 300))}</bdi>
      </p>
    </div>
  );
}

const shows: Readonly<Record<KeyExplanation['shows'], string>> = {
  present: 'It has a leaf of its own.',
  absent: 'It has no leaf: its two neighbours are shown.',
  empty: 'The tree is empty: there is nothing to show.',
  nothing: 'There is no proof to look at.',
};

const names = { own: 'Its own path', left: 'Left neighbour', right: 'Right neighbour' } as const;

function Key({
  proof,
  broken,
  isVerified,
  change,
}: {
  proof: KeyExplanation;
  broken?: Law;
  isVerified: boolean;
  change: Change;
}) {
  const { tree, key, hKey, value, root } = proof;
  return (
    <section>
      <h3>
        {tree === 'account' ? 'Account' : 'Slot'} <Hex value={key} />
      </h3>
      <p>{isVerified ? shows[proof.shows] : 'What the refused answer says of it:'}</p>
      <Rows
        rows={[
          ['Hash of key', <Hex value={hKey} />],
          ...(value === null
            ? []
            : [
                [
                  'Value',
                  <>
                    <Hex value={value} />{' '}
                    {proof.own && (
                      <Changer
                        change={change}
                        path={proof.own.at.replace(/\.?proofRelatedNodes$/, '.value')}
                        of="the value"
                      />
                    )}
                  </>,
                ] as const,
              ]),
          ...(root === null ? [] : [['Must lead to', <Hex value={root} />] as const]),
        ]}
      />
      <Gap proof={proof} isVerified={isVerified} />
      {(['own', 'left', 'right'] as const).map((side) => {
        const path = proof[side];
        return (
          path && (
            <Path
              key={side}
              title={names[side]}
              path={path}
              broken={broken?.place.path === side ? broken : undefined}
              change={change}
            />
          )
        );
      })}
    </section>
  );
}

function Anatomy({
  explanation,
  ground,
  change,
}: {
  explanation: Explanation;
  ground: string;
  change: Change;
}) {
  const { laws, proofs, form } = explanation;
  const broken = laws.find(({ holds, reached }) => reached && holds !== true);
  return (
    <>
      <VerdictBanner explanation={explanation} ground={ground} />
      {proofs.map((proof, i) => (
        <Key
          key={proof.at}
          proof={proof}
          {...(broken?.place.proof === i && { broken })}
          isVerified={explanation.verdict.verified}
          change={form === 'compact' ? undefined : change}
        />
      ))}
      {!explanation.agrees && (
        <p class="failure">These laws do not lead to the verdict, which alone counts.</p>
      )}
      <Laws laws={laws} />
    </>
  );
}

/** An answer, taken apart; the reader may change its digits. @param ground of "verified" */
export function Explained({ pasted, ground }: { pasted: Pasted; ground: string }) {
  const [changed, setChanged] = useState<{ answer: unknown; paths: readonly string[] }>();
  const { claim } = pasted;
  const answer = changed?.answer ?? pasted.answer;
  const change = (path: string) =>
    setChanged({ answer: changeDigit(answer, path), paths: [...(changed?.paths ?? []), path] });
  return (
    <>
      {changed && (
        <p class="failure" role="status">
          You have changed a digit of <code>{changed.paths.join(', ')}</code>.{' '}
          <button type="button" onClick={() => setChanged(undefined)}>
            Take it back
          </button>
        </p>
      )}
      <Section title="Anatomy of the proof" question="explain" asked={{ answer, claim }}>
        {(explanation) => (
          <Anatomy
            explanation={explanation}
            ground={changed ? `${ground} The digits that you changed make no difference.` : ground}
            change={change}
          />
        )}
      </Section>
    </>
  );
}
