/** The two kinds of tree: the one of all accounts, and those that hold an account's slots. */
import { decodeAccount } from '../codec/account.js';
import { accountWidth, type TreeSpec } from '../codec/spec.js';
import { blockWidth } from '../hash/family.js';
import { addressWidth } from '../proof/parse.js';
import type { TreeKind } from './types.js';

/** The storage root of an account value: its third word. */
const storageRootAt = 2 * blockWidth;

/** The tree of all accounts. */
export const accountTree = (spec: TreeSpec): TreeKind => ({
  keyWidth: addressWidth,
  valueWidth: accountWidth,
  encodeKey: spec.encodeAddress,
  encodeValue: spec.encodeAccount,
  checkValue(value, at) {
    decodeAccount(spec, value, at);
  },
  storageRootOf: (value) => value.subarray(storageRootAt, storageRootAt + blockWidth),
});

/** A tree of slots. */
export const storageTree = (spec: TreeSpec): TreeKind => ({
  keyWidth: blockWidth,
  valueWidth: blockWidth,
  encodeKey: spec.encodeWord,
  encodeValue: spec.encodeWord,
  // Any 32 bytes are a word.
  checkValue() {},
});
