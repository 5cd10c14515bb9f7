/** Messages show what was given: -0, null, arrays and NaN look like something else when they are only printed. */
// @ts-nocheck

import { describe, expect, test } from 'vitest';
import { createVerifier, verifyExistence, verifyProof } from '../../src/index.js';
import { verifyTransition } from '../../src/trace/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { families, honest, type Wire } from '../support/runs.js';
import { refusalOf, savedRun } from '../support/traces.js';

const shown: readonly [value: unknown, as: string][] = [
  [-0, 'number -0'],
  [Number.NaN, 'number NaN'],
  [1.5, 'number 1.5'],
  [null, 'null'],
  [undefined, 'undefined'],
  [[1], 'array'],
  [{}, 'object'],
  [5n, 'bigint'],
  [true, 'boolean'],
];
/** What is taken for a number says only which one. */
const asNumber = (text: string) => text.replace('number ', '');

const messageOf = (action: () => unknown): string => refusalOf(action).message;

describe.each(families)('%s', (family) => {
  const verifyEdited = (edit: (result: Wire) => void) => {
    const { result, claim } = honest(family);
    edit(result);
    return messageOf(() => verifyProof(result, claim));
  };

  test.each(shown)('%s in an answer', (value, as) => {
    const index = verifyEdited((result) => {
      result.accountProof.leafIndex = value;
    });
    if (value === undefined) expect(index).toMatch(/not all are there/);
    else
      expect(index).toBe(`"accountProof.leafIndex" expected a whole number, got ${asNumber(as)}`);
    const key = verifyEdited((result) => {
      result.accountProof.key = value;
    });
    expect(key).toBe(`"accountProof.key" expected hex, got ${as}`);
    const node = verifyEdited((result) => {
      result.accountProof.proof.proofRelatedNodes[7] = value;
    });
    expect(node).toBe(`"accountProof.proof.proofRelatedNodes[7]" expected hex, got ${as}`);
    if (Array.isArray(value)) return;
    const nodes = verifyEdited((result) => {
      result.accountProof.proof.proofRelatedNodes = value;
    });
    expect(nodes).toBe(`"accountProof.proof.proofRelatedNodes" expected an array, got ${as}`);
  });

  test.each(shown)('%s in traces', (value, as) => {
    const { traces, claim } = savedRun(family);
    const refuse = (edit: (trace: Wire) => void) => {
      const copy = structuredClone(traces);
      edit(copy[0]?.[0]);
      return messageOf(() => verifyTransition(copy, claim));
    };
    const type = refuse((trace) => {
      trace.type = value;
    });
    expect(type).toBe(`"traces[0][0].type" expected a whole number, got ${asNumber(as)}`);
    const key = refuse((trace) => {
      trace.key = value;
    });
    expect(key).toBe(`"traces[0][0].key" expected hex, got ${as}`);
  });
});

test.each(shown)('%s in a claim or an option', async (value, as) => {
  const { result, claim } = honest('poseidon2');
  const changed = (change: object) =>
    messageOf(() => verifyProof(result, { ...claim, ...change } as never));
  expect(changed({ stateRoot: value })).toBe(`"stateRoot" expected a hex string, got ${as}`);
  expect(changed({ address: value })).toBe(`"address" expected a hex string, got ${as}`);
  expect(changed({ storageKeys: [value] })).toBe(
    `"storageKeys[0]" expected a hex string, got ${as}`,
  );
  const { stateRoot } = claim;
  if (value !== undefined) {
    expect(changed({ hash: value })).toBe(`"hash" expected 'poseidon2' or 'mimc', got ${as}`);
    expect(changed({ engine: value })).toBe(`"engine" expected 'wasm' or 'portable', got ${as}`);
    if (!Array.isArray(value)) {
      expect(changed({ storageKeys: value })).toBe(
        `"storageKeys" expected an array of hex strings, got ${as}`,
      );
    }
  }
  if (value !== undefined && !Object.is(value, -0)) {
    const maxNodes = value as number;
    expect(messageOf(() => createVerifier({ stateRoot, maxNodes }))).toMatch(new RegExp(`${as}$`));
  }
  expect(messageOf(() => verifyExistence({ hash: 'mimc', root: value } as never))).toBe(
    `"root" expected a hex string, got ${as}`,
  );
  const tree = await openStateTree();
  const address = `0x${'11'.repeat(20)}` as const;
  const refused = tree.applyBlock({
    number: 1,
    changes: [{ address, account: { nonce: 0, balance: 0 }, recreated: value as boolean }],
  });
  if (value === undefined || value === true) await refused;
  else await expect(refused).rejects.toThrow(`expected a boolean, got ${as}`);
});

test('a text that is no family or engine is shown, cut short', () => {
  const { result, claim } = honest('poseidon2');
  const text = `no\n${'x'.repeat(100)}`;
  const change = (name: string) =>
    messageOf(() => verifyProof(result, { ...claim, [name]: text } as never));
  expect(change('hash')).toMatch(/got "no\\nx{17}"$/);
  expect(change('engine')).toMatch(/got "no\\nx{17}"$/);
});
