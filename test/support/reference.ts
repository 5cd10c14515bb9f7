/**
 * A second way to compute what the library computes: plain arithmetic and hex text, written from
 * docs/protocol.md section 2 and sharing no code with `src`. It makes the expected values of the tests.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { HashFamily } from '../../src/index.js';
import { fromHex, toHex } from './hex.js';

/** Hex digits without a prefix: the reference cuts and joins text. */
export type Digits = string;

export const digits = (value: bigint, bytes = 32): Digits =>
  value.toString(16).padStart(2 * bytes, '0');
const cut = (text: Digits, size: number): Digits[] =>
  text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];

function chain(seed: string, count: number, p: bigint): bigint[] {
  const constants: bigint[] = [];
  let state = keccak_256(Uint8Array.from(seed, (c) => c.charCodeAt(0)));
  for (let i = 0; i < count; i++) {
    state = keccak_256(state);
    constants.push(BigInt(toHex(state)) % p);
  }
  return constants;
}

export const moduli: Record<HashFamily, bigint> = {
  mimc: 8444461749428370424248824938781546531375899335154063827935233455917409239041n,
  poseidon2: 2n ** 31n - 2n ** 24n + 1n,
};

const mimcTable = chain('seed', 62, moduli.mimc);
const poseidon2Table = Float64Array.from(
  chain('Poseidon2-koalabear[t=16,rF=6,rP=21,d=3]', 117, moduli.poseidon2),
  Number,
);

function hashMimc(blocks: bigint[]): bigint {
  const p = moduli.mimc;
  let h = 0n;
  for (const m of blocks) {
    let x = m;
    for (const c of mimcTable) {
      const t = (x + h + c) % p;
      const t2 = (t * t) % p;
      const t4 = (t2 * t2) % p;
      const t8 = (t4 * t4) % p;
      x = (((t8 * t8) % p) * t) % p;
    }
    h = (x + h + h + m) % p;
  }
  return h;
}

/** KoalaBear's elements are numbers here: sixteen of them, six times each, stay far below 2^53. */
const q = Number(moduli.poseidon2);
/** The remainder; its quotient is right below 2^52, if it is rounded or not. */
const reduced = (x: number): number => x - Math.floor(x / q) * q;
/** Product of two elements, by the upper and the lower 16 bits of one: no step reaches 2^48. */
const times = (a: number, b: number): number =>
  reduced(reduced(a * (b >>> 16)) * 2 ** 16 + a * (b & 0xffff));
const cube = (x: number): number => times(times(x, x), x);

const half = (q + 1) / 2;
const inverse = (n: number): number => (n === 0 ? 1 : times(half, inverse(n - 1)));
const internal = Float64Array.from(
  [
    ...[-2, 1, 2, inverse(1), 3, 4, -inverse(1), -3, -4, inverse(8), inverse(3), inverse(24)],
    ...[-inverse(8), -inverse(3), -inverse(4), -inverse(24)],
  ].map(reduced),
);
const m4 = [
  [2, 3, 1, 1],
  [1, 2, 3, 1],
  [1, 1, 2, 3],
  [3, 1, 1, 2],
];
/** The external matrix entry by entry, row after row, as the circulant of blocks that it is. */
const external = Float64Array.from({ length: 256 }, (_, at) => {
  const [row, column] = [at >> 4, at % 16];
  const entry = (m4[row % 4] as number[])[column % 4] as number;
  return row >> 2 === column >> 2 ? 2 * entry : entry;
});

function timesExternal(s: Float64Array): Float64Array {
  const product = new Float64Array(16);
  for (let row = 0; row < 16; row++) {
    let sum = 0;
    for (let column = 0; column < 16; column++) {
      sum += (external[16 * row + column] as number) * (s[column] as number);
    }
    product[row] = reduced(sum);
  }
  return product;
}

function permute(input: number[]): Float64Array {
  let next = 0;
  let s = timesExternal(Float64Array.from(input));
  const cubeAt = (i: number) => {
    s[i] = cube(reduced((s[i] as number) + (poseidon2Table[next++] as number)));
  };
  for (let round = 0; round < 27; round++) {
    if (round < 3 || round >= 24) {
      for (let i = 0; i < 16; i++) cubeAt(i);
      s = timesExternal(s);
    } else {
      cubeAt(0);
      const sum = s.reduce((a, b) => a + b);
      for (let i = 0; i < 16; i++) {
        s[i] = reduced(sum + times(internal[i] as number, s[i] as number));
      }
    }
  }
  return s;
}

function hashPoseidon2(blocks: Digits[]): Digits {
  let h = new Array<number>(8).fill(0);
  for (const block of blocks) {
    const m = cut(block, 8).map((word) => Number.parseInt(word, 16));
    const s = permute([...h, ...m].map(reduced));
    h = m.map((x, i) => reduced(x + (s[8 + i] as number)));
  }
  return h.map((x) => x.toString(16).padStart(8, '0')).join('');
}

const memo = new Map<string, Digits>();

/** Digest of whole blocks, of any elements: an alias hashes as what it is an alias of. */
export function hash(family: HashFamily, data: Digits): Digits {
  const name = `${family}${data}`;
  let digest = memo.get(name);
  if (digest === undefined) {
    const blocks = cut(data, 64);
    digest =
      family === 'mimc'
        ? digits(hashMimc(blocks.map((b) => BigInt(`0x${b}`))))
        : hashPoseidon2(blocks);
    memo.set(name, digest);
  }
  return digest;
}

const empties: Record<HashFamily, Digits[]> = { mimc: [], poseidon2: [] };

/** Digest of a sub-tree without leaves. @param height 0 for a leaf */
export function emptySubTree(family: HashFamily, height: number): Digits {
  const known = empties[family];
  known[height] ??=
    height === 0 ? digits(0n) : hash(family, emptySubTree(family, height - 1).repeat(2));
  return known[height];
}

/** Two bytes into each four. */
export const padded = (data: Digits): Digits =>
  cut(data, 4)
    .map((limb) => `0000${limb}`)
    .join('');
const halves = (word: Digits): Digits =>
  digits(0n, 16) + word.slice(32) + digits(0n, 16) + word.slice(0, 32);

/** An index inside hashed data. */
export const integer = (family: HashFamily, value: bigint): Digits =>
  family === 'mimc' ? digits(value) : padded(digits(value));

/** hKey of an account. @param address 20 bytes */
export function hashAddress(family: HashFamily, address: Digits): Digits {
  if (family === 'mimc') return hash(family, address.padStart(64, '0'));
  const limbs = padded(address);
  return hash(family, limbs.slice(0, 64) + limbs.slice(64).padStart(64, '0'));
}

/** hKey or hValue of a slot. @param word 32 bytes */
export const hashWord = (family: HashFamily, word: Digits): Digits =>
  hash(family, family === 'mimc' ? halves(word) : padded(word));

/** hValue of an account. @param value 192 bytes */
export function hashAccount(family: HashFamily, value: Digits): Digits {
  const words = cut(value, 64) as [Digits, Digits, Digits, Digits, Digits, Digits];
  const [nonce, balance, storageRoot, snark, keccak, codeSize] = words;
  return hash(
    family,
    family === 'mimc'
      ? nonce + balance + storageRoot + snark + halves(keccak) + codeSize
      : padded(nonce) + padded(balance) + storageRoot + snark + padded(keccak) + padded(codeSize),
  );
}

/** hKey of the tail. */
export const tailKey = (family: HashFamily): Digits =>
  family === 'mimc' ? digits(moduli.mimc - 1n) : '7f000000'.repeat(8);

/** Digits of bytes or of prefixed hex. */
export const digitsOf = (data: Uint8Array | string): Digits =>
  (typeof data === 'string' ? data : toHex(data)).slice(2);

/** Bytes of digits. */
export const bytesOf = (data: Digits): Uint8Array => fromHex(`0x${data}`);

/** Hash of contract code in the tree's own family. */
export function hashCode(family: HashFamily, code: Digits): Digits {
  const chunks = cut(code, 32).map((chunk) => {
    if (family === 'mimc') return chunk.padStart(64, '0');
    const isOdd = chunk.length % 4 !== 0;
    return padded(isOdd ? `00${chunk}` : chunk).padStart(64, '0');
  });
  return hash(family, chunks.length > 0 ? chunks.join('') : digits(0n));
}
