import { expect, test } from 'vitest';
import { readAnswer } from '../../../../src/page/anatomy/source.js';

const answer = {
  accountProof: { key: '0x5e' },
  storageProofs: [{ key: '0x01' }, { key: 7 }, null],
};

test('an answer names its address and slots, alone or in what JSON-RPC puts around it', () => {
  const expected = { answer, address: '0x5e', slots: ['0x01'] };
  expect(readAnswer(JSON.stringify(answer))).toEqual(expected);
  expect(readAnswer(` ${JSON.stringify({ id: 1, result: answer })}\n`)).toEqual(expected);
});

test('digits are a compact proof, with or without 0x', () => {
  const expected = { answer: '0xab12', address: undefined, slots: [] };
  expect(readAnswer('0xab12')).toEqual(expected);
  expect(readAnswer('ab12\n')).toEqual(expected);
});

test('anything else is refused, and nothing is believed of JSON that is no answer', () => {
  expect(() => readAnswer('')).toThrow('expected the JSON of an answer');
  expect(() => readAnswer('{')).toThrow('expected the JSON of an answer');
  expect(() => readAnswer('[1,'.repeat(2_000_000))).toThrow('longer than 4 MB');
  for (const text of ['null', '[]', '"x"', '{"__proto__":{"result":1}}', '{"accountProof":7}']) {
    expect(readAnswer(text)).toMatchObject({ address: undefined, slots: [] });
  }
});
