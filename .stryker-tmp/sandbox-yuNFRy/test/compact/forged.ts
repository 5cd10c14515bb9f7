/** Forged compact proofs: each breaks one law of `docs/compact.md`, consistently encoded, with the code that it is refused with. */
// @ts-nocheck

import type { HashFamily, VerificationCode } from '../../src/index.js';
import { type Digits, digits, hashWord, moduli } from '../support/reference.js';
import { ReferenceTree } from '../support/referenceTree.js';
import type { Statement } from './read.js';
import { askedSlots, gapOf, nameWhere } from './valid.js';
import { CompactWorld, type Parts } from './world.js';
import {
  type LeafParts,
  neighbour,
  number,
  own,
  proof,
  type TreeParts,
  tree,
  treeOf,
  withLeaves,
} from './write.js';

export interface ForgedCase {
  name: string;
  code: VerificationCode | 'ShapeError';
  statement: Statement;
  proof: Digits;
}

const limit = 2n ** 40n;
const keep = () => {};

/** p added to the first element of the digits at byte `at`: the same hash, another text. */
function alias(family: HashFamily, text: Digits, at = 0): Digits {
  const [from, size] = [2 * at, family === 'mimc' ? 64 : 8];
  const element = BigInt(`0x${text.slice(from, from + size)}`) + moduli[family];
  return text.slice(0, from) + digits(element, size / 2) + text.slice(from + size);
}

/** A number in another than its shortest form. */
const longer = (value: bigint) => number(value, 1);

/** A list with one element exchanged. */
const withOne = <T>(list: readonly T[], at: number, change: (element: T) => T): T[] =>
  list.map((element, i) => (i === at ? change(element) : element));

/** Storage part, which these statements have. */
const storageOf = (parts: Parts): TreeParts => parts[1] as TreeParts;

/** Position of the first leaf of a key, or of the first neighbour. */
const placeOf = (parts: TreeParts, isOwn: boolean) =>
  parts.leaves.findIndex(({ place }) => place > 0n === isOwn);

export function forgedCases(family: HashFamily): ForgedCase[] {
  const cases: ForgedCase[] = [];
  interface Options {
    account?: string;
    slots?: string[];
    /** Changes the state before it is asked. */
    change?: (world: CompactWorld) => void;
  }
  const add = (
    name: string,
    code: ForgedCase['code'],
    write: (parts: Parts, world: CompactWorld) => Digits,
    { account = 'alice', slots = askedSlots, change = keep }: Options = {},
  ) => {
    const world = new CompactWorld(family);
    change(world);
    world.settle();
    const parts = structuredClone(world.parts(account, slots));
    const statement = world.statement(account, slots);
    cases.push({ name, code, statement, proof: write(parts, world) });
  };
  /** Edits one tree's parts. */
  const edit =
    (at: 0 | 1, change: (parts: TreeParts, world: CompactWorld) => Partial<TreeParts>) =>
    (parts: Parts, world: CompactWorld) => {
      const trees = parts as TreeParts[];
      return proof(withOne(trees, at, (each) => ({ ...each, ...change(each, world) })));
    };
  const inAccount = (change: (parts: TreeParts, world: CompactWorld) => Partial<TreeParts>) =>
    edit(0, change);
  const inStorage = (change: (parts: TreeParts, world: CompactWorld) => Partial<TreeParts>) =>
    edit(1, change);
  const editLeaf =
    (at: number, change: (leaf: LeafParts) => Partial<LeafParts>) => (parts: TreeParts) => ({
      leaves: withOne(parts.leaves, at, (each) => ({ ...each, ...change(each) })),
    });
  /** Edits the first leaf of a key, or the first neighbour, of the storage. */
  const editOwn = (change: (leaf: LeafParts) => Partial<LeafParts>) =>
    inStorage((parts) => editLeaf(placeOf(parts, true), change)(parts));
  const editNeighbour = (change: (leaf: LeafParts) => Partial<LeafParts>) =>
    inStorage((parts) => editLeaf(placeOf(parts, false), change)(parts));
  const hKeysOf = (world: CompactWorld, slots: readonly string[]) =>
    slots.map((slot) => world.slotHash(slot));
  const slotIndex = (world: CompactWorld, slot: string) =>
    world.storage.indexOf(world.slotHash(slot)) as bigint;
  /** Storage parts of a choice of leaves, with the right siblings, below the honest account. */
  const leavesOf =
    (choose: (tree: ReferenceTree, world: CompactWorld) => LeafParts[]) =>
    ([account]: Parts, world: CompactWorld) =>
      proof([account, withLeaves(world.storage, choose(world.storage, world))]);

  // Bytes that are no compact proof.
  add('no bytes', 'ShapeError', () => '');
  add('the version alone', 'ShapeError', () => '01');
  for (const version of ['00', '02', '81']) {
    add(`version byte ${version}`, 'ShapeError', (parts) => version + proof(parts).slice(2));
  }
  add('JSON', 'ShapeError', () => Buffer.from('{"accountProof":{}}').toString('hex'));
  for (const name of ['next free node', 'count']) {
    add(`${name} in a longer form`, 'ShapeError', (parts) => {
      const { nextFreeNode, leaves } = parts[0];
      const [form, count] = name === 'count' ? [number, longer] : [longer, number];
      const rest = tree(parts[0]).slice(
        (number(nextFreeNode) + number(BigInt(leaves.length))).length,
      );
      return `01${form(nextFreeNode)}${count(BigInt(leaves.length))}${rest}${tree(storageOf(parts))}`;
    });
  }
  const fields = ['place', 'difference', 'prev', 'next'] as const;
  for (const field of fields) {
    const fieldsOf = ({ place, index, prev, next }: LeafParts) => ({
      place,
      difference: index,
      prev,
      next,
    });
    const rewrite = (write: (value: bigint) => Digits) => (parts: Parts) => {
      const { nextFreeNode, leaves, siblings } = parts[0];
      const [first] = leaves as [LeafParts];
      const values = fieldsOf(first);
      const written = fields.map((each) => (each === field ? write : number)(values[each]));
      return `01${number(nextFreeNode)}${number(1n)}${written.join('')}${first.content}${siblings.join('')}${tree(storageOf(parts))}`;
    };
    add(`${field} in a longer form`, 'ShapeError', rewrite(longer));
    add(
      `${field} of seven bytes`,
      'ShapeError',
      rewrite((value) => number(value, 6)),
    );
    add(
      `${field} plus 2^53, which a float cannot tell from its neighbours`,
      'ShapeError',
      rewrite((value) => number(value + 2n ** 53n)),
    );
    add(
      `${field} plus 2^64, the same in 64 bits`,
      'ShapeError',
      rewrite((value) => number(value + 2n ** 64n)),
    );
    if (field !== 'place') {
      add(
        `${field} of 2^40`,
        'ShapeError',
        rewrite(() => number(limit)),
      );
    }
  }
  add(
    'next free node of 2^40 + 1',
    'ShapeError',
    inAccount(() => ({ nextFreeNode: limit + 1n })),
  );
  add(
    'no leaf',
    'ShapeError',
    inStorage((parts) => ({ ...parts, leaves: [] })),
  );
  add('place 2 in the account tree', 'ShapeError', inAccount(editLeaf(0, () => ({ place: 2n }))));
  add(
    'place beyond any claim',
    'ShapeError',
    editOwn(() => ({ place: 16385n })),
  );
  add('three leaves in the account tree', 'ShapeError', ([account], world) => {
    const all = [0n, 1n].map((index) => neighbour(world.accounts, index));
    return proof([withLeaves(world.accounts, [...account.leaves, ...all])]);
  });
  add(
    'no leaf and no sibling',
    'ShapeError',
    inStorage(({ nextFreeNode }) => ({
      nextFreeNode,
      leaves: [],
      siblings: [],
    })),
  );
  add(
    'one index twice, with the siblings of both',
    'ShapeError',
    inStorage(({ leaves, siblings }) => ({
      leaves: [...leaves, ...leaves],
      siblings: siblings.flatMap((sibling) => [sibling, sibling]),
    })),
    { slots: ['one'] },
  );
  add('one byte more', 'ShapeError', (parts) => `${proof(parts)}00`);
  add('one byte less', 'ShapeError', (parts) => proof(parts).slice(0, -2));
  add(
    'one sibling more',
    'ShapeError',
    inStorage(({ siblings }) => ({
      siblings: [...siblings, siblings[0] as Digits],
    })),
  );
  add(
    'one sibling less',
    'ShapeError',
    inStorage(({ siblings }) => ({
      siblings: siblings.slice(0, -1),
    })),
  );
  add('a third tree', 'ShapeError', (parts) => proof(parts) + tree(storageOf(parts)));
  add(
    'sibling beyond the next free node',
    'ShapeError',
    inStorage((parts, world) => ({
      siblings: [...parts.siblings, world.storage.node(39, 1n)],
    })),
  );
  add(
    'empty sibling below the next free node left out',
    'ShapeError',
    inStorage(({ siblings }) => ({ siblings: siblings.filter((each) => each !== digits(0n)) })),
    {
      slots: ['three'],
      change: (world) => {
        world.setSlot(world.storage, 'six', digits(6n));
        world.storage.remove(slotIndex(world, 'three') ^ 1n);
      },
    },
  );
  add(
    'hKey of a neighbour + p',
    'ShapeError',
    editNeighbour(({ content }) => ({
      content: alias(family, content),
    })),
  );
  add(
    'hValue of a neighbour + p',
    'ShapeError',
    editNeighbour(({ content }) => ({
      content: alias(family, content, 32),
    })),
  );
  add(
    'sibling + p',
    'ShapeError',
    inStorage(({ siblings }) => ({
      siblings: withOne(siblings, 0, (each) => alias(family, each)),
    })),
  );
  const words: [string, number][] = [
    ['storageRoot', 64],
    ['snarkCodeHash', 96],
  ];
  if (family === 'mimc') words.push(['balance', 32], ['nonce', 0], ['codeSize', 160]);
  for (const [name, at] of words) {
    add(
      `${name} + p`,
      'ShapeError',
      inAccount(
        editLeaf(0, ({ content }) => ({
          content: alias(family, content, at),
        })),
      ),
    );
  }
  for (const name of ['nonce', 'codeSize'] as const) {
    add(`${name} of 2^64, in a tree that holds it`, 'ShapeError', proof, {
      account: 'bob',
      slots: [],
      change: (world) => {
        world.setAccount('bob', { ...world.words('bob'), [name]: digits(2n ** 64n) });
      },
    });
  }

  // Indices.
  for (const [name, at] of [
    ['at', 0n],
    ['beyond', 1n],
  ] as const) {
    add(`leaf ${name} the next free node`, 'INDEX_OUT_OF_RANGE', proof, {
      account: 'bob',
      slots: [],
      change: (world) => {
        const index = world.accounts.indexOf(world.accountHash('bob')) as bigint;
        world.accounts.nextFreeNode = index - at;
      },
    });
  }
  add(
    'index with its lowest bit flipped',
    'ROOT_MISMATCH',
    editOwn(({ index }) => ({
      index: index ^ 1n,
    })),
    { slots: ['two'] },
  );

  // Leaves that are not needed.
  const gaps = (world: CompactWorld) => gapOf(world, 'gap');
  add(
    'neighbour that no key needs',
    'LEAF_NOT_NEEDED',
    leavesOf((source, world) => {
      const { leaves } = treeOf(source, hKeysOf(world, askedSlots));
      const taken = leaves.map(({ index }) => index);
      const other = [...source.leaves.keys()].find((index) => !taken.includes(index)) as bigint;
      return [...leaves, neighbour(source, other)];
    }),
  );
  add(
    'neighbour although every key exists',
    'LEAF_NOT_NEEDED',
    leavesOf((source, world) => [own(source, slotIndex(world, 'one'), 1n), neighbour(source, 0n)]),
    { slots: ['one'] },
  );
  add(
    'leaf of a key that was not asked',
    'LEAF_NOT_NEEDED',
    leavesOf((source, world) => [
      own(source, slotIndex(world, 'one'), 1n),
      own(source, slotIndex(world, 'two'), 2n),
    ]),
    { slots: ['one'] },
  );
  add(
    'two leaves of one key',
    'LEAF_NOT_NEEDED',
    leavesOf((source, world) => [
      own(source, slotIndex(world, 'one'), 1n),
      own(source, slotIndex(world, 'two'), 1n),
    ]),
    { slots: ['one', 'two'] },
  );
  add(
    'storage tree although no slot was asked',
    'LEAF_NOT_NEEDED',
    ([account], world) => proof([account, treeOf(world.storage, hKeysOf(world, ['one']))]),
    { slots: [] },
  );
  add(
    'tree of pristine storage',
    'LEAF_NOT_NEEDED',
    ([account], world) => proof([account, treeOf(world.storage, hKeysOf(world, ['one']))]),
    {
      slots: ['one'],
      change: (world) => {
        Object.assign(world, { storage: new ReferenceTree(family) });
      },
    },
  );
  add(
    'storage tree of an absent account',
    'SLOT_OF_ABSENT_ACCOUNT',
    ([account], world) => proof([account, treeOf(world.storage, hKeysOf(world, ['one']))]),
    {
      account: 'absent',
      slots: ['one'],
    },
  );
  add(
    'storage tree of an absent account, no slot asked',
    'SLOT_OF_ABSENT_ACCOUNT',
    ([account], world) => proof([account, treeOf(world.storage, hKeysOf(world, ['one']))]),
    {
      account: 'absent',
      slots: [],
    },
  );
  add('no storage tree', 'SLOT_WITHHELD', ([account]) => proof([account]));

  // Absence.
  const twoNeighbours = (choose: (world: CompactWorld) => readonly [bigint, bigint]) =>
    leavesOf((source, world) => choose(world).map((index) => neighbour(source, index)));
  add(
    'key that exists, between its own neighbours',
    'NOT_NEIGHBOURS',
    twoNeighbours((world) => {
      const { prev, next } = world.storage.leaf(slotIndex(world, 'one'));
      return [prev, next];
    }),
    { slots: ['one'] },
  );
  add(
    'key that exists, its leaf as the left neighbour',
    'KEY_NOT_BETWEEN',
    twoNeighbours((world) => {
      const index = slotIndex(world, 'one');
      return [index, world.storage.leaf(index).next];
    }),
    { slots: ['one'] },
  );
  add(
    'key that exists, its leaf as the right neighbour',
    'KEY_NOT_BETWEEN',
    twoNeighbours((world) => {
      const index = slotIndex(world, 'one');
      return [world.storage.leaf(index).prev, index];
    }),
    { slots: ['one'] },
  );
  add(
    'key that exists, its leaf and all around it as neighbours',
    'KEY_NOT_BETWEEN',
    leavesOf((source, world) => {
      const index = slotIndex(world, 'one');
      const { prev, next } = source.leaf(index);
      return [prev, index, next].map((each) => neighbour(source, each));
    }),
    { slots: ['one'] },
  );
  add(
    'left neighbour alone',
    'KEY_NOT_BETWEEN',
    leavesOf((source, world) => [neighbour(source, gaps(world)[0])]),
    { slots: ['gap'] },
  );
  add(
    'right neighbour alone',
    'KEY_NOT_BETWEEN',
    leavesOf((source, world) => [neighbour(source, gaps(world)[1])]),
    { slots: ['gap'] },
  );
  add(
    'head and tail around everything',
    'NOT_NEIGHBOURS',
    twoNeighbours(() => [0n, 1n]),
    {
      slots: ['gap'],
    },
  );
  const other = (side: 'below' | 'above') =>
    nameWhere(family, (world, name) =>
      side === 'below' ? gapOf(world, name)[0] === 0n : gapOf(world, name)[1] === 1n,
    );
  for (const side of ['below', 'above'] as const) {
    const slot = other(side);
    add(
      `neighbours of another gap, the key ${side} them`,
      'KEY_NOT_BETWEEN',
      twoNeighbours((world) => {
        const { storage } = world;
        const edge = side === 'below' ? gapOf(world, slot)[1] : gapOf(world, slot)[0];
        const { prev, next } = storage.leaf(edge);
        return side === 'below' ? [edge, next] : [prev, edge];
      }),
      { slots: [slot] },
    );
  }
  add(
    'one gap for two keys of different gaps',
    'KEY_NOT_BETWEEN',
    leavesOf((source, world) => {
      const { leaves } = treeOf(source, hKeysOf(world, [other('below')]));
      return leaves;
    }),
    { slots: [other('below'), other('above')] },
  );
  add('left.next leads elsewhere, in a tree that holds it', 'NOT_NEIGHBOURS', proof, {
    slots: ['gap'],
    change: (world) => {
      const [left] = gaps(world);
      world.storage.leaf(left).next = left;
    },
  });
  add('right.prev leads elsewhere, in a tree that holds it', 'NOT_NEIGHBOURS', proof, {
    slots: ['gap'],
    change: (world) => {
      const [, right] = gaps(world);
      world.storage.leaf(right).prev = right;
    },
  });
  add(
    'pointers that close a gap over a key that exists',
    'ROOT_MISMATCH',
    leavesOf((source, world) => {
      const { prev, next } = source.leaf(slotIndex(world, 'one'));
      return [
        { ...neighbour(source, prev), next },
        { ...neighbour(source, next), prev },
      ];
    }),
    { slots: ['one'] },
  );
  add(
    'account that exists, between its own neighbours',
    'NOT_NEIGHBOURS',
    (_, world) => {
      const { accounts } = world;
      const { prev, next } = accounts.leaf(accounts.indexOf(world.accountHash('bob')) as bigint);
      return proof([withLeaves(accounts, [neighbour(accounts, prev), neighbour(accounts, next)])]);
    },
    { account: 'bob', slots: [] },
  );

  // Other leaves, values and trees, each below an honest account.
  for (const index of [0n, 1n]) {
    const name = index === 0n ? 'head' : 'tail';
    add(
      `${name} as the leaf of a slot`,
      'ROOT_MISMATCH',
      leavesOf((source) => [own(source, index, 1n)]),
      { slots: ['one'] },
    );
    add(
      `${name} as the leaf of the account`,
      'ROOT_MISMATCH',
      (_, { accounts }) =>
        proof([withLeaves(accounts, [{ ...own(accounts, index, 1n), content: '00'.repeat(192) }])]),
      { account: 'bob', slots: [] },
    );
  }
  add(
    'another value',
    'ROOT_MISMATCH',
    editOwn(() => ({ content: digits(99n) })),
  );
  add(
    'another nonce',
    'ROOT_MISMATCH',
    inAccount(
      editLeaf(0, ({ content }) => ({
        content: digits(4n) + content.slice(64),
      })),
    ),
  );
  add(
    'another storage root, with a tree of its own below it',
    'ROOT_MISMATCH',
    ([account], world) => {
      const forged = new ReferenceTree(family);
      forged.insert(world.slotHash('one'), hashWord(family, digits(99n)), digits(99n));
      const [leaf] = account.leaves as [LeafParts];
      const content = leaf.content.slice(0, 128) + forged.root + leaf.content.slice(192);
      return proof([
        { ...account, leaves: [{ ...leaf, content }] },
        treeOf(forged, hKeysOf(world, ['one'])),
      ]);
    },
    { slots: ['one'] },
  );
  add("another account's storage", 'ROOT_MISMATCH', ([account], world) =>
    proof([account, treeOf(world.foreign, hKeysOf(world, askedSlots))]),
  );
  add('storage of a later state', 'ROOT_MISMATCH', ([account], world) => {
    world.setSlot(world.storage, 'five', digits(5n));
    return proof([account, treeOf(world.storage, hKeysOf(world, askedSlots))]);
  });
  add(
    'places exchanged',
    'ROOT_MISMATCH',
    inStorage(({ leaves }) => ({
      leaves: leaves.map((leaf) =>
        leaf.place === 0n ? leaf : { ...leaf, place: 3n - leaf.place },
      ),
    })),
    { slots: ['one', 'two'] },
  );
  add(
    'values exchanged',
    'ROOT_MISMATCH',
    inStorage(({ leaves }) => ({
      leaves: leaves.map((leaf, i) => ({
        ...leaf,
        content: (leaves[leaves.length - 1 - i] as LeafParts).content,
      })),
    })),
    { slots: ['one', 'three'] },
  );
  add(
    'siblings exchanged',
    'ROOT_MISMATCH',
    inStorage(({ siblings }) => ({
      siblings: [...siblings].reverse(),
    })),
  );
  for (const pointer of ['prev', 'next'] as const) {
    add(
      `another ${pointer} of a key's leaf`,
      'ROOT_MISMATCH',
      editOwn((leaf) => ({
        [pointer]: leaf[pointer] + 1n,
      })),
    );
  }
  add(
    'another hValue of a neighbour',
    'ROOT_MISMATCH',
    editNeighbour(({ content }) => ({
      content: content.slice(0, 64) + digits(0n),
    })),
    { slots: [nameWhere(family, (world, name) => gapOf(world, name)[0] > 1n)] },
  );
  add(
    'another next free node, with the same siblings',
    'ROOT_MISMATCH',
    inStorage(({ nextFreeNode }) => ({
      nextFreeNode: nextFreeNode + 1n,
    })),
  );
  add('the account tree of another state', 'ROOT_MISMATCH', (_, world) => {
    const forged = new CompactWorld(family);
    forged.setAccount('alice', { ...world.words('alice'), balance: digits(2n ** 80n) });
    return proof(forged.parts('alice', askedSlots));
  });
  add(
    'proof of another account',
    'ROOT_MISMATCH',
    (_, world) => proof([world.parts('bob', [])[0]]),
    { slots: [] },
  );
  add(
    'proof of other slots',
    'ROOT_MISMATCH',
    ([account], world) => proof([account, treeOf(world.storage, hKeysOf(world, ['two']))]),
    { slots: ['one'] },
  );
  return cases;
}
