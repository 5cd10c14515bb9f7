/** Leaf openings and top nodes: bytes <-> values. */
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
import { concatBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import type { TreeSpec } from './spec.js';
import { indexLimit } from './word.js';

/** The preimage of a leaf: its neighbours in the sorted list, and the hashes of its key and value. */
export interface LeafOpening {
  /** Leaf index of the neighbour with the next smaller hKey, below 2^40. */
  readonly prev: bigint;
  /** Leaf index of the neighbour with the next larger hKey, below 2^40. */
  readonly next: bigint;
  /** 32 bytes. */
  readonly hKey: Uint8Array;
  /** 32 bytes. */
  readonly hValue: Uint8Array;
}

/** The preimage of a root. */
export interface TopNode {
  /** Index the next insertion will take, at most 2^40. */
  readonly nextFreeNode: bigint;
  /** 32 bytes. */
  readonly subTreeRoot: Uint8Array;
}

/** Writes the bytes of a leaf opening, `spec.widths.leafOpening` of them, into `out` at `offset`. */
export function writeLeafOpening(spec: TreeSpec, leaf: LeafOpening, out: Uint8Array, offset: number): void {
  if (stryMutAct_9fa48("71")) {
    {}
  } else {
    stryCov_9fa48("71");
    const {
      integer
    } = spec;
    out.set(integer.encode(leaf.prev), offset);
    out.set(integer.encode(leaf.next), stryMutAct_9fa48("72") ? offset - integer.width : (stryCov_9fa48("72"), offset + integer.width));
    out.set(leaf.hKey, stryMutAct_9fa48("73") ? offset - 2 * integer.width : (stryCov_9fa48("73"), offset + (stryMutAct_9fa48("74") ? 2 / integer.width : (stryCov_9fa48("74"), 2 * integer.width))));
    out.set(leaf.hValue, stryMutAct_9fa48("75") ? offset + 2 * integer.width - blockWidth : (stryCov_9fa48("75"), (stryMutAct_9fa48("76") ? offset - 2 * integer.width : (stryCov_9fa48("76"), offset + (stryMutAct_9fa48("77") ? 2 / integer.width : (stryCov_9fa48("77"), 2 * integer.width)))) + blockWidth));
  }
}

/** Bytes of a leaf opening. */
export function encodeLeafOpening(spec: TreeSpec, leaf: LeafOpening): Uint8Array {
  if (stryMutAct_9fa48("78")) {
    {}
  } else {
    stryCov_9fa48("78");
    const bytes = new Uint8Array(spec.widths.leafOpening);
    writeLeafOpening(spec, leaf, bytes, 0);
    return bytes;
  }
}

/** Digest of a leaf opening: the leaf. */
export function hashLeafOpening(spec: TreeSpec, leaf: LeafOpening): Uint8Array {
  if (stryMutAct_9fa48("79")) {
    {}
  } else {
    stryCov_9fa48("79");
    return spec.hasher.hash(encodeLeafOpening(spec, leaf));
  }
}

/** An integer from 0 to `limit`, exclusive, in the family's encoding. */
function decodeIndex(spec: TreeSpec, bytes: Uint8Array, limit: bigint, at: string): bigint {
  if (stryMutAct_9fa48("80")) {
    {}
  } else {
    stryCov_9fa48("80");
    const index = spec.integer.decode(bytes);
    if (stryMutAct_9fa48("83") ? index !== undefined : stryMutAct_9fa48("82") ? false : stryMutAct_9fa48("81") ? true : (stryCov_9fa48("81", "82", "83"), index === undefined)) {
      if (stryMutAct_9fa48("84")) {
        {}
      } else {
        stryCov_9fa48("84");
        throw new ShapeError(at, stryMutAct_9fa48("85") ? "" : (stryCov_9fa48("85"), 'expected limbs of two bytes, got one above 0xffff'));
      }
    }
    if (stryMutAct_9fa48("89") ? index < limit : stryMutAct_9fa48("88") ? index > limit : stryMutAct_9fa48("87") ? false : stryMutAct_9fa48("86") ? true : (stryCov_9fa48("86", "87", "88", "89"), index >= limit)) throw new ShapeError(at, stryMutAct_9fa48("90") ? `` : (stryCov_9fa48("90"), `expected an index below ${limit}, got ${index}`));
    return index;
  }
}

/**
 * Reads a leaf opening of canonical elements.
 *
 * @param bytes `spec.widths.leafOpening` bytes
 * @throws ShapeError if a pointer has a limb above 0xffff, or reaches 2^40
 */
export function decodeLeafOpening(spec: TreeSpec, bytes: Uint8Array, at: string): LeafOpening {
  if (stryMutAct_9fa48("91")) {
    {}
  } else {
    stryCov_9fa48("91");
    const width = spec.integer.width;
    return Object.freeze(stryMutAct_9fa48("92") ? {} : (stryCov_9fa48("92"), {
      prev: decodeIndex(spec, bytes.subarray(0, width), indexLimit, stryMutAct_9fa48("93") ? `` : (stryCov_9fa48("93"), `${at}.prev`)),
      next: decodeIndex(spec, bytes.subarray(width, stryMutAct_9fa48("94") ? 2 / width : (stryCov_9fa48("94"), 2 * width)), indexLimit, stryMutAct_9fa48("95") ? `` : (stryCov_9fa48("95"), `${at}.next`)),
      hKey: bytes.subarray(stryMutAct_9fa48("96") ? 2 / width : (stryCov_9fa48("96"), 2 * width), stryMutAct_9fa48("97") ? 2 * width - blockWidth : (stryCov_9fa48("97"), (stryMutAct_9fa48("98") ? 2 / width : (stryCov_9fa48("98"), 2 * width)) + blockWidth)),
      hValue: bytes.subarray(stryMutAct_9fa48("99") ? 2 * width - blockWidth : (stryCov_9fa48("99"), (stryMutAct_9fa48("100") ? 2 / width : (stryCov_9fa48("100"), 2 * width)) + blockWidth))
    }));
  }
}

/** Bytes of a top node, `spec.widths.topNode` of them. */
export function encodeTopNode(spec: TreeSpec, top: TopNode): Uint8Array {
  if (stryMutAct_9fa48("101")) {
    {}
  } else {
    stryCov_9fa48("101");
    return concatBytes(spec.integer.encode(top.nextFreeNode), top.subTreeRoot);
  }
}

/** Digest of a top node: the root. */
export function hashTopNode(spec: TreeSpec, top: TopNode): Uint8Array {
  if (stryMutAct_9fa48("102")) {
    {}
  } else {
    stryCov_9fa48("102");
    return spec.hasher.hash(encodeTopNode(spec, top));
  }
}

/**
 * Reads a top node of canonical elements.
 *
 * @param bytes `spec.widths.topNode` bytes
 * @throws ShapeError if nextFreeNode has a limb above 0xffff, or passes 2^40
 */
export function decodeTopNode(spec: TreeSpec, bytes: Uint8Array, at: string): TopNode {
  if (stryMutAct_9fa48("103")) {
    {}
  } else {
    stryCov_9fa48("103");
    const width = spec.integer.width;
    return Object.freeze(stryMutAct_9fa48("104") ? {} : (stryCov_9fa48("104"), {
      // A full tree has 2^40 itself.
      nextFreeNode: decodeIndex(spec, bytes.subarray(0, width), stryMutAct_9fa48("105") ? indexLimit - 1n : (stryCov_9fa48("105"), indexLimit + 1n), stryMutAct_9fa48("106") ? `` : (stryCov_9fa48("106"), `${at}.nextFreeNode`)),
      subTreeRoot: bytes.subarray(width)
    }));
  }
}