/** Outcomes on their way back from a worker: errors come out as they went in. */
import { expect, test } from 'vitest';
import { type ProofClaim, verifyProofs } from '../../../src/index.js';
import { decodeOutcomes, encodeOutcomes } from '../../../src/pool/reply.js';
import { honest } from '../../support/runs.js';

const { result, claim } = honest('poseidon2');
const wrongs: readonly [claim: unknown, parts: object][] = [
  [
    { ...claim, address: '0x12' },
    { name: 'RangeError', argument: 'address' },
  ],
  [
    { ...claim, address: 5 },
    { name: 'TypeError', argument: 'address' },
  ],
  [5, { name: 'TypeError', argument: 'claim' }],
  [
    { ...claim, storageKeys: [] },
    { name: 'VerificationError', path: 'storageProofs' },
  ],
];

test.each(wrongs)('a claim %j', (wrong, parts) => {
  const [before] = verifyProofs([{ result, claim: wrong as ProofClaim }]);
  if (before === undefined || before.ok) return expect.fail('it was not refused');
  const { message, reason } = before.error as Error & { reason: string };
  const [after] = decodeOutcomes(structuredClone(encodeOutcomes([before])));
  expect(after).toMatchObject({ ok: false, error: { ...parts, message, reason } });
});

test.each([new TypeError('text'), new RangeError('text')])(
  '%s, which names no argument',
  (error) => {
    const [after] = decodeOutcomes(structuredClone(encodeOutcomes([{ ok: false, error }])));
    expect(after).toMatchObject({ ok: false, error: { name: error.name, message: 'text' } });
    expect((after as { error: object }).error).not.toHaveProperty('argument');
  },
);
