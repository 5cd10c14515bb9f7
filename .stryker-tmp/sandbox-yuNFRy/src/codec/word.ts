/**
 * How a family lays words and integers out in the data it hashes. Poseidon2 elements hold less than 32
 * bits, so a word goes in as two-byte limbs of four bytes each; a MiMC element holds 32 bytes, if below p.
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
import { bytesToInteger, integerToBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';

/** 2^40: no leaf index reaches it, and the next free node cannot pass it. */
export const indexLimit: bigint = 1n << 40n;

/** Two bytes into each four-byte limb: 2n bytes from n, n even. */
export function spread(bytes: Uint8Array): Uint8Array {
  if (stryMutAct_9fa48("157")) {
    {}
  } else {
    stryCov_9fa48("157");
    const limbs = new Uint8Array(stryMutAct_9fa48("158") ? 2 / bytes.length : (stryCov_9fa48("158"), 2 * bytes.length));
    for (let i = 0; stryMutAct_9fa48("161") ? i >= bytes.length : stryMutAct_9fa48("160") ? i <= bytes.length : stryMutAct_9fa48("159") ? false : (stryCov_9fa48("159", "160", "161"), i < bytes.length); stryMutAct_9fa48("162") ? i -= 2 : (stryCov_9fa48("162"), i += 2)) {
      if (stryMutAct_9fa48("163")) {
        {}
      } else {
        stryCov_9fa48("163");
        limbs[stryMutAct_9fa48("164") ? 2 * i - 2 : (stryCov_9fa48("164"), (stryMutAct_9fa48("165") ? 2 / i : (stryCov_9fa48("165"), 2 * i)) + 2)] = bytes[i] as number;
        limbs[stryMutAct_9fa48("166") ? 2 * i - 3 : (stryCov_9fa48("166"), (stryMutAct_9fa48("167") ? 2 / i : (stryCov_9fa48("167"), 2 * i)) + 3)] = bytes[i + 1] as number;
      }
    }
    return limbs;
  }
}

/**
 * Inverse of {@link spread}.
 *
 * @returns undefined if a limb is above 0xffff: it would name the same word a second way
 */
export function unspread(limbs: Uint8Array): Uint8Array | undefined {
  if (stryMutAct_9fa48("168")) {
    {}
  } else {
    stryCov_9fa48("168");
    const bytes = new Uint8Array(stryMutAct_9fa48("169") ? limbs.length * 2 : (stryCov_9fa48("169"), limbs.length / 2));
    for (let i = 0; stryMutAct_9fa48("172") ? i >= bytes.length : stryMutAct_9fa48("171") ? i <= bytes.length : stryMutAct_9fa48("170") ? false : (stryCov_9fa48("170", "171", "172"), i < bytes.length); stryMutAct_9fa48("173") ? i -= 2 : (stryCov_9fa48("173"), i += 2)) {
      if (stryMutAct_9fa48("174")) {
        {}
      } else {
        stryCov_9fa48("174");
        if (stryMutAct_9fa48("177") ? limbs[2 * i] !== 0 && limbs[2 * i + 1] !== 0 : stryMutAct_9fa48("176") ? false : stryMutAct_9fa48("175") ? true : (stryCov_9fa48("175", "176", "177"), (stryMutAct_9fa48("179") ? limbs[2 * i] === 0 : stryMutAct_9fa48("178") ? false : (stryCov_9fa48("178", "179"), limbs[stryMutAct_9fa48("180") ? 2 / i : (stryCov_9fa48("180"), 2 * i)] !== 0)) || (stryMutAct_9fa48("182") ? limbs[2 * i + 1] === 0 : stryMutAct_9fa48("181") ? false : (stryCov_9fa48("181", "182"), limbs[stryMutAct_9fa48("183") ? 2 * i - 1 : (stryCov_9fa48("183"), (stryMutAct_9fa48("184") ? 2 / i : (stryCov_9fa48("184"), 2 * i)) + 1)] !== 0)))) return undefined;
        bytes[i] = limbs[2 * i + 2] as number;
        bytes[stryMutAct_9fa48("185") ? i - 1 : (stryCov_9fa48("185"), i + 1)] = limbs[2 * i + 3] as number;
      }
    }
    return bytes;
  }
}

/** `bytes` after as many zeros as make the width a multiple of `width`. */
export function padLeft(bytes: Uint8Array, width: number = blockWidth): Uint8Array {
  if (stryMutAct_9fa48("186")) {
    {}
  } else {
    stryCov_9fa48("186");
    const padded = new Uint8Array(stryMutAct_9fa48("187") ? Math.ceil(bytes.length / width) / width : (stryCov_9fa48("187"), Math.ceil(stryMutAct_9fa48("188") ? bytes.length * width : (stryCov_9fa48("188"), bytes.length / width)) * width));
    padded.set(bytes, stryMutAct_9fa48("189") ? padded.length + bytes.length : (stryCov_9fa48("189"), padded.length - bytes.length));
    return padded;
  }
}

/** The low, then the high 128 bits of a 32-byte word, each as one block: MiMC elements cannot hold 256. */
export function splitWord(word: Uint8Array): Uint8Array {
  if (stryMutAct_9fa48("190")) {
    {}
  } else {
    stryCov_9fa48("190");
    const blocks = new Uint8Array(stryMutAct_9fa48("191") ? 2 / blockWidth : (stryCov_9fa48("191"), 2 * blockWidth));
    blocks.set(word.subarray(16), 16);
    blocks.set(word.subarray(0, 16), 48);
    return blocks;
  }
}

/** How one family writes integers (indices, the next free node) inside hashed data. */
export interface IntegerCodec {
  /** Bytes an integer takes: 32, or 64 as limbs. */
  readonly width: number;
  encode(value: bigint): Uint8Array;
  /** Writes a safe integer, as `encode` does, into zeros at an offset. */
  write(value: number, out: Uint8Array, offset: number): void;
  /** @returns undefined if the bytes are no canonical integer */
  decode(bytes: Uint8Array): bigint | undefined;
}

/** One 32-byte block. */
export const blockInteger: IntegerCodec = stryMutAct_9fa48("192") ? {} : (stryCov_9fa48("192"), {
  width: blockWidth,
  encode: stryMutAct_9fa48("193") ? () => undefined : (stryCov_9fa48("193"), value => integerToBytes(value, blockWidth)),
  write(value, out, offset) {
    if (stryMutAct_9fa48("194")) {
      {}
    } else {
      stryCov_9fa48("194");
      let rest = value;
      for (let at = stryMutAct_9fa48("195") ? offset + blockWidth + 1 : (stryCov_9fa48("195"), (stryMutAct_9fa48("196") ? offset - blockWidth : (stryCov_9fa48("196"), offset + blockWidth)) - 1); stryMutAct_9fa48("199") ? rest <= 0 : stryMutAct_9fa48("198") ? rest >= 0 : stryMutAct_9fa48("197") ? false : (stryCov_9fa48("197", "198", "199"), rest > 0); stryMutAct_9fa48("200") ? at++ : (stryCov_9fa48("200"), at--)) {
        if (stryMutAct_9fa48("201")) {
          {}
        } else {
          stryCov_9fa48("201");
          out[at] = stryMutAct_9fa48("202") ? rest * 256 : (stryCov_9fa48("202"), rest % 256);
          rest = Math.floor(stryMutAct_9fa48("203") ? rest * 256 : (stryCov_9fa48("203"), rest / 256));
        }
      }
    }
  },
  decode: bytesToInteger
});

/** A 32-byte word as sixteen limbs. */
export const limbInteger: IntegerCodec = stryMutAct_9fa48("204") ? {} : (stryCov_9fa48("204"), {
  width: stryMutAct_9fa48("205") ? 2 / blockWidth : (stryCov_9fa48("205"), 2 * blockWidth),
  encode: stryMutAct_9fa48("206") ? () => undefined : (stryCov_9fa48("206"), value => spread(integerToBytes(value, blockWidth))),
  write(value, out, offset) {
    if (stryMutAct_9fa48("207")) {
      {}
    } else {
      stryCov_9fa48("207");
      let rest = value;
      for (let at = stryMutAct_9fa48("208") ? offset + 2 * blockWidth + 2 : (stryCov_9fa48("208"), (stryMutAct_9fa48("209") ? offset - 2 * blockWidth : (stryCov_9fa48("209"), offset + (stryMutAct_9fa48("210") ? 2 / blockWidth : (stryCov_9fa48("210"), 2 * blockWidth)))) - 2); stryMutAct_9fa48("213") ? rest <= 0 : stryMutAct_9fa48("212") ? rest >= 0 : stryMutAct_9fa48("211") ? false : (stryCov_9fa48("211", "212", "213"), rest > 0); stryMutAct_9fa48("214") ? at += 4 : (stryCov_9fa48("214"), at -= 4)) {
        if (stryMutAct_9fa48("215")) {
          {}
        } else {
          stryCov_9fa48("215");
          out[at] = stryMutAct_9fa48("216") ? Math.floor(rest / 256) * 256 : (stryCov_9fa48("216"), Math.floor(stryMutAct_9fa48("217") ? rest * 256 : (stryCov_9fa48("217"), rest / 256)) % 256);
          out[stryMutAct_9fa48("218") ? at - 1 : (stryCov_9fa48("218"), at + 1)] = stryMutAct_9fa48("219") ? rest * 256 : (stryCov_9fa48("219"), rest % 256);
          rest = Math.floor(stryMutAct_9fa48("220") ? rest * 65_536 : (stryCov_9fa48("220"), rest / 65_536));
        }
      }
    }
  },
  decode(bytes) {
    if (stryMutAct_9fa48("221")) {
      {}
    } else {
      stryCov_9fa48("221");
      let index = 0;
      for (let i = 0; stryMutAct_9fa48("224") ? i >= bytes.length : stryMutAct_9fa48("223") ? i <= bytes.length : stryMutAct_9fa48("222") ? false : (stryCov_9fa48("222", "223", "224"), i < bytes.length); stryMutAct_9fa48("225") ? i -= 4 : (stryCov_9fa48("225"), i += 4)) {
        if (stryMutAct_9fa48("226")) {
          {}
        } else {
          stryCov_9fa48("226");
          if (stryMutAct_9fa48("229") ? bytes[i] !== 0 && bytes[i + 1] !== 0 : stryMutAct_9fa48("228") ? false : stryMutAct_9fa48("227") ? true : (stryCov_9fa48("227", "228", "229"), (stryMutAct_9fa48("231") ? bytes[i] === 0 : stryMutAct_9fa48("230") ? false : (stryCov_9fa48("230", "231"), bytes[i] !== 0)) || (stryMutAct_9fa48("233") ? bytes[i + 1] === 0 : stryMutAct_9fa48("232") ? false : (stryCov_9fa48("232", "233"), bytes[stryMutAct_9fa48("234") ? i - 1 : (stryCov_9fa48("234"), i + 1)] !== 0)))) return undefined;
          index = stryMutAct_9fa48("235") ? index * 0x10000 + ((bytes[i + 2] as number) << 8) - (bytes[i + 3] as number) : (stryCov_9fa48("235"), (stryMutAct_9fa48("236") ? index * 0x10000 - ((bytes[i + 2] as number) << 8) : (stryCov_9fa48("236"), (stryMutAct_9fa48("237") ? index / 0x10000 : (stryCov_9fa48("237"), index * 0x10000)) + ((bytes[i + 2] as number) << 8))) + (bytes[i + 3] as number));
        }
      }
      // A number is exact up to 2^53, which no index comes near; sizes beyond it are rounded, but never to less.
      if (stryMutAct_9fa48("241") ? index > Number.MAX_SAFE_INTEGER : stryMutAct_9fa48("240") ? index < Number.MAX_SAFE_INTEGER : stryMutAct_9fa48("239") ? false : stryMutAct_9fa48("238") ? true : (stryCov_9fa48("238", "239", "240", "241"), index <= Number.MAX_SAFE_INTEGER)) return BigInt(index);
      return bytesToInteger(unspread(bytes) as Uint8Array);
    }
  }
});