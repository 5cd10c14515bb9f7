/** The way from leaves to the sub-tree root: against the whole tree, node by node. */
import { describe, expect, test } from 'vitest';
import { planClimb, recoverSubTreeRoot } from '../../../src/compact/climb.js';
import { openHasher } from '../../../src/hash/engine.js';
import { runSteps } from '../../../src/steps.js';
import { counting } from '../../compact/support.js';
import { toHex } from '../../support/hex.js';
import { bytesOf, digits } from '../../support/reference.js';

describe('planClimb and recoverSubTreeRoot', () => {
  const plain = openHasher('poseidon2');

  test('a sibling that a polluted prototype lends is not taken', () => {
    const plan = planClimb([2], 4);
    expect(plan.siblingCount).toBe(2);
    const lent = { value: 3, writable: true, configurable: true };
    Object.defineProperty(Array.prototype, 1, lent);
    try {
      expect(planClimb([2], 4)).toEqual(plan);
    } finally {
      delete (Array.prototype as unknown[])[1];
    }
  });

  const leafOf = (index: number) => bytesOf(digits(BigInt(index + 1)));

  /** Sub-tree root of full leaves 0 .. nextFreeNode - 1, node by node; with the siblings of a way. */
  function tree(nextFreeNode: number) {
    const zero = new Uint8Array(32);
    const levels: Uint8Array[][] = [Array.from({ length: nextFreeNode }, (_, i) => leafOf(i))];
    const empty: Uint8Array[] = [zero];
    const pair = (left: Uint8Array, right: Uint8Array) =>
      plain.hash(Uint8Array.from([...left, ...right]));
    for (let height = 0; height < 40; height++) {
      const below = levels[height] as Uint8Array[];
      const none = empty[height] as Uint8Array;
      empty.push(pair(none, none));
      levels.push(
        Array.from({ length: Math.ceil(below.length / 2) }, (_, i) =>
          pair(below[2 * i] as Uint8Array, below[2 * i + 1] ?? none),
        ),
      );
    }
    return { levels, root: (levels[40] as [Uint8Array])[0] };
  }

  test.each([
    [1, [0]],
    [2, [0]],
    [2, [0, 1]],
    [7, [3]],
    [7, [6]],
    [7, [0, 1, 2, 3, 4, 5, 6]],
    [8, [0, 7]],
    [9, [8]],
    [100, [3, 4, 64, 98, 99]],
  ])('of %i leaves, from %j: the root, and each shared node once', (nextFreeNode, indices) => {
    const { levels, root } = tree(nextFreeNode);
    const climb = planClimb(indices, nextFreeNode);
    const siblings: Uint8Array[] = [];
    const above = new Set<string>();
    for (let height = 0; height < 40; height++) {
      const way = new Set(indices.map((index) => Math.floor(index / 2 ** height)));
      for (const node of way) {
        above.add(`${height + 1}:${Math.floor(node / 2)}`);
        const sibling = node % 2 === 0 ? node + 1 : node - 1;
        const given = levels[height]?.[sibling];
        if (!way.has(sibling) && given) siblings.push(given);
      }
    }
    expect(climb.siblingCount).toBe(siblings.length);
    const leaves = Uint8Array.from(indices.flatMap((index) => [...leafOf(index)]));
    const given = Uint8Array.from(siblings.flatMap((sibling) => [...sibling]));
    // Once before, so that the digests of empty sub-trees are known to this hasher.
    const { hasher, inputs } = counting(plain);
    const recover = () => runSteps(recoverSubTreeRoot({ hasher, climb, leaves, siblings: given }));
    expect(toHex(recover())).toBe(toHex(root));
    inputs.length = 0;
    expect(toHex(recover())).toBe(toHex(root));
    expect(inputs.length).toBe(above.size);
    expect(new Set(inputs).size).toBe(inputs.length);
  });
});
