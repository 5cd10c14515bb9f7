/** A small state whose every detail a forger may choose, and the results a server would give of it. */
// @ts-nocheck

import type { HashFamily, Hex } from '../../src/index.js';
import {
  type Digits,
  digits,
  hash,
  hashAccount,
  hashAddress,
  hashWord,
} from '../support/reference.js';
import { ReferenceTree } from '../support/referenceTree.js';

/** A value of test data: digits that name what they stand for, and nothing else. */
const label = (text: string, bytes: number): Digits =>
  [...text]
    .map((c) => c.charCodeAt(0).toString(16))
    .join('')
    .padStart(2 * bytes, '1');

export const address = (name: string): Digits => label(name, 20);
export const slotKey = (name: string): Digits => label(name, 32);

export interface AccountWords {
  nonce: Digits;
  balance: Digits;
  storageRoot: Digits;
  snarkCodeHash: Digits;
  keccakCodeHash: Digits;
  codeSize: Digits;
}

export const accountValue = (words: AccountWords): Digits =>
  words.nonce +
  words.balance +
  words.storageRoot +
  words.snarkCodeHash +
  words.keccakCodeHash +
  words.codeSize;

/** Names whose keys the world holds; `absent` and `gap` are never written. */
const accountNames = ['alice', 'bob', 'carol', 'dave', 'erin'];
const slotNames = ['one', 'two', 'three', 'four'];

export class World {
  readonly family: HashFamily;
  readonly accounts: ReferenceTree;
  /** Storage of `alice`. */
  readonly storage: ReferenceTree;
  /** Storage of `bob`. */
  readonly foreign: ReferenceTree;

  constructor(family: HashFamily) {
    this.family = family;
    this.accounts = new ReferenceTree(family);
    this.storage = new ReferenceTree(family);
    this.foreign = new ReferenceTree(family);
    for (const name of slotNames) {
      this.setSlot(this.storage, name, digits(BigInt(name.length)));
      this.setSlot(this.foreign, name, digits(99n));
    }
    // A tree that has lived: a leaf is gone and its index stays unused.
    this.setSlot(this.storage, 'gone', digits(7n));
    this.storage.remove(this.storage.indexOf(this.slotHash('gone')) as bigint);
    for (const name of accountNames) this.setAccount(name, this.words(name));
  }

  accountHash(name: string): Digits {
    return hashAddress(this.family, address(name));
  }

  slotHash(name: string): Digits {
    return hashWord(this.family, slotKey(name));
  }

  words(name: string): AccountWords {
    const empty = new ReferenceTree(this.family).root;
    const storageRoots: Record<string, Digits> = {
      alice: this.storage.root,
      bob: this.foreign.root,
    };
    return {
      nonce: digits(3n),
      balance: digits(10n ** 18n),
      storageRoot: storageRoots[name] ?? empty,
      snarkCodeHash: hash(this.family, digits(0n)),
      keccakCodeHash: 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
      codeSize: digits(0n),
    };
  }

  setSlot(tree: ReferenceTree, name: string, value: Digits): void {
    tree.insert(this.slotHash(name), hashWord(this.family, value), value);
  }

  /** Sets an account's value, whatever stands in it. */
  setAccount(name: string, words: AccountWords): void {
    const value = accountValue(words);
    const hValue = hashAccount(this.family, value);
    const index = this.accounts.indexOf(this.accountHash(name));
    if (index === undefined) this.accounts.insert(this.accountHash(name), hValue, value);
    else Object.assign(this.accounts.leaf(index), { hValue, value });
  }

  get stateRoot(): Hex {
    return `0x${this.accounts.root}`;
  }

  accountProof(name: string) {
    return this.accounts.prove(address(name), this.accountHash(name));
  }

  slotProof(name: string, tree: ReferenceTree = this.storage) {
    return tree.prove(slotKey(name), this.slotHash(name));
  }

  /** What a server answers for an account and slots of `alice`. */
  result(name: string, slots: readonly string[]) {
    return {
      accountProof: this.accountProof(name),
      storageProofs: slots.map((slot) => this.slotProof(slot)),
    };
  }
}
