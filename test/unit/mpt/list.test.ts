/** Roots of lists, against @ethereumjs/mpt. */
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listRoot } from '../../../src/mpt/list.js';
import { runSteps } from '../../../src/steps.js';
import { toHex } from '../../support/hex.js';
import { patience } from '../../support/runs.js';

async function byPackage(items: readonly Uint8Array[]): Promise<string> {
  const trie = await createMPT();
  for (const [i, item] of items.entries()) await trie.put(RLP.encode(i), item);
  return toHex(trie.root());
}

const rootOf = (items: readonly Uint8Array[]) => toHex(runSteps(listRoot(items)));

test(
  'the root of a list is the other implementation’s, at each length and around each head of a key',
  async () => {
    const lengths = [
      ...Array.from({ length: 20 }, (_, i) => i),
      126,
      127,
      128,
      129,
      130,
      255,
      256,
      257,
      300,
    ];
    for (const length of lengths) {
      const items = Array.from({ length }, (_, i) => new Uint8Array(1 + (i % 90)).fill(i + 1));
      expect(rootOf(items), `${length} items`).toBe(await byPackage(items));
    }
    expect(rootOf([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
  },
  patience,
);

test('random lists', async () => {
  const item = fc.uint8Array({ minLength: 1, maxLength: 80 });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 40 }), async (items) => {
      expect(rootOf(items)).toBe(await byPackage(items));
    }),
    { numRuns: 30 },
  );
});
