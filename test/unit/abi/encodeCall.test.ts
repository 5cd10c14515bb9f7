/** Calldata word by word, by the ABI of Solidity. `calldata.test.ts` holds it against viem. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect, test } from 'vitest';
import { type Argument, encodeCall } from '../../../src/abi/encodeCall.js';
import { toHex } from '../../support/hex.js';

const word = (number: number) => number.toString(16).padStart(64, '0');
const filled = (value: number, width: number) => new Uint8Array(width).fill(value);

test.each<[signature: string, args: Argument[], words: string[]]>([
  ['f(uint256)', [2n ** 255n + 7n], [`8${'0'.repeat(62)}7`]],
  ['f(bytes32)', [filled(0xaa, 32)], ['aa'.repeat(32)]],
  ['f(address)', [filled(0x11, 20)], ['00'.repeat(12) + '11'.repeat(20)]],
  ['f(bytes)', [filled(1, 31)], [word(32), word(31), `${'01'.repeat(31)}00`]],
  ['f(bytes)', [filled(1, 0)], [word(32), word(0)]],
  [
    'verifyProof(bytes[],uint256,bytes32)',
    [[filled(1, 31), filled(2, 32), filled(3, 33)], 5n, filled(0xaa, 32)],
    [
      ...[word(96), word(5), 'aa'.repeat(32)],
      // The offsets of the nodes are counted from the word after their number.
      ...[word(3), word(96), word(160), word(224)],
      ...[word(31), `${'01'.repeat(31)}00`, word(32), '02'.repeat(32)],
      ...[word(33), '03'.repeat(33), '00'.repeat(31)],
    ],
  ],
  [
    'f(bytes,bytes[],bytes)',
    [filled(1, 1), [], filled(2, 2)],
    [
      ...[word(96), word(160), word(192)],
      ...[word(1), `01${'00'.repeat(31)}`, word(0), word(2), `0202${'00'.repeat(30)}`],
    ],
  ],
])('%s', (signature, args, words) => {
  const selector = toHex(keccak_256(Buffer.from(signature))).slice(0, 10);
  expect(toHex(encodeCall(signature, args))).toBe(selector + words.join(''));
});
