/**
 * How a family lays words and integers out in the data it hashes. Poseidon2 elements hold less than 32
 * bits, so a word goes in as two-byte limbs of four bytes each; a MiMC element holds 32 bytes, if below p.
 */
import { bytesToInteger, integerToBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';

/** 2^40: no leaf index reaches it, and the next free node cannot pass it. */
export const indexLimit: bigint = 1n << 40n;

/** Bytes from one offset to another, and where they go: no view is made for each. */
interface Span {
  readonly from: number;
  readonly to: number;
  /** Offset in what they are written into. */
  readonly at: number;
}

/** Writes two bytes into each four-byte limb: 2n bytes from n, n even, into zeros. */
export function spreadInto(bytes: Uint8Array, { from, to, at }: Span, out: Uint8Array): void {
  for (let i = from, o = at + 2; i < to; i += 2, o += 4) {
    out[o] = bytes[i] as number;
    out[o + 1] = bytes[i + 1] as number;
  }
}

/** Two bytes into each four-byte limb: 2n bytes from n, n even. */
export function spread(bytes: Uint8Array): Uint8Array {
  const limbs = new Uint8Array(2 * bytes.length);
  spreadInto(bytes, { from: 0, to: bytes.length, at: 0 }, limbs);
  return limbs;
}

/** Copies bytes: a loop is faster than a call for so few. */
export function copyInto(bytes: Uint8Array, { from, to, at }: Span, out: Uint8Array): void {
  for (let i = from, o = at; i < to; i++, o++) out[o] = bytes[i] as number;
}

/**
 * Inverse of {@link spread}.
 *
 * @returns undefined if a limb is above 0xffff: it would name the same word a second way
 */
export function unspread(limbs: Uint8Array): Uint8Array | undefined {
  const bytes = new Uint8Array(limbs.length / 2);
  for (let i = 0; i < bytes.length; i += 2) {
    if (limbs[2 * i] !== 0 || limbs[2 * i + 1] !== 0) return undefined;
    bytes[i] = limbs[2 * i + 2] as number;
    bytes[i + 1] = limbs[2 * i + 3] as number;
  }
  return bytes;
}

/** `bytes` after as many zeros as make the width a multiple of `width`. */
export function padLeft(bytes: Uint8Array, width: number = blockWidth): Uint8Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / width) * width);
  padded.set(bytes, padded.length - bytes.length);
  return padded;
}

/**
 * Writes the low, then the high 128 bits of a 32-byte word, each as one block, into zeros: MiMC
 * elements cannot hold 256.
 */
export function splitInto(
  bytes: Uint8Array,
  { from, at }: Omit<Span, 'to'>,
  out: Uint8Array,
): void {
  const middle = from + blockWidth / 2;
  copyInto(bytes, { from: middle, to: from + blockWidth, at: at + 16 }, out);
  copyInto(bytes, { from, to: middle, at: at + 48 }, out);
}

/** How one family writes integers (indices, the next free node) inside hashed data. */
export interface IntegerCodec {
  /** Bytes an integer takes: 32, or 64 as limbs. */
  readonly width: number;
  encode(value: bigint): Uint8Array;
  /** Writes a safe integer, as `encode` does, into zeros at an offset. */
  write(value: number, out: Uint8Array, offset: number): void;
  /**
   * Reads `width` bytes at an offset.
   *
   * @returns undefined if they are no canonical integer
   */
  decode(bytes: Uint8Array, offset: number): bigint | undefined;
}

/** One 32-byte block. */
export const blockInteger: IntegerCodec = {
  width: blockWidth,
  encode: (value) => integerToBytes(value, blockWidth),
  write(value, out, offset) {
    let rest = value;
    for (let at = offset + blockWidth - 1; rest > 0; at--) {
      out[at] = rest % 256;
      rest = Math.floor(rest / 256);
    }
  },
  decode: (bytes, offset) => bytesToInteger(bytes.subarray(offset, offset + blockWidth)),
};

/** A 32-byte word as sixteen limbs. */
export const limbInteger: IntegerCodec = {
  width: 2 * blockWidth,
  encode: (value) => spread(integerToBytes(value, blockWidth)),
  write(value, out, offset) {
    let rest = value;
    for (let at = offset + 2 * blockWidth - 2; rest > 0; at -= 4) {
      out[at] = Math.floor(rest / 256) % 256;
      out[at + 1] = rest % 256;
      rest = Math.floor(rest / 65_536);
    }
  },
  decode(bytes, offset) {
    const end = offset + 2 * blockWidth;
    let index = 0;
    for (let i = offset; i < end; i += 4) {
      if (bytes[i] !== 0 || bytes[i + 1] !== 0) return undefined;
      index = index * 0x10000 + ((bytes[i + 2] as number) << 8) + (bytes[i + 3] as number);
    }
    // A number is exact up to 2^53, which no index comes near; sizes beyond it are rounded, but never to less.
    if (index <= Number.MAX_SAFE_INTEGER) return BigInt(index);
    return bytesToInteger(unspread(bytes.subarray(offset, end)) as Uint8Array);
  },
};
