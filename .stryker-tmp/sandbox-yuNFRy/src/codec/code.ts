/** The hash of contract code in a tree's own family (`snarkCodeHash`). */
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
import { blockWidth } from '../hash/family.js';
import type { TreeSpec } from './spec.js';

/** Bytes of code that go into one block. */
const chunkWidth = 16;

/**
 * Hash of contract code; of 32 zero bytes if there is no code.
 *
 * @param code bytes of any number
 * @returns 32 bytes
 */
export function hashCode(spec: TreeSpec, code: Uint8Array): Uint8Array {
  if (stryMutAct_9fa48("41")) {
    {}
  } else {
    stryCov_9fa48("41");
    if (stryMutAct_9fa48("44") ? code.length !== 0 : stryMutAct_9fa48("43") ? false : stryMutAct_9fa48("42") ? true : (stryCov_9fa48("42", "43", "44"), code.length === 0)) return spec.hasher.hash(new Uint8Array(blockWidth));
    const blocks = new Uint8Array(stryMutAct_9fa48("45") ? Math.ceil(code.length / chunkWidth) / blockWidth : (stryCov_9fa48("45"), Math.ceil(stryMutAct_9fa48("46") ? code.length * chunkWidth : (stryCov_9fa48("46"), code.length / chunkWidth)) * blockWidth));
    for (let from = 0, to = 0; stryMutAct_9fa48("49") ? from >= code.length : stryMutAct_9fa48("48") ? from <= code.length : stryMutAct_9fa48("47") ? false : (stryCov_9fa48("47", "48", "49"), from < code.length); stryMutAct_9fa48("50") ? from -= chunkWidth : (stryCov_9fa48("50"), from += chunkWidth), stryMutAct_9fa48("51") ? to -= blockWidth : (stryCov_9fa48("51"), to += blockWidth)) {
      if (stryMutAct_9fa48("52")) {
        {}
      } else {
        stryCov_9fa48("52");
        blocks.set(spec.codeBlock(code.subarray(from, stryMutAct_9fa48("53") ? from - chunkWidth : (stryCov_9fa48("53"), from + chunkWidth))), to);
      }
    }
    return spec.hasher.hash(blocks);
  }
}