/** The parts of a snapshot's file, each as docs/snapshot.md has it. */
import { crc32 as crcOfNode } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ownSpecOf } from '../../../../src/codec/spec.js';
import { AccountForm } from '../../../../src/tree/snapshot/accountForm.js';
import { BodyReader } from '../../../../src/tree/snapshot/bodyReader.js';
import { BodyWriter } from '../../../../src/tree/snapshot/bodyWriter.js';
import { chunkWidth, readSnapshotChunks } from '../../../../src/tree/snapshot/chunks.js';
import {
  decodeSnapshotHeader,
  encodeSnapshotHeader,
  toSnapshotClaim,
} from '../../../../src/tree/snapshot/header.js';
import { LinkCheck } from '../../../../src/tree/snapshot/links.js';
import { crc32 } from '../../../../src/tree/store/crc32.js';
import { memoryScratch } from '../../../../src/tree/store/scratch.js';
import { randomOf } from '../../../support/blocks.js';

const bad = expect.objectContaining({ code: 'BAD_SNAPSHOT' });

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) parts.push(Buffer.from(chunk));
  return Buffer.concat(parts);
}

async function* inPieces(bytes: Uint8Array, width: number) {
  for (let at = 0; at < bytes.length; at += width) yield bytes.subarray(at, at + width);
}

async function readerOf(content: Uint8Array): Promise<BodyReader> {
  const reader = new BodyReader(inPieces(content, chunkWidth) as AsyncGenerator<Uint8Array>);
  await reader.fill();
  return reader;
}

test('the checksum is that of zip', () => {
  const random = randomOf(5);
  for (const length of [0, 1, 3, 4, 5, 1000, 4099]) {
    const bytes = Buffer.from(Array.from({ length }, () => random(256)));
    expect(crc32(bytes)).toBe(crcOfNode(bytes));
    expect(crc32(bytes, 77)).toBe(crcOfNode(bytes, 77));
  }
});

test.each([1, chunkWidth - 1, chunkWidth, chunkWidth + 1, 2 * chunkWidth])(
  '%i bytes go through chunks, however they are cut',
  async (length) => {
    const content = Buffer.alloc(length, 'some content');
    const writer = new BodyWriter();
    for (let at = 0; at < length; at += 9999) writer.bytes(content.subarray(at, at + 9999));
    const file = Buffer.concat(writer.end());
    expect(file.length).toBe(length + 4 * Math.ceil(length / chunkWidth));
    const number = Buffer.alloc(8);
    expect(file.readUInt32BE(Math.min(length, chunkWidth))).toBe(
      crcOfNode(Buffer.concat([number, content.subarray(0, chunkWidth)])),
    );
    for (const width of [1000, 65_536, chunkWidth + 4, 3 * chunkWidth]) {
      expect((await collect(readSnapshotChunks(inPieces(file, width)))).equals(content)).toBe(true);
    }
    for (const cut of [1, 4]) {
      const chunks = collect(readSnapshotChunks([file.subarray(0, -cut)]));
      await expect(chunks.then(({ length }) => length)).rejects.toEqual(bad);
    }
  },
);

describe('numbers and integers', () => {
  const numbers: [number, string][] = [
    [0, '00'],
    [127, '7f'],
    [128, '8001'],
    [300, 'ac02'],
    [2 ** 40, '808080808020'],
    [2 ** 48 - 1, 'ffffffffffff3f'],
  ];
  test.each(numbers)('%i is %s', async (value, hex) => {
    const writer = new BodyWriter();
    writer.number(value);
    const file = Buffer.concat(writer.end());
    expect(file.subarray(0, -4).toString('hex')).toBe(hex);
    expect((await readerOf(Buffer.from(hex, 'hex'))).number()).toBe(value);
  });

  test.each(['8000', 'ff00', '80', 'ffffffffffff7f', 'ffffffffffffffffff01'])(
    '%s is no number',
    async (hex) => {
      const reader = await readerOf(Buffer.from(hex, 'hex'));
      expect(() => reader.number()).toThrow(bad);
    },
  );

  test('an integer has no more bytes than it needs', async () => {
    const word = Buffer.alloc(32);
    for (const [hex, value] of [
      ['00', ''],
      ['0101', '01'],
      ['020100', '0100'],
    ] as const) {
      const reader = await readerOf(Buffer.from(hex, 'hex'));
      expect(reader.integer(32, word.fill(0), 32)).toBe(value.length / 2);
      expect(word.toString('hex')).toBe(value.padStart(64, '0'));
      expect(reader.isOver || (await reader.fill(), reader.isOver)).toBe(true);
    }
    for (const hex of ['0100', '020001', '21', '0201']) {
      const reader = await readerOf(Buffer.from(hex, 'hex'));
      expect(() => reader.integer(32, word, 32)).toThrow(bad);
    }
    const long = await readerOf(Buffer.from(`09${'11'.repeat(9)}`, 'hex'));
    expect(() => long.integer(8, word, 32)).toThrow(bad);
  });
});

describe('the header', () => {
  const header = {
    hash: 'mimc',
    chainId: 59144,
    block: 2 ** 48 - 2,
    blockHash: new Uint8Array(32).fill(7),
    stateRoot: new Uint8Array(32).fill(9),
    accounts: 3,
    trees: 2,
    places: 2 ** 32,
  } as const;
  const bytes = encodeSnapshotHeader(header);

  test('has its members where the page has them', () => {
    expect(Buffer.from(bytes).toString('hex')).toBe(
      [
        '6c32736e61700d0a',
        '0101',
        '000000000000e708',
        'fffffffffffe',
        '07'.repeat(32),
        '09'.repeat(32),
        '000000000003',
        '000000000002',
        '000100000000',
      ].join(''),
    );
    expect(decodeSnapshotHeader(bytes)).toEqual(header);
    const silent = encodeSnapshotHeader({ ...header, chainId: 0, blockHash: new Uint8Array(32) });
    expect(toSnapshotClaim(decodeSnapshotHeader(silent))).toMatchObject({
      chainId: undefined,
      blockHash: undefined,
    });
  });

  test.each([
    ['another file', 0, 0x6d],
    ['another version', 8, 2],
    ['no family', 9, 3],
    ['a chain id beyond 2^53', 11, 0x20],
    ['a block beyond 2^48 - 2', 23, 0xff],
    ['more places than are read', 105, 1],
  ])('of %s is refused', (_, at, byte) => {
    const changed = bytes.slice();
    changed[at as number] = byte as number;
    expect(() => decodeSnapshotHeader(changed)).toThrow(bad);
  });
});

describe('the short form of an account', () => {
  const spec = ownSpecOf('poseidon2');
  const form = new AccountForm(spec);
  const keccakOfNothing = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';
  const word = (digits: string) => digits.padStart(64, '0');
  const valueOf = (code: string) => Buffer.from(word('5') + word('0100') + word('') + code, 'hex');
  const noCode = Buffer.from(spec.hasher.hash(new Uint8Array(32))).toString('hex');
  const cases: [what: string, kind: number, code: string, text: string][] = [
    ['that never had code', 0, noCode + keccakOfNothing + word(''), ''],
    ['whose code was taken away', 1, word('') + keccakOfNothing + word(''), ''],
    ['with code', 2, word('7') + word('8') + word('9'), `${word('7')}${word('8')}0109`],
  ];

  test.each(cases)('%s', async (_, kind, code, text) => {
    const value = valueOf(code);
    expect(form.kindOf(value)).toBe(kind);
    const writer = new BodyWriter();
    form.write(writer, value);
    const written = Buffer.concat(writer.end()).subarray(0, -4);
    expect(written.toString('hex')).toBe(`0105020100${text}`);
    const read = new Uint8Array(192).fill(1);
    form.read(await readerOf(written), kind, read);
    expect(Buffer.from(read)).toEqual(value);
  });

  test('has one kind only, and canonical words', async () => {
    const value = new Uint8Array(192);
    for (const [, , code] of cases.slice(0, 2)) {
      const long = Buffer.from(`0105020100${code.slice(0, 128)}00`, 'hex');
      const reader = await readerOf(long);
      expect(() => form.read(reader, 2, value)).toThrow(bad);
    }
    const wide = await readerOf(Buffer.from(`0000${'ff'.repeat(32)}${word('8')}0109`, 'hex'));
    expect(() => form.read(wide, 2, value)).toThrow(bad);
  });
});

describe('links', () => {
  const spec = ownSpecOf('poseidon2');
  const key = (value: number) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  type Leaf = [index: number, prev: number, next: number, hKey: number];

  async function check(trees: [tree: number, first: number, last: number, leaves: Leaf[]][]) {
    const links = new LinkCheck(spec, memoryScratch());
    for (const [tree, first, last, leaves] of trees) {
      links.addTree({ tree, nextFreeNode: 9, first, last });
      for (const [index, prev, next, hKey] of leaves) {
        links.addLeaf(tree, { index, prev, next }, key(hKey));
      }
    }
    await links.drain();
    const seen: [number, number][] = [];
    await links.check((tree, _, index) => void seen.push([tree, index]));
    return seen;
  }

  test('give the leaves of all trees in the order of keys', async () => {
    const seen = await check([
      [
        0,
        3,
        2,
        [
          [2, 4, 1, 30],
          [3, 0, 4, 10],
          [4, 3, 2, 20],
        ],
      ],
      [7, 1, 0, []],
      [5, 2, 2, [[2, 0, 1, 99]]],
    ]);
    expect(seen).toEqual([
      [0, 3],
      [0, 4],
      [0, 2],
      [5, 2],
    ]);
  });

  const wrong: [what: string, first: number, last: number, leaves: Leaf[]][] = [
    [
      'two of one key',
      2,
      3,
      [
        [2, 0, 3, 10],
        [3, 2, 1, 10],
      ],
    ],
    [
      'a leaf that none names',
      2,
      2,
      [
        [2, 0, 1, 10],
        [3, 2, 1, 20],
      ],
    ],
    [
      'a prev of another',
      2,
      3,
      [
        [2, 0, 3, 10],
        [3, 0, 1, 20],
      ],
    ],
    [
      'a first that is not',
      3,
      3,
      [
        [2, 0, 3, 10],
        [3, 2, 1, 20],
      ],
    ],
    [
      'a last that is not',
      2,
      2,
      [
        [2, 0, 3, 10],
        [3, 2, 1, 20],
      ],
    ],
    [
      'an end that is not the tail',
      2,
      3,
      [
        [2, 0, 3, 10],
        [3, 2, 4, 20],
      ],
    ],
  ];
  test.each(wrong)('with %s are refused', async (_, first, last, leaves) => {
    await expect(check([[0, first, last, leaves]])).rejects.toEqual(bad);
    // Also in the tree that comes last.
    await expect(
      check([
        [0, 1, 0, []],
        [9, first, last, leaves],
      ]),
    ).rejects.toEqual(bad);
  });
});
