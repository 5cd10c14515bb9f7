/** What an explanation shows: figures from elsewhere, the place of a fault, and hostile answers. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compactProof } from '../../../src/compact/index.js';
import {
  type Explanation,
  explainProof,
  type PathExplanation,
} from '../../../src/explain/index.js';
import { type HashFamily, type Hex, hashKey } from '../../../src/index.js';
import { toHex } from '../../support/hex.js';
import { digits, digitsOf, hash } from '../../support/reference.js';
import { absent, families, honest, saved, type Wire } from '../../support/runs.js';

const zeroLeaf = `0x${digits(0n)}`;

/** Digests of empty sub-trees by height, by the second implementation. */
function emptyDigests(family: HashFamily): string[] {
  const found = [zeroLeaf];
  while (found.length < 40) {
    found.push(`0x${hash(family, digitsOf(found.at(-1) as string).repeat(2))}`);
  }
  return found;
}

/** Holds a path beside the nodes of the answer, hashed by the second implementation. */
function checkPath(family: HashFamily, shown: PathExplanation, wire: Wire, index: number): void {
  const nodes = (wire.proofRelatedNodes as string[]).map((node) => digitsOf(node));
  const empty = emptyDigests(family);
  expect(shown.leafIndex).toBe(String(index));
  let node = hash(family, nodes[41] as string);
  expect(shown.levels).toHaveLength(40);
  for (const [level, at] of shown.levels.entries()) {
    const preimage = nodes[40 - level] as string;
    const sibling = preimage.length === 64 ? preimage : hash(family, preimage);
    const isRight = Math.floor(index / 2 ** level) % 2 === 1;
    expect(at).toEqual({
      level,
      node: `0x${node}`,
      sibling: `0x${sibling}`,
      siblingSide: isRight ? 'left' : 'right',
      siblingIsEmpty: `0x${sibling}` === empty[level],
    });
    node = hash(family, isRight ? sibling + node : node + sibling);
  }
  expect(shown.subTreeRoot).toBe(`0x${node}`);
  expect(shown.top?.root).toBe(`0x${hash(family, nodes[0] as string)}`);
  expect(shown.top?.subTreeRoot).toBe(`0x${(nodes[0] as string).slice(-64)}`);
  expect(shown.leaf?.hKey).toBe(`0x${(nodes[41] as string).slice(-128, -64)}`);
  expect(shown.leaf?.hValue).toBe(`0x${(nodes[41] as string).slice(-64)}`);
}

test.each(families)('each level is what the nodes of the answer hash to: %s', (family) => {
  const { result, claim } = honest(family);
  const explanation = explainProof(result, claim);
  expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation);
  const { proofs } = explanation;
  expect(proofs.map(({ shows }) => shows)).toEqual(['present', 'present', 'absent', 'present']);
  const [account, slot, gap] = proofs as [Wire, Wire, Wire];
  const { accountProof, storageProofs } = result;
  checkPath(family, account.own, accountProof.proof, accountProof.leafIndex);
  checkPath(family, slot.own, storageProofs[0].proof, storageProofs[0].leafIndex);
  const [, between] = storageProofs;
  checkPath(family, gap.left, between.leftProof, between.leftLeafIndex);
  checkPath(family, gap.right, between.rightProof, between.rightLeafIndex);
  expect(gap.left.leaf.next).toBe(gap.right.leafIndex);
  expect(gap.right.leaf.prev).toBe(gap.left.leafIndex);
  const hKey = hashKey(claim.storageKeys?.[1] as Hex, { hash: family });
  expect(gap.hKey).toBe(hKey);
  expect([gap.right.leaf.hKey, hKey, gap.left.leaf.hKey].sort()).toEqual([
    gap.left.leaf.hKey,
    hKey,
    gap.right.leaf.hKey,
  ]);
  expect(account.account.storageRoot).toBe(slot.root);
  expect(slot.value).toBe(storageProofs[0].proof.value);
});

test.each(families)('of figures that others have published: %s', (family) => {
  const { result, claim } = saved('vectors', `getproof-${family}-synthetic-slots.json`);
  const { expect: known } = JSON.parse(
    readFileSync(`vectors/getproof-${family}-synthetic-slots.json`, 'utf8'),
  );
  const [account, ...slots] = explainProof(result, claim).proofs;
  const entries = [known.account, ...known.storage];
  for (const [i, shown] of [account, ...slots].entries()) {
    const entry = entries[i];
    expect(shown?.hKey).toBe(entry.hKey);
    expect(shown?.shows).toBe(entry.status);
    const { own = null, left, right } = shown as Wire;
    if (own) {
      expect(shown?.hValue).toBe(entry.hVal);
      expect([own.leafIndex, own.top.nextFreeNode].map(Number)).toEqual([
        entry.leafIndex,
        entry.nextFreeNode,
      ]);
    } else {
      expect([left.leafIndex, right.leafIndex].map(Number)).toEqual([
        entry.leftLeafIndex,
        entry.rightLeafIndex,
      ]);
    }
  }
  expect(account?.account).toMatchObject({ nonce: known.account.nonce });
});

test.each(families)(
  'a compact proof shows the same paths as the answer it was made of: %s',
  (family) => {
    for (const { result, claim } of [
      honest(family),
      absent(family),
      saved('vectors', `getproof-${family}-synthetic-slots.json`),
    ]) {
      const bytes = compactProof(result, claim);
      const compact = explainProof(bytes, claim);
      const full = explainProof(result, claim);
      expect([compact.form, full.form]).toEqual(['compact', 'result']);
      expect(compact.verdict).toEqual(full.verdict);
      for (const [i, shown] of full.proofs.entries()) {
        const other = compact.proofs[i] as Wire;
        for (const name of ['own', 'left', 'right'] as const) {
          const { at: _, ...path } = shown[name] ?? { at: '' };
          expect(other[name] ?? {}).toMatchObject(path);
        }
        const { hKey, value, hValue, account, root, shows } = shown;
        expect(other).toMatchObject({ hKey, value, hValue, account, root, shows });
      }
      expect(explainProof(toHex(bytes), claim)).toEqual(compact);
      expect(explainProof({ jsonrpc: '2.0', id: 1, result: toHex(bytes) }, claim)).toEqual(compact);
      expect(explainProof({ jsonrpc: '2.0', id: 1, result }, claim)).toEqual(full);
    }
  },
);

describe('slots for which nothing was answered', () => {
  test.each(families)('of an absent account, and of pristine storage: %s', (family) => {
    for (const name of ['null-absent', 'null-no-storage']) {
      const { result, claim } = saved('vectors', `getproof-${family}-synthetic-${name}.json`);
      for (const answer of [result, compactProof(result, claim)]) {
        const { proofs, agrees, verdict } = explainProof(answer, claim);
        expect([agrees, verdict.verified]).toEqual([true, true]);
        expect(new Set(proofs.slice(1).map(({ shows }) => shows))).toEqual(new Set(['empty']));
      }
    }
  });
});

const { result, claim } = honest('poseidon2');

/** Another last digit: canonical as the one before. */
const flipped = (text: string) => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
/** Another digit of hex, at a byte from its end. */
const flippedAt = (text: string, byteFromEnd: number) => {
  const at = text.length - 2 * byteFromEnd - 1;
  return text.slice(0, at) + (text[at] === '0' ? '1' : '0') + text.slice(at + 1);
};

function edited(edit: (result: Wire) => void): Explanation {
  const copy = structuredClone(result);
  edit(copy);
  return explainProof(copy, claim);
}

/** The law at which the verifier stopped. */
function brokenOf({ laws, agrees }: Explanation) {
  expect(agrees).toBe(true);
  const reached = laws.filter((law) => law.reached);
  for (const law of reached.slice(0, -1)) expect(law.holds).toBe(true);
  const { id, place, holds, at } = reached.at(-1) as Wire;
  expect(holds).toBe(false);
  return { id, at, ...place };
}

/** Of the Poseidon2 leaf opening, from its end: hValue 32, hKey 32, next 64, prev 64 bytes. */
const last = { hValue: 0, hKey: 32, next: 64, prev: 128 };
const accountNodes = 'accountProof.proof.proofRelatedNodes';

test.each<[what: string, edit: (result: Wire) => void, law: object]>([
  [
    'the leaf index',
    ({ accountProof }) => {
      accountProof.leafIndex ^= 1;
    },
    {
      id: 'SUB_TREE_ROOT',
      proof: 0,
      path: 'own',
      level: 40,
      field: 'subTreeRoot',
      at: accountNodes,
    },
  ],
  [
    'a leaf index beyond the next free node',
    ({ accountProof }) => {
      accountProof.leafIndex = 2 ** 39;
    },
    { id: 'INDEX', proof: 0, path: 'own', level: 0, field: 'leafIndex', at: accountNodes },
  ],
  [
    'the value',
    ({ storageProofs }) => {
      storageProofs[2].proof.value = flipped(storageProofs[2].proof.value);
    },
    { id: 'HVALUE', proof: 3, path: 'own', level: 0, field: 'hValue' },
  ],
  [
    'the balance',
    ({ accountProof }) => {
      accountProof.proof.value = flippedAt(accountProof.proof.value, 128);
    },
    { id: 'HVALUE', proof: 0, path: 'own', level: 0, field: 'hValue' },
  ],
  [
    'the key',
    ({ storageProofs }) => {
      storageProofs[1].key = flipped(storageProofs[1].key);
    },
    { id: 'KEY', proof: 2, path: null, level: null, field: 'key', at: 'storageProofs[1].key' },
  ],
  [
    'the order of entries',
    ({ storageProofs }) => storageProofs.reverse(),
    { id: 'KEY', proof: 1, field: 'key' },
  ],
  [
    'one entry less',
    ({ storageProofs }) => storageProofs.pop(),
    { id: 'SLOT_COUNT', proof: null, at: 'storageProofs' },
  ],
  [
    'an entry that is withheld',
    ({ storageProofs }) => {
      storageProofs[0] = null;
    },
    { id: 'PRISTINE', proof: 1, field: 'root', at: 'storageProofs[0]' },
  ],
  [
    "the leaf's hKey",
    ({ accountProof: { proof } }) => {
      proof.proofRelatedNodes[41] = flippedAt(proof.proofRelatedNodes[41], last.hKey);
    },
    { id: 'HKEY', proof: 0, path: 'own', level: 0, field: 'hKey', at: `${accountNodes}[41]` },
  ],
  [
    "the leaf's hValue",
    ({ accountProof: { proof } }) => {
      proof.proofRelatedNodes[41] = flippedAt(proof.proofRelatedNodes[41], last.hValue);
    },
    { id: 'HVALUE', proof: 0, path: 'own', level: 0, field: 'hValue' },
  ],
  [
    'a link of a leaf of its own',
    ({ accountProof: { proof } }) => {
      proof.proofRelatedNodes[41] = flippedAt(proof.proofRelatedNodes[41], last.prev);
    },
    { id: 'SUB_TREE_ROOT', proof: 0, path: 'own', level: 40 },
  ],
  [
    'the link to the right neighbour',
    ({ storageProofs: [, { leftProof }] }) => {
      leftProof.proofRelatedNodes[41] = flippedAt(leftProof.proofRelatedNodes[41], last.next);
    },
    { id: 'LEFT_NEXT', proof: 2, path: 'left', level: 0, field: 'next' },
  ],
  [
    'the link to the left neighbour',
    ({ storageProofs: [, { rightProof }] }) => {
      rightProof.proofRelatedNodes[41] = flippedAt(rightProof.proofRelatedNodes[41], last.prev);
    },
    { id: 'RIGHT_PREV', proof: 2, path: 'right', level: 0, field: 'prev' },
  ],
  [
    'the index of the left neighbour',
    ({ storageProofs: [, slot] }) => {
      slot.leftLeafIndex++;
    },
    { id: 'RIGHT_PREV', proof: 2, path: 'right', field: 'prev' },
  ],
  [
    'left and right',
    ({ storageProofs: [, slot] }) => {
      const { leftProof, leftLeafIndex, rightProof, rightLeafIndex } = slot;
      Object.assign(slot, { leftProof: rightProof, rightProof: leftProof });
      Object.assign(slot, { leftLeafIndex: rightLeafIndex, rightLeafIndex: leftLeafIndex });
    },
    { id: 'LEFT_BELOW', proof: 2, path: 'left', level: 0, field: 'hKey' },
  ],
  [
    "the right neighbour's hKey",
    ({ storageProofs: [, { leftProof, rightProof }] }) => {
      const [left, right] = [leftProof.proofRelatedNodes, rightProof.proofRelatedNodes];
      right[41] = right[41].slice(0, -128) + left[41].slice(-128);
    },
    { id: 'RIGHT_ABOVE', proof: 2, path: 'right', level: 0, field: 'hKey' },
  ],
  [
    'the next free node',
    ({ accountProof: { proof } }) => {
      proof.proofRelatedNodes[0] = flippedAt(proof.proofRelatedNodes[0], 33);
    },
    { id: 'ROOT', proof: 0, path: 'own', level: null, field: 'root', at: `${accountNodes}[0]` },
  ],
  [
    'the sub-tree root',
    ({ storageProofs: [, { rightProof }] }) => {
      rightProof.proofRelatedNodes[0] = flipped(rightProof.proofRelatedNodes[0]);
    },
    { id: 'ROOT', proof: 2, path: 'right', field: 'root' },
  ],
])('a change of %s breaks its law, in its place', (_, edit, law) => {
  expect(brokenOf(edited(edit))).toMatchObject(law);
});

test.each(Array.from({ length: 40 }, (_, i) => i + 1))(
  'a change of node %i is seen from its level on',
  (node) => {
    const before = explainProof(result, claim).proofs[1]?.own?.levels as Wire[];
    const explanation = edited(({ storageProofs: [{ proof }] }) => {
      const text = proof.proofRelatedNodes[node];
      proof.proofRelatedNodes[node] = node === 40 && text.length === 66 ? text : flipped(text);
    });
    const isSame = explanation.verdict.verified;
    expect(isSame).toBe(
      node === 40 && (result.storageProofs[0].proof.proofRelatedNodes[40] as string).length === 66,
    );
    if (isSame) return;
    expect(brokenOf(explanation)).toMatchObject({
      id: 'SUB_TREE_ROOT',
      proof: 1,
      path: 'own',
      level: 40,
    });
    const after = explanation.proofs[1]?.own?.levels as Wire[];
    const level = 40 - node;
    expect(after.slice(0, level)).toEqual(before.slice(0, level));
    expect(after[level].node).toBe(before[level].node);
    expect(after[level].sibling).not.toBe(before[level].sibling);
    for (let i = level + 1; i < 40; i++) expect(after[i].node).not.toBe(before[i].node);
  },
);

/** A first element of the modulus, which is zero written another way. */
const alias = (text: string) => `0x7f000001${text.slice(10)}`;

test.each<[what: string, edit: (result: Wire) => void, place: object]>([
  [
    'an alias in a node',
    ({ accountProof: { proof } }) => {
      proof.proofRelatedNodes[7] = alias(proof.proofRelatedNodes[7]);
    },
    { proof: 0, path: 'own', level: 33, field: null, at: `${accountNodes}[7]` },
  ],
  [
    'an alias in the top node',
    ({ storageProofs: [, { leftProof }] }) => {
      leftProof.proofRelatedNodes[0] = alias(leftProof.proofRelatedNodes[0]);
    },
    { proof: 2, path: 'left', level: null, field: 'root' },
  ],
  [
    'a digit that is none',
    ({ storageProofs: [{ proof }] }) => {
      proof.proofRelatedNodes[41] = `${proof.proofRelatedNodes[41].slice(0, -1)}x`;
    },
    { proof: 1, path: 'own', level: 0, field: null },
  ],
  [
    '41 nodes',
    ({ storageProofs: [, { rightProof }] }) => rightProof.proofRelatedNodes.pop(),
    { proof: 2, path: 'right', level: null },
  ],
  [
    'an index as text',
    ({ storageProofs: [slot] }) => {
      slot.leafIndex = '0x5';
    },
    { proof: 1, path: 'own', level: 0, field: 'leafIndex' },
  ],
  [
    'a link beyond the tree',
    ({ storageProofs: [slot] }) => {
      const text = slot.proof.proofRelatedNodes[41];
      slot.proof.proofRelatedNodes[41] = flippedAt(text, last.next + 20);
    },
    { proof: 1, path: 'own', level: 0, field: 'next' },
  ],
  [
    'a nonce beyond 64 bits',
    ({ accountProof: { proof } }) => {
      proof.value = flippedAt(proof.value, 5 * 32 + 9);
    },
    { proof: 0, path: 'own', level: null, field: 'value.nonce' },
  ],
  [
    'a slot that is no object',
    ({ storageProofs }) => {
      storageProofs[2] = 7;
    },
    { proof: 3, path: null, level: null, field: null },
  ],
  [
    'both kinds',
    ({ storageProofs }) => Object.assign(storageProofs[0], { leftLeafIndex: 1 }),
    { proof: 1, path: null },
  ],
])('%s is no proof, and its place is named; the rest is shown', (_, edit, place) => {
  const explanation = edited(edit);
  expect(explanation.verdict).toMatchObject({ verified: false, code: null });
  const broken = brokenOf(explanation);
  expect(broken).toMatchObject({ id: 'FORM', ...place });
  const whole = explainProof(result, claim);
  for (const [i, shown] of whole.proofs.entries()) {
    if (i !== broken.proof) expect(explanation.proofs[i]?.own).toEqual(shown.own);
  }
});

test('what lies below a node that cannot be read is shown, and nothing above it', () => {
  const { proofs } = edited(({ accountProof: { proof } }) => {
    proof.proofRelatedNodes[30] = '0x';
  });
  const levels = proofs[0]?.own?.levels as Wire[];
  const known = explainProof(result, claim).proofs[0]?.own?.levels as Wire[];
  expect(levels.slice(0, 10)).toEqual(known.slice(0, 10));
  expect(levels[10]).toEqual({ ...known[10], sibling: null, siblingIsEmpty: false });
  for (const level of levels.slice(11)) expect(level.node).toBeNull();
  expect(proofs[0]?.own).toMatchObject({ subTreeRoot: null });
  expect(proofs[0]?.own?.top?.root).toBe(claim.stateRoot);
});

test('an answer of the other family names both', () => {
  const other = honest('mimc');
  const { laws, verdict, agrees } = explainProof(other.result, {
    ...claim,
    storageKeys: other.claim.storageKeys ?? [],
  });
  expect([agrees, verdict]).toMatchObject([true, { code: 'WRONG_FAMILY' }]);
  expect(laws.find(({ holds }) => !holds)).toMatchObject({
    id: 'FAMILY',
    left: 'mimc',
    right: 'poseidon2',
  });
});

test('another root breaks the top node of the account', () => {
  const stateRoot = `0x${'01'.repeat(32)}` as const;
  const explanation = explainProof(result, { ...claim, stateRoot });
  expect(brokenOf(explanation)).toMatchObject({ id: 'ROOT', proof: 0, field: 'root' });
  const law = explanation.laws.find(({ holds }) => !holds);
  expect([law?.left, law?.right]).toEqual([claim.stateRoot, stateRoot]);
});

test("a wrong claim is the caller's mistake, whatever the answer", () => {
  for (const answer of [result, undefined, new Uint8Array(9)]) {
    expect(() => explainProof(answer, { ...claim, address: '0x12' })).toThrow(RangeError);
    expect(() => explainProof(answer, { ...claim, rot: 1 } as never)).toThrow(TypeError);
  }
});

describe('a hostile answer is malformed, and explained', () => {
  let deep: unknown = [];
  for (let i = 0; i < 100_000; i++) deep = [deep];
  const cyclic: Wire = {};
  Object.assign(cyclic, { accountProof: cyclic, storageProofs: [cyclic], result: cyclic });
  const throwing = {
    get() {
      throw new Error('its own');
    },
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const megabyte = 'f'.repeat(2 ** 20);
  const garbled = structuredClone(result);
  garbled.accountProof.proof.proofRelatedNodes.fill(`0x${megabyte}`);
  const polluting = JSON.parse(`{"__proto__": ${JSON.stringify(result)}}`);
  const manySlots = { ...result, storageProofs: { length: 1e9 } };
  const cases: [string, unknown][] = [
    ...([undefined, null, 7, 7n, '', '0x', 'garbage', megabyte, `0x01${megabyte}`] as const).map(
      (answer): [string, unknown] => [`${typeof answer} ${String(answer).slice(0, 9)}`, answer],
    ),
    ['a symbol', Symbol('answer')],
    ['deep', deep],
    ['deep inside', { accountProof: deep, storageProofs: [deep, deep, deep] }],
    ['cyclic', cyclic],
    ['a megabyte for each node', garbled],
    ['an array of a billion holes', { ...result, storageProofs: new Array(2 ** 31) }],
    ['an object of a length', manySlots],
    ['a getter', Object.defineProperty({ ...result }, 'accountProof', throwing)],
    ['a Proxy that throws', new Proxy({}, { getOwnPropertyDescriptor: throwing.get })],
    ['a revoked Proxy', revoked.proxy],
    ['__proto__', polluting],
    ['an inherited result', Object.create(result)],
    ['an error of the server', { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'no' } }],
    ['no bytes', new Uint8Array(0)],
    ['bytes', new Uint8Array(2 ** 20).fill(1)],
  ];
  test.each(cases)('%s', (_, answer) => {
    const explanation = explainProof(answer, claim);
    expect(explanation.verdict.verified).toBe(false);
    expect(explanation.agrees).toBe(true);
    expect(explanation.proofs).toHaveLength(4);
    expect(JSON.stringify(explanation).length).toBeLessThan(200_000);
    expect(({} as Wire).accountProof).toBeUndefined();
  });
});

test('of an answer that changes while it is read, the verdict of the verifier counts', () => {
  let reads = 0;
  const lie = structuredClone(result);
  lie.storageProofs[0].proof.value = flipped(lie.storageProofs[0].proof.value);
  // `unwrap` reads one member, and the verifier two.
  const answer = new Proxy(result, {
    getOwnPropertyDescriptor: (target, key) =>
      Object.getOwnPropertyDescriptor(reads++ < 3 ? target : lie, key),
  });
  const explanation = explainProof(answer, claim);
  expect(explanation.verdict.verified).toBe(true);
  expect(explanation.agrees).toBe(false);
  expect(explanation.laws.find(({ holds }) => !holds)).toMatchObject({ id: 'HVALUE' });
});
