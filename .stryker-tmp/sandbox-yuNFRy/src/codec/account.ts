/** The value of an account: six 32-byte words <-> fields. */
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
import { bytesToInteger, concatBytes, integerToBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import type { TreeSpec } from './spec.js';

/** An account's fields as bytes and integers. */
export interface AccountValue {
  /** Below 2^64. */
  readonly nonce: bigint;
  /** In wei, below 2^256 (under MiMC below the order of its field). */
  readonly balance: bigint;
  /** Root of the account's storage tree, 32 bytes. */
  readonly storageRoot: Uint8Array;
  /** Hash of the code in the tree's own family, 32 bytes. */
  readonly snarkCodeHash: Uint8Array;
  /** keccak256 of the code, any 32 bytes. */
  readonly keccakCodeHash: Uint8Array;
  /** Bytes of code, below 2^64. */
  readonly codeSize: bigint;
}
const word64 = 1n << 64n;

/** 192 bytes: nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize. */
export function encodeAccount(account: AccountValue): Uint8Array {
  if (stryMutAct_9fa48("0")) {
    {}
  } else {
    stryCov_9fa48("0");
    return concatBytes(integerToBytes(account.nonce, blockWidth), integerToBytes(account.balance, blockWidth), account.storageRoot, account.snarkCodeHash, account.keccakCodeHash, integerToBytes(account.codeSize, blockWidth));
  }
}

/**
 * Reads an account value.
 *
 * @param bytes 192 bytes
 * @throws ShapeError for a field that is out of range or not canonical
 */
export function decodeAccount(spec: TreeSpec, bytes: Uint8Array, at: string): AccountValue {
  if (stryMutAct_9fa48("1")) {
    {}
  } else {
    stryCov_9fa48("1");
    const {
      isCanonical,
      title
    } = spec.hasher;
    const word = stryMutAct_9fa48("2") ? () => undefined : (stryCov_9fa48("2"), (() => {
      const word = (i: number) => bytes.subarray(stryMutAct_9fa48("3") ? blockWidth / i : (stryCov_9fa48("3"), blockWidth * i), stryMutAct_9fa48("4") ? blockWidth / (i + 1) : (stryCov_9fa48("4"), blockWidth * (stryMutAct_9fa48("5") ? i - 1 : (stryCov_9fa48("5"), i + 1))));
      return word;
    })());
    const number64 = (i: number, name: string) => {
      if (stryMutAct_9fa48("6")) {
        {}
      } else {
        stryCov_9fa48("6");
        const value = bytesToInteger(word(i));
        if (stryMutAct_9fa48("10") ? value < word64 : stryMutAct_9fa48("9") ? value > word64 : stryMutAct_9fa48("8") ? false : stryMutAct_9fa48("7") ? true : (stryCov_9fa48("7", "8", "9", "10"), value >= word64)) throw new ShapeError(stryMutAct_9fa48("11") ? `` : (stryCov_9fa48("11"), `${at}.${name}`), stryMutAct_9fa48("12") ? `` : (stryCov_9fa48("12"), `expected below 2^64, got ${value}`));
        return value;
      }
    };
    const canonical = (i: number, name: string, isRight: (word: Uint8Array) => boolean) => {
      if (stryMutAct_9fa48("13")) {
        {}
      } else {
        stryCov_9fa48("13");
        if (stryMutAct_9fa48("16") ? false : stryMutAct_9fa48("15") ? true : stryMutAct_9fa48("14") ? isRight(word(i)) : (stryCov_9fa48("14", "15", "16"), !isRight(word(i)))) throw new ShapeError(stryMutAct_9fa48("17") ? `` : (stryCov_9fa48("17"), `${at}.${name}`), stryMutAct_9fa48("18") ? `` : (stryCov_9fa48("18"), `expected canonical elements of ${title}`));
        return word(i);
      }
    };
    return Object.freeze(stryMutAct_9fa48("19") ? {} : (stryCov_9fa48("19"), {
      nonce: number64(0, stryMutAct_9fa48("20") ? "" : (stryCov_9fa48("20"), 'nonce')),
      balance: bytesToInteger(canonical(1, stryMutAct_9fa48("21") ? "" : (stryCov_9fa48("21"), 'balance'), spec.isBalance)),
      storageRoot: canonical(2, stryMutAct_9fa48("22") ? "" : (stryCov_9fa48("22"), 'storageRoot'), isCanonical),
      snarkCodeHash: canonical(3, stryMutAct_9fa48("23") ? "" : (stryCov_9fa48("23"), 'snarkCodeHash'), isCanonical),
      keccakCodeHash: word(4),
      codeSize: number64(5, stryMutAct_9fa48("24") ? "" : (stryCov_9fa48("24"), 'codeSize'))
    }));
  }
}