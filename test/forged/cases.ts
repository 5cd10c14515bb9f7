/**
 * Forged results, each breaking one law in trees where all other laws hold, with the code (or class) it must
 * be refused with. `vectors/forged/` holds what is made here.
 */

import type { HashFamily, Hex, VerificationCode } from '../../src/index.js';
import { digits, hash, integer, moduli } from '../support/reference.js';
import type { ReferenceTree } from '../support/referenceTree.js';
import type { Wire } from '../support/runs.js';
import { address, slotKey, World } from './world.js';

export interface Forgery {
  name: string;
  code: VerificationCode | 'ShapeError';
  stateRoot: Hex;
  account: string;
  slots: string[];
  result: object;
}

/** The slots of the honest answer: present, absent, present. */
export const askedSlots = ['one', 'gap', 'three'];
const limit = 1n << 40n;
const keep = () => {};

type Member = string | number;
/** Member of wire data, for edits that no type describes. */
function member(target: Wire, ...path: Member[]): Wire {
  return path.reduce((value, name) => value[name], target);
}

/** p added to the first element of the digits at `at`: the same hash, another text. */
function alias(family: HashFamily, text: string, byte: number): string {
  const at = 2 + 2 * byte;
  const size = family === 'mimc' ? 64 : 8;
  const element = BigInt(`0x${text.slice(at, at + size)}`) + moduli[family];
  return text.slice(0, at) + digits(element, size / 2) + text.slice(at + size);
}

export function forgeries(family: HashFamily): Forgery[] {
  const cases: Forgery[] = [];
  const openingWidth = family === 'mimc' ? 128 : 192;
  /** An honest world, changed, and its answer, changed. */
  const forge = (
    name: string,
    code: Forgery['code'],
    change: (world: World) => void,
    edit: (result: ReturnType<World['result']>, world: World) => void = keep,
    account = 'alice',
    slots = askedSlots,
  ) => {
    const world = new World(family);
    change(world);
    const result = structuredClone(world.result(account, account === 'alice' ? slots : []));
    edit(result, world);
    cases.push({ name, code, stateRoot: world.stateRoot, account, slots, result });
  };
  /** A slot that was never written, and that some relation holds of. */
  const gapWhere = (accept: (world: World, name: string) => boolean): string => {
    const world = new World(family);
    for (let i = 0; ; i++) if (accept(world, `gap ${i}`)) return `gap ${i}`;
  };
  const index = (world: World, name: string) =>
    world.accounts.indexOf(world.accountHash(name)) as bigint;
  const slotIndex = (world: World, name: string) =>
    world.storage.indexOf(world.slotHash(name)) as bigint;
  /** The storage tree changed, and the account's root with it. */
  const inStorage = (change: (tree: ReferenceTree, world: World) => void) => (world: World) => {
    change(world.storage, world);
    world.setAccount('alice', world.words('alice'));
  };

  // Field elements written a second way.
  forge('absence of a key by hKey + p', 'ShapeError', keep, (result, world) => {
    const own = index(world, 'alice');
    const proof = world.accounts.nonExistence(address('alice'), world.accounts.leaf(own).prev, own);
    const nodes = proof.rightProof.proofRelatedNodes;
    nodes[41] = alias(family, nodes[41] as string, openingWidth - 64);
    result.accountProof = proof;
  });
  forge('sibling element + p', 'ShapeError', keep, (result) => {
    const nodes = member(result, 'accountProof', 'proof', 'proofRelatedNodes');
    nodes[20] = alias(family, nodes[20], 0);
  });
  const aliasedWord = { mimc: [32, 'balance'], poseidon2: [64, 'storageRoot'] } as const;
  const [wordAt, wordName] = aliasedWord[family];
  forge(`${wordName} + p`, 'ShapeError', keep, (result) => {
    const proof = member(result, 'accountProof', 'proof');
    proof.value = alias(family, proof.value, wordAt);
  });
  if (family === 'poseidon2') {
    const limbAbove = (opening: string, at: number) =>
      `${opening.slice(0, at)}00010000${opening.slice(at + 8)}`;
    forge('limb of next above 0xffff', 'ShapeError', (world) => {
      world.accounts.rewrite.leaf = (at, opening) =>
        at === index(world, 'alice') ? limbAbove(opening, 128) : opening;
    });
    forge('limb of the next free node above 0xffff', 'ShapeError', (world) => {
      world.accounts.rewrite.top = (top) => limbAbove(top, 0);
    });
  }

  // Statements about another key, value or leaf.
  for (const [name, at] of [
    ['head', 0n],
    ['tail', 1n],
  ] as const) {
    forge(`${name} proven as a key`, 'HKEY_MISMATCH', keep, (result, world) => {
      const proof = world.accounts.existence(address('alice'), at);
      proof.proof.value = `0x${'00'.repeat(192)}`;
      result.accountProof = proof;
    });
  }
  forge("another account's proof under this address", 'HKEY_MISMATCH', keep, (result, world) => {
    result.accountProof = { ...world.accountProof('bob'), key: `0x${address('alice')}` };
  });
  forge("another account's proof, labelled so", 'KEY_MISMATCH', keep, (result, world) => {
    result.accountProof = world.accountProof('bob');
  });
  forge('another nonce', 'HVALUE_MISMATCH', keep, (result) => {
    const proof = member(result, 'accountProof', 'proof');
    proof.value = `0x${digits(4n)}${proof.value.slice(66)}`;
  });
  forge('another slot value', 'HVALUE_MISMATCH', keep, (result) => {
    member(result, 'storageProofs', 0, 'proof').value = `0x${digits(4n)}`;
  });

  // Neighbours.
  forge(
    'left.next leads elsewhere',
    'NOT_NEIGHBOURS',
    inStorage((tree, world) => {
      const [left] = tree.neighbours(world.slotHash('gap'));
      tree.leaf(left).next = left;
    }),
  );
  forge(
    'right.prev leads elsewhere',
    'NOT_NEIGHBOURS',
    inStorage((tree, world) => {
      const [, right] = tree.neighbours(world.slotHash('gap'));
      tree.leaf(right).prev = right;
    }),
  );
  forge('bracketing leaves with the key between them', 'NOT_NEIGHBOURS', keep, (result, world) => {
    const { prev, next } = world.storage.leaf(slotIndex(world, 'one'));
    result.storageProofs[0] = world.storage.nonExistence(slotKey('one'), prev, next);
  });
  forge('interval closed on the left', 'KEY_NOT_BETWEEN', keep, (result, world) => {
    const own = slotIndex(world, 'one');
    const { next } = world.storage.leaf(own);
    result.storageProofs[0] = world.storage.nonExistence(slotKey('one'), own, next);
  });
  forge('interval closed on the right', 'KEY_NOT_BETWEEN', keep, (result, world) => {
    const own = slotIndex(world, 'one');
    const { prev } = world.storage.leaf(own);
    result.storageProofs[0] = world.storage.nonExistence(slotKey('one'), prev, own);
  });
  forge('left and right exchanged', 'KEY_NOT_BETWEEN', keep, (result, world) => {
    const [left, right] = world.storage.neighbours(world.slotHash('gap'));
    result.storageProofs[1] = world.storage.nonExistence(slotKey('gap'), right, left);
  });
  for (const side of ['leftProof', 'rightProof'] as const) {
    const later = new World(family);
    later.setSlot(later.storage, 'five', digits(5n));
    const isUntouched = (before: World, name: string) =>
      `${before.storage.neighbours(before.slotHash(name))}` ===
      `${later.storage.neighbours(later.slotHash(name))}`;
    const name = gapWhere(isUntouched);
    const edit = (result: ReturnType<World['result']>) => {
      member(result, 'storageProofs', 0)[side] = member(later.slotProof(name), side);
    };
    forge(`mixed roots: ${side} of a later state`, 'ROOT_MISMATCH', keep, edit, 'alice', [name]);
  }

  // Trees.
  forge("another account's storage", 'ROOT_MISMATCH', keep, (result, world) => {
    result.storageProofs = askedSlots.map((slot) => world.slotProof(slot, world.foreign));
  });
  forge(
    'a state of its own under the trusted top node',
    'SUB_TREE_ROOT_MISMATCH',
    keep,
    (result, world) => {
      const forged = new World(family);
      forged.setAccount('alice', { ...forged.words('alice'), balance: digits(2n ** 80n) });
      const trusted = world.accounts.path(2n).proofRelatedNodes[0] as string;
      result.accountProof = forged.accountProof('alice');
      member(result, 'accountProof', 'proof', 'proofRelatedNodes')[0] = trusted;
    },
  );
  forge('wrong sub-tree root under a right root', 'SUB_TREE_ROOT_MISMATCH', (world) => {
    world.accounts.rewrite.top = (top) => top.slice(0, -64) + hash(family, digits(1n));
  });
  forge('index with its lowest bit flipped', 'SUB_TREE_ROOT_MISMATCH', keep, (result) => {
    member(result, 'accountProof').leafIndex ^= 1;
  });
  forge('leaf at the next free node', 'INDEX_OUT_OF_RANGE', (world) => {
    world.accounts.nextFreeNode = index(world, 'alice');
  });
  forge(
    'leaf beyond the next free node',
    'INDEX_OUT_OF_RANGE',
    (world) => {
      world.accounts.nextFreeNode = index(world, 'bob') - 1n;
    },
    keep,
    'bob',
    [],
  );
  for (const [name, pick] of [
    ['left', 0],
    ['right', 1],
  ] as const) {
    // The other neighbour stays in range.
    const gap = gapWhere((world, candidate) => {
      const pair = world.storage.neighbours(world.slotHash(candidate));
      return pair[pick] > (pair[1 - pick] as bigint);
    });
    const change = inStorage((tree, world) => {
      tree.nextFreeNode = tree.neighbours(world.slotHash(gap))[pick];
    });
    forge(`${name} neighbour at the next free node`, 'INDEX_OUT_OF_RANGE', change, keep, 'alice', [
      gap,
    ]);
  }
  forge('next free node above 2^40', 'ShapeError', (world) => {
    world.accounts.nextFreeNode = limit + 1n;
  });

  // Ranges, in trees that hold them.
  for (const field of ['nonce', 'codeSize'] as const) {
    forge(`${field} of 2^64`, 'ShapeError', (world) => {
      world.setAccount('alice', { ...world.words('alice'), [field]: digits(2n ** 64n) });
    });
  }
  for (const field of ['prev', 'next'] as const) {
    forge(`${field} of 2^40`, 'ShapeError', (world) => {
      const own = index(world, 'alice');
      world.accounts.rewrite.leaf = (at, opening) => {
        if (at !== own) return opening;
        const width = family === 'mimc' ? 64 : 128;
        const start = field === 'prev' ? 0 : width;
        return opening.slice(0, start) + integer(family, limit) + opening.slice(start + width);
      };
    });
  }

  // Forms that no hash shows: none of these bytes and members is bound by the root.
  // The last account's sibling leaf is empty.
  for (const [name, text] of [
    ['a digest instead of an empty sibling leaf', digits(1n)],
    ['an empty sibling leaf as wide as a leaf opening', '00'.repeat(openingWidth)],
  ] as const) {
    const edit = (result: ReturnType<World['result']>) => {
      member(result, 'accountProof', 'proof', 'proofRelatedNodes')[40] = `0x${text}`;
    };
    forge(name, 'ShapeError', keep, edit, 'erin', []);
  }
  const betweenAccounts = gapWhere((world, name) =>
    world.accounts.neighbours(world.accountHash(name)).every((at) => at > 1n),
  );
  for (const side of ['leftProof', 'rightProof'] as const) {
    const edit = (result: ReturnType<World['result']>) => {
      member(result, 'accountProof', side).value = `0x${digits(0n)}`;
    };
    forge(
      `${side} of an account with a value of 32 bytes`,
      'ShapeError',
      keep,
      edit,
      betweenAccounts,
      [],
    );
  }
  forge('both kinds in one entry, of one only a null', 'ShapeError', keep, (result) => {
    member(result, 'accountProof').leftProof = null;
  });

  // Entries.
  forge('slots withheld', 'SLOT_WITHHELD', keep, (result) => {
    result.storageProofs = [];
  });
  forge('slot answered with null', 'SLOT_WITHHELD', keep, (result) => {
    member(result, 'storageProofs')[1] = null;
  });
  forge('slots reordered', 'KEY_MISMATCH', keep, (result) => {
    result.storageProofs.reverse();
  });
  forge('slot doubled in the place of another', 'KEY_MISMATCH', keep, (result) => {
    member(result, 'storageProofs')[1] = result.storageProofs[0];
  });
  forge('one slot fewer', 'SLOT_COUNT', keep, (result) => {
    result.storageProofs.pop();
  });
  forge('one slot more', 'SLOT_COUNT', keep, (result) => {
    member(result, 'storageProofs').push(result.storageProofs[0]);
  });
  forge(
    'slot answered for an absent account',
    'SLOT_OF_ABSENT_ACCOUNT',
    keep,
    (result, world) => {
      result.storageProofs = [world.slotProof('one')];
    },
    'absent',
    ['one'],
  );
  forge(
    'slot under the empty root of an absent account',
    'SLOT_OF_ABSENT_ACCOUNT',
    keep,
    (result) => {
      result.storageProofs = [new World(family).slotProof('one')];
    },
    'absent',
    ['one'],
  );

  return cases;
}
