/** Trees hashed with Poseidon2: elements hold less than 32 bits, so words go in as limbs of two bytes. */
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
import { concatBytes, integerToBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { koalaBearModulus, poseidon2Permutation } from '../hash/poseidon2.js';
import { accountWords, type FamilySpec } from './family.js';
import { limbInteger, padLeft, spread } from './word.js';
export const poseidon2Spec: FamilySpec = stryMutAct_9fa48("107") ? {} : (stryCov_9fa48("107"), {
  widths: poseidon2Permutation.widths,
  integer: limbInteger,
  // Every element of the digest at p - 1.
  tailHKey: new Uint8Array(blockWidth).map(stryMutAct_9fa48("108") ? () => undefined : (stryCov_9fa48("108"), (_, i) => (stryMutAct_9fa48("111") ? i % 4 !== 0 : stryMutAct_9fa48("110") ? false : stryMutAct_9fa48("109") ? true : (stryCov_9fa48("109", "110", "111"), (stryMutAct_9fa48("112") ? i * 4 : (stryCov_9fa48("112"), i % 4)) === 0)) ? 0x7f : 0)),
  emptyRoot: integerToBytes(0x2fa0344a2fab2b310d2af3155c330261263f887379aef18b4941e3ea1cc59df7n, blockWidth),
  // Hashed as limbs, and any 32 bytes have canonical limbs.
  isBalance: stryMutAct_9fa48("113") ? () => undefined : (stryCov_9fa48("113"), () => stryMutAct_9fa48("114") ? false : (stryCov_9fa48("114"), true)),
  addressBlocks(address) {
    if (stryMutAct_9fa48("115")) {
      {}
    } else {
      stryCov_9fa48("115");
      const limbs = spread(address);
      return concatBytes(limbs.subarray(0, blockWidth), padLeft(limbs.subarray(blockWidth)));
    }
  },
  wordBlocks: spread,
  accountBlocks(value) {
    if (stryMutAct_9fa48("116")) {
      {}
    } else {
      stryCov_9fa48("116");
      const [nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize] = accountWords(value);
      return concatBytes(spread(nonce), spread(balance), storageRoot, snarkCodeHash, spread(keccakCodeHash), spread(codeSize));
    }
  },
  // An odd chunk is cut 1, 2, 2, ...: its first limb holds one byte.
  codeBlock: stryMutAct_9fa48("117") ? () => undefined : (stryCov_9fa48("117"), chunk => padLeft(spread(padLeft(chunk, 2)))),
  contract: stryMutAct_9fa48("118") ? {} : (stryCov_9fa48("118"), {
    element: stryMutAct_9fa48("119") ? {} : (stryCov_9fa48("119"), {
      width: 4,
      modulus: BigInt(koalaBearModulus)
    }),
    limbs: stryMutAct_9fa48("120") ? false : (stryCov_9fa48("120"), true),
    elementsFrom: stryMutAct_9fa48("121") ? 2 / blockWidth : (stryCov_9fa48("121"), 2 * blockWidth),
    hash: stryMutAct_9fa48("122") ? "" : (stryCov_9fa48("122"), 'poseidon2Hash(bytes)'),
    accountKey: stryMutAct_9fa48("123") ? () => undefined : (stryCov_9fa48("123"), address => stryMutAct_9fa48("124") ? {} : (stryCov_9fa48("124"), {
      signature: stryMutAct_9fa48("125") ? "" : (stryCov_9fa48("125"), 'hashAccountKey(address)'),
      argument: address
    }))
  })
});