/** A process that is killed at any moment leaves whole blocks, and all that it had acknowledged. */
// @ts-nocheck

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lmdbStore } from '../../src/lmdb/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { addresses, changesOf, slots } from '../support/blocks.js';
import { newFolder } from '../support/folder.js';
import { rootOfLeaves } from '../support/leaves.js';
import { startChild } from '../support/processes.js';
import { patience } from '../support/runs.js';

const kills = process.env.DEEP ? 300 : 10;

/** What a writer has said: the blocks between which the newest one must be, and the newest final one. */
function acknowledged(lines: readonly string[], before: { newest: number; final: number }) {
  let [low, high, final] = [before.newest, before.newest + 1, before.final];
  for (const [word, text] of lines.map((line) => line.split(' '))) {
    const number = Number(text);
    if (word === 'done') [low, high] = [number, number + 1];
    if (word === 'undo') low = number;
    if (word === 'final') final = number;
  }
  return { low, high, final };
}

test(
  `killed ${kills} times in the middle of writing, a store comes back at a whole block`,
  async () => {
    const path = newFolder();
    const replay = await openStateTree();
    const roots = [await replay.stateRoot()];
    let before = { newest: 0, final: 0 };
    for (let kill = 0; kill < kills; kill++) {
      const child = startChild('write', path);
      // Now and then while it opens the store, else while it writes.
      if (kill % 5 !== 4) await child.next('done');
      await sleep(Math.random() * 250);
      child.process.kill('SIGKILL');
      expect(await child.end).toMatchObject({ signal: 'SIGKILL', stderr: '' });

      const store = lmdbStore({ path });
      const tree = await openStateTree({ store, keepFinal: 3 });
      const newest = (await tree.newestBlock()) ?? 0;
      const { low, high, final } = acknowledged(child.lines, before);
      expect(newest).toBeGreaterThanOrEqual(low);
      expect(newest).toBeLessThanOrEqual(high);
      expect((await tree.finalBlock()) ?? 0).toBeGreaterThanOrEqual(final);

      for (let number = roots.length; number <= newest; number++) {
        roots.push((await replay.applyBlock({ number, changes: changesOf(number) })).stateRoot);
        await replay.finalize(number);
      }
      for (const line of child.lines.filter((one) => one.startsWith('done'))) {
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
    }
    // It went on after each of them.
    expect(before.newest).toBeGreaterThan(kills);
  },
  2 * patience,
);
