/** One tree in memory: a sorted list of hashed keys and values that proves what it holds and what it does not. */
import { addressWidth, encodeHex, equalBytes, type Hex, isZero } from '../bytes.js';
import { checkDigest, checkHex, ownMembers } from '../codec/argument.js';
import { accountWidth, specOf, type TreeSpec } from '../codec/spec.js';
import type { Engine } from '../hash/engine.js';
import { blockWidth, type HashFamily } from '../hash/family.js';
import { verifyExistence } from '../verify/existence.js';
import { verifyNonExistence } from '../verify/nonExistence.js';
import { createEmptyTree } from './nodes/emptyTree.js';
import type { Leaf, LeafContent } from './nodes/leaves.js';
import { MemoryTree } from './prove/memoryTree.js';
import type { WireProof } from './prove/wireProof.js';
import { TreeError } from './store/errors.js';

/**
 * One tree (docs/protocol.md section 1). Keys and values come hashed: 32 bytes each, canonical in the tree's family.
 */
export interface Accumulator {
  /**
   * Gives a key a leaf, at the next free node.
   *
   * @param value what proofs show as the value, 32 or 192 bytes; by default `hValue`
   * @throws TreeError `KEY_EXISTS`, `HEAD_OR_TAIL`, `TREE_FULL`
   * @throws TypeError or RangeError for a wrong argument; nothing is changed then
   */
  insert(hKey: Hex, hValue: Hex, value?: Hex): void;
  /** Gives the leaf of a key another value. @throws TreeError `UNKNOWN_KEY`, `HEAD_OR_TAIL` */
  update(hKey: Hex, hValue: Hex, value?: Hex): void;
  /** Empties the leaf of a key, whose index is never used again. @throws TreeError `UNKNOWN_KEY`, `HEAD_OR_TAIL` */
  delete(hKey: Hex): void;
  /** The hValue of a key, or null if it has no leaf. @throws TreeError `HEAD_OR_TAIL` */
  read(hKey: Hex): Hex | null;
  /**
   * Proves that a key exists, or that it does not; the proof was verified before it is returned.
   *
   * @param key what the proof shows as the key, 20 or 32 bytes; by default `hKey`
   * @throws TreeError `HEAD_OR_TAIL`
   */
  prove(hKey: Hex, key?: Hex): WireProof;
  /** 32 bytes. */
  readonly root: Hex;
  /** 32 bytes. */
  readonly subTreeRoot: Hex;
  /** Index the next insertion will take, from 2 to 2^40. */
  readonly nextFreeNode: bigint;
}

/** Bytes of a word, or of what stands in the account tree in its place. @throws TypeError or RangeError */
const checkWordOr = (width: number, text: Hex, name: string): Uint8Array =>
  checkHex(text, String(text).length === 2 + 2 * blockWidth ? blockWidth : width, name);

/** Bytes of an hKey. @throws TypeError, RangeError, TreeError `HEAD_OR_TAIL` */
function checkHKey(spec: TreeSpec, text: Hex): Uint8Array {
  const hKey = checkDigest(spec, text, 'hKey');
  if (isZero(hKey) || equalBytes(hKey, spec.tailHKey)) {
    throw new TreeError('HEAD_OR_TAIL', 'the head and the tail of the list are no keys');
  }
  return hKey;
}

/** Bytes of what a leaf is to hold. @throws TypeError or RangeError */
function checkContent(
  spec: TreeSpec,
  { hValue, value = hValue }: { hValue: Hex; value: Hex | undefined },
): Pick<LeafContent, 'hValue' | 'value'> {
  return {
    hValue: checkDigest(spec, hValue, 'hValue'),
    value: checkWordOr(accountWidth, value, 'value'),
  };
}

/**
 * Opens an empty tree. Nodes are hashed when a root or proof is asked for, each once for all changes before.
 *
 * @param options.hash family of the tree; default `poseidon2`
 * @param options.engine form of the hash; default the kernel if the platform allows it
 * @throws TypeError or RangeError for a wrong option
 */
export function createAccumulator(
  options: { hash?: HashFamily; engine?: Engine } = {},
): Accumulator {
  const { hash, engine } = ownMembers(options, ['hash', 'engine'], 'options');
  const spec = specOf(hash, engine);
  const tree = new MemoryTree(createEmptyTree(spec));
  return {
    insert(hKeyText, hValue, value) {
      const hKey = checkHKey(spec, hKeyText);
      tree.insert({ hKey, ...checkContent(spec, { hValue, value }) });
    },
    update(hKeyText, hValue, value) {
      const hKey = checkHKey(spec, hKeyText);
      tree.list.update(tree.indexOf(hKey), checkContent(spec, { hValue, value }));
    },
    delete(hKeyText) {
      tree.delete(checkHKey(spec, hKeyText));
    },
    read(hKeyText) {
      const index = tree.order.get(checkHKey(spec, hKeyText));
      return index === undefined ? null : encodeHex((tree.leaf(index) as Leaf).hValue);
    },
    prove(hKeyText, keyText = hKeyText) {
      const bytes = checkHKey(spec, hKeyText);
      const hKey = encodeHex(bytes);
      const key = encodeHex(checkWordOr(addressWidth, keyText, 'key'));
      const root = encodeHex(tree.root);
      const claim = { hash: spec.hasher.family, root, hKey, ...(engine && { engine }) };
      const proof = tree.prove(bytes, key);
      if ('proof' in proof) {
        const { hValue } = tree.leaf(proof.leafIndex) as Leaf;
        verifyExistence({ ...claim, hValue: encodeHex(hValue), proof });
      } else {
        verifyNonExistence({ ...claim, proof });
      }
      return proof;
    },
    get root() {
      return encodeHex(tree.root);
    },
    get subTreeRoot() {
      return encodeHex(tree.topNode.subTreeRoot);
    },
    get nextFreeNode() {
      return BigInt(tree.list.nextFreeNode);
    },
  };
}
