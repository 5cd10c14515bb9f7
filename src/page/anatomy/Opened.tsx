/** The proof of a figure of the page, taken apart. */

import type { Hex } from '../../index.js';
import { trustText } from '../figure/marks.js';
import { Hex as Digits } from '../figure/parts.js';
import { Section } from '../figure/Section.js';
import { wholeText } from '../format/numbers.js';
import { Explained } from './Explained.js';

export function OpenedProof({ address, slot }: { address: string; slot: string | undefined }) {
  const storageKeys = slot === undefined ? [] : [slot as Hex];
  return (
    <article>
      <h1>
        Proof of {slot === undefined ? 'account' : 'a slot of'}{' '}
        <Digits value={address} to="address" />
      </h1>
      <Section
        title="The answer of the server"
        question="anatomy"
        asked={{ address: address as Hex, storageKeys }}
      >
        {({ anchor, pasted }) => (
          <>
            <p>
              <Digits value={anchor.stateRoot} /> is the state root of L2 block{' '}
              {wholeText(anchor.l2BlockNumber)}. {trustText(anchor)} Change any digit, and see which
              law finds it.
            </p>
            <Explained pasted={pasted} ground={`under that root. ${trustText(anchor)}`} />
          </>
        )}
      </Section>
    </article>
  );
}
