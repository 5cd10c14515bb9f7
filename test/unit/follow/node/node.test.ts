/** Headers as a node answers them: what is wrong is named by its path, and by an error of ours. */
import { describe, expect, test } from 'vitest';
import { createNode } from '../../../../src/follow/node/node.js';
import { createPatientClient } from '../../../../src/follow/node/patience.js';

const word = (digit: string) => `0x${digit.repeat(64)}`;
const header = {
  ...{ number: '0x7', hash: word('a'), parentHash: word('b'), timestamp: '0x1' },
  ...{ stateRoot: word('c'), transactions: [word('d'), word('e')] },
};

const nodeOf = (answer: unknown) => {
  const transport = {
    call: async () => answer,
    batch: async () => [{ result: answer }],
  };
  return createNode(createPatientClient('the node', transport, { tries: 1, delay: 0 }, undefined));
};

/** By its number, and in a batch. */
const ways = [
  ['alone', (answer: unknown) => nodeOf(answer).header(7)],
  ['of several', async (answer: unknown) => (await nodeOf(answer).headers([7]))[0]],
] as const;

describe.each(ways)('%s', (_, ask) => {
  test('hashes are given in lower case, in order', async () => {
    const transactions = [word('d'), word('E'), word('f')];
    expect((await ask({ ...header, transactions }))?.transactions).toEqual([
      ...[word('d'), word('e'), word('f')],
    ]);
  });

  test('a block that the node does not have is undefined', async () => {
    expect(await ask(null)).toBeUndefined();
  });

  test.each([
    ['[1]', [word('d'), `0x${'e'.repeat(63)}`]],
    ['[1]', [word('d'), `0x${'e'.repeat(63)}g`]],
    ['[0]', [7, word('d')]],
    ['[1]', [word('d'), null]],
    ['[0]', [{ hash: word('d') }]],
    // A hole is no hash, whatever a prototype has in its place.
    ['[1]', Object.assign([word('d')], { length: 2 })],
  ])('a hash that is none is refused at %s', async (at, transactions) => {
    await expect(ask({ ...header, transactions })).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining(`"result.transactions${at}" expected 0x and 64 hex digits`),
    });
  });

  test.each([undefined, null, 'none', {}, 7])('%s is no list of hashes', async (transactions) => {
    await expect(ask({ ...header, transactions })).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('"result.transactions" expected an array'),
    });
  });

  test('a block of another number is refused before what it holds is', async () => {
    const withdrawals = [{ index: '0x0' }];
    await expect(ask({ ...header, number: '0x8', withdrawals })).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('"result.number" expected the number asked for, 7'),
    });
    await expect(ask({ ...header, withdrawals })).rejects.toMatchObject({
      code: 'UNSUPPORTED_BLOCK',
    });
  });
});
