/**
 * A state kept a second way, of the reference's hashes: no pointers are maintained and nothing is updated in place. The
 * list follows from sorting what is there, and the digests from hashing all of it again (the reference remembers them).
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { HashFamily } from '../../src/index.js';
import { toHex } from './hex.js';
import {
  bytesOf,
  type Digits,
  digits,
  digitsOf,
  emptySubTree,
  hash,
  hashAccount,
  hashAddress,
  hashCode,
  hashWord,
  integer,
  tailKey,
} from './reference.js';

const depth = 40;
const zero: Digits = digits(0n);

interface Content {
  hKey: Digits;
  hValue: Digits;
  value: Digits;
}

/** One tree: leaves by index. */
export class ListedTree {
  readonly family: HashFamily;
  readonly leaves = new Map<number, Content>();
  nextFreeNode = 2;
  /** What follows from the leaves as they are: many proofs of one tree ask for it. */
  private derived: { openings?: Map<number, Digits>; levels?: Map<number, Digits>[] } = {};

  constructor(family: HashFamily) {
    this.family = family;
    this.leaves.set(0, { hKey: zero, hValue: zero, value: zero });
    this.leaves.set(1, { hKey: tailKey(family), hValue: zero, value: zero });
  }

  indexOf(hKey: Digits): number | undefined {
    for (const [index, leaf] of this.leaves) if (leaf.hKey === hKey) return index;
    return undefined;
  }

  put(content: Content): void {
    const index = this.indexOf(content.hKey) ?? this.nextFreeNode;
    if (index === this.nextFreeNode) this.nextFreeNode++;
    this.leaves.set(index, content);
    this.derived = {};
  }

  remove(hKey: Digits): void {
    const index = this.indexOf(hKey);
    if (index !== undefined) this.leaves.delete(index);
    this.derived = {};
  }

  /** Openings of all leaves, each with the indices of those before and after it in the order of keys. */
  openings(): Map<number, Digits> {
    this.derived.openings ??= this.listOpenings();
    return this.derived.openings;
  }

  private listOpenings(): Map<number, Digits> {
    const sorted = [...this.leaves].sort(([, a], [, b]) => (a.hKey < b.hKey ? -1 : 1));
    const at = (i: number) => BigInt((sorted[i] as [number, Content])[0]);
    return new Map(
      sorted.map(([index, { hKey, hValue }], i) => {
        // Head and tail point at themselves if there is nothing beyond.
        const prev = integer(this.family, at(Math.max(0, i - 1)));
        const next = integer(this.family, at(Math.min(sorted.length - 1, i + 1)));
        return [index, prev + next + hKey + hValue];
      }),
    );
  }

  /** Digests by height and index, of what is not empty. */
  levels(): Map<number, Digits>[] {
    this.derived.levels ??= this.hashLevels();
    return this.derived.levels;
  }

  private hashLevels(): Map<number, Digits>[] {
    const hashed = [...this.openings()].map(
      ([index, opening]) => [index, hash(this.family, opening)] as const,
    );
    const levels = [new Map(hashed)];
    for (let height = 0; height < depth; height++) {
      const below = levels[height] as Map<number, Digits>;
      const parents = new Set([...below.keys()].map((index) => Math.floor(index / 2)));
      const pairs = [...parents].map(
        (index) => [index, hash(this.family, this.children(below, height + 1, index))] as const,
      );
      levels.push(new Map(pairs));
    }
    return levels;
  }

  private children(below: Map<number, Digits> | undefined, height: number, index: number): Digits {
    const child = (i: number) => below?.get(i) ?? emptySubTree(this.family, height - 1);
    return child(2 * index) + child(2 * index + 1);
  }

  get top(): Digits {
    const subTreeRoot = this.levels()[depth]?.get(0) as Digits;
    return integer(this.family, BigInt(this.nextFreeNode)) + subTreeRoot;
  }

  get root(): Digits {
    return hash(this.family, this.top);
  }

  /** The proof of a key, in the wire form. */
  prove(key: Digits, hKey: Digits): object {
    const levels = this.levels();
    const openings = this.openings();
    const side = (index: number) => {
      const nodes = [this.top];
      for (let height = depth - 1; height > 0; height--) {
        const sibling =
          Math.floor(index / 2 ** height) + (Math.floor(index / 2 ** height) % 2 ? -1 : 1);
        nodes.push(this.children(levels[height - 1], height, sibling));
      }
      const sibling = index % 2 === 0 ? index + 1 : index - 1;
      nodes.push(openings.get(sibling) ?? zero, openings.get(index) as Digits);
      const value = `0x${(this.leaves.get(index) as Content).value}`;
      return { value, proofRelatedNodes: nodes.map((node) => `0x${node}`) };
    };
    const index = this.indexOf(hKey);
    if (index !== undefined) return { key: `0x${key}`, leafIndex: index, proof: side(index) };
    const sorted = [...this.leaves].sort(([, a], [, b]) => (a.hKey < b.hKey ? -1 : 1));
    const at = sorted.findIndex(([, leaf]) => leaf.hKey > hKey);
    const [left] = sorted[at - 1] as [number, Content];
    const [right] = sorted[at] as [number, Content];
    return {
      key: `0x${key}`,
      leftProof: side(left),
      rightProof: side(right),
      leftLeafIndex: left,
      rightLeafIndex: right,
    };
  }
}

/** What a block does to one account, in plain values. */
export interface ReferenceChange {
  /** 20 bytes. */
  address: Digits;
  account: { nonce: bigint; balance: bigint; code?: Digits } | null;
  recreated?: boolean;
  storage: [key: bigint, value: bigint][];
}

/** All trees of a state. */
export class ReferenceState {
  readonly family: HashFamily;
  readonly accounts: ListedTree;
  readonly storage = new Map<Digits, ListedTree>();
  /** Code of each account that exists, and what its value shows as the hash of it. */
  readonly codes = new Map<Digits, { code: Digits; snarkCodeHash: Digits }>();

  constructor(family: HashFamily) {
    this.family = family;
    this.accounts = new ListedTree(family);
  }

  /** By ascending hKey. */
  sorted(changes: readonly ReferenceChange[]): ReferenceChange[] {
    const hKeyOf = ({ address }: ReferenceChange) => hashAddress(this.family, address);
    return [...changes].sort((a, b) => (hKeyOf(a) < hKeyOf(b) ? -1 : 1));
  }

  /**
   * Protocol section 2, "code that is taken away", word for word.
   *
   * @param code after the block
   */
  private snarkCodeHash(address: Digits, code: Digits): Digits {
    const before = this.codes.get(address);
    if (code !== '' || before === undefined) return hashCode(this.family, code);
    return before.code === '' ? before.snarkCodeHash : zero;
  }

  /** Protocol section 1, "order matters", word for word. */
  apply(changes: readonly ReferenceChange[]): Digits {
    const { family } = this;
    for (const change of this.sorted(changes)) {
      const { address, account, recreated, storage } = change;
      const hKey = hashAddress(family, address);
      if (account === null || recreated) {
        this.accounts.remove(hKey);
        this.storage.delete(address);
      }
      if (account === null) {
        this.codes.delete(address);
        continue;
      }
      const tree = this.storage.get(address) ?? new ListedTree(family);
      this.storage.set(address, tree);
      const slots = storage.map(([key, value]) => [hashWord(family, digits(key)), value] as const);
      for (const [slotKey, value] of slots.sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (value === 0n) tree.remove(slotKey);
        else {
          const word = digits(value);
          tree.put({ hKey: slotKey, hValue: hashWord(family, word), value: word });
        }
      }
      const kept = recreated ? undefined : this.codes.get(address)?.code;
      const code = account.code ?? kept ?? '';
      const snarkCodeHash = this.snarkCodeHash(address, code);
      this.codes.set(address, { code, snarkCodeHash });
      const value =
        digits(account.nonce) +
        digits(account.balance) +
        tree.root +
        snarkCodeHash +
        digitsOf(toHex(keccak_256(bytesOf(code)))) +
        digits(BigInt(code.length / 2));
      this.accounts.put({ hKey, hValue: hashAccount(family, value), value });
    }
    return this.accounts.root;
  }

  /** What the public system answers. */
  prove(address: Digits, keys: readonly bigint[]): object {
    const { family } = this;
    const tree = this.storage.get(address);
    const hasStorage = tree !== undefined && tree.nextFreeNode > 2;
    return {
      accountProof: this.accounts.prove(address, hashAddress(family, address)),
      storageProofs: hasStorage
        ? keys.map((key) => tree.prove(digits(key), hashWord(family, digits(key))))
        : [],
    };
  }
}
