/** Answers that are kept as text: asked again, they are what a fresh tree would give, and no rule is passed over. */
import { describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/index.js';
import {
  memoryStore,
  openStateTree,
  type StateTree,
  type TextWork,
} from '../../../../src/tree/index.js';
import { ProofTextCache } from '../../../../src/tree/prove/proofTextCache.js';
import { withAnswers } from '../../../support/stores.js';

const address = (n: number): Hex => `0x${(0xdef + n).toString(16).padStart(40, '0')}`;
const word = (n: number): Hex => `0x${n.toString(16).padStart(64, '0')}`;
const asText: TextWork = { asText: true };

const blockOf = (number: number, balance: bigint) => ({
  number,
  changes: Array.from({ length: 12 }, (_, i) => ({
    address: address(i),
    account: { nonce: number, balance: balance + BigInt(i) },
    storage: i % 2 === 0 ? [] : [{ key: word(1), value: word(Number(balance) + i) }],
  })),
});

/** A tree in memory, and how many keys and ranges were asked of its store. */
async function counted(keepFinal = 128) {
  let asked = 0;
  const store = withAnswers(memoryStore(), ({ keys, ranges }, answer) => {
    asked += keys.length + ranges.length;
    return answer;
  });
  return { tree: await openStateTree({ store, keepFinal }), asked: () => asked };
}

/** Asks for all twice, as text, and holds it against the objects. @returns the texts */
async function askTwice(tree: StateTree, block: number): Promise<string[]> {
  const texts: string[] = [];
  for (const who of [0, 1, 5, 99]) {
    for (const storageKeys of [[], [word(1)], [word(1), word(2)]]) {
      const object = JSON.stringify(await tree.getProof(address(who), storageKeys, block));
      for (let i = 0; i < 2; i++) {
        const text: unknown = await tree.getProof(address(who), storageKeys, block, asText);
        expect(text).toBe(object);
      }
      texts.push(object);
    }
  }
  return texts;
}

describe('an answer that was given twice', () => {
  test('is given again without a read', async () => {
    const { tree, asked } = await counted();
    await tree.applyBlock(blockOf(1, 5n));
    const first: unknown = await tree.getProof(address(1), [word(1)], 1, asText);
    // It is kept when it is asked for once more.
    expect(await tree.getProof(address(1), [word(1)], 1, asText)).toBe(first);
    const before = asked();
    // A bound of reads that the first could not keep.
    const again: unknown = await tree.getProof(address(1), [word(1)], 1, {
      ...asText,
      maxReads: 1,
    });
    expect(again).toBe(first);
    expect(asked()).toBe(before);
    await expect(
      tree.getProof(address(1), [word(3)], 1, { ...asText, maxReads: 1 }),
    ).rejects.toThrow(expect.objectContaining({ code: 'TOO_MANY_READS' }));
    await tree.close();
    await expect(tree.getProof(address(1), [word(1)], 1, asText)).rejects.toThrow(
      expect.objectContaining({ code: 'CLOSED' }),
    );
  });

  test('stays that of its block as others come and go', async () => {
    const { tree } = await counted();
    await tree.applyBlock(blockOf(1, 5n));
    const one = await askTwice(tree, 1);
    await tree.applyBlock(blockOf(2, 70n));
    expect(await askTwice(tree, 1)).toEqual(one);
    const two = await askTwice(tree, 2);
    expect(two).not.toEqual(one);
    await tree.revert(1);
    await tree.applyBlock(blockOf(2, 900n));
    expect(await askTwice(tree, 2)).not.toEqual(two);
    expect(await askTwice(tree, 1)).toEqual(one);
    await tree.close();
  });

  test('is not given of a block that is no longer held', async () => {
    const { tree } = await counted(1);
    for (const number of [1, 2, 3]) {
      await tree.applyBlock(blockOf(number, BigInt(number)));
      await askTwice(tree, number);
      await tree.finalize(number);
    }
    await expect(tree.getProof(address(1), [], 1, asText)).rejects.toThrow(
      expect.objectContaining({ code: 'BLOCK_MISSING' }),
    );
    await tree.close();
  });

  test('is not given of a state that is marked as wrong', async () => {
    const { tree } = await counted();
    await tree.applyBlock(blockOf(1, 5n));
    await askTwice(tree, 1);
    await tree.distrust('a test');
    await expect(tree.getProof(address(1), [], 1, asText)).rejects.toThrow(
      expect.objectContaining({ code: 'DISTRUSTED' }),
    );
    await tree.close();
  });
});

describe('the answers that are kept', () => {
  const root = (n: number) => new Uint8Array(32).fill(n);
  const question = (n: number, keys = 0) => ({
    address: new Uint8Array(20).fill(n),
    storageKeys: Array.from({ length: keys }, (_, i) => new Uint8Array(32).fill(i)),
  });

  test('differ by root, address and keys', () => {
    const answers = new ProofTextCache();
    answers.keep(root(1), question(1), 'a');
    answers.keep(root(2), question(1), 'b');
    answers.keep(root(1), question(2), 'c');
    answers.keep(root(1), question(1, 2), 'd');
    expect(answers.get(root(1), question(1))).toBe('a');
    expect(answers.get(root(2), question(1))).toBe('b');
    expect(answers.get(root(1), question(2))).toBe('c');
    expect(answers.get(root(1), question(1, 2))).toBe('d');
    expect(answers.get(root(1), question(1, 1))).toBeUndefined();
  });

  test('are bounded by their length, and those asked for last stay', () => {
    const answers = new ProofTextCache();
    const quarter = 'x'.repeat(2 ** 23);
    for (let i = 0; i < 4; i++) answers.keep(root(1), question(i), quarter);
    expect(answers.get(root(1), question(0))).toBe(quarter);
    answers.keep(root(1), question(4), quarter);
    expect(answers.get(root(1), question(1))).toBeUndefined();
    for (const i of [0, 2, 3, 4]) expect(answers.get(root(1), question(i))).toBe(quarter);
  });

  test('are of few storage keys', () => {
    const answers = new ProofTextCache();
    answers.keep(root(1), question(1, 8), 'a');
    answers.keep(root(1), question(1, 9), 'b');
    expect(answers.get(root(1), question(1, 8))).toBe('a');
    expect(answers.get(root(1), question(1, 9))).toBeUndefined();
  });
});
