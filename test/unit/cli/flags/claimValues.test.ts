/** Addresses, storage keys and roots as people have them: held against the published figures and against viem. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  encodeAbiParameters,
  getAddress,
  type Hex,
  hexToBytes,
  keccak256,
  numberToHex,
  parseAbiParameters,
} from 'viem';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../../src/cli/exit/exit.js';
import { parseAddress, parseSlot, readRoot } from '../../../../src/cli/flags/claimValues.js';
import { newFolder } from '../../../support/folder.js';

/** What a text is refused with. */
function refusal(read: () => unknown): string {
  try {
    return `taken: ${read()}`;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe('an address', () => {
  /** The test cases of EIP-55. */
  const published = [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ];

  test('is taken with its checksum, in lower case and in upper case, and stays as it is written', () => {
    for (const text of published) {
      const digits = text.slice(2);
      for (const own of [text, text.toLowerCase(), `0x${digits.toUpperCase()}`]) {
        expect(parseAddress(own, '--address')).toBe(own);
      }
    }
  });

  test('with any one letter in the other case is refused, which says why', () => {
    for (const text of published.slice(4)) {
      for (let i = 2; i < text.length; i++) {
        const letter = text.charAt(i);
        const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
        if (other === letter) continue;
        const wrong = text.slice(0, i) + other + text.slice(i + 1);
        expect(refusal(() => parseAddress(wrong, '--address'))).toMatch(
          /^--address has a wrong checksum, .*; copy it again/,
        );
      }
    }
  });

  test('has the checksum that viem writes', () => {
    for (let i = 1n; i < 200n; i++) {
      const text = keccak256(numberToHex(i)).slice(0, 42) as Hex;
      expect(parseAddress(getAddress(text), '--address')).toBe(getAddress(text));
    }
  });

  test.each([
    '',
    '0x',
    '0x12',
    `0x${'1'.repeat(39)}`,
    `0x${'1'.repeat(41)}`,
    `0X${'1'.repeat(40)}`,
    '1'.repeat(40),
    `0x${'g'.repeat(40)}`,
    `0x${'1'.repeat(40)} `,
  ])('%j is refused', (text) => {
    expect(refusal(() => parseAddress(text, '--rollup'))).toBe(
      '--rollup expected an address, 20 bytes: 0x and 40 hex digits',
    );
  });
});

const word = (n: bigint): Hex => numberToHex(n, { size: 32 });
const owner = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const spender = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
/** The entry of a mapping, by viem's encoding. */
const entry = (type: 'address' | 'uint256' | 'bytes32', key: Hex | bigint, slot: Hex): Hex =>
  keccak256(
    encodeAbiParameters(parseAbiParameters(`${type}, bytes32`) as never, [key, slot] as never),
  );
const full = `0x${'aB'.repeat(32)}` as const;

describe('a storage key', () => {
  test.each<[text: string, key: Hex]>([
    ['0', word(0n)],
    ['4', word(4n)],
    ['10', word(10n)],
    ['010', word(10n)],
    ['0x4', word(4n)],
    ['0x04', word(4n)],
    ['0x10', word(16n)],
    ['0xffffffffffffffff', word(2n ** 64n - 1n)],
    [String(2n ** 256n - 1n), word(2n ** 256n - 1n)],
    [full, full],
    [`mapping:${owner}:3`, entry('address', owner, word(3n))],
    [`mapping:${owner.toLowerCase()}:0x3`, entry('address', owner, word(3n))],
    [`mapping:${owner}:${word(3n)}`, entry('address', owner, word(3n))],
    ['mapping:7:3', entry('uint256', 7n, word(3n))],
    [`mapping:${full}:3`, entry('bytes32', full, word(3n))],
    [
      `mapping:${spender}:mapping:${owner}:1`,
      entry('address', spender, entry('address', owner, word(1n))),
    ],
    [
      'mapping:1:mapping:2:mapping:3:4',
      entry('uint256', 1n, entry('uint256', 2n, entry('uint256', 3n, word(4n)))),
    ],
  ])('%s', (text, key) => {
    expect(parseSlot(text, '--slot')).toBe(key);
    expect(hexToBytes(parseSlot(text, '--slot') as Hex)).toHaveLength(32);
  });

  test.each<[text: string, message: RegExp]>([
    ['', /^--slot expected 4, 0x4, .*; got ""$/],
    ['-1', /^--slot expected 4, 0x4/],
    ['4.5', /^--slot expected 4, 0x4/],
    ['1e3', /^--slot expected 4, 0x4/],
    [' 4', /^--slot expected 4, 0x4/],
    [String(2n ** 256n), /^--slot expected 4, 0x4/],
    ['9'.repeat(78), /^--slot expected 4, 0x4/],
    ['0X4', /^--slot expected 4, 0x4/],
    ['mapping:0X4:1', /^--slot expected a mapping's KEY/],
    ['0x', /^--slot expected 4, 0x4/],
    ['0xg', /^--slot expected 4, 0x4/],
    // A digit of a key is lost, or one is too many: no other key may come of it.
    [full.slice(0, -1), /hex of up to 16 digits is a number, and a storage key has 64$/],
    [`${full}0`, /hex of up to 16 digits is a number, and a storage key has 64$/],
    [`0x${'0'.repeat(16)}1`, /a storage key has 64$/],
    [owner, /a storage key has 64$/],
    ['mapping', /^--slot expected 4, 0x4/],
    ['mapping:', /^--slot expected 4, 0x4/],
    ['mapping:1', /^--slot expected 4, 0x4/],
    ['mapping:1:', /^--slot expected 4, 0x4/],
    ['mapping::1', /^--slot expected a mapping's KEY as a whole number, an address/],
    ['mapping:1:2:3', /^--slot expected 4, 0x4/],
    ['Mapping:1:2', /^--slot expected 4, 0x4/],
    ['map:1:2', /^--slot expected 4, 0x4/],
    [`1:mapping:${owner}:2`, /^--slot expected 4, 0x4/],
    // The zeros of a bytes4 stand behind it, those of a number in front.
    ['mapping:0x12345678:2', /^--slot expected a mapping's KEY as a whole number, an address/],
    ['mapping:-1:2', /^--slot expected a mapping's KEY/],
    [`mapping:${owner.replace('fB', 'Fb')}:3`, /^--slot has a wrong checksum/],
  ])('%s is refused', (text, message) => {
    expect(refusal(() => parseSlot(text, '--slot'))).toMatch(message);
  });

  test('that nests without end is read in bounded time', () => {
    const deep = `${'mapping:1:'.repeat(3000)}0`;
    expect(parseSlot(deep, '--slot')).toMatch(/^0x[\da-f]{64}$/);
    expect(refusal(() => parseSlot('9'.repeat(100_000), '--slot')).length).toBeLessThan(700);
  });
});

describe('a root', () => {
  const folder = newFolder();
  const file = (name: string, text: string | Uint8Array) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const read = (text: string, own?: string) =>
    readRoot(text, { name: '--root', ...(own !== undefined && { file: own }) }).then(
      (root) => root as string,
      (error) => {
        if (error instanceof UsageError) return error.message;
        throw error;
      },
    );

  test('is hex, or stands in a file', async () => {
    expect(await read(full)).toBe(full);
    for (const text of [full, `${full}\n`, `\ufeff  ${full}\r\n\n`]) {
      expect(await read(file('root', text))).toBe(full);
    }
  });

  test.each<[name: string, text: string, message: RegExp]>([
    ['short hex', '0x12', /^--root expected 0x and 64 hex digits, or a FILE$/],
    ['no digits', `0x${'z'.repeat(64)}`, /^--root expected 0x and 64 hex digits, or a FILE$/],
    [
      'no file',
      join(folder, 'none'),
      /^--root expected 0x and 64 hex digits, or a FILE that holds them: cannot read .*none: there is no such file/,
    ],
    ['a folder', folder, /^--root expected .*: it is a folder/],
    ['an empty file', file('empty', ''), /^--root expected .*; ".*empty" holds something else$/],
    ['two roots', file('two', `${full}\n${full}`), /holds something else$/],
    ['a quoted root', file('quoted', `"${full}"`), /holds something else$/],
    ['a long file', file('long', ' '.repeat(1025)), /long is longer than 1024 bytes$/],
    ['no end', '/dev/zero', /\/dev\/zero is longer than 1024 bytes$/],
  ])('%s is refused', async (_, text, message) => {
    expect(await read(text)).toMatch(message);
  });

  test('and FILE cannot both be standard input', async () => {
    expect(await read('-', '-')).toBe(
      '--root - and FILE both read standard input; name a file for one of them',
    );
  });
});
