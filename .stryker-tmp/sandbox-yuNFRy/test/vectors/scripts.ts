/** Kind `accumulator-script`: operations on trees, each with the tree that it leaves. */
// @ts-nocheck

import { isDeepStrictEqual } from 'node:util';
import { encodeHex } from '../../src/bytes.js';
import type { TreeSpec } from '../../src/codec/spec.js';
import type { Hex } from '../../src/index.js';
import { type Accumulator, createAccumulator } from '../../src/tree/index.js';
import { fromHex } from '../support/hex.js';
import type { Case, VectorFile } from './kinds.js';
import { checkEqual, checkMembers, type JsonObject } from './members.js';
import { encodersOf } from './proofs.js';

/** What a step must have besides its name, its tree and the tree afterwards. */
const members: Record<string, readonly string[]> = {
  insert: ['kind', 'key', 'value', 'hKey', 'hVal'],
  update: ['kind', 'key', 'value', 'hKey', 'hVal'],
  delete: ['kind', 'key', 'hKey'],
  check: ['proofs'],
};

/** Bytes of an account value in front of its storage root. */
const storageRootAt = 64;

function checkHashes(spec: TreeSpec, op: JsonObject): void {
  const [encodeKey, encodeValue] = encodersOf(spec, op.kind);
  const hash = (bytes: Uint8Array) => encodeHex(spec.hasher.hash(bytes));
  checkEqual(hash(encodeKey(fromHex(op.key as string))), op.hKey, 'hKey');
  if ('value' in op) {
    checkEqual(hash(encodeValue(fromHex(op.value as string))), op.hVal, 'hVal');
  }
}

function runStep(trees: ReadonlyMap<string, Accumulator>, tree: Accumulator, op: JsonObject): void {
  const [hKey, hVal, value] = [op.hKey, op.hVal, op.value] as [Hex, Hex, Hex];
  if (op.op === 'insert') tree.insert(hKey, hVal, value);
  if (op.op === 'update') tree.update(hKey, hVal, value);
  if (op.op === 'delete') tree.delete(hKey);
  if (op.storageRootOf !== undefined) {
    const storage = trees.get(op.storageRootOf as string);
    const inValue = fromHex(value).subarray(storageRootAt, storageRootAt + 32);
    checkEqual(encodeHex(inValue), storage?.root, 'storageRootOf');
  }
}

function checkAfter(tree: Accumulator, after: JsonObject): void {
  checkMembers(after, ['root', 'subRoot', 'nextFreeNode'], [], 'after');
  const { root, subTreeRoot: subRoot, nextFreeNode } = tree;
  const actual = { root, subRoot, nextFreeNode: Number(nextFreeNode) };
  for (const name of ['root', 'subRoot', 'nextFreeNode'] as const) {
    checkEqual(actual[name], after[name], name);
  }
}

/** One case per step; each builds on those before it. */
export function scriptCases(file: VectorFile): Case[] {
  const { json, spec, engine } = file;
  checkMembers(json, ['kind', 'source', 'hash', 'ops'], ['note'], file.name);
  const trees = new Map<string, Accumulator>();
  return (json.ops as JsonObject[]).map((op, i) => ({
    name: `${op.op} ${i}`,
    run() {
      const own = members[op.op as string];
      if (!own) throw new Error(`op "${op.op}" is not known to this runner`);
      const optional = ['upstream', 'storageRootOf', 'proofs'];
      checkMembers(op, ['op', 'trie', 'after', ...own], optional, file.name);
      const name = op.trie as string;
      const tree =
        trees.get(name) ??
        createAccumulator({ hash: spec.hasher.family, ...(engine && { engine }) });
      trees.set(name, tree);
      if ('kind' in op) checkHashes(spec, op);
      runStep(trees, tree, op);
      checkAfter(tree, op.after as JsonObject);
      for (const expected of (op.proofs as JsonObject[] | undefined) ?? []) {
        checkMembers(expected, ['hKey', 'kind', 'result'], [], 'proofs');
        const { key } = expected.result as { key: Hex };
        checkHashes(spec, { kind: expected.kind as string, key, hKey: expected.hKey as string });
        const proof = tree.prove(expected.hKey as Hex, key);
        if (!isDeepStrictEqual(proof, expected.result)) checkEqual(proof, expected.result, 'proof');
      }
    },
  }));
}
