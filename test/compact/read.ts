/**
 * A second reader of compact proofs, written from `docs/compact.md` and sharing no code with `src`: hex text, BigInts and
 * the reference hashes of test/support. It is slow, and names the first law that is broken.
 */
import type { HashFamily } from '../../src/index.js';
import {
  type Digits,
  digits,
  hash,
  hashAccount,
  hashAddress,
  hashWord,
  integer,
  moduli,
  tailKey,
} from '../support/reference.js';

/** Section 1 of the page: what the caller knows. */
export interface Statement {
  stateRoot: Digits;
  address: Digits;
  storageKeys: Digits[];
  hash: HashFamily;
}

/** What is proven; values as they were hashed. */
export interface Proven {
  /** Six words; null: no such account. */
  account: Digits[] | null;
  storage: { key: Digits; value: Digits; exists: boolean }[];
}

class Refused extends Error {}

function must(condition: boolean, law: string): asserts condition {
  if (!condition) throw new Refused(law);
}

const emptyRoots: Record<HashFamily, Digits> = {
  poseidon2: '2fa0344a2fab2b310d2af3155c330261263f887379aef18b4941e3ea1cc59df7',
  mimc: '07977874126658098c066972282d4c85f230520af3847e297fe7524f976873e5',
};
const words = (text: Digits): Digits[] => text.match(/.{64}/g) ?? [];
const valueOf = (text: Digits): bigint => BigInt(`0x${text}`);

/** Sections 2 and 3: fields from the front of the text. */
class Fields {
  rest: Digits;
  readonly family: HashFamily;

  constructor(proof: Digits, family: HashFamily) {
    this.rest = proof;
    this.family = family;
  }

  bytes(width: number): Digits {
    must(this.rest.length >= 2 * width, 'the proof is cut');
    const field = this.rest.slice(0, 2 * width);
    this.rest = this.rest.slice(2 * width);
    return field;
  }

  number(limit: bigint): bigint {
    let form = this.bytes(1);
    while (valueOf(form.slice(-2)) >= 128n) form += this.bytes(1);
    must(form.length <= 12, 'a number of more than six bytes');
    must(form.length === 2 || !form.endsWith('00'), 'not the shortest form');
    // The last byte holds the highest bits.
    const bits = (form.match(/../g) ?? [])
      .reverse()
      .map((byte) => (valueOf(byte) % 128n).toString(2).padStart(7, '0'))
      .join('');
    const number = BigInt(`0b${bits}`);
    must(number < limit, 'a number beyond its limit');
    return number;
  }

  digest(): Digits {
    const digest = this.bytes(32);
    must(isCanonical(this.family, digest), 'an element that is not canonical');
    return digest;
  }
}

/** Section 8. */
function isCanonical(family: HashFamily, text: Digits): boolean {
  const elements = text.match(family === 'mimc' ? /.{64}/g : /.{8}/g) ?? [];
  return elements.every((element) => valueOf(element) < moduli[family]);
}

function checkAccount(family: HashFamily, value: Digits): void {
  const [nonce, balance, storageRoot, snark, , codeSize] = words(value) as [
    Digits,
    Digits,
    Digits,
    Digits,
    Digits,
    Digits,
  ];
  must(valueOf(nonce) < 2n ** 64n && valueOf(codeSize) < 2n ** 64n, 'nonce or code size');
  const digests = family === 'mimc' ? balance + storageRoot + snark : storageRoot + snark;
  must(isCanonical(family, digests), 'an element that is not canonical');
}

interface Leaf {
  index: bigint;
  prev: bigint;
  next: bigint;
  place: bigint;
  value?: Digits;
  hKey: Digits;
  hValue: Digits;
}

interface Tree {
  nextFreeNode: bigint;
  leaves: Leaf[];
  /** Height and index, as `h:i` -> digest. */
  siblings: Map<string, Digits>;
}

const limit = 2n ** 40n;
const nameOf = (height: number, index: bigint) => `${height}:${index}`;

function readTree(
  fields: Fields,
  { keys, valueWidth }: { keys: bigint; valueWidth: number },
): Tree {
  const nextFreeNode = fields.number(limit + 1n);
  const count = fields.number(2n * keys + 1n);
  must(count > 0n, 'no leaf');
  const leaves: Leaf[] = [];
  let index = 0n;
  for (let i = 0n; i < count; i++) {
    const place = fields.number(keys + 1n);
    const difference = fields.number(limit);
    must(i === 0n || difference > 0n, 'indices do not ascend');
    index += difference;
    must(index < nextFreeNode, 'an index at or beyond the next free node');
    const [prev, next] = [fields.number(limit), fields.number(limit)];
    const leaf = { index, prev, next, place };
    if (place === 0n) leaves.push({ ...leaf, hKey: fields.digest(), hValue: fields.digest() });
    else {
      const value = fields.bytes(valueWidth);
      if (valueWidth === 192) checkAccount(fields.family, value);
      leaves.push({ ...leaf, value, hKey: '', hValue: '' });
    }
  }
  return { nextFreeNode, leaves, siblings: readSiblings(fields, leaves, nextFreeNode) };
}

/** Section 6. */
function readSiblings(fields: Fields, leaves: Leaf[], nextFreeNode: bigint): Map<string, Digits> {
  const siblings = new Map<string, Digits>();
  for (let height = 0; height < 40; height++) {
    const way = new Set(leaves.map(({ index }) => index >> BigInt(height)));
    for (const node of way) {
      const sibling = node % 2n === 0n ? node + 1n : node - 1n;
      if (way.has(sibling) || sibling << BigInt(height) >= nextFreeNode) continue;
      siblings.set(nameOf(height, sibling), fields.digest());
    }
  }
  return siblings;
}

/** What an empty sub-tree hashes to. */
const empty = (family: HashFamily, height: number): Digits =>
  height === 0 ? digits(0n) : hash(family, empty(family, height - 1).repeat(2));

/** Section 7, step 2: the digest of a node, from above. */
function digestOf(family: HashFamily, tree: Tree, height: number, index: bigint): Digits {
  const given = tree.siblings.get(nameOf(height, index));
  if (given !== undefined) return given;
  const below = tree.leaves.find((leaf) => leaf.index >> BigInt(height) === index);
  if (below === undefined) return empty(family, height);
  if (height === 0) {
    const { prev, next, hKey, hValue } = below;
    return hash(family, integer(family, prev) + integer(family, next) + hKey + hValue);
  }
  return hash(
    family,
    digestOf(family, tree, height - 1, 2n * index) +
      digestOf(family, tree, height - 1, 2n * index + 1n),
  );
}

/** Sections 5 and 7. @returns the value of each key; undefined: absent */
function proveTree(
  family: HashFamily,
  tree: Tree,
  root: Digits,
  hKeys: Digits[],
  hashValue: (value: Digits) => Digits,
): (Digits | undefined)[] {
  const { leaves, nextFreeNode } = tree;
  for (const leaf of leaves) {
    if (leaf.value === undefined) continue;
    must(leaf.place <= BigInt(hKeys.length), 'a place beyond the keys');
    must(leaves.filter(({ place }) => place === leaf.place).length === 1, 'two leaves of a key');
    leaf.hKey = hKeys[Number(leaf.place) - 1] as Digits;
    must(leaf.hKey !== digits(0n) && leaf.hKey !== tailKey(family), 'head or tail as a key');
    leaf.hValue = hashValue(leaf.value);
  }
  const needed = new Set<Leaf>();
  const values = hKeys.map((hKey, i) => {
    const own = leaves.find(({ place }) => place === BigInt(i + 1));
    if (own) return own.value;
    const below = leaves.filter((leaf) => leaf.hKey < hKey);
    const others = leaves.filter((leaf) => leaf.hKey >= hKey);
    must(below.length > 0 && others.length > 0, 'a key outside all leaves');
    const left = below.reduce((a, b) => (a.hKey > b.hKey ? a : b));
    const right = others.reduce((a, b) => (b.hKey < a.hKey ? b : a));
    must(right.hKey !== hKey, "a key's own leaf as a neighbour");
    must(left.next === right.index && right.prev === left.index, 'no neighbours');
    needed.add(left).add(right);
    return undefined;
  });
  for (const leaf of leaves) must(leaf.place > 0n || needed.has(leaf), 'a leaf that is not needed');
  const top = integer(family, nextFreeNode) + digestOf(family, tree, 40, 0n);
  must(hash(family, top) === root, 'the root');
  return values;
}

function read(proof: Digits, statement: Statement): Proven {
  const { hash: family, stateRoot, address, storageKeys } = statement;
  const fields = new Fields(proof, family);
  must(fields.bytes(1) === '01', 'another version');
  const accounts = readTree(fields, { keys: 1n, valueWidth: 192 });
  const slots = fields.rest ? readTree(fields, { keys: 16384n, valueWidth: 32 }) : undefined;
  must(fields.rest === '', 'bytes are left over');

  const hashOfAccount = (value: Digits) => hashAccount(family, value);
  const hKey = hashAddress(family, address);
  const [value] = proveTree(family, accounts, stateRoot, [hKey], hashOfAccount);
  const account = value === undefined ? null : words(value);
  const storageRoot = account === null ? undefined : (account[2] as Digits);
  const keys = [...new Set(storageKeys)];
  const isNeeded =
    storageRoot !== undefined && storageRoot !== emptyRoots[family] && keys.length > 0;
  must(!isNeeded || slots !== undefined, 'no storage tree');
  must(account !== null || slots === undefined, 'a storage tree of no account');
  must(isNeeded || slots === undefined, 'a storage tree that is not needed');
  let values: (Digits | undefined)[] = [];
  if (slots !== undefined) {
    const hKeys = keys.map((key) => hashWord(family, key));
    const hashOfWord = (word: Digits) => hashWord(family, word);
    values = proveTree(family, slots, storageRoot as Digits, hKeys, hashOfWord);
  }
  const storage = storageKeys.map((key) => {
    const found = values[keys.indexOf(key)];
    return { key, value: found ?? digits(0n), exists: found !== undefined };
  });
  return { account, storage };
}

/** What the bytes prove under a statement, or which law they break. */
export function readCompact(proof: Digits, statement: Statement): Proven | string {
  try {
    return read(proof, statement);
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}
