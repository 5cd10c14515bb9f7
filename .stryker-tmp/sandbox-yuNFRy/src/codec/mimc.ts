/** Trees hashed with MiMC: one block is one field element, so 32 bytes go in whole only if they are below p. */
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
import { mimcModulus, mimcPermutation } from '../hash/mimc.js';
import { accountWords, type FamilySpec } from './family.js';
import { blockInteger, padLeft, splitWord } from './word.js';
export const mimcSpec: FamilySpec = stryMutAct_9fa48("59") ? {} : (stryCov_9fa48("59"), {
  widths: mimcPermutation.widths,
  integer: blockInteger,
  tailHKey: integerToBytes(stryMutAct_9fa48("60") ? mimcModulus + 1n : (stryCov_9fa48("60"), mimcModulus - 1n), blockWidth),
  emptyRoot: integerToBytes(0x07977874126658098c066972282d4c85f230520af3847e297fe7524f976873e5n, blockWidth),
  // A balance is hashed as one element: balance + p would pass for the balance.
  isBalance: mimcPermutation.isCanonical,
  addressBlocks: stryMutAct_9fa48("61") ? () => undefined : (stryCov_9fa48("61"), address => padLeft(address)),
  wordBlocks: splitWord,
  accountBlocks(value) {
    if (stryMutAct_9fa48("62")) {
      {}
    } else {
      stryCov_9fa48("62");
      const [nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize] = accountWords(value);
      return concatBytes(nonce, balance, storageRoot, snarkCodeHash, splitWord(keccakCodeHash), codeSize);
    }
  },
  codeBlock: stryMutAct_9fa48("63") ? () => undefined : (stryCov_9fa48("63"), chunk => padLeft(chunk)),
  contract: stryMutAct_9fa48("64") ? {} : (stryCov_9fa48("64"), {
    element: stryMutAct_9fa48("65") ? {} : (stryCov_9fa48("65"), {
      width: blockWidth,
      modulus: mimcModulus
    }),
    limbs: stryMutAct_9fa48("66") ? true : (stryCov_9fa48("66"), false),
    elementsFrom: blockWidth,
    hash: stryMutAct_9fa48("67") ? "" : (stryCov_9fa48("67"), 'mimcHash(bytes)'),
    accountKey: stryMutAct_9fa48("68") ? () => undefined : (stryCov_9fa48("68"), address => stryMutAct_9fa48("69") ? {} : (stryCov_9fa48("69"), {
      signature: stryMutAct_9fa48("70") ? "" : (stryCov_9fa48("70"), 'mimcHash(bytes)'),
      argument: padLeft(address)
    }))
  })
});