/**
 * Unknown JSON -> parsed traces: the one place that looks at what the state manager sent. Rejects, never repairs,
 * and hashes nothing.
 */
import { decodeHex, encodeHex } from '../bytes.js';
import type { LeafOpening } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { indexLimit } from '../codec/word.js';
import { ShapeError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import { treeDepth } from '../hash/geometry.js';
import { addressWidth } from '../proof/parse.js';
import { asObject, memberPath, readLength, readMember, shownAt } from '../proof/read.js';
import { parseDigest, parseHex, parseLeafIndex, parseWhole } from '../proof/values.js';
import { storageTree } from './kinds.js';
import { type Place, type PlacedLeaf, type Trace, type TreeKind, worldTree } from './types.js';

/**
 * Most blocks of one call, and most traces of all its blocks together: a bound on time and memory. No block comes near
 * it, and a longer run of blocks is verified in parts, the end root of each being the parent root of the next.
 */
export const maxTraces = 65536;

/** An object read by the names of its members. */
interface Source {
  readonly target: object;
  readonly at: string;
}

const sourceOf = (foreign: unknown, at: string): Source => ({ target: asObject(foreign, at), at });
const placeOf = ({ at }: Source, name: string): string => memberPath(at, name);
const valueOf = ({ target, at }: Source, name: string): unknown => readMember(target, name, at);

function memberSource(source: Source, name: string): Source {
  return sourceOf(valueOf(source, name), placeOf(source, name));
}

function memberDigest(spec: TreeSpec, source: Source, name: string): Uint8Array {
  return parseDigest(spec, valueOf(source, name), placeOf(source, name));
}

function memberIndex(source: Source, name: string): bigint {
  return parseLeafIndex(valueOf(source, name), placeOf(source, name));
}

function memberKeyOrValue(source: Source, name: string, width: number): Uint8Array {
  return parseHex(valueOf(source, name), [width], placeOf(source, name));
}

function memberNextFreeNode(source: Source, name: string): bigint {
  const nextFreeNode = BigInt(parseWhole(valueOf(source, name), placeOf(source, name)));
  // 2^40 itself is the full tree's.
  if (nextFreeNode > indexLimit) {
    throw new ShapeError(placeOf(source, name), `expected at most 2^40, got ${nextFreeNode}`);
  }
  return nextFreeNode;
}

function parseLeaf(spec: TreeSpec, source: Source): LeafOpening {
  return {
    prev: memberIndex(source, 'prevLeaf'),
    next: memberIndex(source, 'nextLeaf'),
    hKey: memberDigest(spec, source, 'hkey'),
    hValue: memberDigest(spec, source, 'hval'),
  };
}

/** 40 digests back to back; nothing foreign runs after the last has been read. */
function parseSiblings(spec: TreeSpec, foreign: unknown, at: string): Uint8Array {
  const length = readLength(foreign, at);
  // With fewer an inner node could pose as a leaf; with more some would be bound to nothing.
  if (length !== treeDepth) {
    throw new ShapeError(at, `expected ${treeDepth} siblings, got ${length}`);
  }
  const siblings = new Uint8Array(treeDepth * blockWidth);
  for (let height = 0; height < treeDepth; height++) {
    const text = readMember(foreign as object, height, at);
    const place = memberPath(at, height);
    if (typeof text !== 'string') {
      throw new ShapeError(place, `expected hex, got ${shownAt(text, place)}`);
    }
    if (!decodeHex(text, blockWidth, siblings, height * blockWidth)) {
      throw new ShapeError(place, `expected 0x and ${2 * blockWidth} hex digits`);
    }
  }
  // x and x + p hash alike, so one state would have two descriptions.
  if (!spec.hasher.isCanonical(siblings)) {
    const bad = Array.from({ length }, (_, height) => height * blockWidth).findIndex(
      (offset) => !spec.hasher.isCanonical(siblings.subarray(offset, offset + blockWidth)),
    );
    throw new ShapeError(
      memberPath(at, bad),
      `expected canonical elements of ${spec.hasher.title}`,
    );
  }
  return siblings;
}

function parsePlace(spec: TreeSpec, source: Source): Place {
  return {
    leafIndex: memberIndex(source, 'leafIndex'),
    siblings: parseSiblings(spec, valueOf(source, 'siblings'), placeOf(source, 'siblings')),
    at: source.at,
  };
}

/** One trace's members by name, in its own kind of tree. */
function openReader(spec: TreeSpec, source: Source, kind: TreeKind) {
  const place = (name: string) => parsePlace(spec, memberSource(source, name));
  return {
    place,
    leaf(leafName: string, proofName: string): PlacedLeaf {
      const opening = memberSource(source, leafName);
      return { leaf: parseLeaf(spec, opening), place: place(proofName), at: opening.at };
    },
    value(name: string): Uint8Array {
      const value = memberKeyOrValue(source, name, kind.valueWidth);
      kind.checkValue(value, placeOf(source, name));
      return value;
    },
    /** The tree that a read finds and leaves. */
    unchanged(): Pick<Trace, 'before' | 'after'> {
      const state = {
        nextFreeNode: memberNextFreeNode(source, 'nextFreeNode'),
        subTreeRoot: memberDigest(spec, source, 'subRoot'),
      };
      return { before: state, after: state };
    },
    /** The trees before and after a write that takes `taken` places. */
    changed(taken: bigint): Pick<Trace, 'before' | 'after'> {
      const nextFreeNode = memberNextFreeNode(source, 'newNextFreeNode');
      return {
        before: {
          nextFreeNode: nextFreeNode - taken,
          subTreeRoot: memberDigest(spec, source, 'oldSubRoot'),
        },
        after: { nextFreeNode, subTreeRoot: memberDigest(spec, source, 'newSubRoot') },
      };
    },
  };
}

type Reader = ReturnType<typeof openReader>;
type Rest = Pick<Trace, 'before' | 'after' | 'statement'>;

/** What the members of each type say; the type of a trace is its place in this list. */
const types: readonly ((read: Reader) => Rest)[] = [
  (read) => ({
    ...read.unchanged(),
    statement: { kind: 'read', own: read.leaf('leaf', 'proof'), value: read.value('value') },
  }),
  (read) => ({
    ...read.unchanged(),
    statement: {
      kind: 'readZero',
      left: read.leaf('leftLeaf', 'leftProof'),
      right: read.leaf('rightLeaf', 'rightProof'),
    },
  }),
  (read) => ({
    ...read.changed(1n),
    statement: {
      kind: 'insert',
      left: read.leaf('priorLeftLeaf', 'leftProof'),
      place: read.place('newProof'),
      right: read.leaf('priorRightLeaf', 'rightProof'),
      value: read.value('value'),
    },
  }),
  (read) => ({
    ...read.changed(0n),
    statement: {
      kind: 'update',
      own: read.leaf('priorUpdatedLeaf', 'proof'),
      oldValue: read.value('oldValue'),
      newValue: read.value('newValue'),
    },
  }),
  (read) => ({
    ...read.changed(0n),
    statement: {
      kind: 'delete',
      left: read.leaf('priorLeftLeaf', 'leftProof'),
      own: read.leaf('priorDeletedLeaf', 'deletedProof'),
      right: read.leaf('priorRightLeaf', 'rightProof'),
      oldValue: read.value('deletedValue'),
    },
  }),
];

function parseTrace(spec: TreeSpec, world: TreeKind, foreign: unknown, at: string): Trace {
  const source = sourceOf(foreign, at);
  const type = parseWhole(valueOf(source, 'type'), placeOf(source, 'type'));
  // The prototype may hold a member of that name: only what is below the length is ours.
  const parse = type < types.length ? types[type] : undefined;
  if (parse === undefined) {
    throw new ShapeError(placeOf(source, 'type'), `expected a type from 0 to 4, got ${type}`);
  }
  const location = parseHex(
    valueOf(source, 'location'),
    [0, addressWidth],
    placeOf(source, 'location'),
  );
  const tree = encodeHex(location);
  const kind = tree === worldTree ? world : storageTree(spec);
  const key = memberKeyOrValue(source, 'key', kind.keyWidth);
  return { tree, kind, key, ...parse(openReader(spec, source, kind)), at };
}

/** The blocks as they came, once all of them are counted: too many cost no more than their lengths. */
function readBlocks(foreign: unknown, at: string): { block: object; length: number; at: string }[] {
  const count = readLength(foreign, at);
  if (count > maxTraces) {
    throw new ShapeError(at, `expected at most ${maxTraces} blocks, got ${count}`);
  }
  const blocks: { block: object; length: number; at: string }[] = [];
  let total = 0;
  for (let i = 0; i < count; i++) {
    const place = memberPath(at, i);
    const block = readMember(foreign as object, i, at);
    const length = readLength(block, place);
    total += length;
    if (total > maxTraces) {
      throw new ShapeError(place, `expected at most ${maxTraces} traces in all blocks together`);
    }
    blocks.push({ block: block as object, length, at: place });
  }
  return blocks;
}

/**
 * Parses the traces of some blocks.
 *
 * @param world how the tree of all accounts is read and hashed
 * @returns the traces of each block, in order; they hold no reference to the input
 * @throws ShapeError with the path of the first member that does not fit
 */
export function parseTraces(spec: TreeSpec, world: TreeKind, foreign: unknown): Trace[][] {
  return readBlocks(foreign, 'traces').map(({ block, length, at }) =>
    Array.from({ length }, (_, i) =>
      parseTrace(spec, world, readMember(block, i, at), memberPath(at, i)),
    ),
  );
}
