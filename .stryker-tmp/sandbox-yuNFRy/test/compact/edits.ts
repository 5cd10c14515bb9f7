/** Edits of a compact proof: of its bytes, of its fields, and of its leaves with siblings that fit again. */
// @ts-nocheck

import { type Digits, digits, moduli } from '../support/reference.js';
import type { ReferenceTree } from '../support/referenceTree.js';
import type { CompactWorld, Parts } from './world.js';
import {
  type LeafParts,
  neighbour,
  number,
  own,
  proof,
  type TreeParts,
  withLeaves,
} from './write.js';

/** A whole number below the limit. */
export type Random = (limit: number) => number;

/** A small seeded generator (mulberry32), so that a finding can be repeated. */
export function createRandom(seed: number): Random {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** A proof with what it was made of. */
export interface Subject {
  world: CompactWorld;
  parts: Parts;
  bytes: Digits;
  /** Proofs of other statements, to take pieces of. */
  others: readonly Digits[];
}

type Edit = (subject: Subject, random: Random) => Digits;

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T;
const randomBytes = (count: number, random: Random): Digits =>
  Array.from({ length: count }, () => digits(BigInt(random(256)), 1)).join('');
/** Two places in a text of whole bytes, the first not after the second. */
function range(text: Digits, random: Random): [number, number] {
  const places = [random(text.length / 2 + 1), random(text.length / 2 + 1)];
  const [from, to] = places.sort((a, b) => a - b) as [number, number];
  return [2 * from, 2 * Math.min(to, from + 64)];
}

const ofBytes: Record<string, Edit> = {
  'bit flipped': ({ bytes }, random) => {
    const at = 2 * random(bytes.length / 2);
    const byte = Number.parseInt(bytes.slice(at, at + 2), 16) ^ (1 << random(8));
    return bytes.slice(0, at) + digits(BigInt(byte), 1) + bytes.slice(at + 2);
  },
  'byte replaced': ({ bytes }, random) => {
    const at = 2 * random(bytes.length / 2);
    return bytes.slice(0, at) + randomBytes(1, random) + bytes.slice(at + 2);
  },
  'end cut off': ({ bytes }, random) => bytes.slice(0, 2 * random(bytes.length / 2)),
  'piece cut out': ({ bytes }, random) => {
    const [from, to] = range(bytes, random);
    return bytes.slice(0, from) + bytes.slice(to);
  },
  'bytes inserted': ({ bytes }, random) => {
    const at = 2 * random(bytes.length / 2 + 1);
    return bytes.slice(0, at) + randomBytes(1 + random(40), random) + bytes.slice(at);
  },
  'bytes appended': ({ bytes }, random) => bytes + randomBytes(1 + random(64), random),
  'piece doubled': ({ bytes }, random) => {
    const [from, to] = range(bytes, random);
    return bytes.slice(0, to) + bytes.slice(from);
  },
  'pieces exchanged': ({ bytes }, random) => {
    const [from, to] = range(bytes, random);
    const [next] = range(bytes.slice(to), random);
    const end = to + next + (to - from);
    return (
      bytes.slice(0, from) +
      bytes.slice(to + next, end) +
      bytes.slice(to, to + next) +
      bytes.slice(from, to) +
      bytes.slice(end)
    );
  },
  'piece zeroed': ({ bytes }, random) => {
    const [from, to] = range(bytes, random);
    return bytes.slice(0, from) + '0'.repeat(to - from) + bytes.slice(to);
  },
  'end of another proof': ({ bytes, others }, random) => {
    const [at] = range(bytes, random);
    return bytes.slice(0, at) + pick(others, random).slice(at);
  },
};

/** Edits of one tree's fields; the siblings stay as they are. */
const ofFields: Record<
  string,
  (tree: TreeParts, random: Random, world: CompactWorld) => TreeParts
> = {
  'next free node': (tree, random) => ({
    ...tree,
    nextFreeNode: shifted(tree.nextFreeNode, random),
  }),
  'field of a leaf': (tree, random) => {
    const field = pick(['index', 'prev', 'next', 'place'] as const, random);
    return withLeaf(tree, random, (leaf) => ({ ...leaf, [field]: shifted(leaf[field], random) }));
  },
  'leaves exchanged': ({ leaves, ...tree }, random) => {
    const [a, b] = [random(leaves.length), random(leaves.length)];
    const contents = leaves.map(({ content }, i) =>
      i === a
        ? (leaves[b] as LeafParts).content
        : i === b
          ? (leaves[a] as LeafParts).content
          : content,
    );
    return {
      ...tree,
      leaves: leaves.map((leaf, i) => ({ ...leaf, content: contents[i] as Digits })),
    };
  },
  'places exchanged': ({ leaves, ...tree }, random) => {
    const [a, b] = [pick(leaves, random), pick(leaves, random)];
    return {
      ...tree,
      leaves: leaves.map((leaf) =>
        leaf === a ? { ...leaf, place: b.place } : leaf === b ? { ...leaf, place: a.place } : leaf,
      ),
    };
  },
  'leaf left out': ({ leaves, ...tree }, random) => {
    const at = random(leaves.length);
    return { ...tree, leaves: leaves.filter((_, i) => i !== at) };
  },
  'leaf doubled': ({ leaves, ...tree }, random) => {
    const at = random(leaves.length);
    return { ...tree, leaves: [...leaves.slice(0, at + 1), ...leaves.slice(at)] };
  },
  'siblings exchanged': ({ siblings, ...tree }, random) => {
    if (siblings.length === 0) return { siblings, ...tree };
    const [a, b] = [random(siblings.length), random(siblings.length)];
    const moved = [...siblings];
    [moved[a], moved[b]] = [siblings[b] as Digits, siblings[a] as Digits];
    return { ...tree, siblings: moved };
  },
  'sibling left out': ({ siblings, ...tree }, random) => {
    const at = random(siblings.length + 1);
    return { ...tree, siblings: siblings.filter((_, i) => i !== at) };
  },
  'sibling replaced': ({ siblings, ...tree }, random, { accounts, storage }) => {
    const at = random(siblings.length + 1);
    const node = pick([accounts, storage], random).node(random(4), BigInt(random(4)));
    return { ...tree, siblings: siblings.map((each, i) => (i === at ? node : each)) };
  },
  'element + p': (tree, random, { family }) => {
    const width = family === 'mimc' ? 64 : 8;
    const alias = (text: Digits) => {
      const from = width * random(text.length / width);
      const element = BigInt(`0x${text.slice(from, from + width)}`) + moduli[family];
      if (element >> BigInt(4 * width) > 0n) return text;
      return text.slice(0, from) + digits(element, width / 2) + text.slice(from + width);
    };
    if (random(2) === 0 && tree.siblings.length > 0) {
      const at = random(tree.siblings.length);
      return { ...tree, siblings: tree.siblings.map((each, i) => (i === at ? alias(each) : each)) };
    }
    return withLeaf(tree, random, (leaf) => ({ ...leaf, content: alias(leaf.content) }));
  },
};

/** A number a little or a lot away. */
function shifted(value: bigint, random: Random): bigint {
  const kind = random(4);
  if (kind === 0) return value ^ (1n << BigInt(random(41)));
  if (kind === 1) return value + BigInt(1 + random(3));
  if (kind === 2) return value > 3n ? value - BigInt(1 + random(3)) : 0n;
  return BigInt(random(20));
}

function withLeaf(
  { leaves, ...tree }: TreeParts,
  random: Random,
  change: (leaf: LeafParts) => LeafParts,
): TreeParts {
  const at = random(leaves.length);
  return { ...tree, leaves: leaves.map((leaf, i) => (i === at ? change(leaf) : leaf)) };
}

/** Edits of the leaves, with true leaves of the tree and with the siblings that they need. */
const ofLeaves: Record<
  string,
  (source: ReferenceTree, leaves: LeafParts[], random: Random) => LeafParts[]
> = {
  'neighbour added': (source, leaves, random) => {
    const index = pick([...source.leaves.keys()], random);
    const others = leaves.filter((leaf) => leaf.index !== index);
    return [...others, neighbour(source, index)];
  },
  'key leaf added': (source, leaves, random) => {
    const index = pick([...source.leaves.keys()], random);
    const others = leaves.filter((leaf) => leaf.index !== index);
    return [...others, own(source, index, BigInt(1 + random(leaves.length + 1)))];
  },
  'leaf taken away': (_, leaves, random) => {
    const at = random(leaves.length);
    return leaves.filter((_, i) => i !== at);
  },
  'leaf as a neighbour': (source, leaves, random) => {
    const at = random(leaves.length);
    return leaves.map((leaf, i) => (i === at ? neighbour(source, leaf.index) : leaf));
  },
  'neighbours around a leaf': (source, leaves, random) => {
    const at = random(leaves.length);
    const { prev, next } = source.leaf((leaves[at] as LeafParts).index);
    const rest = leaves.filter(({ index }, i) => i !== at && index !== prev && index !== next);
    return [...rest, ...[...new Set([prev, next])].map((index) => neighbour(source, index))];
  },
};

/** A number of the bytes in a longer form. */
const longerNumber: Edit = ({ parts }, random) => {
  const at = random(parts.length);
  const { nextFreeNode, leaves, siblings } = parts[at] as TreeParts;
  const longer = random(2 + 4 * leaves.length);
  let count = 0;
  const write = (value: bigint) => number(value, count++ === longer ? 1 + random(6) : 0);
  let text = write(nextFreeNode) + write(BigInt(leaves.length));
  let before = 0n;
  for (const { place, index, prev, next, content } of leaves) {
    text += write(place) + write(index - before) + write(prev) + write(next) + content;
    before = index;
  }
  text += siblings.join('');
  return `01${parts.map((tree, i) => (i === at ? text : proof([tree]).slice(2))).join('')}`;
};

/** Puts one tree into the proof in the place of another. */
const withTree = (parts: Parts, at: number, tree: TreeParts): Digits =>
  proof(parts.map((each, i) => (i === at ? tree : each)));

/** Indices that do not ascend, or a number below 0, cannot be written: no edit. */
const writable = ({ leaves }: TreeParts): boolean =>
  leaves.every(({ index }, i) => i === 0 || index >= (leaves[i - 1] as LeafParts).index);

/** All edits by name; an edit may give the bytes back as they are. */
export const edits: Record<string, Edit> = {
  ...ofBytes,
  'number in a longer form': longerNumber,
  'trees taken away or doubled': ({ parts }, random) =>
    proof(pick([parts.slice(0, 1), [...parts, ...parts.slice(-1)], [...parts].reverse()], random)),
  ...Object.fromEntries(
    Object.entries(ofFields).map(([name, change]): [string, Edit] => [
      name,
      ({ world, parts, bytes }, random) => {
        const at = random(parts.length);
        const tree = change(parts[at] as TreeParts, random, world);
        return writable(tree) ? withTree(parts, at, tree) : bytes;
      },
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ofLeaves).map(([name, change]): [string, Edit] => [
      name,
      ({ world, parts }, random) => {
        const at = random(parts.length);
        const source = at === 0 ? world.accounts : world.storage;
        const leaves = change(source, (parts[at] as TreeParts).leaves, random);
        return withTree(parts, at, withLeaves(source, leaves));
      },
    ]),
  ),
};
