/**
 * The specs of all hash families. Specs are plain values that are passed along: there is no family to set. A new family
 * is an entry in this table, and one in the table of `hash/engine.ts`.
 */
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
import { shownWord } from '../errors.js';
import { type Engine, openHasher, sharedHasher } from '../hash/engine.js';
import { blockWidth, type Hasher, type HashFamily } from '../hash/family.js';
import type { FamilySpec } from './family.js';
import { mimcSpec } from './mimc.js';
import { poseidon2Spec } from './poseidon2.js';

/** Bytes of an address. */
export const addressWidth = 20;

/** Bytes of an account value: six words. */
export const accountWidth: number = stryMutAct_9fa48("126") ? 6 / blockWidth : (stryCov_9fa48("126"), 6 * blockWidth);

/** A family's trees together with what hashes them. */
export interface TreeSpec extends FamilySpec {
  readonly hasher: Hasher;
}
const specs: Readonly<Record<HashFamily, FamilySpec>> = stryMutAct_9fa48("127") ? {} : (stryCov_9fa48("127"), {
  poseidon2: poseidon2Spec,
  mimc: mimcSpec
});

/** All families, today's first. */
export const hashFamilies = Object.keys(specs) as readonly HashFamily[];

/** Family of a tree if the caller names none. */
export const defaultFamily: HashFamily = stryMutAct_9fa48("128") ? "" : (stryCov_9fa48("128"), 'poseidon2');

/** Families as a message names them. */
export const quoteFamilies = stryMutAct_9fa48("129") ? () => undefined : (stryCov_9fa48("129"), (() => {
  const quoteFamilies = (families: readonly HashFamily[]): string => families.map(stryMutAct_9fa48("130") ? () => undefined : (stryCov_9fa48("130"), family => stryMutAct_9fa48("131") ? `` : (stryCov_9fa48("131"), `'${family}'`))).join(stryMutAct_9fa48("132") ? "" : (stryCov_9fa48("132"), ' or '));
  return quoteFamilies;
})());

/** The families that a root or a proof may be of if it is not of the spec's. */
export const otherFamilies = stryMutAct_9fa48("133") ? () => undefined : (stryCov_9fa48("133"), (() => {
  const otherFamilies = (spec: TreeSpec): HashFamily[] => stryMutAct_9fa48("134") ? hashFamilies : (stryCov_9fa48("134"), hashFamilies.filter(stryMutAct_9fa48("135") ? () => undefined : (stryCov_9fa48("135"), family => stryMutAct_9fa48("138") ? family === spec.hasher.family : stryMutAct_9fa48("137") ? false : stryMutAct_9fa48("136") ? true : (stryCov_9fa48("136", "137", "138"), family !== spec.hasher.family))));
  return otherFamilies;
})());

/** The family, other than the spec's, whose top nodes have this width; undefined if there is none. */
export const otherFamilyOf = stryMutAct_9fa48("139") ? () => undefined : (stryCov_9fa48("139"), (() => {
  const otherFamilyOf = (spec: TreeSpec, topNodeWidth: number): HashFamily | undefined => otherFamilies(spec).find(stryMutAct_9fa48("140") ? () => undefined : (stryCov_9fa48("140"), family => stryMutAct_9fa48("143") ? specs[family].widths.topNode !== topNodeWidth : stryMutAct_9fa48("142") ? false : stryMutAct_9fa48("141") ? true : (stryCov_9fa48("141", "142", "143"), specs[family].widths.topNode === topNodeWidth)));
  return otherFamilyOf;
})());

/** @throws TypeError if `family` is no family */
function checkFamily(family: unknown): HashFamily {
  if (stryMutAct_9fa48("144")) {
    {}
  } else {
    stryCov_9fa48("144");
    const known = hashFamilies.find(stryMutAct_9fa48("145") ? () => undefined : (stryCov_9fa48("145"), name => stryMutAct_9fa48("148") ? name !== family : stryMutAct_9fa48("147") ? false : stryMutAct_9fa48("146") ? true : (stryCov_9fa48("146", "147", "148"), name === family)));
    if (stryMutAct_9fa48("151") ? known === undefined : stryMutAct_9fa48("150") ? false : stryMutAct_9fa48("149") ? true : (stryCov_9fa48("149", "150", "151"), known !== undefined)) return known;
    throw new TypeError(stryMutAct_9fa48("152") ? `` : (stryCov_9fa48("152"), `"hash" expected ${quoteFamilies(hashFamilies)}, got ${shownWord(family)}`));
  }
}

/**
 * The spec of the family that a caller names, by default today's, with the hasher that all calls share.
 *
 * @throws TypeError if it is no family, or `engine` is no engine; RangeError if the engine is not available on this
 *   platform
 */
export function specOf(family: HashFamily = defaultFamily, engine?: Engine): TreeSpec {
  if (stryMutAct_9fa48("153")) {
    {}
  } else {
    stryCov_9fa48("153");
    const known = checkFamily(family);
    return stryMutAct_9fa48("154") ? {} : (stryCov_9fa48("154"), {
      ...specs[known],
      hasher: sharedHasher(known, engine)
    });
  }
}

/** The same with a hasher, and so a memo, of its own. */
export function ownSpecOf(family: HashFamily = defaultFamily, engine?: Engine): TreeSpec {
  if (stryMutAct_9fa48("155")) {
    {}
  } else {
    stryCov_9fa48("155");
    const known = checkFamily(family);
    return stryMutAct_9fa48("156") ? {} : (stryCov_9fa48("156"), {
      ...specs[known],
      hasher: openHasher(known, engine)
    });
  }
}