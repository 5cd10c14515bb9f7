/** BLAKE2F, the precompile 0x09 (EIP-152), some rounds at a time: one costs one gas, and the package does all of them at once. */
import type { PrecompileFunc } from '@ethereumjs/evm';

/** Rounds between two turns of the event loop, in some milliseconds. Hashes take 12. */
const roundsAtOnce = 8192;

/** Bytes of the input: rounds, state, message, offset, and whether it is the last block. */
const inputWidth = 213;

/** First words of the state's second half, as 32-bit words, the lower first: those of SHA-512. */
const start: readonly number[] = [
  ...[
    0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a,
  ],
  ...[
    0xade682d1, 0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
  ],
];

/** Which words of the message a round takes, in turn; a digit each (RFC 7693, 2.7). */
const orders: readonly (readonly number[])[] = [
  ...['0123456789abcdef', 'ea489fd61c02b753', 'b8c052fdae367194', '7931dcbe265a40f8'],
  ...['905724afe1bc683d', '2c6a0b834d75fe19', 'c51fed4a0763928b', 'db7ec13950f4862a'],
  ...['6fe9b308c2d714a5', 'a2847615fb9e3cd0'],
].map((digits) => [...digits].map((digit) => 2 * Number.parseInt(digit, 16)));

/** The words that each of the eight steps of a round mixes: columns, then diagonals. */
const mixed = ['048c', '159d', '26ae', '37bf', '05af', '16bc', '278d', '349e'].map((digits) =>
  [...digits].map((digit) => 2 * Number.parseInt(digit, 16)),
) as unknown as readonly (readonly [number, number, number, number])[];

/** Adds a 64-bit word to the one at a place. */
function add(words: Uint32Array, at: number, low: number, high: number): void {
  const sum = (words[at] as number) + low;
  words[at] = sum;
  words[at + 1] = (words[at + 1] as number) + high + (sum > 0xffffffff ? 1 : 0);
}

/** Adds the word at another place. */
const addWord = (words: Uint32Array, at: number, other: number): void =>
  add(words, at, words[other] as number, words[other + 1] as number);

/** Takes the word at another place in by xor, and rotates the result to the right. */
function rotate(words: Uint32Array, at: number, other: number, bits: number): void {
  const low = (words[at] as number) ^ (words[other] as number);
  const high = (words[at + 1] as number) ^ (words[other + 1] as number);
  const [first, second] = bits < 32 ? [low, high] : [high, low];
  const shift = bits % 32;
  // A shift by 32 bits would be one by none.
  words[at] = shift === 0 ? first : (first >>> shift) | (second << (32 - shift));
  words[at + 1] = shift === 0 ? second : (second >>> shift) | (first << (32 - shift));
}

function round(state: Uint32Array, message: Uint32Array, order: readonly number[]): void {
  for (let i = 0; i < 8; i++) {
    const [a, b, c, d] = mixed[i] as (typeof mixed)[number];
    const [x, y] = [order[2 * i] as number, order[2 * i + 1] as number];
    addWord(state, a, b);
    add(state, a, message[x] as number, message[x + 1] as number);
    rotate(state, d, a, 32);
    addWord(state, c, d);
    rotate(state, b, c, 24);
    addWord(state, a, b);
    add(state, a, message[y] as number, message[y + 1] as number);
    rotate(state, d, a, 16);
    addWord(state, c, d);
    rotate(state, b, c, 63);
  }
}

/** Numbers of 32 bits, the lowest byte first. */
function wordsOf(data: Uint8Array, at: number, count: number): Uint32Array {
  const view = new DataView(data.buffer, data.byteOffset + at, 4 * count);
  return Uint32Array.from({ length: count }, (_, i) => view.getUint32(4 * i, true));
}

/** @param original the package's, for input of few rounds, or of the wrong form */
export const createBlake2f =
  (original: PrecompileFunc, tick: () => Promise<void> | undefined): PrecompileFunc =>
  async (input) => {
    const { data, gasLimit } = input;
    const isWhole = data.length === inputWidth && (data[212] as number) <= 1;
    const rounds = isWhole ? new DataView(data.buffer, data.byteOffset).getUint32(0) : 0;
    if (rounds <= roundsAtOnce || BigInt(rounds) > gasLimit) return original(input);
    const hash = wordsOf(data, 4, 16);
    const message = wordsOf(data, 68, 32);
    const offset = wordsOf(data, 196, 4);
    const state = Uint32Array.from([...hash, ...start]);
    for (const [i, word] of offset.entries()) state[24 + i] = (start[8 + i] as number) ^ word;
    for (const at of data[212] === 1 ? [28, 29] : []) state[at] = ~(state[at] as number);
    for (let i = 0; i < rounds; i++) {
      round(state, message, orders[i % 10] as readonly number[]);
      if (i % roundsAtOnce === roundsAtOnce - 1) await tick();
    }
    const view = new DataView(new ArrayBuffer(64));
    for (const [i, word] of hash.entries()) {
      const mixedIn = word ^ (state[i] as number) ^ (state[16 + i] as number);
      view.setUint32(4 * i, mixedIn, true);
    }
    return { returnValue: new Uint8Array(view.buffer), executionGasUsed: BigInt(rounds) };
  };
