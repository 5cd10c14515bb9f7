/** Strict hex and byte helpers. Nothing here repairs: wrong text is refused, never padded or cut. */

/** `0x` and digits; this library writes lower case and reads digits of either case. */
export type Hex = `0x${string}`;

/** Bytes of an address. */
export const addressWidth = 20;

// The tables of this file are marked as pure, so that a bundle without their functions has none of them.
const kindOf = /* @__PURE__ */ (() => {
  const typedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
  return Object.getOwnPropertyDescriptor(typedArrayPrototype, Symbol.toStringTag)?.get as (
    this: unknown,
  ) => unknown;
})();

/**
 * Whether a value is a Uint8Array, of whatever realm: test environments and frames have their own. Only internal slots are
 * asked: no foreign code runs, and a Proxy or an own member cannot answer.
 */
export const isBytes = (value: unknown): value is Uint8Array => kindOf.call(value) === 'Uint8Array';

/** Value of an ASCII hex digit by its code, 255 if the code is no digit. */
const digitOf: Uint8Array = /* @__PURE__ */ (() => {
  const table = new Uint8Array(128).fill(255);
  for (let value = 0; value < 16; value++) {
    const digit = value.toString(16);
    table[digit.charCodeAt(0)] = value;
    table[digit.toUpperCase().charCodeAt(0)] = value;
  }
  return table;
})();

/** The same without `A` to `F`. */
const lowerDigitOf = /* @__PURE__ */ (() => digitOf.slice().fill(255, 0x41, 0x47))();

/**
 * Decodes `0x` and exactly `width` bytes of digits into `out` at `offset`.
 *
 * @returns false if the text is anything else; `out` may then hold a part of it
 */
export function decodeHex(text: string, width: number, out: Uint8Array, offset = 0): boolean {
  // The length comes first: it is known without reading a huge string.
  if (text.length !== 2 + 2 * width) return false;
  if (text.charCodeAt(0) !== 0x30 || text.charCodeAt(1) !== 0x78) return false;
  return decodeDigits(text, 2, { width, out, offset });
}

/** Whether a text is `0x` and digits in lower case. */
export function isLowerHex(text: string): text is Hex {
  if (text.charCodeAt(0) !== 0x30 || text.charCodeAt(1) !== 0x78) return false;
  let seen = 0;
  for (let i = 2; i < text.length; i++) seen |= lowerDigitOf[text.charCodeAt(i)] ?? 255;
  return seen < 16;
}

/**
 * Decodes the digits of `width` bytes that stand at a place of a text.
 *
 * @returns false if anything else stands there; `out` may then hold a part of it
 */
export function decodeDigits(
  text: string,
  at: number,
  { width, out, offset = 0 }: { width: number; out: Uint8Array; offset?: number },
): boolean {
  let seen = 0;
  for (let i = 0; i < width; i++) {
    const high = digitOf[text.charCodeAt(at + 2 * i)] ?? 255;
    const low = digitOf[text.charCodeAt(at + 1 + 2 * i)] ?? 255;
    seen |= high | low;
    out[offset + i] = (high << 4) | low;
  }
  return seen < 16;
}

/** Characters that are put together in one call: engines bound the arguments of a call. */
const chunkLength = 4096;

/** Text of a character a byte, whose code is the byte. */
export function bytesToText(bytes: Uint8Array): string {
  // Most are short, and to cut a part from them takes longer than all the rest.
  if (bytes.length <= chunkLength) return String.fromCharCode.apply(null, bytes as never);
  let text = '';
  for (let at = 0; at < bytes.length; at += chunkLength) {
    // Not spread: an iterator over the bytes takes ten times as long.
    const codes = bytes.subarray(at, at + chunkLength) as unknown as number[];
    text += String.fromCharCode.apply(null, codes);
  }
  return text;
}

/** Codes of the two digits of a byte, side by side as they lie in memory. */
const pairOf = /* @__PURE__ */ (() =>
  new Uint16Array(
    Uint8Array.from({ length: 512 }, (_, i) =>
      (i % 2 === 0 ? i >> 5 : (i >> 1) & 15).toString(16).charCodeAt(0),
    ).buffer,
  ))();
const prefix = /* @__PURE__ */ (() =>
  new Uint16Array(Uint8Array.of(0x30, 0x78).buffer)[0] as number)();
/** Absent on some engines. It is not needed to import the library, nor to verify. */
const textDecoder =
  typeof TextDecoder === 'undefined' ? undefined : /* @__PURE__ */ new TextDecoder();

/** Room for the nodes of a path, which are encoded most often. */
const scratch = /* @__PURE__ */ new Uint16Array(1 + 256);
/** What bytes of a width take of that room: to make an array for it takes as long as all the rest. */
const texts: Uint8Array[] = [];

/** Lower-case hex of any bytes, with `0x`. */
export const encodeHex = (bytes: Uint8Array): Hex => hexOf(bytes, 0, bytes.length);

/** Lower-case hex of the bytes between two offsets, with `0x`: a view of them would take as long. */
export function hexOf(bytes: Uint8Array, from: number, to: number): Hex {
  const width = to - from;
  // One text at once is three times as fast as digits put together: a proof has thousands.
  const codes = width < scratch.length ? scratch : new Uint16Array(1 + width);
  codes[0] = prefix;
  for (let i = 0; i < width; i++) codes[1 + i] = pairOf[bytes[from + i] as number] as number;
  const text = texts[width] ?? new Uint8Array(codes.buffer, 0, 2 + 2 * width);
  if (codes === scratch) texts[width] = text;
  // A decoder takes half the time that putting characters together does.
  return (textDecoder?.decode(text) ?? bytesToText(text)) as Hex;
}

/** Order of two strings of bytes of one width as big-endian unsigned integers: below, equal or above 0. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether two byte strings are the same, widths included. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && compareBytes(a, b) === 0;
}

/** Whether all bytes from `start` on, to `end`, exclusive, are zero. */
export function isZero(bytes: Uint8Array, start = 0, end: number = bytes.length): boolean {
  for (let i = start; i < end; i++) if (bytes[i] !== 0) return false;
  return true;
}

/** Unsigned big-endian integer held by whole 64-bit words. */
export function bytesToInteger(bytes: Uint8Array): bigint {
  // Most integers are short: a bigint for each word would cost more than the rest.
  let first = 0;
  while (first < bytes.length && bytes[first] === 0) first++;
  if (bytes.length - first <= 6) {
    let number = 0;
    for (let i = first; i < bytes.length; i++) number = number * 256 + (bytes[i] as number);
    return BigInt(number);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = first - (first % 8);
  let value = 0n;
  for (; offset < bytes.length; offset += 8) {
    const word = view.getBigUint64(offset);
    value = value === 0n ? word : (value << 64n) | word;
  }
  return value;
}

/** Writes a value, big-endian, into zeros up to the offset `end`. */
export function writeInteger(value: bigint, bytes: Uint8Array, end: number): void {
  let rest = value;
  let at = end;
  // Numbers are cheaper than bigints, and hold 48 bits.
  for (; rest > 0n; rest >>= 48n, at -= 6) {
    let low = Number(BigInt.asUintN(48, rest));
    for (let i = at - 1; low > 0; i--) {
      bytes[i] = low % 256;
      low = Math.floor(low / 256);
    }
  }
}

/** Big-endian bytes of `value`, which must fit `width` bytes. */
export function integerToBytes(value: bigint, width: number): Uint8Array {
  const bytes = new Uint8Array(width);
  writeInteger(value, bytes, width);
  return bytes;
}

/** The parts back to back. */
export const concatBytes = (...parts: readonly Uint8Array[]): Uint8Array => joinBytes(parts);

/** The same of a list of any length: engines bound the arguments of a call. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((width, part) => width + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    bytes.set(part, offset);
    offset += part.length;
  }
  return bytes;
}

/** A hash of 32 bits for tables in memory (FNV-1a). An attacker who chooses the bytes can make two equal. */
export function tableHash(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] as number), 0x01000193);
  return hash >>> 0;
}

/** Bytes of the first piece of an arena, and of the longest: many arenas are needed for little. */
const firstPiece = 2 ** 11;
const longestPiece = 2 ** 16;

/** Longest array that is cut from a piece: a longer one would leave much of one unused. */
const longestCut = 2 ** 13;

/**
 * Memory for many small arrays, cut from pieces. An engine asks the system for each array of more than 64 bytes, and
 * watches over it: that takes some twenty times as long as to cut it from a piece. A piece lives as long as one of its
 * arrays.
 */
export class Arena {
  #piece = new ArrayBuffer(0);
  #taken = 0;
  #next = firstPiece;

  /** An array of zeros. */
  take(length: number): Uint8Array {
    if (length > longestCut) return new Uint8Array(length);
    if (this.#taken + length > this.#piece.byteLength) {
      this.#piece = new ArrayBuffer(Math.max(length, this.#next));
      this.#taken = 0;
      this.#next = Math.min(2 * this.#next, longestPiece);
    }
    const array = new Uint8Array(this.#piece, this.#taken, length);
    this.#taken += length;
    return array;
  }

  /** A copy of bytes. */
  copy(bytes: Uint8Array): Uint8Array {
    const array = this.take(bytes.length);
    array.set(bytes);
    return array;
  }
}
