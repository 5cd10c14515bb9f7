/** Statements and their proofs, written by the page. */
// @ts-nocheck

import type { HashFamily } from '../../src/index.js';
import { digits } from '../support/reference.js';
import { ReferenceTree } from '../support/referenceTree.js';
import { CompactWorld } from './world.js';

export interface ValidCase {
  name: string;
  world: CompactWorld;
  account: string;
  slots: string[];
}

/** Present, absent, present. */
export const askedSlots = ['one', 'gap', 'three'];

/** A name of which something holds in a new world. */
export function nameWhere(
  family: HashFamily,
  accept: (world: CompactWorld, name: string) => boolean,
): string {
  const world = new CompactWorld(family);
  for (let i = 0; ; i++) if (accept(world, `gap ${i}`)) return `gap ${i}`;
}

/** Indices of the neighbours of a slot that was never written. */
export const gapOf = (world: CompactWorld, name: string): [bigint, bigint] =>
  world.storage.neighbours(world.slotHash(name));

/** Indices whose numbers take one byte to six, and the last one that there is. */
const farIndices = [127n, 128n, 300n, 16384n, 2n ** 21n, 2n ** 28n + 1n, 2n ** 35n, 2n ** 40n - 1n];

export function validCases(family: HashFamily): ValidCase[] {
  const cases: ValidCase[] = [];
  const add = (
    name: string,
    slots: string[],
    { account = 'alice', change = (_: CompactWorld) => {} } = {},
  ) => {
    const world = new CompactWorld(family);
    change(world);
    cases.push({ name, world: world.settle(), account, slots });
  };
  const where = (accept: (world: CompactWorld, name: string) => boolean) =>
    nameWhere(family, accept);
  const nextTo = (index: bigint, side: 0 | 1) => where((w, name) => gapOf(w, name)[side] === index);
  const leftOf = (slot: string) =>
    where((w, name) => gapOf(w, name)[1] === w.storage.indexOf(w.slotHash(slot)));
  const rightOf = (slot: string) =>
    where((w, name) => gapOf(w, name)[0] === w.storage.indexOf(w.slotHash(slot)));

  add('account without slots', []);
  add('another account without slots', [], { account: 'bob' });
  add('absent account', [], { account: 'absent' });
  add('absent account, slots asked: all are zero', ['one', 'gap'], { account: 'absent' });
  add('account with pristine storage, slots asked: all are zero', askedSlots, {
    change: (world) => {
      Object.assign(world, { storage: new ReferenceTree(family) });
    },
  });
  add('slot that exists', ['two']);
  add('slot that is absent', ['gap']);
  add('slots: present, absent, present', askedSlots);
  add('the same slots in another order: other places', [...askedSlots].reverse());
  add('slots asked twice', ['one', 'gap', 'one', 'gap', 'two']);
  add('slot next to the head', [nextTo(0n, 0)]);
  add('slot next to the tail', [nextTo(1n, 1)]);
  add('neighbour that is also the leaf of a key', [leftOf('two'), 'two']);
  add('both neighbours are also leaves of keys', ['one', 'two', 'three', 'four', 'gap']);
  add('leaf that is the neighbour of two keys', [leftOf('two'), rightOf('two')]);
  const [first] = [where(() => true)];
  const sameGap = where(
    (w, name) => name !== first && `${gapOf(w, name)}` === `${gapOf(w, first)}`,
  );
  add('two keys in one gap', [first, sameGap]);
  add('slot that was deleted', ['gone']);
  add('slot that holds zero', ['zero', 'one'], {
    change: (world) => world.setSlot(world.storage, 'zero', digits(0n)),
  });
  add('storage that was emptied', ['one', 'gap'], {
    change: ({ storage }) => {
      for (const index of [...storage.leaves.keys()]) if (index > 1n) storage.remove(index);
    },
  });
  add('empty leaf below the next free node: its digest is written', ['three'], {
    change: (world) => {
      world.setSlot(world.storage, 'six', digits(6n));
      const own = world.storage.indexOf(world.slotHash('three')) as bigint;
      world.storage.remove(own ^ 1n);
    },
  });
  add(
    'indices of one byte to six',
    farIndices.map((index) => `at ${index}`),
    {
      change: (world) => {
        for (const index of farIndices) world.placeSlot(`at ${index}`, index);
      },
    },
  );
  add('absent slots between far leaves', ['gap', 'gap 1', 'gap 2'], {
    change: (world) => {
      for (const index of farIndices) world.placeSlot(`at ${index}`, index);
    },
  });
  return cases;
}
