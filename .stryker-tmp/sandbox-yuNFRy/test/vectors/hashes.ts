/** Kinds `hashes` and `empty-subtrees`: known answers of the hash functions and the codecs above them. */
// @ts-nocheck

import { bytesToInteger, concatBytes, encodeHex, integerToBytes } from '../../src/bytes.js';
import { hashCode } from '../../src/codec/code.js';
import { encodeLeafOpening, encodeTopNode } from '../../src/codec/node.js';
import type { TreeSpec } from '../../src/codec/spec.js';
import { spread } from '../../src/codec/word.js';
import { mimcModulus } from '../../src/hash/mimc.js';
import { fromHex } from '../support/hex.js';
import type { Case, VectorFile } from './kinds.js';
import { checkEqual, checkMembers, type JsonObject } from './members.js';

type Answer = (spec: TreeSpec, input: Uint8Array) => Uint8Array;

const hash: Answer = (spec, input) => spec.hasher.hash(input);

const functions: Record<string, Answer> = {
  '': hash,
  leaf: hash,
  'blocks-reduced': (spec, input) => {
    const blocks = Array.from({ length: input.length / 32 }, (_, i) =>
      integerToBytes(bytesToInteger(input.subarray(32 * i, 32 * i + 32)) % mimcModulus, 32),
    );
    return spec.hasher.hash(concatBytes(...blocks));
  },
  'account-key': (spec, input) => spec.hasher.hash(spec.addressBlocks(input)),
  word: (spec, input) => spec.hasher.hash(spec.wordBlocks(input)),
  'account-value': (spec, input) => spec.hasher.hash(spec.accountBlocks(input)),
  code: hashCode,
  spread: (_, input) => spread(input),
};

function checkRefused(spec: TreeSpec, input: Uint8Array): void {
  try {
    spec.hasher.hash(input);
  } catch (error) {
    if (error instanceof RangeError) return;
    throw error;
  }
  throw new Error('expected a RangeError, got a digest');
}

/** One case per known answer. */
export function hashCases(file: VectorFile): Case[] {
  checkMembers(file.json, ['kind', 'source', 'hash', 'cases'], ['note'], file.name);
  return (file.json.cases as JsonObject[]).map((entry, i) => ({
    name: `${entry.fn ?? 'blocks'} ${i}`,
    run() {
      checkMembers(entry, ['in', 'out'], ['fn', 'from'], file.name);
      const input = fromHex(entry.in as string);
      if (entry.fn === 'reject') {
        checkEqual(entry.out, null, 'out');
        return checkRefused(file.spec, input);
      }
      const answer = functions[(entry.fn as string | undefined) ?? ''];
      if (!answer) throw new Error(`fn "${entry.fn}" is not known to this runner`);
      checkEqual(encodeHex(answer(file.spec, input)), entry.out, 'digest');
    },
  }));
}

/** The hashes of empty sub-trees, of head and tail, and of a tree with these two only. */
export function emptySubtreeCases(file: VectorFile): Case[] {
  const { json, spec } = file;
  const figures = ['headLeafHash', 'tailLeafHash', 'emptyTrieSubRoot', 'emptyTrieRoot'];
  checkMembers(json, ['kind', 'source', 'hash', 'levels', ...figures], ['note'], file.name);
  const zero = new Uint8Array(32);
  const pair = (left: Uint8Array, right: Uint8Array) => spec.hasher.hash(concatBytes(left, right));
  const levels: Uint8Array[] = [zero];
  for (let i = 0; i < 40; i++) levels.push(pair(levels[i] as Uint8Array, levels[i] as Uint8Array));
  const leaf = (hKey: Uint8Array) =>
    spec.hasher.hash(encodeLeafOpening(spec, { prev: 0n, next: 1n, hKey, hValue: zero }));
  const head = leaf(zero);
  const tail = leaf(spec.tailHKey);
  let subTreeRoot = pair(head, tail);
  for (let i = 1; i < 40; i++) subTreeRoot = pair(subTreeRoot, levels[i] as Uint8Array);
  const root = spec.hasher.hash(encodeTopNode(spec, { nextFreeNode: 2n, subTreeRoot }));
  const check = (name: string, actual: Uint8Array): Case => ({
    name,
    run: () => checkEqual(encodeHex(actual), json[name], name),
  });
  return [
    { name: 'levels', run: () => checkEqual(levels.map(encodeHex), json.levels, 'levels') },
    check('headLeafHash', head),
    check('tailLeafHash', tail),
    check('emptyTrieSubRoot', subTreeRoot),
    check('emptyTrieRoot', root),
    {
      name: 'spec.emptyRoot',
      run: () => checkEqual(encodeHex(spec.emptyRoot), json.emptyTrieRoot, 'emptyRoot'),
    },
  ];
}
