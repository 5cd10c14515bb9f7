/** The two kinds of tree: the one of all accounts, and those that hold an account's slots. */
import { addressWidth } from '../bytes.js';
import { decodeAccount } from '../codec/account.js';
import { accountWidth, type TreeSpec } from '../codec/spec.js';
import { blockWidth } from '../hash/family.js';
import type { TreeKind } from './types.js';

/** Offset of the storage root in an account value: the third word. */
const storageRootOffset = 2 * blockWidth;

/** The tree of all accounts. */
export const accountTreeKind = (spec: TreeSpec): TreeKind => ({
  keyWidth: addressWidth,
  valueWidth: accountWidth,
  keyBlocks: spec.addressBlocks,
  valueBlocks: spec.accountBlocks,
  checkValue(value, at) {
    decodeAccount(spec, value, at);
  },
  storageRootOf: (value) => value.subarray(storageRootOffset, storageRootOffset + blockWidth),
});

/** A tree of slots. */
export const storageTreeKind = (spec: TreeSpec): TreeKind => ({
  keyWidth: blockWidth,
  valueWidth: blockWidth,
  keyBlocks: spec.wordBlocks,
  valueBlocks: spec.wordBlocks,
  // Any 32 bytes are a word.
  checkValue() {},
  storageRootOf: undefined,
});
