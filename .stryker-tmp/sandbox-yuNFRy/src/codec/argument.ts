/** Arguments of a caller that only a hash family can judge, beside those that stand for themselves. */
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
import { isZero } from '../bytes.js';
import { checkHex } from '../foreign/argument.js';
import { blockWidth } from '../hash/family.js';
import { otherFamilies, quoteFamilies, type TreeSpec } from './spec.js';
export { checkHex, ownMembers } from '../foreign/argument.js';

/** Bytes of a digest argument: canonical in the family. @throws TypeError or RangeError that names it */
export function checkDigest(spec: TreeSpec, value: unknown, name: string): Uint8Array {
  if (stryMutAct_9fa48("25")) {
    {}
  } else {
    stryCov_9fa48("25");
    const bytes = checkHex(value, blockWidth, name);
    if (stryMutAct_9fa48("28") ? false : stryMutAct_9fa48("27") ? true : stryMutAct_9fa48("26") ? spec.hasher.isCanonical(bytes) : (stryCov_9fa48("26", "27", "28"), !spec.hasher.isCanonical(bytes))) {
      if (stryMutAct_9fa48("29")) {
        {}
      } else {
        stryCov_9fa48("29");
        throw new RangeError(stryMutAct_9fa48("30") ? `` : (stryCov_9fa48("30"), `"${name}" expected a digest of ${spec.hasher.title}, got a larger number`));
      }
    }
    return bytes;
  }
}

/** Bytes of a trusted root. @throws TypeError or RangeError if it cannot be one */
export function checkRoot(spec: TreeSpec, value: unknown, name: string): Uint8Array {
  if (stryMutAct_9fa48("31")) {
    {}
  } else {
    stryCov_9fa48("31");
    const bytes = checkHex(value, blockWidth, name);
    // The rollup contract answers zero for a block that ended no finalization.
    if (stryMutAct_9fa48("33") ? false : stryMutAct_9fa48("32") ? true : (stryCov_9fa48("32", "33"), isZero(bytes))) {
      if (stryMutAct_9fa48("34")) {
        {}
      } else {
        stryCov_9fa48("34");
        throw new RangeError(stryMutAct_9fa48("35") ? `` : (stryCov_9fa48("35"), `"${name}" is zero, which is no root: L1 holds none for that block`));
      }
    }
    if (stryMutAct_9fa48("38") ? false : stryMutAct_9fa48("37") ? true : stryMutAct_9fa48("36") ? spec.hasher.isCanonical(bytes) : (stryCov_9fa48("36", "37", "38"), !spec.hasher.isCanonical(bytes))) {
      if (stryMutAct_9fa48("39")) {
        {}
      } else {
        stryCov_9fa48("39");
        throw new RangeError(stryMutAct_9fa48("40") ? `` : (stryCov_9fa48("40"), `"${name}" is no root of ${spec.hasher.title} (hash: '${spec.hasher.family}'). Pass hash: ${quoteFamilies(otherFamilies(spec))} if it is one of that family; a block header's stateRoot is neither, it is another tree's`));
      }
    }
    return bytes;
  }
}