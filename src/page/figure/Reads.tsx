/** The proofs behind a call: the accounts and slots that it reads. */
import { useState } from 'preact/hooks';
import type { ContractCall } from '../format/calls.js';
import { shortened } from '../format/hex.js';
import { routeHref } from '../format/route.js';
import type { AnswerOf } from '../worker/protocol.js';
import { Hex } from './parts.js';
import { Section } from './Section.js';

function Proofs({ reads }: Pick<AnswerOf<'reads'>, 'reads'>) {
  return (
    <ul>
      {reads.map(({ address, storageKeys }) => (
        <li key={address}>
          <a href={routeHref({ view: 'proof', address })}>Account and code</a> of{' '}
          <Hex value={address} to="address" />
          {storageKeys.map((slot) => (
            <span key={slot} class="read">
              <a href={routeHref({ view: 'proof', address, slot })}>
                Slot <code title={slot}>{shortened(slot)}</code>
              </a>
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** Asks once it is opened. @param of what the call is about, for those who cannot see where it stands */
export function Reads({ call, of }: { call: ContractCall; of: string }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Look at the proofs<span class="hidden"> of {of}</span>
      </summary>
      {isOpen && (
        <Section title="What it reads of the state" question="reads" asked={call}>
          {({ reads }) => <Proofs reads={reads} />}
        </Section>
      )}
    </details>
  );
}
