/**
 * Forged traces: the forger keeps trees of its own and computes every hash anew, so that each case breaks one law and
 * all others hold. Beside each stands the code that it must be refused with.
 */
// @ts-nocheck

import type { HashFamily, Hex, VerificationCode } from '../../src/index.js';
import { digits, hashWord } from '../support/reference.js';
import { ReferenceTree } from '../support/referenceTree.js';
import type { Wire } from '../support/runs.js';
import { Tracer } from './tracer.js';
import { slotKey } from './world.js';

export interface TraceForgery {
  name: string;
  code: VerificationCode;
  path: string | RegExp;
  traces: Wire[][];
  parentRoot: Hex;
}

const word = (value: number) => digits(BigInt(value));

/** All five kinds in both kinds of tree, over three blocks. */
export function honestRun(family: HashFamily): Tracer {
  const t = new Tracer(family);
  t.read('alice', 'one');
  t.readZero('alice', 'gap');
  t.update('alice', 'two', word(22));
  t.insert('alice', 'new', word(5));
  t.remove('alice', 'three');
  t.account('alice');
  t.read('alice', 'two');
  t.account('carol', { nonce: word(9) });
  t.readZero(null, 'gina');
  t.account('frank');
  t.read(null, 'bob');
  t.nextBlock();
  t.nextBlock();
  t.update('alice', 'one', word(1000));
  t.remove(null, 'alice');
  t.readZero('alice', 'one');
  t.insert('alice', 'one', word(1001));
  t.account('alice');
  t.read('alice', 'one');
  t.roots.push(t.world.stateRoot);
  return t;
}

export function traceForgeries(family: HashFamily): TraceForgery[] {
  const cases: TraceForgery[] = [];
  const forge = (
    name: string,
    code: VerificationCode,
    path: string | RegExp,
    act: (t: Tracer) => void,
  ) => {
    const t = new Tracer(family);
    act(t);
    cases.push({ name, code, path, traces: t.blocks, parentRoot: t.parentRoot });
  };
  /** A slot whose place in the list lies between two others, neither head nor tail. */
  const inside = (t: Tracer): string => {
    for (let i = 0; ; i++) {
      const [left, right] = t.storage('alice').neighbours(hashWord(family, slotKey(`in ${i}`)));
      if (left !== 0n && right !== 1n) return `in ${i}`;
    }
  };
  /** A slot without a leaf that lies on another side of a leaf than the gap behind it. */
  const slotWhere = (accept: (hKey: string) => boolean): string => {
    for (let i = 0; ; i++) if (accept(hashWord(family, slotKey(`s ${i}`)))) return `s ${i}`;
  };
  /** Storage of alice that is not as the rules would have it, in a state that holds it. */
  const inStorage = (t: Tracer, change: (tree: ReferenceTree) => void) => {
    change(t.storage('alice'));
    t.settle('alice');
  };

  // The key and the value of a leaf.
  forge('a read of another slot', 'HKEY_MISMATCH', 'traces[0][0].leaf.hkey', (t) => {
    t.read('alice', 'one', t.indexOf('alice', 'two'));
    t.read(null, 'alice');
  });
  forge('a read of another value', 'HVALUE_MISMATCH', 'traces[0][0].leaf.hval', (t) => {
    t.read('alice', 'one').value = `0x${word(4)}`;
    t.read(null, 'alice');
  });
  for (const [name, at] of [
    ['head', 0n],
    ['tail', 1n],
  ] as const) {
    forge(`a read of the ${name}`, 'HKEY_MISMATCH', 'traces[0][0].leaf.hkey', (t) => {
      t.read('alice', 'one', at);
      t.read(null, 'alice');
    });
    forge(
      `an update of the ${name}`,
      'HKEY_MISMATCH',
      'traces[0][0].priorUpdatedLeaf.hkey',
      (t) => {
        t.update('alice', 'one', word(7), { index: at });
        t.account('alice');
      },
    );
  }
  forge(
    "an update of another slot's leaf",
    'HKEY_MISMATCH',
    'traces[0][0].priorUpdatedLeaf.hkey',
    (t) => {
      t.update('alice', 'one', word(7), { index: t.indexOf('alice', 'two') });
      t.account('alice');
    },
  );
  forge(
    'an update from another value',
    'HVALUE_MISMATCH',
    'traces[0][0].priorUpdatedLeaf.hval',
    (t) => {
      t.update('alice', 'one', word(7)).oldValue = `0x${word(4)}`;
      t.account('alice');
    },
  );
  forge("a deletion of another slot's leaf", 'HKEY_MISMATCH', /priorDeletedLeaf\.hkey$/, (t) => {
    t.remove('alice', 'one', { index: t.indexOf('alice', 'two') });
    t.account('alice');
  });
  forge('a deletion of another value', 'HVALUE_MISMATCH', /priorDeletedLeaf\.hval$/, (t) => {
    t.remove('alice', 'one').deletedValue = `0x${word(4)}`;
    t.account('alice');
  });

  // Neighbours.
  for (const kind of ['readZero', 'insert'] as const) {
    const leafOf = (side: 'Left' | 'Right') =>
      kind === 'insert' ? `prior${side}Leaf` : `${side.toLowerCase()}Leaf`;
    const act = (t: Tracer, slot: string, left: bigint, right: bigint) => {
      if (kind === 'readZero') t.readZero('alice', slot, { left, right });
      else t.insert('alice', slot, word(7), { left, right });
      t.account('alice');
    };
    const path = (side: 'Left' | 'Right', member: string) =>
      `traces[0][0].${leafOf(side)}.${member}`;
    forge(`${kind} below its neighbours`, 'KEY_NOT_BETWEEN', path('Left', 'hkey'), (t) => {
      const left = t.storage('alice').leaf(0n).next;
      const leaf = t.storage('alice').leaf(left);
      act(
        t,
        slotWhere((hKey) => hKey < leaf.hKey),
        left,
        leaf.next,
      );
    });
    forge(`${kind} above its neighbours`, 'KEY_NOT_BETWEEN', path('Right', 'hkey'), (t) => {
      const right = t.storage('alice').leaf(1n).prev;
      const leaf = t.storage('alice').leaf(right);
      act(
        t,
        slotWhere((hKey) => hKey > leaf.hKey),
        leaf.prev,
        right,
      );
    });
    forge(`${kind} of a slot that exists`, 'KEY_NOT_BETWEEN', path('Left', 'hkey'), (t) => {
      const index = t.indexOf('alice', 'one');
      act(t, 'one', index, t.storage('alice').leaf(index).next);
    });
    forge(`${kind} of a slot that exists, below`, 'KEY_NOT_BETWEEN', path('Right', 'hkey'), (t) => {
      const index = t.indexOf('alice', 'one');
      act(t, 'one', t.storage('alice').leaf(index).prev, index);
    });
    forge(`${kind} over an existing slot`, 'NOT_NEIGHBOURS', path('Left', 'nextLeaf'), (t) => {
      const { prev, next } = t.storage('alice').leaf(t.indexOf('alice', 'one'));
      act(t, 'one', prev, next);
    });
    for (const [side, member, pointer] of [
      ['Left', 'nextLeaf', 'next'],
      ['Right', 'prevLeaf', 'prev'],
    ] as const) {
      forge(`${kind} where ${member} names another`, 'NOT_NEIGHBOURS', path(side, member), (t) => {
        const slot = inside(t);
        const [left, right] = t.storage('alice').neighbours(hashWord(family, slotKey(slot)));
        inStorage(t, (tree) => {
          tree.leaf(side === 'Left' ? left : right)[pointer] = side === 'Left' ? 1n : 0n;
        });
        act(t, slot, left, right);
      });
    }
  }
  for (const [name, path, change] of [
    ['left', 'priorLeftLeaf.nextLeaf', (tree, { prev }) => (tree.leaf(prev).next = 1n)],
    ['right', 'priorRightLeaf.prevLeaf', (tree, { next }) => (tree.leaf(next).prev = 0n)],
  ] as [string, string, (tree: ReferenceTree, leaf: { prev: bigint; next: bigint }) => void][]) {
    forge(`a deletion unknown on the ${name}`, 'NOT_NEIGHBOURS', `traces[0][0].${path}`, (t) => {
      const slot = inside(t);
      t.storage('alice').insert(
        hashWord(family, slotKey(slot)),
        hashWord(family, word(7)),
        word(7),
      );
      inStorage(t, (tree) => change(tree, tree.leaf(t.indexOf('alice', slot))));
      t.remove('alice', slot);
      t.account('alice');
    });
  }
  for (const [name, pointer, side] of [
    ['prevLeaf', 'prev', 'left'],
    ['nextLeaf', 'next', 'right'],
  ] as const) {
    forge(
      `a deletion that names another ${name}`,
      'NOT_NEIGHBOURS',
      `traces[0][0].priorDeletedLeaf.${name}`,
      (t) => {
        const slot = inside(t);
        const tree = t.storage('alice');
        const index = tree.insert(
          hashWord(family, slotKey(slot)),
          hashWord(family, word(7)),
          word(7),
        );
        const { prev, next } = tree.leaf(index);
        inStorage(t, () => {
          tree.leaf(index)[pointer] = side === 'left' ? 0n : 1n;
        });
        t.remove('alice', slot, { left: prev, right: next });
        t.account('alice');
      },
    );
  }

  // Indices.
  const full = (t: Tracer, nextFreeNode: bigint) =>
    inStorage(t, (tree) => {
      tree.nextFreeNode = nextFreeNode;
    });
  forge('a read at the next free node', 'INDEX_OUT_OF_RANGE', /proof\.leafIndex$/, (t) => {
    full(t, t.indexOf('alice', 'four'));
    t.read('alice', 'four');
    t.read(null, 'alice');
  });
  forge('an update at the next free node', 'INDEX_OUT_OF_RANGE', /proof\.leafIndex$/, (t) => {
    full(t, t.indexOf('alice', 'four'));
    t.update('alice', 'four', word(7));
    t.account('alice');
  });
  for (const [side, index] of [
    ['left', 'prev'],
    ['right', 'next'],
  ] as const) {
    forge(
      `a ${side} neighbour at the next free node`,
      'INDEX_OUT_OF_RANGE',
      new RegExp(side),
      (t) => {
        const slot = inside(t);
        const [left, right] = t.storage('alice').neighbours(hashWord(family, slotKey(slot)));
        const far = 1n << 20n;
        inStorage(t, (tree) => {
          const [from, to] = side === 'left' ? [left, right] : [right, left];
          const leaf = tree.leaf(from);
          tree.leaves.delete(from);
          tree.leaves.set(far, leaf);
          tree.leaf(to)[index] = far;
        });
        t.readZero('alice', slot);
        t.read(null, 'alice');
      },
    );
  }
  forge('a deletion at the next free node', 'INDEX_OUT_OF_RANGE', /deletedProof/, (t) => {
    const tree = t.storage('alice');
    const slot = inside(t);
    inStorage(t, () => {
      tree.insert(hashWord(family, slotKey(slot)), hashWord(family, word(7)), word(7), 1n << 20n);
      tree.nextFreeNode = 50n;
    });
    t.remove('alice', slot);
    t.account('alice');
  });
  forge(
    'an insertion that takes the place before the first',
    'INDEX_OUT_OF_RANGE',
    /leftProof/,
    (t) => {
      t.insert('alice', 'new', word(7)).newNextFreeNode = 0;
      t.account('alice');
    },
  );
  forge('an insertion beyond the next free node', 'NOT_NEXT_FREE_NODE', /newProof/, (t) => {
    t.insert('alice', 'new', word(7), { index: t.storage('alice').nextFreeNode + 1n });
    t.account('alice');
  });
  forge('an insertion at a place used before', 'NOT_NEXT_FREE_NODE', /newProof/, (t) => {
    // `gone` is the last slot that the world wrote, and deleted.
    t.insert('alice', 'new', word(7), { index: t.storage('alice').nextFreeNode - 1n });
    t.account('alice');
  });

  // Paths.
  const elsewhere = (place: Wire) => {
    place.siblings[20] = `0x${word(1)}`;
  };
  forge('a read under another root', 'SUB_TREE_ROOT_MISMATCH', 'traces[0][0].proof', (t) => {
    elsewhere(t.read('alice', 'one').proof);
    t.read(null, 'alice');
  });
  for (const side of ['leftProof', 'rightProof']) {
    forge(`${side} under another root`, 'SUB_TREE_ROOT_MISMATCH', `traces[0][0].${side}`, (t) => {
      elsewhere(t.readZero('alice', 'gap')[side]);
      t.read(null, 'alice');
    });
  }
  forge('an insertion over a leaf', 'SUB_TREE_ROOT_MISMATCH', /newProof$/, (t) => {
    const [left, right] = t.storage('alice').neighbours(hashWord(family, slotKey('new')));
    inStorage(t, (tree) => {
      const leaf = tree.leaf(tree.indexOf(hashWord(family, slotKey('one'))) as bigint);
      tree.leaves.set(tree.nextFreeNode, { ...leaf });
    });
    t.insert('alice', 'new', word(7), { left, right });
    t.account('alice');
  });

  /** Another value in a leaf, from one step to the next, which no step tells. */
  const swap = (t: Tracer, index: bigint) => () => {
    const value = word(666);
    Object.assign(t.storage('alice').leaf(index), { hValue: hashWord(family, value), value });
  };
  forge('an update of a leaf that is not there', 'SUB_TREE_ROOT_MISMATCH', /\]\.proof$/, (t) => {
    const index = t.indexOf('alice', 'one');
    t.update('alice', 'one', word(7), { tamper: { own: swap(t, index) } });
    t.account('alice');
  });
  forge(
    'a deletion of a leaf that is not there',
    'SUB_TREE_ROOT_MISMATCH',
    /deletedProof$/,
    (t) => {
      const index = t.indexOf('alice', 'one');
      t.remove('alice', 'one', { tamper: { own: swap(t, index) } });
      t.account('alice');
    },
  );
  for (const [at, side] of [
    [0, 'left'],
    [1, 'right'],
  ] as const) {
    for (const kind of ['insert', 'remove'] as const) {
      const path = `traces[0][0].${side}Proof`;
      forge(`${kind} next to another ${side} leaf`, 'SUB_TREE_ROOT_MISMATCH', path, (t) => {
        const slot = inside(t);
        const hKey = hashWord(family, slotKey(slot));
        const tree = t.storage('alice');
        const index = tree.neighbours(hKey)[at];
        if (kind === 'remove') {
          inStorage(t, () => tree.insert(hKey, hashWord(family, word(7)), word(7)));
        }
        const tamper = { [side]: swap(t, index) };
        if (kind === 'insert') t.insert('alice', slot, word(7), { tamper });
        else t.remove('alice', slot, { tamper });
        t.account('alice');
      });
    }
  }
  for (const kind of ['insert', 'remove'] as const) {
    forge(`${kind} that changes another slot on its way`, 'SUB_TREE_ROOT_MISMATCH', /./, (t) => {
      const tamper = { own: swap(t, t.indexOf('alice', 'two')) };
      if (kind === 'insert') t.insert('alice', 'new', word(7), { tamper });
      else t.remove('alice', 'one', { tamper });
      t.account('alice');
    });
  }

  // What a change leaves.
  const beside = (t: Tracer, name: string) => () => {
    const hValue = hashWord(family, word(666));
    Object.assign(t.storage('alice').leaf(t.indexOf('alice', name)), { hValue });
  };
  forge('an update that changes two slots', 'NEW_ROOT_MISMATCH', 'traces[0][0].newSubRoot', (t) => {
    t.update('alice', 'one', word(7), {}, beside(t, 'two'));
    t.account('alice');
  });
  for (const kind of ['insert', 'remove'] as const) {
    forge(
      `${kind} that changes another slot`,
      'NEW_ROOT_MISMATCH',
      'traces[0][0].newSubRoot',
      (t) => {
        const trace =
          kind === 'insert' ? t.insert('alice', 'new', word(7)) : t.remove('alice', 'one');
        beside(t, 'two')();
        trace.newSubRoot = `0x${t.storage('alice').subTreeRoot}`;
        t.account('alice');
      },
    );
  }

  // Chains.
  forge('a read under another next free node', 'CHAIN_BROKEN', 'traces[0][1]', (t) => {
    t.read('alice', 'one');
    t.read('alice', 'two').nextFreeNode += 1;
    t.read('alice', 'one');
    t.read(null, 'alice');
  });
  forge('an update that winds the next free node back', 'CHAIN_BROKEN', 'traces[0][1]', (t) => {
    t.insert('alice', 'new', word(7));
    t.storage('alice').nextFreeNode -= 1n;
    t.update('alice', 'one', word(8));
    t.account('alice');
  });
  forge('a read of another tree on the way', 'CHAIN_BROKEN', 'traces[0][1]', (t) => {
    const { storages } = t;
    t.read('alice', 'one');
    const own = t.storage('alice');
    storages.set('alice', t.storage('bob'));
    t.read('alice', 'one');
    storages.set('alice', own);
    t.read('alice', 'two');
    t.read(null, 'alice');
  });
  for (const blocks of [1, 2]) {
    forge(`a change of accounts untold, ${blocks} blocks`, 'CHAIN_BROKEN', /^traces/, (t) => {
      t.account('carol', { nonce: word(9) });
      if (blocks === 2) t.nextBlock();
      t.world.setAccount('dave', t.words('dave', { balance: digits(1n) }));
      t.account('carol', { nonce: word(10) });
    });
  }
  forge('accounts under another root', 'PARENT_ROOT_MISMATCH', 'traces[0][0]', (t) => {
    t.readZero(null, 'gina');
    t.blocks[0] = [];
    t.account('carol', { nonce: word(9) });
    t.blocks[0] = [];
    t.account('carol', { nonce: word(10) });
  });

  // The tie.
  forge('a storage root that changes untold', 'STORAGE_TIE', 'traces[0][0]', (t) => {
    t.account('alice', { storageRoot: t.storage('bob').root });
  });
  forge('a storage root that is born full', 'STORAGE_TIE', 'traces[0][0]', (t) => {
    t.account('frank', { storageRoot: t.storage('bob').root });
  });
  forge("another account's storage", 'STORAGE_TIE', 'traces[0][0]', (t) => {
    t.storages.set('alice', t.storage('bob'));
    t.update('alice', 'one', word(7));
    t.account('alice');
  });
  forge("a read of another account's storage", 'STORAGE_TIE', 'traces[0][0]', (t) => {
    t.storages.set('alice', t.storage('bob'));
    t.read('alice', 'one');
    t.read(null, 'alice');
  });
  forge('a storage tree of another next free node', 'STORAGE_TIE', 'traces[0][0]', (t) => {
    t.read('alice', 'one').nextFreeNode += 1;
    t.read(null, 'alice');
  });
  forge('a storage write that the account leaves out', 'STORAGE_TIE', 'traces[0][1]', (t) => {
    const { storageRoot } = t.words('alice');
    t.update('alice', 'one', word(7));
    t.account('alice', { storageRoot });
  });
  forge('a storage write before a read of the account', 'STORAGE_TIE', 'traces[0][1]', (t) => {
    t.update('alice', 'one', word(7));
    t.read(null, 'alice');
  });
  forge('slots of an absent account', 'STORAGE_TIE', 'traces[0][0]', (t) => {
    t.storages.set('gina', t.storage('bob'));
    t.read('gina', 'one');
    t.readZero(null, 'gina');
  });
  forge('a slot written to an absent account', 'STORAGE_TIE', 'traces[0][1]', (t) => {
    t.insert('gina', 'one', word(7));
    t.readZero(null, 'gina');
  });
  forge('a destroyed account with storage of another', 'STORAGE_TIE', 'traces[0][0]', (t) => {
    t.storages.set('alice', t.storage('bob'));
    t.update('alice', 'one', word(7));
    t.remove(null, 'alice');
  });
  forge('storage of a destroyed account', 'STORAGE_TIE', 'traces[0][1]', (t) => {
    const own = t.storage('alice');
    t.remove(null, 'alice');
    t.storages.set('alice', own);
    t.read('alice', 'one');
  });
  forge('an account born again with its old storage', 'STORAGE_TIE', 'traces[0][1]', (t) => {
    const own = t.storage('alice');
    t.remove(null, 'alice');
    t.storages.set('alice', own);
    t.insert('alice', 'new', word(7));
    t.account('alice');
  });
  forge('an account born again at its old next free node', 'STORAGE_TIE', 'traces[0][1]', (t) => {
    t.remove(null, 'alice');
    t.storage('alice').nextFreeNode = 8n;
    t.insert('alice', 'new', word(7));
    t.account('alice');
  });
  forge('a second change untold', 'STORAGE_TIE', 'traces[0][2]', (t) => {
    t.update('alice', 'one', word(7));
    t.account('alice');
    t.account('alice', { storageRoot: t.storage('bob').root });
  });
  forge('a read of other storage after the account', 'STORAGE_TIE', 'traces[0][1]', (t) => {
    t.account('alice', { nonce: word(9) });
    t.storages.set('alice', t.storage('bob'));
    t.read('alice', 'one');
  });
  forge('storage without its account', 'STORAGE_WITHOUT_ACCOUNT', 'traces[0][1]', (t) => {
    t.account('bob', { nonce: word(9) });
    t.read('alice', 'one');
    t.read('alice', 'two');
  });
  forge(
    'storage whose account comes a block later',
    'STORAGE_WITHOUT_ACCOUNT',
    'traces[0][0]',
    (t) => {
      t.update('alice', 'one', word(7));
      t.nextBlock();
      t.account('alice');
    },
  );
  forge(
    'storage whose account came a block before',
    'STORAGE_WITHOUT_ACCOUNT',
    'traces[1][0]',
    (t) => {
      t.read(null, 'alice');
      t.nextBlock();
      t.read('alice', 'one');
    },
  );
  forge('a storage write after the account', 'WRITE_AFTER_ACCOUNT', 'traces[0][3]', (t) => {
    t.update('alice', 'one', word(7));
    t.account('alice');
    t.read('alice', 'one');
    t.update('alice', 'one', word(8));
    t.update('alice', 'one', word(9));
  });
  return cases;
}
