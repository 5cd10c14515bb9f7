/** Changes a small state and writes the traces of it in the wire form, honest ones and whatever a forger likes. */
// @ts-nocheck

import type { HashFamily, Hex } from '../../src/index.js';
import { type Digits, hashAccount, hashAddress, hashWord } from '../support/reference.js';
import { ReferenceTree } from '../support/referenceTree.js';
import type { Wire } from '../support/runs.js';
import { type AccountWords, accountValue, address, slotKey, World } from './world.js';

/** What a forger chooses: leaf indices, and a change of the tree just before a place of it is written down. */
interface Choice {
  left?: bigint;
  right?: bigint;
  index?: bigint;
  tamper?: Partial<Record<'left' | 'own' | 'right', () => void>>;
}

const hex = (text: Digits): Hex => `0x${text}`;

/** A tree with a key of it, and how values of it are hashed. */
interface Subject {
  tree: ReferenceTree;
  location: Hex;
  key: Digits;
  hKey: Digits;
  hashValue(value: Digits): Digits;
}

export class Tracer {
  readonly family: HashFamily;
  readonly world: World;
  readonly blocks: Wire[][] = [[]];
  /** Storage trees by the owner's name. */
  readonly storages: Map<string, ReferenceTree>;
  /** Roots after the blocks that are done. */
  readonly roots: Hex[] = [];
  private start: Hex | undefined;

  constructor(family: HashFamily) {
    this.family = family;
    this.world = new World(family);
    this.storages = new Map([
      ['alice', this.world.storage],
      ['bob', this.world.foreign],
    ]);
  }

  /** The state root before the first trace. */
  get parentRoot(): Hex {
    return this.start ?? this.world.stateRoot;
  }

  get accounts(): ReferenceTree {
    return this.world.accounts;
  }

  storage(owner: string): ReferenceTree {
    const tree = this.storages.get(owner) ?? new ReferenceTree(this.family);
    this.storages.set(owner, tree);
    return tree;
  }

  /** Leaf index of an account, or of a slot. */
  indexOf(owner: string | null, name: string): bigint {
    const { tree, hKey } = this.subject(owner, name);
    return tree.indexOf(hKey) as bigint;
  }

  words(name: string, change: Partial<AccountWords> = {}): AccountWords {
    return { ...this.world.words(name), storageRoot: this.storage(name).root, ...change };
  }

  /** Ends the block and begins another. */
  nextBlock(): void {
    this.roots.push(this.world.stateRoot);
    this.blocks.push([]);
  }

  /** Without an owner the key is an account. */
  private subject(owner: string | null, name: string): Subject {
    const { family } = this;
    if (owner === null) {
      const key = address(name);
      const hKey = hashAddress(family, key);
      return {
        tree: this.accounts,
        location: '0x',
        key,
        hKey,
        hashValue: (v) => hashAccount(family, v),
      };
    }
    const key = slotKey(name);
    const hKey = hashWord(family, key);
    const location = hex(address(owner));
    const tree = this.storage(owner);
    return { tree, location, key, hKey, hashValue: (v) => hashWord(family, v) };
  }

  private leaf(tree: ReferenceTree, index: bigint): Wire {
    const { prev, next, hKey, hValue } = tree.leaf(index);
    return {
      hkey: hex(hKey),
      hval: hex(hValue),
      prevLeaf: Number(prev),
      nextLeaf: Number(next),
    };
  }

  private proof(tree: ReferenceTree, index: bigint): Wire {
    const siblings = Array.from({ length: 40 }, (_, height) =>
      hex(tree.node(height, (index >> BigInt(height)) ^ 1n)),
    );
    return { leafIndex: Number(index), siblings };
  }

  private emit(subject: Subject, type: number, members: Wire): Wire {
    const { location, key } = subject;
    const trace = { location, key: hex(key), type, ...members };
    (this.blocks.at(-1) as Wire[]).push(trace);
    return trace;
  }

  private begin(): void {
    this.start ??= this.world.stateRoot;
  }

  read(owner: string | null, name: string, index = this.indexOf(owner, name)): Wire {
    this.begin();
    const subject = this.subject(owner, name);
    const { tree } = subject;
    return this.emit(subject, 0, {
      nextFreeNode: Number(tree.nextFreeNode),
      subRoot: hex(tree.subTreeRoot),
      leaf: this.leaf(tree, index),
      proof: this.proof(tree, index),
      value: hex(tree.leaf(index).value),
    });
  }

  readZero(owner: string | null, name: string, choice: Choice = {}): Wire {
    this.begin();
    const subject = this.subject(owner, name);
    const { tree, hKey } = subject;
    const [before, after] = tree.neighbours(hKey);
    const { left = before, right = after } = choice;
    return this.emit(subject, 1, {
      nextFreeNode: Number(tree.nextFreeNode),
      subRoot: hex(tree.subTreeRoot),
      leftLeaf: this.leaf(tree, left),
      leftProof: this.proof(tree, left),
      rightLeaf: this.leaf(tree, right),
      rightProof: this.proof(tree, right),
    });
  }

  insert(owner: string | null, name: string, value: Digits, choice: Choice = {}): Wire {
    this.begin();
    const subject = this.subject(owner, name);
    const { tree, hKey } = subject;
    const [before, after] = tree.neighbours(hKey);
    const { left = before, right = after, index = tree.nextFreeNode } = choice;
    const members: Wire = { oldSubRoot: hex(tree.subTreeRoot), value: hex(value) };
    choice.tamper?.left?.();
    members.priorLeftLeaf = this.leaf(tree, left);
    members.leftProof = this.proof(tree, left);
    tree.leaf(left).next = index;
    choice.tamper?.own?.();
    members.newProof = this.proof(tree, index);
    const hValue = subject.hashValue(value);
    tree.leaves.set(index, { prev: left, next: right, hKey, hValue, value });
    choice.tamper?.right?.();
    members.priorRightLeaf = this.leaf(tree, right);
    members.rightProof = this.proof(tree, right);
    tree.leaf(right).prev = index;
    tree.nextFreeNode += 1n;
    members.newNextFreeNode = Number(tree.nextFreeNode);
    members.newSubRoot = hex(tree.subTreeRoot);
    return this.emit(subject, 2, members);
  }

  update(
    owner: string | null,
    name: string,
    value: Digits,
    choice: Choice = {},
    alongside: () => void = () => {},
  ): Wire {
    this.begin();
    const subject = this.subject(owner, name);
    const { tree } = subject;
    const { index = this.indexOf(owner, name) } = choice;
    const members: Wire = {
      oldSubRoot: hex(tree.subTreeRoot),
      newNextFreeNode: Number(tree.nextFreeNode),
      newValue: hex(value),
    };
    choice.tamper?.own?.();
    members.priorUpdatedLeaf = this.leaf(tree, index);
    members.proof = this.proof(tree, index);
    members.oldValue = hex(tree.leaf(index).value);
    Object.assign(tree.leaf(index), { hValue: subject.hashValue(value), value });
    alongside();
    members.newSubRoot = hex(tree.subTreeRoot);
    return this.emit(subject, 3, members);
  }

  remove(owner: string | null, name: string, choice: Choice = {}): Wire {
    this.begin();
    const subject = this.subject(owner, name);
    const { tree } = subject;
    const { index = this.indexOf(owner, name) } = choice;
    const { left = tree.leaf(index).prev, right = tree.leaf(index).next } = choice;
    const members: Wire = {
      oldSubRoot: hex(tree.subTreeRoot),
      newNextFreeNode: Number(tree.nextFreeNode),
    };
    choice.tamper?.left?.();
    members.priorLeftLeaf = this.leaf(tree, left);
    members.leftProof = this.proof(tree, left);
    tree.leaf(left).next = right;
    choice.tamper?.own?.();
    members.deletedValue = hex(tree.leaf(index).value);
    members.priorDeletedLeaf = this.leaf(tree, index);
    members.deletedProof = this.proof(tree, index);
    tree.leaves.delete(index);
    choice.tamper?.right?.();
    members.priorRightLeaf = this.leaf(tree, right);
    members.rightProof = this.proof(tree, right);
    tree.leaf(right).prev = left;
    members.newSubRoot = hex(tree.subTreeRoot);
    if (owner === null) this.storages.delete(name);
    return this.emit(subject, 4, members);
  }

  /** Writes an account as its storage now stands, or with other words. */
  account(name: string, change: Partial<AccountWords> = {}): Wire {
    const value = accountValue(this.words(name, change));
    return this.indexOf(null, name) === undefined
      ? this.insert(null, name, value)
      : this.update(null, name, value);
  }

  /** Puts an account into the tree without a trace, as a part of the state before the first. */
  settle(name: string): void {
    this.world.setAccount(name, this.words(name));
  }
}
