/** What a hash family decides about its trees, to the byte (docs/protocol.md section 2). */
// @ts-nocheck
function stryNS_9fa48() {
  var g = typeof globalThis === 'object' && globalThis && globalThis.Math === Math && globalThis || new Function("return this")();
  var ns = g.__stryker__ || (g.__stryker__ = {});
  if (ns.activeMutant === undefined && g.process && g.process.env && g.process.env.__STRYKER_ACTIVE_MUTANT__) {
    ns.activeMutant = g.process.env.__STRYKER_ACTIVE_MUTANT__;
  }
  function retrieveNS() {
    return ns;
  }
  stryNS_9fa48 = retrieveNS;
  return retrieveNS();
}
stryNS_9fa48();
function stryCov_9fa48() {
  var ns = stryNS_9fa48();
  var cov = ns.mutantCoverage || (ns.mutantCoverage = {
    static: {},
    perTest: {}
  });
  function cover() {
    var c = cov.static;
    if (ns.currentTestId) {
      c = cov.perTest[ns.currentTestId] = cov.perTest[ns.currentTestId] || {};
    }
    var a = arguments;
    for (var i = 0; i < a.length; i++) {
      c[a[i]] = (c[a[i]] || 0) + 1;
    }
  }
  stryCov_9fa48 = cover;
  cover.apply(null, arguments);
}
function stryMutAct_9fa48(id) {
  var ns = stryNS_9fa48();
  function isActive(id) {
    if (ns.activeMutant === id) {
      if (ns.hitCount !== void 0 && ++ns.hitCount > ns.hitLimit) {
        throw new Error('Stryker: Hit count limit reached (' + ns.hitCount + ')');
      }
      return true;
    }
    return false;
  }
  stryMutAct_9fa48 = isActive;
  return isActive(id);
}
import { blockWidth, type PathWidths } from '../hash/family.js';
import type { IntegerCodec } from './word.js';

/** What the path verifier of a family on L1 is called with. */
export interface FamilyContract {
  /** Bytes of a field element, and the modulus that it must be below. */
  readonly element: {
    readonly width: number;
    readonly modulus: bigint;
  };
  /** Whether integers in leaf openings and top nodes are limbs. */
  readonly limbs: boolean;
  /** Where in an account value the words begin that are hashed as elements; they end with `snarkCodeHash`. */
  readonly elementsFrom: number;
  /** Signature of the hash of whole blocks. */
  readonly hash: string;
  /** The call that gives an account's hKey. @param address 20 bytes */
  accountKey(address: Uint8Array): {
    readonly signature: string;
    readonly argument: Uint8Array;
  };
}

/** Widths, encodings and fixed values of one family's trees. Members named `...Blocks` give the bytes to hash. */
export interface FamilySpec {
  readonly widths: PathWidths;
  readonly integer: IntegerCodec;
  /** hKey of the tail, the largest value of the hash's range. */
  readonly tailHKey: Uint8Array;
  /** Root of a tree that holds head and tail only. */
  readonly emptyRoot: Uint8Array;
  /** Whether a 32-byte word is canonical as a balance, in the form in which the family hashes it. */
  isBalance(word: Uint8Array): boolean;
  /** What an account's hKey is the hash of. @param address 20 bytes */
  addressBlocks(address: Uint8Array): Uint8Array;
  /** What a slot's hKey or hValue is the hash of. @param word 32 bytes */
  wordBlocks(word: Uint8Array): Uint8Array;
  /** What an account's hValue is the hash of. @param value 192 bytes */
  accountBlocks(value: Uint8Array): Uint8Array;
  /** One block of contract code. @param chunk 1 to 16 bytes; only the last one is shorter than 16 */
  codeBlock(chunk: Uint8Array): Uint8Array;
  /** The path verifier on L1, as far as it is not the same in every family. */
  readonly contract: FamilyContract;
}

/** An account value: nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize. */
export type AccountWords = [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/** @param value 192 bytes */
export function accountWords(value: Uint8Array): AccountWords {
  if (stryMutAct_9fa48("54")) {
    {}
  } else {
    stryCov_9fa48("54");
    const word = stryMutAct_9fa48("55") ? () => undefined : (stryCov_9fa48("55"), (() => {
      const word = (_: unknown, i: number) => value.subarray(stryMutAct_9fa48("56") ? blockWidth / i : (stryCov_9fa48("56"), blockWidth * i), stryMutAct_9fa48("57") ? blockWidth / (i + 1) : (stryCov_9fa48("57"), blockWidth * (stryMutAct_9fa48("58") ? i - 1 : (stryCov_9fa48("58"), i + 1))));
      return word;
    })());
    return Array.from({
      length: 6
    }, word) as AccountWords;
  }
}