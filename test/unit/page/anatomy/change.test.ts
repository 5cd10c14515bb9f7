import { expect, test } from 'vitest';
import { changeDigit, leafPath, nodePath } from '../../../../src/page/anatomy/change.js';

const answer = {
  accountProof: { leafIndex: 7, proof: { value: '0x10', proofRelatedNodes: ['0xab', '0xF0'] } },
  storageProofs: [{ key: '0x00' }],
};

test.each([
  ['accountProof.proof.value', { proof: { ...answer.accountProof.proof, value: '0x11' } }],
  ['accountProof.leafIndex', { leafIndex: 8 }],
  [
    'accountProof.proof.proofRelatedNodes[1]',
    { proof: { ...answer.accountProof.proof, proofRelatedNodes: ['0xab', '0xF1'] } },
  ],
])('the last digit of %s is changed, and nothing else', (path, change) => {
  const before = structuredClone(answer);
  expect(changeDigit(answer, path)).toEqual({
    ...answer,
    accountProof: { ...answer.accountProof, ...change },
  });
  expect(answer).toEqual(before);
});

test.each([
  ...['accountProof.other', 'storageProofs[1].key', 'constructor.name', '__proto__.x'],
  'accountProof.proof',
])('an answer without a figure at %s stays as it is', (path) => {
  expect(changeDigit(answer, path)).toEqual(answer);
});

test('nodes stand from the root down to the leaf', () => {
  expect(nodePath('a.proofRelatedNodes', 40)).toBe('a.proofRelatedNodes[0]');
  expect(nodePath('a.proofRelatedNodes', 39)).toBe('a.proofRelatedNodes[1]');
  expect(nodePath('a.proofRelatedNodes', 0)).toBe('a.proofRelatedNodes[40]');
  expect(leafPath('a.proofRelatedNodes')).toBe('a.proofRelatedNodes[41]');
});
