/**
 * The Merkle-Patricia root of a whole trie with hashed keys, from its entries alone. The keys are sorted, so every node is
 * encoded once and none is kept: 36 bytes an entry, and the nodes on one path.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { compareBytes } from '../bytes.js';
import { emptyTrieRoot, encodeList, encodeString } from './encode.js';

const hashWidth = 32;

const nothing = encodeString(new Uint8Array(0));

/** Entries under one node from which on the event loop gets a turn between its children. */
const turnEvery = 256;

export interface TrieEntries {
  readonly count: number;
  /** Before its hash. Keys differ. */
  key(index: number): Uint8Array;
  /** As it stands in the trie; asked for once. */
  value(index: number): Uint8Array;
}

/** The trie's keys as nibbles, in ascending order. */
interface SortedKeys {
  readonly order: Uint32Array;
  nibble(at: number, depth: number): number;
}

async function sortKeys({ count, key }: TrieEntries, turn: () => Promise<void>) {
  const hashes = new Uint8Array(hashWidth * count);
  for (let i = 0; i < count; i++) {
    if (i % turnEvery === turnEvery - 1) await turn();
    hashes.set(keccak_256(key(i)), hashWidth * i);
  }
  const hash = (i: number) => hashes.subarray(hashWidth * i, hashWidth * (i + 1));
  const firstByte = (i: number) => hashes[hashWidth * i] as number;
  // By the first byte at once, so that what has to be sorted is short.
  const ends = new Uint32Array(256);
  for (let i = 0; i < count; i++) (ends[firstByte(i)] as number)++;
  for (let byte = 1; byte < 256; byte++) (ends[byte] as number) += ends[byte - 1] as number;
  const order = new Uint32Array(count);
  const begins = ends.slice();
  for (let i = 0; i < count; i++) order[--(begins[firstByte(i)] as number)] = i;
  for (const [byte, begin] of begins.entries()) {
    if (count > turnEvery) await turn();
    order.subarray(begin, ends[byte]).sort((a, b) => compareBytes(hash(a), hash(b)));
  }
  const sorted: SortedKeys = {
    order,
    nibble(at, depth) {
      const byte = hashes[hashWidth * (order[at] as number) + (depth >> 1)] as number;
      return depth % 2 === 0 ? byte >> 4 : byte & 15;
    },
  };
  return sorted;
}

/** Nibbles in bytes, behind a mark that says whether they are odd in number and whether a leaf follows. */
function compactPath(keys: SortedKeys, at: number, from: number, to: number, isLeaf: boolean) {
  const isOdd = (to - from) % 2;
  const bytes = [16 * ((isLeaf ? 2 : 0) + isOdd) + (isOdd ? keys.nibble(at, from) : 0)];
  for (let i = from + isOdd; i < to; i += 2) {
    bytes.push(16 * keys.nibble(at, i) + keys.nibble(at, i + 1));
  }
  return encodeString(Uint8Array.from(bytes));
}

/** A parent's reference to a node: the node itself if it is short, else its hash. */
const referenceTo = (node: Uint8Array): Uint8Array =>
  node.length < hashWidth ? node : encodeString(keccak_256(node));

/**
 * Computes a root. Long work yields to the event loop.
 *
 * @param turn waits for a turn of the event loop; what it throws ends the work
 * @returns 32 bytes
 */
export async function trieRoot(
  entries: TrieEntries,
  turn: () => Promise<void>,
): Promise<Uint8Array> {
  if (entries.count === 0) return emptyTrieRoot;
  const keys = await sortKeys(entries, turn);
  const depthLimit = 2 * hashWidth;

  /** The children of a branch: the end of each child's entries, which begin at the end of the child before. */
  function endsOf(from: number, to: number, depth: number): number[] {
    let end = from;
    return Array.from({ length: 16 }, (_, nibble) => {
      while (end < to && keys.nibble(end, depth) === nibble) end++;
      return end;
    });
  }

  /** A node that is no leaf. @param children its branch's, encoded */
  function wrap(from: number, depth: number, fork: number, children: readonly Uint8Array[]) {
    const branch = encodeList(...children, nothing);
    if (fork === depth) return branch;
    return encodeList(compactPath(keys, from, depth, fork, false), referenceTo(branch));
  }

  /** Where the entries part: the first and the last of them have the least in common. */
  function forkOf(from: number, to: number, depth: number): number {
    let fork = depth;
    while (keys.nibble(from, fork) === keys.nibble(to - 1, fork)) fork++;
    return fork;
  }

  function encode(from: number, to: number, depth: number): Uint8Array {
    if (to - from === 1) {
      const path = compactPath(keys, from, depth, depthLimit, true);
      return encodeList(path, encodeString(entries.value(keys.order[from] as number)));
    }
    const fork = forkOf(from, to, depth);
    let start = from;
    const children = endsOf(from, to, fork).map((end) => {
      const reference = start === end ? nothing : referenceTo(encode(start, end, fork + 1));
      start = end;
      return reference;
    });
    return wrap(from, depth, fork, children);
  }

  /** The same of many entries. */
  async function encodeMany(from: number, to: number, depth: number): Promise<Uint8Array> {
    if (to - from <= turnEvery) {
      await turn();
      return encode(from, to, depth);
    }
    const fork = forkOf(from, to, depth);
    const children: Uint8Array[] = [];
    let start = from;
    for (const end of endsOf(from, to, fork)) {
      children.push(start === end ? nothing : referenceTo(await encodeMany(start, end, fork + 1)));
      start = end;
    }
    return wrap(from, depth, fork, children);
  }

  return keccak_256(await encodeMany(0, entries.count, 0));
}
