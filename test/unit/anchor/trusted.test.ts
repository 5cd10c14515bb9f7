/** The hash of L1 that a light client gives: of its own, and whatever else it may say. */
import { expect, test } from 'vitest';
import { AnchorError } from '../../../src/anchor/index.js';
import { findHash } from '../../../src/anchor/trusted.js';
import { slotKey } from '../../../src/index.js';
import { rejectionOf } from '../../support/thrown.js';

const executionBlockHash = `0x${'AB'.repeat(32)}`;
const evidence = { checkpoint: slotKey(3), slot: 9, signers: 500, committeeSize: 512 };
const find = (block: unknown) =>
  findHash({ kind: 'source', source: { finalized: async () => block as never } }, undefined);

test('the block of a light client, with what it rests on', async () => {
  const value = executionBlockHash.toLowerCase();
  expect(await find({ executionBlockHash, more: 1 })).toEqual({
    ...{ kind: 'blockHash', value, origin: { how: 'consensus', consensus: undefined } },
  });
  const { origin } = await find({ executionBlockHash, ...evidence });
  expect(origin).toEqual({ how: 'consensus', consensus: evidence });
  const { signers: _, ...unsigned } = evidence;
  const alone = await find({ executionBlockHash, ...unsigned });
  expect(alone.origin.consensus).toEqual({ ...unsigned, signers: undefined });
});

test.each([
  ...[undefined, null, 7, 'x', {}, { executionBlockHash: slotKey(0) }],
  ...[{ executionBlockHash: '0x12' }, Object.create({ executionBlockHash })],
  { executionBlockHash, ...evidence, signers: 513 },
  { executionBlockHash, ...evidence, slot: -1 },
  { executionBlockHash, checkpoint: slotKey(3) },
])('%o is no block of one', async (block) => {
  const { code, message } = await rejectionOf(AnchorError, find(block));
  expect(code).toBe('BAD_ANSWER');
  expect(message).toMatch(/^"trusted\.finalized/);
});

test('a hash that is named is taken as it is', async () => {
  const named = { kind: 'stateRoot', value: slotKey(5) } as const;
  const origin = { how: 'proof', consensus: undefined };
  expect(await findHash(named, undefined)).toEqual({ ...named, origin });
});
