/** What the verifier of L1's tries and headers says: which node or field breaks a law, and how. */
import { describe, expect, test } from 'vitest';
import { ShapeError } from '../../../src/errors.js';
import { verifyAccount, verifySlot } from '../../../src/mpt/account.js';
import { encodeRlp, type Item } from '../../../src/mpt/encode.js';
import { TrieError, UnknownFieldError } from '../../../src/mpt/errors.js';
import { verifyHeader } from '../../../src/mpt/header.js';
import { verifyPath } from '../../../src/mpt/path.js';
import { decodeRlp } from '../../../src/mpt/rlp.js';
import {
  branch,
  bytesOf,
  empty,
  hashOf,
  key,
  leaf,
  restOf,
  trieOf,
} from '../../support/handTrie.js';
import { fromHex } from '../../support/hex.js';

/** Class, place and words of what an action throws. */
function refusalOf(action: () => unknown): [name: string, path: string, message: string] {
  try {
    action();
  } catch (error) {
    if (error instanceof TrieError || error instanceof ShapeError) {
      return [error.name, error.path, error.message];
    }
    throw error;
  }
  throw new Error('accepted');
}

const one = leaf(`20${restOf(0)}`);
const below = leaf(`3${restOf(1)}`);
const shortLeaf = leaf('20', bytesOf('01'));
const parent = branch(1, hashOf(below));
const emptyRoot = fromHex('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');

describe('the words of a proof', () => {
  const honest = (nodes: string[]) => nodes;
  type Edit = (nodes: string[]) => unknown;
  test.each<[name: string, items: Item[], edit: Edit, kind: string, at: string, reason: string]>([
    [
      'a root of something else',
      [one],
      () => trieOf(below).nodes,
      'TrieError',
      'proof[0]',
      'does not hash to the root',
    ],
    [
      'a child of something else',
      [parent, below],
      ([top]) => [top, ...trieOf(one).nodes],
      'TrieError',
      'proof[1]',
      'does not hash to the hash in its parent',
    ],
    [
      'too few nodes',
      [parent, below],
      (nodes) => nodes.slice(0, 1),
      'TrieError',
      'proof',
      'ends after 1 nodes, before the path does',
    ],
    [
      'one node more',
      [one],
      (nodes) => [...nodes, '0x80'],
      'TrieError',
      'proof[1]',
      'is not on the path to the key',
    ],
    [
      'a short child by its hash',
      [branch(1, hashOf(shortLeaf)), shortLeaf],
      honest,
      'ShapeError',
      'proof[1]',
      'is shorter than 32 bytes: expected inside its parent',
    ],
    [
      'a malformed child inside its parent, which has the place',
      [branch(1, [])],
      honest,
      'ShapeError',
      'proof[0]',
      'expected a node of 17 items, or of two',
    ],
    [
      'a leaf below an extension',
      [[bytesOf('11'), hashOf(below)], below],
      honest,
      'ShapeError',
      'proof[1]',
      'expected a branch below an extension',
    ],
    [
      'a leaf that ends before the key does',
      [leaf(`20${restOf(0).slice(0, 62)}`)],
      honest,
      'ShapeError',
      'proof[0]',
      'has a path of a wrong length',
    ],
    [
      'a leaf without a value',
      [leaf(`20${restOf(0)}`, empty)],
      honest,
      'ShapeError',
      'proof[0]',
      'expected a leaf with a value',
    ],
    [
      'a node that is no hex',
      [one],
      () => ['0x8'],
      'ShapeError',
      'proof[0]',
      'expected hex of at most 532 bytes',
    ],
    [
      'too many nodes',
      [one],
      () => new Array(66).fill('0x80'),
      'ShapeError',
      'proof',
      'expected at most 65 nodes, got 66',
    ],
  ])('%s', (_, items, edit, kind, at, reason) => {
    const { root, nodes } = trieOf(...items);
    expect(refusalOf(() => verifyPath(root, key, edit(nodes), 'proof'))).toEqual([
      ...[kind, at, `"${at}" ${reason}`],
    ]);
  });

  test('of the empty trie', () => {
    expect(refusalOf(() => verifyPath(emptyRoot, key, ['0x00'], 'proof'))).toEqual([
      ...['TrieError', 'proof', '"proof" expected no nodes: the trie is empty'],
    ]);
  });

  test.each([
    ['80', 'expected a word of storage that is not zero'],
    [`a1${'11'.repeat(33)}`, 'expected a word of storage as an integer of up to 32 bytes'],
  ])('of a word %s', (content, reason) => {
    const slot = new Uint8Array(32);
    // keccak-256 of 32 zero bytes, the place of slot 0.
    const place = '290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563';
    const { root, nodes } = trieOf([bytesOf(`20${place}`), bytesOf(content)]);
    expect(refusalOf(() => verifySlot(root, slot, nodes, 'proof'))).toEqual([
      ...['ShapeError', 'proof', `"proof" ${reason}`],
    ]);
  });

  test('of an account, with its place', () => {
    // keccak-256 of 20 zero bytes, the place of the zero address.
    const place = '5380c7b7ae81a58eb98d9c78de4a1fd7fd9535fc953ed2be602daaa41767312a';
    const { root, nodes } = trieOf([bytesOf(`20${place}`), encodeRlp([empty])]);
    expect(refusalOf(() => verifyAccount(root, new Uint8Array(20), nodes, 'accountProof'))).toEqual(
      ['ShapeError', 'accountProof', '"accountProof" expected four items'],
    );
  });

  test('of RLP, with the cause', () => {
    expect(refusalOf(() => decodeRlp(empty, 'node'))).toEqual([
      ...['ShapeError', 'node', '"node" expected RLP, got no bytes'],
    ]);
    const decode = () => decodeRlp(bytesOf('8100'), 'node');
    expect(decode).toThrow(
      expect.objectContaining({
        message: '"node" expected canonical RLP',
        cause: expect.any(Error),
      }),
    );
  });
});

describe('a node of 32 bytes, the shortest that has a hash', () => {
  // Its path has one nibble: 0xdf, 0x3n, 0x9d and 29 bytes.
  const last = key[31] as number;
  const content = bytesOf('bb'.repeat(29));
  const bottom: Item = [Uint8Array.of(0x30 | (last & 15)), content];
  /** A branch after 62 nibbles of the key, whose child begins with the last nibble. */
  const nodesOf = (child: Item): Item[] => {
    const middle = branch(last >> 4, child);
    return [[bytesOf(`00${restOf(0).slice(0, 62)}`), hashOf(middle)], middle];
  };

  test('stands by its hash', () => {
    expect(encodeRlp(bottom).length).toBe(32);
    const { root, nodes } = trieOf(...nodesOf(hashOf(bottom)), bottom);
    expect(verifyPath(root, key, nodes, 'proof')).toEqual(content);
  });

  test('does not stand in its parent', () => {
    const { root, nodes } = trieOf(...nodesOf(bottom));
    expect(refusalOf(() => verifyPath(root, key, nodes, 'proof'))).toEqual([
      ...['ShapeError', 'proof[1]', '"proof[1]" expected a child or its hash'],
    ]);
  });

  test('one that is a byte shorter does', () => {
    const shorter = bytesOf('bb'.repeat(28));
    const { root, nodes } = trieOf(...nodesOf([bottom[0] as Uint8Array, shorter]));
    expect(verifyPath(root, key, nodes, 'proof')).toEqual(shorter);
  });
});

test('an extension that parts from the key proves that it is absent', () => {
  const { root, nodes } = trieOf([bytesOf('0013'), hashOf(branch(3, hashOf(below)))]);
  expect(verifyPath(root, key, nodes, 'proof')).toBeUndefined();
});

describe('the words of a header', () => {
  const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`;
  const widths = {
    ...{ parentHash: 32, sha3Uncles: 32, miner: 20, stateRoot: 32, transactionsRoot: 32 },
    ...{ receiptsRoot: 32, logsBloom: 256, extraData: 32, mixHash: 32, nonce: 8 },
  };
  const header = {
    ...Object.fromEntries(Object.entries(widths).map(([name, width]) => [name, zeros(width)])),
    ...{ difficulty: '0x1', number: '0x1', gasLimit: '0x1', gasUsed: '0x1', timestamp: '0x1' },
  };
  const hash = new Uint8Array(32);
  const verify = (change: object) => () => verifyHeader({ ...header, ...change }, hash);

  test.each<[string, unknown, string]>([
    ['stateRoot', '0x', 'expected 0x and 64 hex digits, got string'],
    ['miner', 5, 'expected 0x and 40 hex digits, got number 5'],
    ['number', '0x', 'expected 0x and up to 16 hex digits, got string'],
    ['difficulty', null, 'expected 0x and up to 64 hex digits, got undefined'],
    ['extraData', zeros(4097), 'expected 0x and up to 8192 hex digits, got string'],
  ])('%s', (name, wrong, reason) => {
    expect(refusalOf(verify({ [name]: wrong }))).toEqual([
      ...['ShapeError', name, `"${name}" ${reason}`],
    ]);
  });

  const mismatch = 'the header does not hash to the block hash';
  test("another block's", () => {
    expect(refusalOf(verify({}))).toEqual(['TrieError', '', mismatch]);
    expect(verify({ size: '0x1' })).not.toThrow(UnknownFieldError);
  });

  test('with members that may be fields: four of them are shown', () => {
    const change = { a: 1, b: 2, c: 3, d: 4, e: 5 };
    const known = 'a newer version may know its members a, b, c, d';
    expect(refusalOf(verify(change))).toEqual(['TrieError', '', `${mismatch}; ${known}`]);
    expect(verify(change)).toThrow(UnknownFieldError);
  });

  test('whose members cannot be named', () => {
    const cause = new Error('its own');
    const ownKeys = () => {
      throw cause;
    };
    const failing = () => verifyHeader(new Proxy(header, { ownKeys }), hash);
    const message = 'expected plain data, but reading it threw';
    expect(refusalOf(failing)).toEqual(['ShapeError', '', message]);
    expect(failing).toThrow(expect.objectContaining({ cause }));
  });
});
