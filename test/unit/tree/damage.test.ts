/** Stores that lost an entry or hold a wrong one: each damage is told by what it is, and nothing is answered from it. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { specOf } from '../../../src/codec/spec.js';
import type { Hex } from '../../../src/index.js';
import {
  type AccountChange,
  createAccumulator,
  type Entry,
  memoryStore,
  openStateTree,
  type StateTree,
} from '../../../src/tree/index.js';
import { oldIn } from '../../../src/tree/layout/diffTable.js';
import {
  encodeNumber,
  finalKey,
  leafKey,
  orderKey,
  topNodeKey,
} from '../../../src/tree/layout/layout.js';
import { createEmptyTree } from '../../../src/tree/nodes/emptyTree.js';
import { grownPack, nodeIn, packLength } from '../../../src/tree/nodes/packs.js';
import { MemoryTree } from '../../../src/tree/prove/memoryTree.js';
import { type WireProof, wireLeafProof } from '../../../src/tree/prove/wireProof.js';
import { digits } from '../../support/reference.js';
import { entriesOf } from '../../support/stores.js';

const word = (value: bigint): Hex => `0x${digits(value)}`;
const address = (value: bigint): Hex => `0x${digits(value, 20)}`;
const slot = { key: word(1n), value: word(5n) };
const plain = (value: bigint): AccountChange => ({
  address: address(value),
  account: { nonce: value, balance: 2n * value },
});

/** A state of four blocks, the first of which is final; the account of index 2 has a storage tree. */
async function entriesOfState(): Promise<readonly Entry[]> {
  const store = memoryStore();
  const tree = await openStateTree({ store });
  await tree.applyBlock({ number: 1, changes: [{ ...plain(1n), storage: [slot] }] });
  await tree.finalize(1);
  for (const number of [2, 3, 4]) {
    const changes = [plain(BigInt(number)), { ...plain(1n), storage: [slot] }];
    await tree.applyBlock({ number, changes });
  }
  return entriesOf(store);
}

const entries = await entriesOfState();
const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** A tree on the same store, but for the entries whose keys begin so. @param harm undefined: they are lost */
async function harmed(
  beginning: Uint8Array,
  harm?: (value: Uint8Array) => Uint8Array,
): Promise<StateTree> {
  const isHarmed = ({ key }: Entry) => isSame(key.subarray(0, beginning.length), beginning);
  expect(entries.some(isHarmed)).toBe(true);
  const puts = entries.flatMap((entry) => {
    if (!isHarmed(entry)) return [entry];
    return harm ? [{ key: entry.key, value: harm(entry.value) }] : [];
  });
  const store = memoryStore();
  await store.write({ puts, deletes: [] });
  return openStateTree({ store, keepFinal: 2 });
}

const damage = (message: RegExp) =>
  expect.objectContaining({ code: 'DAMAGED', message: expect.stringMatching(message) });
const shorter = (value: Uint8Array) => value.subarray(0, -1);
const diffs = (block: number) => Uint8Array.of(0x53, ...encodeNumber(block));
const allOf = (kind: string) => Uint8Array.of(kind.charCodeAt(0));

const ask = (tree: StateTree) => tree.getProof(address(1n), [slot.key]);
const read = (tree: StateTree) => tree.read(address(1n), [slot.key]);
const change = (tree: StateTree) => tree.applyBlock({ number: 5, changes: [plain(1n)] });

describe('an entry of the state', () => {
  test('that is whole is answered', async () => {
    const tree = await harmed(allOf('L'), (value) => value);
    expect((await ask(tree)).storageProofs).toHaveLength(1);
    expect((await read(tree)).storage).toMatchObject([{ value: slot.value }]);
    expect((await tree.read(address(99n))).account).toBe(null);
    await change(tree);
  });

  test('that is lost: a leaf', async () => {
    const lost = damage(/^the store has lost leaf 2 /);
    // In the account tree, and in the storage tree, whose number is the account's index.
    for (const tree of [0, 2]) {
      await expect(ask(await harmed(leafKey(tree, 2)))).rejects.toEqual(lost);
      await expect(read(await harmed(leafKey(tree, 2)))).rejects.toEqual(lost);
    }
    await expect(change(await harmed(leafKey(0, 2)))).rejects.toEqual(lost);
  });

  test('that is lost: a neighbour of a leaf that comes', async () => {
    const tree = await harmed(leafKey(0, 2));
    const all = Array.from({ length: 40 }, (_, i) => plain(BigInt(i + 100)));
    await expect(tree.applyBlock({ number: 5, changes: all })).rejects.toEqual(
      damage(/^the list points at leaf 2, which is not there/),
    );
  });

  test('that is lost: a pack of nodes', async () => {
    await expect(ask(await harmed(allOf('P')))).rejects.toEqual(
      damage(/^the store has lost a node at height \d/),
    );
  });

  test('of another width than any version wrote', async () => {
    for (const call of [ask, read, change]) {
      await expect(call(await harmed(leafKey(0, 2), shorter))).rejects.toEqual(
        damage(/^the store holds a leaf of 267 bytes/),
      );
      await expect(call(await harmed(orderKey(0, new Uint8Array(0)), shorter))).rejects.toEqual(
        damage(/^the store holds a number of 5 bytes/),
      );
    }
    await expect(ask(await harmed(topNodeKey(0), shorter))).rejects.toEqual(
      damage(/^the store holds a top node of 37 bytes/),
    );
  });

  test('of a tree with more leaves than there are indices', async () => {
    const tree = await harmed(topNodeKey(0), (value) => {
      const more = value.slice();
      more.set(encodeNumber(2 ** 40 + 1), 6);
      return more;
    });
    await expect(ask(tree)).rejects.toEqual(
      damage(/^the store holds a next free node of 1099511627777/),
    );
  });

  test('whose value is another, of a slot of an account that was verified before', async () => {
    const tree = await harmed(leafKey(2, 2), (value) =>
      value.map((byte, i) => (i === value.length - 1 ? byte ^ 1 : byte)),
    );
    expect((await tree.getProof(address(1n))).storageProofs).toEqual([]);
    await expect(ask(tree)).rejects.toEqual(damage(/what the store holds does not verify/));
  });
});

describe('a key that was verified, and whose place is lost since', () => {
  test.each([
    ['an account', undefined],
    ['a slot', 2],
  ] as const)('%s', async (_, storage) => {
    const all = [1n, 2n, 3n, 4n, 5n, 6n];
    const inTree = storage ?? 0;
    const store = memoryStore();
    const tree = await openStateTree({ store });
    const slots = all.map((key) => ({ key: word(key), value: word(7n) }));
    const changes = all.map((i) => ({ ...plain(i), storage: i === 1n ? slots : [] }));
    await tree.applyBlock({ number: 1, changes });
    const askFor = (key: bigint) =>
      storage ? tree.getProof(address(1n), [word(key)]) : tree.getProof(address(key));
    const asked = [...all, 100n, 101n, 102n];
    const proven = await Promise.all(asked.map(askFor));

    const beginning = orderKey(inTree, new Uint8Array(0));
    const order = (await entriesOf(store)).filter(({ key }) =>
      isSame(key.subarray(0, beginning.length), beginning),
    );
    expect(order).toHaveLength(all.length);
    await store.write({ puts: [], deletes: order.map(({ key }) => key) });
    for (const key of asked) {
      await expect(askFor(key)).rejects.toEqual(damage(/what the store holds does not verify/));
    }
    await store.write({ puts: order, deletes: [] });
    expect(await Promise.all(asked.map(askFor))).toEqual(proven);
  });
});

describe('what an account says of its slots', () => {
  const unproven = damage(/what the store holds does not verify/);

  test('is held against a storage tree that is lost', async () => {
    const tree = await harmed(topNodeKey(2));
    await expect(ask(tree)).rejects.toEqual(unproven);
    for (const others of [[2n], [2n, 1n], [1n, 2n, 3n]]) {
      await expect(tree.getProof(address(1n), others.map(word))).rejects.toEqual(unproven);
    }
    // Without slots, nothing of that tree is shown.
    expect(await tree.getProof(address(1n))).toMatchObject({ storageProofs: [] });
  });

  test('is held against a storage tree that is lost after a slot was verified', async () => {
    const store = memoryStore();
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [{ ...plain(1n), storage: [slot] }] });
    // Those that were shown, and one that was not.
    const asked = [[1n], [2n], [1n, 2n], [2n, 1n], [1n, 3n], [3n]].map((keys) => keys.map(word));
    for (const keys of asked.slice(0, 2)) await tree.getProof(address(1n), keys, 1);
    const { values } = await store.read({ keys: [topNodeKey(2)], ranges: [] });
    await store.write({ puts: [], deletes: [topNodeKey(2)] });
    for (const keys of asked) {
      await expect(tree.getProof(address(1n), keys, 1)).rejects.toEqual(unproven);
    }
    // Nothing of what was refused is kept.
    await store.write({
      puts: [{ key: topNodeKey(2), value: values[0] as Uint8Array }],
      deletes: [],
    });
    for (const keys of asked) {
      const answer = await tree.getProof(address(1n), keys, 1);
      expect(answer.storageProofs).toHaveLength(keys.length);
    }
  });

  test('is proven by itself if the storage is pristine, however many slots are asked for', async () => {
    const tree = await harmed(topNodeKey(2));
    for (const asked of [[1n], [1n, 2n], [3n, 2n, 1n]]) {
      const answer = await tree.getProof(address(2n), asked.map(word));
      expect(answer).toMatchObject({ accountProof: { leafIndex: 3 }, storageProofs: [] });
    }
  });
});

describe('an entry of the history', () => {
  test('that is lost: a diff that is taken back, or merged', async () => {
    const lost = damage(/^the store has lost what a block overwrote/);
    await expect((await harmed(diffs(3))).revert(2)).rejects.toEqual(lost);
    await expect((await harmed(diffs(3))).finalize(4)).rejects.toEqual(lost);
  });

  test('that is lost: a final block that another one counts', async () => {
    const tree = await harmed(finalKey(1), () => encodeNumber(5));
    await expect(tree.finalize(2)).rejects.toEqual(damage(/^the store holds fewer final blocks/));
  });

  test('that is lost or short: a chunk of old values', () => {
    const lost = damage(/^the store has lost what a block overwrote/);
    const chunk = Uint8Array.of(1, 2, 3);
    expect(oldIn(chunk, { chunk: 0, offset: 1, length: 2 })).toEqual(Uint8Array.of(2, 3));
    expect(() => oldIn(chunk, { chunk: 0, offset: 2, length: 2 })).toThrow(lost);
    expect(() => oldIn(undefined, { chunk: 0, offset: 0, length: 1 })).toThrow(lost);
  });
});

describe('parts of a tree', () => {
  const empty = createEmptyTree(specOf('poseidon2'));

  test('a pack with more nodes than its tree has leaves for', () => {
    const options = { level: 0, lowest: 2, roots: empty.roots };
    expect(grownPack(new Uint8Array(packLength(1)), options)).toHaveLength(packLength(2));
    expect(() => grownPack(new Uint8Array(packLength(3)), options)).toThrow(
      damage(/^the store holds a pack with too many nodes/),
    );
  });

  test('a node that a pack has no room for is not used', () => {
    const pack = new Uint8Array(packLength(1));
    expect(nodeIn(pack, { height: 1, index: 0 })).toHaveLength(64);
    expect(nodeIn(pack, { height: 1, index: 1 })).toBeUndefined();
  });

  test('a path of no leaf', () => {
    const source = {
      topNode: empty.topNode,
      leaf: () => undefined,
      node: () => {
        throw new Error('no node is needed');
      },
    };
    expect(() => wireLeafProof(empty, source, 7)).toThrow(damage(/^the store has lost leaf 7 /));
  });

  afterEach(() => vi.restoreAllMocks());

  /** Spoils what a tree in memory puts together from here on. */
  function spoilProofs(spoil: (proof: WireProof) => void): void {
    const { prove } = MemoryTree.prototype;
    vi.spyOn(MemoryTree.prototype, 'prove').mockImplementation(function (this: MemoryTree, ...key) {
      const proof = prove.apply(this, key);
      spoil(proof);
      return proof;
    });
  }

  test('a proof of a tree in memory that does not hold is not given', () => {
    const tree = createAccumulator();
    tree.insert(word(7n), word(1n));
    spoilProofs((proof) => {
      const { proofRelatedNodes: nodes } = 'proof' in proof ? proof.proof : proof.leftProof;
      // The next free node is another.
      nodes[0] = (nodes[0] as Hex).replace('3', '4') as Hex;
    });
    for (const key of [7n, 8n]) {
      expect(() => tree.prove(word(key))).toThrow(/\(ROOT_MISMATCH\)/);
    }
  });
});
