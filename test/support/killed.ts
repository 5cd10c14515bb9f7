/** What a writer that was killed at any moment must leave: a whole block, and all that it had acknowledged. */
import { expect } from 'vitest';
import { openStateTree, type Store } from '../../src/tree/index.js';
import { addresses, changesOf, slots } from './blocks.js';
import { rootOfLeaves } from './leaves.js';

/** The blocks that a store held when it was looked at last. */
interface Held {
  readonly newest: number;
  readonly final: number;
}

/** What a writer has said: the blocks between which the newest one must be, and the newest final one. */
function acknowledged(lines: readonly string[], before: Held) {
  let [low, high, final] = [before.newest, before.newest + 1, before.final];
  for (const [word, text] of lines.map((line) => line.split(' '))) {
    const number = Number(text);
    if (word === 'done') [low, high] = [number, number + 1];
    if (word === 'undo') low = number;
    if (word === 'final') final = number;
  }
  return { low, high, final };
}

/**
 * Looks at the store of a writer (`lmdbChild.ts write`) after each kill, beside a replay of its blocks.
 *
 * @returns takes the lines that the writer has said since the kill before, and gives the newest block
 */
export async function startKills(): Promise<
  (store: Store, lines: readonly string[]) => Promise<number>
> {
  const replay = await openStateTree();
  const roots = [await replay.stateRoot()];
  let before: Held = { newest: 0, final: 0 };
  return async (store, lines) => {
    const tree = await openStateTree({ store, keepFinal: 3 });
    const newest = (await tree.newestBlock()) ?? 0;
    const { low, high, final } = acknowledged(lines, before);
    expect(newest).toBeGreaterThanOrEqual(low);
    expect(newest).toBeLessThanOrEqual(high);
    expect((await tree.finalBlock()) ?? 0).toBeGreaterThanOrEqual(final);

    for (let number = roots.length; number <= newest; number++) {
      roots.push((await replay.applyBlock({ number, changes: changesOf(number) })).stateRoot);
      await replay.finalize(number);
    }
    for (const line of lines.filter((one) => one.startsWith('done'))) {
      const [, number, root] = line.split(' ');
      expect(roots[Number(number)] ?? root).toBe(root);
    }
    const stateRoot = await tree.stateRoot();
    expect(stateRoot).toBe(roots[newest]);
    expect(await rootOfLeaves(store, 'poseidon2')).toBe(stateRoot);
    // Nodes and history too: an answer is verified before it is given.
    for (const block of [await tree.oldestBlock(), await tree.finalBlock(), undefined]) {
      for (const address of addresses) await tree.getProof(address, slots, block);
    }
    before = { newest, final: (await tree.finalBlock()) ?? 0 };
    await tree.close();
    return newest;
  };
}
