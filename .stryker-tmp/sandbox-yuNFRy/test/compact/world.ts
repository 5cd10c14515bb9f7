/** The small state of the forged set, and what its compact proofs are. */
// @ts-nocheck

import { address, slotKey, World } from '../forged/world.js';
import { type Digits, digits, hashWord } from '../support/reference.js';
import { ReferenceTree } from '../support/referenceTree.js';
import type { Statement } from './read.js';
import { type TreeParts, treeOf } from './write.js';

/** A tree for each part of the proof; the second one if the storage needs it. */
export type Parts = [account: TreeParts, ...storage: TreeParts[]];

export class CompactWorld extends World {
  /** A statement about an account and slots of `alice`. */
  statement(account: string, slots: readonly string[]): Statement {
    return {
      stateRoot: this.accounts.root,
      address: address(account),
      storageKeys: slots.map(slotKey),
      hash: this.family,
    };
  }

  /** Its proof, by the page. */
  parts(account: string, slots: readonly string[]): Parts {
    const accounts = treeOf(this.accounts, [this.accountHash(account)]);
    const isPristine = this.storage.root === new ReferenceTree(this.family).root;
    if (account !== 'alice' || slots.length === 0 || isPristine) return [accounts];
    const hKeys = [...new Set(slots)].map((slot) => this.slotHash(slot));
    return [accounts, treeOf(this.storage, hKeys)];
  }

  /** Puts a slot at an index of its own. */
  placeSlot(name: string, index: bigint, value: Digits = digits(5n)): void {
    this.storage.insert(this.slotHash(name), hashWord(this.family, value), value, index);
  }

  /** Takes the storage as it is now into the account. */
  settle(): this {
    this.setAccount('alice', this.words('alice'));
    return this;
  }
}
