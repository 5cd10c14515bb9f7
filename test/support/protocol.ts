/**
 * A second verifier of whole answers, written from sections 1 to 4 of `docs/protocol.md` alone: plain BigInt and buffers,
 * nothing from `src`. It shows that the page is complete. Each refusal names the law of the page. `protocolTraces.ts` goes
 * on with section 7.
 *
 * If an answer breaks several laws, the first in this order is named: the number of entries; the shape of the whole
 * answer (section 3 and law 2.5); then, entry by entry, what the leaf openings say, and where they lie.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';

export type Family = 'poseidon2' | 'mimc';

/** What the caller brings (4.1). */
export interface PageClaim {
  stateRoot: string;
  address: string;
  storageKeys: string[];
  family: Family;
}

/** What is proven (4.7), in the members of the library's own state. */
export interface PageState {
  account: Record<string, string> | null;
  storage: { key: string; value: string; exists: boolean }[];
}

/** A refusal. */
export class Refused extends Error {
  constructor(
    /** Number of the law on the page. */
    readonly law: string,
    /** Which part of it. */
    readonly what: string,
  ) {
    super(`law ${law}: ${what}`);
  }
}

/** Holds a law. @throws Refused */
export function hold(law: string, holds: boolean, what: string): asserts holds {
  if (!holds) throw new Refused(law, what);
}

export const numberOf = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
const bytesOf = (n: bigint, width: number): Buffer =>
  Buffer.from(n.toString(16).padStart(2 * width, '0'), 'hex');
export const text = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;
export const zeros = (width: number): Buffer => Buffer.alloc(width);
export const join = (...parts: Uint8Array[]): Buffer => Buffer.concat(parts);
function split(bytes: Buffer, width: number): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += width) parts.push(bytes.subarray(at, at + width));
  return parts;
}

// 2.2 Round constants

function constantsOf(seed: string, count: number, p: bigint): bigint[] {
  let d = keccak_256(Buffer.from(seed, 'ascii'));
  return Array.from({ length: count }, () => {
    d = keccak_256(d);
    return numberOf(d) % p;
  });
}

// 2.3 H

type Hash = (data: Buffer) => Buffer;

function mimcHash(p: bigint): Hash {
  const constants = constantsOf('seed', 62, p);
  const E = (h: bigint, m: bigint): bigint => {
    let x = m;
    for (const c of constants) {
      const t = (x + h + c) % p;
      let power = t;
      // 17 = 2^4 + 1.
      for (let i = 0; i < 4; i++) power = (power * power) % p;
      x = (power * t) % p;
    }
    return x + h;
  };
  return (data) =>
    bytesOf(
      split(data, 32)
        .map(numberOf)
        .reduce((h, m) => (E(h, m) + h + m) % p, 0n),
      32,
    );
}

function poseidon2Hash(p: bigint): Hash {
  const constants = constantsOf('Poseidon2-koalabear[t=16,rF=6,rP=21,d=3]', 117, p);
  const power = (base: bigint, exponent: bigint): bigint => {
    if (exponent === 0n) return 1n;
    const half = power(base, exponent / 2n) ** 2n % p;
    return exponent % 2n === 0n ? half : (half * base) % p;
  };
  const inverse = (n: bigint): bigint => power(n, p - 2n);
  const d = [
    ...[-2n, 1n, 2n, inverse(2n), 3n, 4n, -inverse(2n), -3n, -4n],
    ...[inverse(2n ** 8n), inverse(8n), inverse(2n ** 24n)],
    ...[-inverse(2n ** 8n), -inverse(8n), -inverse(16n), -inverse(2n ** 24n)],
  ];
  const cube = (x: bigint): bigint => x ** 3n % p;
  const M = ['2311', '1231', '1123', '3112'].map((row) => [...row].map(BigInt));
  const external = (x: bigint[]): bigint[] => {
    // M times each four elements; then a block's row gets all blocks, and its own a second time.
    const products = x.map((_, i) =>
      (M[i % 4] as bigint[]).reduce((sum, m, j) => sum + m * (x[i - (i % 4) + j] as bigint), 0n),
    );
    const sums = [0, 1, 2, 3].map((row) =>
      [0, 4, 8, 12].reduce((sum, block) => sum + (products[block + row] as bigint), 0n),
    );
    return products.map((product, i) => ((sums[i % 4] as bigint) + product) % p);
  };
  const permute = (input: bigint[]): bigint[] => {
    let next = 0;
    let x = external(input);
    const full = () => {
      x = external(x.map((each) => cube(each + (constants[next++] as bigint))));
    };
    const partial = () => {
      x[0] = cube((x[0] as bigint) + (constants[next++] as bigint));
      const sum = x.reduce((a, b) => a + b, 0n);
      x = x.map((each, i) => (((sum + (d[i] as bigint) * each) % p) + p) % p);
    };
    for (let i = 0; i < 3; i++) full();
    for (let i = 0; i < 21; i++) partial();
    for (let i = 0; i < 3; i++) full();
    return x;
  };
  return (data) => {
    let h = new Array<bigint>(8).fill(0n);
    for (const block of split(data, 32)) {
      const m = split(block, 4).map(numberOf);
      const out = permute([...h, ...m]);
      h = m.map((each, i) => (each + (out[8 + i] as bigint)) % p);
    }
    return join(...h.map((each) => bytesOf(each, 4)));
  };
}

// 2.4 Encodings

/** All that a family decides. */
export interface Rules {
  p: bigint;
  /** Bytes of an element. */
  element: number;
  H: Hash;
  integerWidth: number;
  encodeInteger(n: bigint): Buffer;
  decodeInteger(bytes: Buffer): bigint;
  hashAddress(address: Buffer): Buffer;
  hashWord(word: Buffer): Buffer;
  hashAccount(words: Buffer[]): Buffer;
  /** Root of an empty tree (8.1). */
  emptyRoot: string;
}

/** Many answers share nodes. */
function remembering(H: Hash): Hash {
  const known = new Map<string, Buffer>();
  return (data) => {
    const name = data.toString('latin1');
    const digest = known.get(name) ?? H(data);
    known.set(name, digest);
    return digest;
  };
}

const pad = (bytes: Buffer): Buffer => join(...split(bytes, 2).flatMap((two) => [zeros(2), two]));

function poseidon2Rules(): Rules {
  const p = 2130706433n;
  const H = remembering(poseidon2Hash(p));
  return {
    p,
    element: 4,
    H,
    integerWidth: 64,
    encodeInteger: (n) => pad(bytesOf(n, 32)),
    decodeInteger(bytes) {
      const fours = split(bytes, 4);
      hold(
        '2.4',
        fours.every((four) => four.readUInt16BE(0) === 0),
        'upper bytes of a limb',
      );
      return numberOf(join(...fours.map((four) => four.subarray(2))));
    },
    hashAddress(address) {
      const padded = pad(address);
      return H(join(padded.subarray(0, 32), zeros(24), padded.subarray(32)));
    },
    hashWord: (word) => H(pad(word)),
    // storageRoot and snarkCodeHash are digests.
    hashAccount: (words) =>
      H(join(...words.map((word, i) => (i === 2 || i === 3 ? word : pad(word))))),
    emptyRoot: '0x2fa0344a2fab2b310d2af3155c330261263f887379aef18b4941e3ea1cc59df7',
  };
}

function mimcRules(): Rules {
  const p = 8444461749428370424248824938781546531375899335154063827935233455917409239041n;
  const H = remembering(mimcHash(p));
  const halves = (word: Buffer): Buffer =>
    join(zeros(16), word.subarray(16), zeros(16), word.subarray(0, 16));
  return {
    p,
    element: 32,
    H,
    integerWidth: 32,
    encodeInteger: (n) => bytesOf(n, 32),
    decodeInteger: numberOf,
    hashAddress: (address) => H(join(zeros(12), address)),
    hashWord: (word) => H(halves(word)),
    // keccakCodeHash may be any word.
    hashAccount: (words) => H(join(...words.map((word, i) => (i === 4 ? halves(word) : word)))),
    emptyRoot: '0x07977874126658098c066972282d4c85f230520af3847e297fe7524f976873e5',
  };
}

export const allRules: Record<Family, Rules> = { poseidon2: poseidon2Rules(), mimc: mimcRules() };
const otherFamily = { poseidon2: 'mimc', mimc: 'poseidon2' } as const;

/** 2.1.1 */
export const isCanonical = ({ p, element }: Rules, bytes: Buffer): boolean =>
  split(bytes, element).every((each) => numberOf(each) < p);

// 3 The answer

export type Members = Record<string, unknown>;

export function openObject(law: string, value: unknown): Members {
  hold(law, typeof value === 'object' && value !== null && !Array.isArray(value), 'no object');
  return Object.fromEntries(Object.entries(value));
}

/** 3.2 */
export function readBytes(law: string, value: unknown, ...widths: number[]): Buffer {
  hold(law, typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value), 'no hex');
  const bytes = Buffer.from(value.slice(2), 'hex');
  hold(law, widths.includes(bytes.length), `width ${bytes.length}`);
  return bytes;
}

/** 3.2 */
export function readIndex(value: unknown): bigint {
  hold('3.2', typeof value === 'number' && Number.isInteger(value), 'no index');
  hold('3.2', value >= 0 && !Object.is(value, -0) && value < 2 ** 40, 'index out of range');
  return BigInt(value);
}

export interface Opening {
  prev: bigint;
  next: bigint;
  hKey: Buffer;
  hValue: Buffer;
}

/** A leaf, and the path that shows it. */
interface Shown {
  index: bigint;
  value: Buffer;
  opening: Opening;
  nodes: Buffer[];
}

function readOpening({ integerWidth, decodeInteger }: Rules, node: Buffer): Opening {
  const [prev, next] = split(node.subarray(0, 2 * integerWidth), integerWidth).map(decodeInteger);
  hold('3.6', (prev as bigint) < 2n ** 40n && (next as bigint) < 2n ** 40n, 'prev or next');
  const [hKey, hValue] = split(node.subarray(2 * integerWidth), 32);
  return { prev, next, hKey, hValue } as Opening;
}

/** 3.4 to 3.7 */
function readShown(family: Family, index: bigint, proof: unknown, widths: number[]): Shown {
  const rules = allRules[family];
  const { value, proofRelatedNodes } = openObject('3.1', proof);
  hold('3.5', Array.isArray(proofRelatedNodes) && proofRelatedNodes.length === 42, 'no 42 nodes');
  const [openingWidth, topWidth] = [2 * rules.integerWidth + 64, rules.integerWidth + 32];
  const otherTop = allRules[otherFamily[family]].integerWidth + 32;
  const isOther = String(proofRelatedNodes[0]).length === 2 + 2 * otherTop;
  hold('3.7', !isOther, `not ${family} but ${otherFamily[family]}`);
  const nodes = Array.from(proofRelatedNodes, (node, i) => {
    if (i === 0) return readBytes('3.5', node, topWidth);
    if (i === 40) return readBytes('3.5', node, openingWidth, 32);
    return readBytes('3.5', node, i === 41 ? openingWidth : 64);
  });
  hold(
    '3.6',
    nodes.every((node) => isCanonical(rules, node)),
    'not canonical',
  );
  const sibling = nodes[40] as Buffer;
  const isEmpty = sibling.length === 32;
  hold('3.5', sibling.equals(zeros(sibling.length)) === isEmpty, 'sibling leaf');
  if (!isEmpty) readOpening(rules, sibling);
  hold('3.6', nextFreeNodeOf(rules, nodes) <= 2n ** 40n, 'nextFreeNode');
  const opening = readOpening(rules, nodes[41] as Buffer);
  return { index, value: readBytes('3.4', value, ...widths), opening, nodes };
}

const nextFreeNodeOf = ({ integerWidth, decodeInteger }: Rules, nodes: Buffer[]): bigint =>
  decodeInteger((nodes[0] as Buffer).subarray(0, integerWidth));

/** A kind of tree: the widths of its values, and its hashes. */
export interface Tree {
  ownWidth: number;
  neighbourWidths(index: bigint): number[];
  keyWidth: number;
  hashKey(rules: Rules, key: Buffer): Buffer;
  hashValue(rules: Rules, value: Buffer): Buffer;
}

export const accountTree: Tree = {
  ownWidth: 192,
  neighbourWidths: (index) => (index < 2n ? [192, 32] : [192]),
  keyWidth: 20,
  hashKey: (rules, key) => rules.hashAddress(key),
  hashValue: (rules, value) => rules.hashAccount(readAccount(rules, value)),
};
export const storageTree: Tree = {
  ownWidth: 32,
  neighbourWidths: () => [32],
  keyWidth: 32,
  hashKey: (rules, key) => rules.hashWord(key),
  hashValue: (rules, value) => rules.hashWord(value),
};

/** 2.5 */
export function readAccount(rules: Rules, value: Buffer): Buffer[] {
  const words = split(value, 32) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
  const [nonce, balance, storageRoot, snarkCodeHash, , codeSize] = words;
  hold('2.5', numberOf(nonce) < 2n ** 64n && numberOf(codeSize) < 2n ** 64n, 'above 64 bits');
  const digests =
    rules.element === 32 ? [balance, storageRoot, snarkCodeHash] : [storageRoot, snarkCodeHash];
  hold(
    '2.5',
    digests.every((word) => isCanonical(rules, word)),
    'not canonical',
  );
  return words;
}

// 4 Verification

/** Most paths of an edited answer are those of the true one. */
const folds = new Map<string, Buffer>();

/** 4.2. @param siblings 40 nodes, lowest first */
export function fold({ p, H }: Rules, leaf: Buffer, index: bigint, siblings: Buffer[]): Buffer {
  const name = `${p} ${index} ${join(leaf, ...siblings).toString('latin1')}`;
  const known = folds.get(name);
  if (known !== undefined) return known;
  const root = siblings.reduce((node, sibling, height) => {
    const isRight = (index >> BigInt(height)) % 2n === 1n;
    return H(isRight ? join(sibling, node) : join(node, sibling));
  }, leaf);
  folds.set(name, root);
  return root;
}

/** Steps 2 and 3 of 4.3. */
function checkIncluded(rules: Rules, root: Buffer, { index, nodes }: Shown): void {
  const { H } = rules;
  const top = nodes[0] as Buffer;
  hold('4.3', index < nextFreeNodeOf(rules, nodes), 'index beyond nextFreeNode');
  hold('4.3', H(top).equals(root), 'root');
  const siblings = nodes.slice(1, 41).map((node) => (node.length === 32 ? node : H(node)));
  const reached = fold(rules, H(nodes[41] as Buffer), index, siblings.reverse());
  hold('4.3', reached.equals(top.subarray(-32)), 'sub-tree root');
}

const existenceMembers = ['leafIndex', 'proof'];
const nonExistenceMembers = ['leftLeafIndex', 'leftProof', 'rightLeafIndex', 'rightProof'];

/** An entry as it was read. */
type Entry = { key: Buffer } & (
  | { kind: 'existence'; own: Shown }
  | { kind: 'nonExistence'; left: Shown; right: Shown }
);

/** 3.1 to 3.7 */
function readEntry(family: Family, tree: Tree, entry: unknown): Entry {
  const members = openObject('3.1', entry);
  const count = (names: string[]) => names.filter((name) => members[name] !== undefined).length;
  const [existence, nonExistence] = [count(existenceMembers), count(nonExistenceMembers)];
  hold('3.1', [existence, nonExistence].sort().join() in { '0,2': 0, '0,4': 0 }, 'kind');
  hold('3.1', existence === 2 || nonExistence === 4, 'half of a kind');
  const key = readBytes('3.3', members.key, tree.keyWidth);
  if (existence === 2) {
    const index = readIndex(members.leafIndex);
    const own = readShown(family, index, members.proof, [tree.ownWidth]);
    if (tree === accountTree) readAccount(allRules[family], own.value);
    return { kind: 'existence', key, own };
  }
  const [l, r] = [readIndex(members.leftLeafIndex), readIndex(members.rightLeafIndex)];
  const left = readShown(family, l, members.leftProof, tree.neighbourWidths(l));
  const right = readShown(family, r, members.rightProof, tree.neighbourWidths(r));
  return { kind: 'nonExistence', key, left, right };
}

/** 4.3 and 4.4. Gives the value that is proven, or null for a key proven not to exist. */
function checkEntry(
  { rules, tree, root }: { rules: Rules; tree: Tree; root: Buffer },
  key: Buffer,
  entry: Entry,
): Buffer | null {
  hold(tree === accountTree ? '4.5' : '4.6', entry.key.equals(key), 'key');
  const h = tree.hashKey(rules, key);
  if (entry.kind === 'existence') {
    const { own } = entry;
    const tailHKey = join(...Array(32 / rules.element).fill(bytesOf(rules.p - 1n, rules.element)));
    hold('4.3', own.opening.hKey.equals(h), 'hKey');
    hold('4.3', own.opening.hValue.equals(tree.hashValue(rules, own.value)), 'hValue');
    hold('4.3', !h.equals(zeros(32)) && !h.equals(tailHKey), 'head or tail');
    checkIncluded(rules, root, own);
    return own.value;
  }
  const { left, right } = entry;
  const between =
    numberOf(left.opening.hKey) < numberOf(h) && numberOf(h) < numberOf(right.opening.hKey);
  hold('4.4', between, 'not between');
  const areNeighbours = left.opening.next === right.index && right.opening.prev === left.index;
  hold('4.4', areNeighbours, 'not neighbours');
  checkIncluded(rules, root, left);
  checkIncluded(rules, root, right);
  return null;
}

/** 4.5 to 4.7. Throws {@link Refused}. */
export function verifyByPage(result: unknown, claim: PageClaim): PageState {
  const { family, storageKeys } = claim;
  const rules = allRules[family];
  const root = readBytes('4.1', claim.stateRoot, 32);
  hold('4.1', isCanonical(rules, root) && !root.equals(zeros(32)), 'the root');
  const address = readBytes('4.1', claim.address, 20);
  const keys = storageKeys.map((key) => readBytes('4.1', key, 32));

  const { accountProof, storageProofs } = openObject('3.1', result);
  hold('4.6', Array.isArray(storageProofs), 'no storageProofs');
  const isCounted = storageProofs.length === 0 || storageProofs.length === keys.length;
  hold('4.6', isCounted, 'count');
  const accountEntry = readEntry(family, accountTree, accountProof);
  const slotEntries = Array.from(storageProofs, (entry) =>
    entry === null ? null : readEntry(family, storageTree, entry),
  );

  const value = checkEntry({ rules, tree: accountTree, root }, address, accountEntry);
  const words = value && readAccount(rules, value);
  const storageRoot = words?.[2];
  const storage = keys.map((key, i) => {
    const entry = slotEntries[i] ?? null;
    if (entry === null) {
      const isEmpty = storageRoot === undefined || text(storageRoot) === rules.emptyRoot;
      hold('4.6', isEmpty, 'left out');
      return { key: text(key), value: text(zeros(32)), exists: false };
    }
    hold('4.6', storageRoot !== undefined, 'a slot of no account');
    const word = checkEntry({ rules, tree: storageTree, root: storageRoot }, key, entry);
    return { key: text(key), value: text(word ?? zeros(32)), exists: word !== null };
  });
  if (words === null) return { account: null, storage };
  const [nonce, balance, , snarkCodeHash, keccakCodeHash, codeSize] = words as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const account = {
    nonce: String(numberOf(nonce)),
    balance: String(numberOf(balance)),
    storageRoot: text(storageRoot as Buffer),
    snarkCodeHash: text(snarkCodeHash),
    keccakCodeHash: text(keccakCodeHash),
    codeSize: String(numberOf(codeSize)),
  };
  return { account, storage };
}
