/**
 * The second verifier of `protocol.ts`, for the traces of blocks: written from section 7 of `docs/protocol.md` alone.
 *
 * If traces break several laws, the first in this order is named: the shape of all traces; then, trace by trace, the
 * indices, the chain, what the leaves say, where they lie, and the tie to the account; at last the end root.
 */
import {
  accountTree,
  allRules,
  type Family,
  fold,
  hold,
  isCanonical,
  join,
  type Members,
  numberOf,
  type Opening,
  openObject,
  type Rules,
  readAccount,
  readBytes,
  readIndex,
  storageTree,
  type Tree,
  text,
  zeros,
} from './protocol.js';

/** What the caller brings (7.8). */
export interface PageRun {
  family: Family;
  parentRoot: string;
  endRoot?: string;
}

interface Top {
  nextFreeNode: bigint;
  subRoot: Buffer;
}

interface Path {
  index: bigint;
  siblings: Buffer[];
}

interface Shown extends Path {
  leaf: Opening;
}

type Role = 'left' | 'own' | 'right';

interface Trace {
  type: number;
  /** `0x`, or the address of the storage tree's account. */
  location: string;
  tree: Tree;
  key: Buffer;
  before: Top;
  after: Top;
  shown: Partial<Record<Role, Shown>>;
  newPath?: Path;
  /** The value before and after, as far as the type has them. */
  values: Buffer[];
}

// 7.1 and 7.4: members

/** The leaves of each type with their paths, and its values. */
const types: { shown: [Role, leaf: string, path: string][]; values: string[] }[] = [
  { shown: [['own', 'leaf', 'proof']], values: ['value'] },
  {
    shown: [
      ['left', 'leftLeaf', 'leftProof'],
      ['right', 'rightLeaf', 'rightProof'],
    ],
    values: [],
  },
  {
    shown: [
      ['left', 'priorLeftLeaf', 'leftProof'],
      ['right', 'priorRightLeaf', 'rightProof'],
    ],
    values: ['value'],
  },
  { shown: [['own', 'priorUpdatedLeaf', 'proof']], values: ['oldValue', 'newValue'] },
  {
    shown: [
      ['left', 'priorLeftLeaf', 'leftProof'],
      ['own', 'priorDeletedLeaf', 'deletedProof'],
      ['right', 'priorRightLeaf', 'rightProof'],
    ],
    values: ['deletedValue'],
  },
];

/** Digests that were read, by family and text: the edits of one block have most of theirs in common. */
const digests = new Map<string, Buffer>();

function readDigest(rules: Rules, value: unknown): Buffer {
  const name = typeof value === 'string' ? `${rules.element} ${value}` : '';
  const known = digests.get(name);
  if (known) return known;
  const digest = readBytes('7.1', value, 32);
  hold('7.1', isCanonical(rules, digest), 'not canonical');
  digests.set(name, digest);
  return digest;
}

function readLeaf(rules: Rules, value: unknown): Opening {
  const { prevLeaf, nextLeaf, hkey, hval } = openObject('7.1', value);
  return {
    prev: readIndex(prevLeaf),
    next: readIndex(nextLeaf),
    hKey: readDigest(rules, hkey),
    hValue: readDigest(rules, hval),
  };
}

function readPath(rules: Rules, value: unknown): Path {
  const { leafIndex, siblings } = openObject('7.1', value);
  hold('7.1', Array.isArray(siblings) && siblings.length === 40, 'no 40 siblings');
  return {
    index: readIndex(leafIndex),
    siblings: Array.from(siblings, (node) => readDigest(rules, node)),
  };
}

/** The tree before and after, by 7.2. */
function readTops(rules: Rules, type: number, members: Members): [before: Top, after: Top] {
  const next = members[type < 2 ? 'nextFreeNode' : 'newNextFreeNode'];
  hold('7.1', typeof next === 'number' && Number.isInteger(next) && next >= 0, 'no index');
  hold('7.1', !Object.is(next, -0) && next <= 2 ** 40, 'nextFreeNode');
  const nextFreeNode = BigInt(next);
  if (type < 2) {
    const top = { nextFreeNode, subRoot: readDigest(rules, members.subRoot) };
    return [top, top];
  }
  const taken = type === 2 ? 1n : 0n;
  return [
    { nextFreeNode: nextFreeNode - taken, subRoot: readDigest(rules, members.oldSubRoot) },
    { nextFreeNode, subRoot: readDigest(rules, members.newSubRoot) },
  ];
}

function readTrace(rules: Rules, value: unknown): Trace {
  const members = openObject('7.1', value);
  const { type } = members;
  const named = typeof type === 'number' && !Object.is(type, -0) ? types[type] : undefined;
  hold('7.1', named !== undefined, 'type');
  const location = text(readBytes('7.1', members.location, 0, 20));
  const tree = location === '0x' ? accountTree : storageTree;
  const [before, after] = readTops(rules, type as number, members);
  const shown = named.shown.map(([role, leaf, path]) => [
    role,
    { leaf: readLeaf(rules, members[leaf]), ...readPath(rules, members[path]) },
  ]);
  const values = named.values.map((name) => readBytes('7.1', members[name], tree.ownWidth));
  if (tree === accountTree) for (const each of values) readAccount(rules, each);
  return {
    type: type as number,
    location,
    tree,
    key: readBytes('7.1', members.key, tree.keyWidth),
    before,
    after,
    shown: Object.fromEntries(shown),
    ...(type === 2 ? { newPath: readPath(rules, members.newProof) } : {}),
    values,
  };
}

// 7.2

function checkIndices({ before: { nextFreeNode }, shown, newPath }: Trace): void {
  const areBelow = Object.values(shown).every(({ index }) => index < nextFreeNode);
  hold('7.2', areBelow, 'index beyond nextFreeNode');
  hold('7.2', newPath === undefined || newPath.index === nextFreeNode, 'not nextFreeNode');
}

// 7.3 to 7.5

const empty = zeros(32);

function nodeOf(rules: Rules, { prev, next, hKey, hValue }: Opening): Buffer {
  return rules.H(join(rules.encodeInteger(prev), rules.encodeInteger(next), hKey, hValue));
}

/** Holds a path to the root before a step. @returns the root after it, with another leaf's node */
function step(rules: Rules, root: Buffer, path: Path, from: Buffer, to: Buffer): Buffer {
  const { index, siblings } = path;
  hold('7.5', fold(rules, from, index, siblings).equals(root), 'sub-tree root');
  return fold(rules, to, index, siblings);
}

/** A step that changes members of a leaf. */
function change(rules: Rules, root: Buffer, shown: Shown, members: Partial<Opening>): Buffer {
  const { leaf } = shown;
  return step(rules, root, shown, nodeOf(rules, leaf), nodeOf(rules, { ...leaf, ...members }));
}

function areLinked(left: Shown, right: Shown): void {
  const hasBoth = left.leaf.next === right.index && right.leaf.prev === left.index;
  hold('7.4', hasBoth, 'not neighbours');
}

/** 7.4. @returns the sub-tree root that the trace leads to */
function follow(rules: Rules, { type, tree, key, before, shown, newPath, values }: Trace): Buffer {
  const { left, own, right } = shown as Record<Role, Shown>;
  const root = before.subRoot;
  const k = tree.hashKey(rules, key);
  const [first, second] = values.map((value) => tree.hashValue(rules, value)) as [Buffer, Buffer];
  if (own !== undefined) {
    hold('7.4', own.leaf.hKey.equals(k), 'hKey');
    hold('7.4', own.leaf.hValue.equals(first), 'hValue');
  } else {
    const [from, to] = [left, right].map(({ leaf }) => numberOf(leaf.hKey)) as [bigint, bigint];
    hold('7.4', from < numberOf(k) && numberOf(k) < to, 'not between');
    areLinked(left, right);
  }
  if (type === 0) return change(rules, root, own, {});
  if (type === 1) {
    change(rules, root, left, {});
    return change(rules, root, right, {});
  }
  if (type === 3) return change(rules, root, own, { hValue: second });
  if (type === 2) {
    const s1 = change(rules, root, left, { next: before.nextFreeNode });
    const leaf = { prev: left.index, next: right.index, hKey: k, hValue: first };
    const s2 = step(rules, s1, newPath as Path, empty, nodeOf(rules, leaf));
    return change(rules, s2, right, { prev: before.nextFreeNode });
  }
  areLinked(left, own);
  areLinked(own, right);
  const s1 = change(rules, root, left, { next: right.index });
  const s2 = step(rules, s1, own, nodeOf(rules, own.leaf), empty);
  return change(rules, s2, right, { prev: left.index });
}

// 7.6

const topRoot = ({ H, encodeInteger }: Rules, { nextFreeNode, subRoot }: Top): Buffer =>
  H(join(encodeInteger(nextFreeNode), subRoot));

/** Tree -> the top that its last trace left. */
type Tops = Map<string, Top>;

function checkChain(rules: Rules, tops: Tops, parentRoot: Buffer, trace: Trace): void {
  const { type, location, key, before, after } = trace;
  const left = tops.get(location);
  if (left !== undefined) {
    const isLeft = left.nextFreeNode === before.nextFreeNode && left.subRoot.equals(before.subRoot);
    hold('7.6', isLeft, 'chain');
  } else if (location === '0x') {
    hold('7.6', topRoot(rules, before).equals(parentRoot), 'parent root');
  }
  tops.set(location, after);
  if (location === '0x' && type === 4) tops.delete(text(key));
}

// 7.7

/** The storage roots of an account before and after its trace; a deletion has none after it. */
function storageRootsOf({ emptyRoot }: Rules, { type, values }: Trace): (string | undefined)[] {
  const roots = values.map((value) => text(value.subarray(64, 96)));
  if (type === 0) return [roots[0], roots[0]];
  if (type === 1) return [emptyRoot, emptyRoot];
  if (type === 2) return [emptyRoot, roots[0]];
  return roots;
}

/** The storage traces of an account in a block since its own last trace, and the storage root that this one left. */
interface Tie {
  waiting: Trace[];
  left: string | undefined;
}

function checkTie(rules: Rules, ties: Map<string, Tie>, trace: Trace): void {
  const account = trace.location === '0x' ? text(trace.key) : trace.location;
  const { waiting, left } = ties.get(account) ?? { waiting: [], left: undefined };
  // At the end of the block, the account whose storage waits longest comes first.
  if (waiting.length === 0) ties.delete(account);
  if (trace.location !== '0x') {
    ties.set(account, { waiting: [...waiting, trace], left });
    return;
  }
  const [before, after] = storageRootsOf(rules, trace);
  const [first, last] = [waiting[0], waiting.at(-1)];
  if (first !== undefined) hold('7.7', text(topRoot(rules, first.before)) === before, 'tie');
  const reached = last === undefined ? before : text(topRoot(rules, last.after));
  hold('7.7', after === undefined || reached === after, 'tie');
  ties.set(account, { waiting: [], left: after ?? rules.emptyRoot });
}

function checkEnd(rules: Rules, ties: Map<string, Tie>): void {
  for (const { waiting, left } of ties.values()) {
    const [first] = waiting;
    if (first === undefined) continue;
    hold('7.7', left !== undefined, 'no account');
    hold(
      '7.7',
      waiting.every(({ type }) => type < 2),
      'late write',
    );
    hold('7.7', text(topRoot(rules, first.before)) === left, 'tie');
  }
}

/** All of section 7. Throws `Refused`. @returns the root after each block */
export function verifyTracesByPage(blocks: readonly unknown[][], run: PageRun): string[] {
  const rules = allRules[run.family];
  const parentRoot = readBytes('4.1', run.parentRoot, 32);
  const read = blocks.map((block) => block.map((trace) => readTrace(rules, trace)));
  const tops: Tops = new Map();
  const roots = read.map((block) => {
    const ties = new Map<string, Tie>();
    for (const trace of block) {
      checkIndices(trace);
      checkChain(rules, tops, parentRoot, trace);
      hold('7.4', follow(rules, trace).equals(trace.after.subRoot), 'new root');
      checkTie(rules, ties, trace);
    }
    checkEnd(rules, ties);
    const world = tops.get('0x');
    return text(world === undefined ? parentRoot : topRoot(rules, world));
  });
  const { endRoot } = run;
  hold('7.8', endRoot === undefined || (roots.at(-1) ?? run.parentRoot) === endRoot, 'end root');
  return roots;
}
