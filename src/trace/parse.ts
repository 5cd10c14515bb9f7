/**
 * Unknown JSON -> parsed traces: the only file that looks at what the state manager sent. Rejects, never repairs,
 * and hashes nothing.
 */
import { addressWidth, decodeHex, encodeHex } from '../bytes.js';
import type { LeafOpening } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { indexLimit } from '../codec/word.js';
import { ShapeError } from '../errors.js';
import { type ArraySource, memberPath, type Source } from '../foreign/members.js';
import { openArray, openObject, readMember } from '../foreign/shape.js';
import { blockWidth } from '../hash/family.js';
import { treeDepth } from '../hash/geometry.js';
import { parseDigest, parseHex, parseLeafIndex, parseWhole, readString } from '../proof/read.js';
import { storageTreeKind } from './kinds.js';
import {
  type SiblingPath,
  type Trace,
  type TracedLeaf,
  type TreeKind,
  worldLocation,
} from './types.js';

/**
 * Most blocks of one call, and most traces of all its blocks together: a bound on time and memory. No block comes near
 * it, and a longer run of blocks is verified in parts, the end root of each being the parent root of the next.
 */
const maxTraces = 65536;

function memberObject(source: Source, name: string): Source {
  return openObject(readMember(source, name), memberPath(source, name));
}

function memberDigest(spec: TreeSpec, source: Source, name: string): Uint8Array {
  return parseDigest(spec, readMember(source, name), memberPath(source, name));
}

function memberIndex(source: Source, name: string): bigint {
  return parseLeafIndex(readMember(source, name), memberPath(source, name));
}

function memberKeyOrValue(source: Source, name: string, width: number): Uint8Array {
  return parseHex(readMember(source, name), [width], memberPath(source, name));
}

function memberNextFreeNode(source: Source, name: string): bigint {
  const nextFreeNode = BigInt(parseWhole(readMember(source, name), memberPath(source, name)));
  // A full tree has 2^40 itself.
  if (nextFreeNode > indexLimit) {
    throw new ShapeError(memberPath(source, name), `expected at most 2^40, got ${nextFreeNode}`);
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
function memberSiblings(spec: TreeSpec, source: Source, name: string): Uint8Array {
  const array = openArray(readMember(source, name), memberPath(source, name));
  // With fewer an inner node could pose as a leaf; with more some would be bound to nothing.
  if (array.length !== treeDepth) {
    throw new ShapeError(array.at, `expected ${treeDepth} siblings, got ${array.length}`);
  }
  const siblings = new Uint8Array(treeDepth * blockWidth);
  for (let height = 0; height < treeDepth; height++) {
    if (!decodeHex(readString(array, height), blockWidth, siblings, height * blockWidth)) {
      throw new ShapeError(
        memberPath(array, height),
        `expected 0x and ${2 * blockWidth} hex digits`,
      );
    }
  }
  // x and x + p hash alike, so one state would have two descriptions.
  if (!spec.hasher.isCanonical(siblings)) {
    const heights = [...new Array(treeDepth).keys()];
    const bad = heights.findIndex(
      (height) =>
        !spec.hasher.isCanonical(siblings.subarray(height * blockWidth, (height + 1) * blockWidth)),
    );
    throw new ShapeError(
      memberPath(array, bad),
      `expected canonical elements of ${spec.hasher.title}`,
    );
  }
  return siblings;
}

function memberSiblingPath(spec: TreeSpec, source: Source, name: string): SiblingPath {
  const path = memberObject(source, name);
  return {
    leafIndex: memberIndex(path, 'leafIndex'),
    siblings: memberSiblings(spec, path, 'siblings'),
    at: path.at,
  };
}

/** One trace's members by name, in its own kind of tree. */
function openReader(spec: TreeSpec, source: Source, kind: TreeKind) {
  const path = (name: string) => memberSiblingPath(spec, source, name);
  return {
    path,
    leaf(leafName: string, proofName: string): TracedLeaf {
      const opening = memberObject(source, leafName);
      return { leaf: parseLeaf(spec, opening), path: path(proofName), at: opening.at };
    },
    value(name: string): Uint8Array {
      const value = memberKeyOrValue(source, name, kind.valueWidth);
      kind.checkValue(value, memberPath(source, name));
      return value;
    },
    /** The tree that a read finds and leaves. */
    unchanged(): Pick<Trace, 'before' | 'after'> {
      const topNode = {
        nextFreeNode: memberNextFreeNode(source, 'nextFreeNode'),
        subTreeRoot: memberDigest(spec, source, 'subRoot'),
      };
      return { before: topNode, after: topNode };
    },
    /** The trees before and after a write that takes `taken` leaf indices. */
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

/** Readers of the members of each type; the type of a trace is its index in this list. */
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
      newPath: read.path('newProof'),
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
  const source = openObject(foreign, at);
  const type = parseWhole(readMember(source, 'type'), memberPath(source, 'type'));
  // The prototype may hold a member of that name: only what is below the length is ours.
  const parse = type < types.length ? types[type] : undefined;
  if (parse === undefined) {
    throw new ShapeError(memberPath(source, 'type'), `expected a type from 0 to 4, got ${type}`);
  }
  const address = parseHex(
    readMember(source, 'location'),
    [0, addressWidth],
    memberPath(source, 'location'),
  );
  const location = encodeHex(address);
  const kind = location === worldLocation ? world : storageTreeKind(spec);
  const key = memberKeyOrValue(source, 'key', kind.keyWidth);
  return { location, kind, key, ...parse(openReader(spec, source, kind)), at };
}

/** The blocks as they came, after all of them are counted: too many cost no more than their lengths. */
function readBlocks(foreign: unknown, at: string): ArraySource[] {
  const array = openArray(foreign, at);
  if (array.length > maxTraces) {
    throw new ShapeError(at, `expected at most ${maxTraces} blocks, got ${array.length}`);
  }
  const blocks: ArraySource[] = [];
  let total = 0;
  for (let i = 0; i < array.length; i++) {
    const block = openArray(readMember(array, i), memberPath(array, i));
    total += block.length;
    if (total > maxTraces) {
      throw new ShapeError(block.at, `expected at most ${maxTraces} traces in all blocks together`);
    }
    blocks.push(block);
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
  return readBlocks(foreign, 'traces').map((block) =>
    Array.from({ length: block.length }, (_, i) =>
      parseTrace(spec, world, readMember(block, i), memberPath(block, i)),
    ),
  );
}
