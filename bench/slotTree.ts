/** A contract with many slots, and what a server answers for them. Hashed with the library itself, to be fast. */
import { encodeHex } from '../src/bytes.js';
import { encodeLeafOpening, encodeTopNode, type LeafOpening } from '../src/codec/node.js';
import type { TreeSpec } from '../src/codec/spec.js';
import type { HashFamily, Hex } from '../src/index.js';
import type { Case, Leaf, Result } from './cases.js';
import { specOf } from './library.js';

const depth = 40;
const zero = new Uint8Array(32);

interface Entry {
  /** Key as it is asked for, and the value as it is shown. */
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly hKey: Uint8Array;
  readonly hValue: Uint8Array;
}

interface Tree {
  readonly root: Uint8Array;
  prove(entry: number): { key: Hex; leafIndex: number; proof: Leaf };
}

function word(value: number, width = 32): Uint8Array {
  const bytes = new Uint8Array(width);
  new DataView(bytes.buffer).setUint32(width - 4, value);
  return bytes;
}

/** Openings of head, tail and all entries, each linked to its neighbours in the order of the hashed keys. */
function openings(spec: TreeSpec, entries: readonly Entry[]): Uint8Array[] {
  const leaves = [{ hKey: zero, hValue: zero }, { hKey: spec.tailHKey, hValue: zero }, ...entries];
  const order = leaves.map((_, i) => i);
  const hKey = (i: number) => (leaves[i] as LeafOpening).hKey;
  order.sort((a, b) => Buffer.compare(hKey(a), hKey(b)));
  const linked: Uint8Array[] = [];
  for (const [at, i] of order.entries()) {
    // Head and tail name themselves if they have no neighbour.
    const prev = BigInt(order[at - 1] ?? i);
    const next = BigInt(order[at + 1] ?? i);
    linked[i] = encodeLeafOpening(spec, { ...(leaves[i] as Entry), prev, next });
  }
  return linked;
}

/** Builds a tree whose entries lie at the indices from 2 on. */
function buildTree(spec: TreeSpec, entries: readonly Entry[]): Tree {
  const { hash } = spec.hasher;
  const empty: Uint8Array[] = [zero];
  for (let height = 0; height < depth; height++) {
    const below = empty[height] as Uint8Array;
    empty.push(hash(Buffer.concat([below, below])));
  }
  /** By height: preimages, of leaves or of pairs of digests, as far as any leaf lies below them. */
  const preimages = [openings(spec, entries)];
  let digests = (preimages[0] as Uint8Array[]).map((opening) => hash(opening));
  for (let height = 1; height <= depth; height++) {
    const below = empty[height - 1] as Uint8Array;
    const pairs: Uint8Array[] = [];
    for (let i = 0; i < digests.length; i += 2) {
      pairs.push(Buffer.concat([digests[i] as Uint8Array, digests[i + 1] ?? below]));
    }
    preimages.push(pairs);
    digests = pairs.map((node) => hash(node));
  }
  const top = encodeTopNode(spec, {
    nextFreeNode: BigInt(entries.length + 2),
    subTreeRoot: digests[0] as Uint8Array,
  });

  /** The node beside the path to a leaf. */
  function sibling(index: number, height: number): Uint8Array {
    const known = preimages[height]?.[(index >> height) ^ 1];
    if (known) return known;
    if (height === 0) return zero;
    const below = empty[height - 1] as Uint8Array;
    return Buffer.concat([below, below]);
  }

  return {
    root: hash(top),
    prove(entry) {
      const { key, value } = entries[entry] as Entry;
      const leafIndex = entry + 2;
      const nodes = [top];
      // Entries are few enough for the 32-bit shifts of `sibling`, above which all is empty.
      for (let height = depth - 1; height >= 0; height--) {
        nodes.push(height < 31 ? sibling(leafIndex, height) : sibling(0, height));
      }
      nodes.push((preimages[0] as Uint8Array[])[leafIndex] as Uint8Array);
      const proofRelatedNodes = nodes.map((node): Hex => encodeHex(node));
      return {
        key: encodeHex(key),
        leafIndex,
        proof: { value: encodeHex(value), proofRelatedNodes },
      };
    },
  };
}

/** An account with `slots` slots, all of them written; gives the answer for the first `count` of them. */
export function slotWorld(family: HashFamily, slots: number): (count: number) => Case {
  const spec = specOf(family);
  const { hash } = spec.hasher;
  const storage = buildTree(
    spec,
    Array.from({ length: slots }, (_, i) => {
      const [key, value] = [word(i), word(i + 1)];
      const [hKey, hValue] = [hash(spec.wordBlocks(key)), hash(spec.wordBlocks(value))];
      return { key, value, hKey, hValue };
    }),
  );
  const address = word(0xc0de, 20);
  const value = Buffer.concat([word(1), word(0), storage.root, zero, zero, word(7)]);
  const accounts = buildTree(spec, [
    {
      key: address,
      value,
      hKey: hash(spec.addressBlocks(address)),
      hValue: hash(spec.accountBlocks(value)),
    },
  ]);
  // Through JSON, as off the wire: text that was put together piece by piece is slower to read.
  const { accountProof, storageProofs } = JSON.parse(
    JSON.stringify({
      accountProof: accounts.prove(0),
      storageProofs: Array.from({ length: slots }, (_, i) => storage.prove(i)),
    }),
  ) as { accountProof: Result['accountProof']; storageProofs: { key: Hex }[] };
  return (count) => ({
    file: `tree of ${slots} slots`,
    result: { accountProof, storageProofs: storageProofs.slice(0, count) },
    claim: {
      stateRoot: encodeHex(accounts.root),
      address: encodeHex(address),
      storageKeys: storageProofs.slice(0, count).map(({ key }) => key),
      hash: family,
    },
  });
}
