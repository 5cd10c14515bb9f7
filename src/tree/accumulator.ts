/** One tree in memory: a sorted list of hashed keys and values that proves what it holds and what it does not. */
import { encodeHex, equalBytes, type Hex, isZero } from '../bytes.js';
import { checkDigest, checkHex, ownMembers } from '../codec/argument.js';
import { accountWidth, addressWidth, specOf } from '../codec/spec.js';
import type { Engine } from '../hash/engine.js';
import { blockWidth, type HashFamily } from '../hash/family.js';
import { verifyExistence } from '../verify/existence.js';
import { verifyNonExistence } from '../verify/nonExistence.js';
import { TreeError } from './errors.js';
import { headIndex, type Leaf, LeafList } from './leaves.js';
import { hashUp, nodeSpecOf, type Position, positionsAbove, type Top, topNodeOf } from './nodes.js';
import {
  planPath,
  type WireLeafProof,
  type WireProof,
  wireLeafProof,
  wireNonExistence,
} from './path.js';
import { SortedMap } from './sorted.js';

/** One tree (protocol section 1). Keys and values come hashed: 32 bytes each, canonical in the tree's family. */
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
  /** The hValue of a key, or null where it has no leaf. @throws TreeError `HEAD_OR_TAIL` */
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

/** One number for each position: heights end at 40 and indices at 2^40, so it stays below 2^53. */
const placeOf = ({ height, index }: Position): number => height * 2 ** 41 + index;

/** Bytes of a word, or of what stands in the account tree in its place. @throws TypeError or RangeError */
const checkWordOr = (width: number, text: Hex, name: string): Uint8Array =>
  checkHex(text, String(text).length === 2 + 2 * blockWidth ? blockWidth : width, name);

/**
 * Opens an empty tree. Nodes are hashed when a root or proof is asked for, each once for all changes before.
 *
 * @param options.hash family of the tree; default `poseidon2`
 * @param options.engine form of the hash; default the kernel where the platform allows it
 * @throws TypeError or RangeError for a wrong option
 */
export function createAccumulator(
  options: { hash?: HashFamily; engine?: Engine } = {},
): Accumulator {
  const { hash, engine } = ownMembers(options, ['hash', 'engine'], 'options');
  const tree = specOf(hash, engine);
  const spec = nodeSpecOf(tree);
  const list = new LeafList(new Map(spec.emptyLeaves.entries()), spec.emptyTop.nextFreeNode);
  const order = new SortedMap<number>();
  const nodes = new Map<number, Uint8Array>();
  let { subTreeRoot } = spec.emptyTop;

  function keyOf(text: Hex): Uint8Array {
    const hKey = checkDigest(tree, text, 'hKey');
    if (isZero(hKey) || equalBytes(hKey, tree.tailHKey)) {
      throw new TreeError('HEAD_OR_TAIL', 'the head and the tail of the list are no keys');
    }
    return hKey;
  }

  function contentOf(hKey: Uint8Array, hValueText: Hex, valueText: Hex = hValueText) {
    const hValue = checkDigest(tree, hValueText, 'hValue');
    return { hKey, hValue, value: checkWordOr(accountWidth, valueText, 'value') };
  }

  function indexOf(hKey: Uint8Array): number {
    const index = order.get(hKey);
    if (index === undefined) {
      throw new TreeError('UNKNOWN_KEY', `${encodeHex(hKey)} has no leaf; insert it first`);
    }
    return index;
  }

  /** Index of the leaf before a key's place. */
  const leftOf = (hKey: Uint8Array): number => order.below(hKey)?.value ?? headIndex;

  /** Brings the nodes up to date. */
  function top(): Top {
    const { changed, nextFreeNode } = list;
    if (changed.size > 0) {
      const indices = [...changed].sort((a, b) => a - b);
      const positions = positionsAbove(indices, nextFreeNode);
      const preimages = positions.map((position) => nodes.get(placeOf(position)));
      const leaves = new Map(indices.map((index) => [index, list.get(index)]));
      const hashed = hashUp(spec, leaves, preimages, nextFreeNode);
      for (const [i, position] of positions.entries()) {
        nodes.set(placeOf(position), (hashed.nodes[i] as Uint8Array).slice());
      }
      subTreeRoot = hashed.subTreeRoot;
      changed.clear();
    }
    return { nextFreeNode, subTreeRoot };
  }

  const root = () => encodeHex(tree.hasher.hash(topNodeOf(tree, top())));

  function path(index: number): WireLeafProof {
    const above = top();
    const plan = planPath(index, above.nextFreeNode);
    const siblings = plan.siblings.map((position) => nodes.get(placeOf(position)) as Uint8Array);
    const leaf = list.get(index) as Leaf;
    return wireLeafProof(spec, above, plan, leaf, siblings, list.get(plan.siblingLeaf));
  }

  return {
    insert(hKeyText, hValueText, valueText) {
      const hKey = keyOf(hKeyText);
      const content = contentOf(hKey, hValueText, valueText);
      if (order.get(hKey) !== undefined) {
        throw new TreeError('KEY_EXISTS', `${encodeHex(hKey)} has a leaf; update it instead`);
      }
      order.set(hKey, list.insert(leftOf(hKey), content));
    },
    update(hKeyText, hValueText, valueText) {
      const hKey = keyOf(hKeyText);
      list.update(indexOf(hKey), contentOf(hKey, hValueText, valueText));
    },
    delete(hKeyText) {
      const hKey = keyOf(hKeyText);
      list.delete(indexOf(hKey));
      order.delete(hKey);
    },
    read(hKeyText) {
      const index = order.get(keyOf(hKeyText));
      return index === undefined ? null : encodeHex((list.get(index) as Leaf).hValue);
    },
    prove(hKeyText, keyText = hKeyText) {
      const hKey = keyOf(hKeyText);
      const key = encodeHex(checkWordOr(addressWidth, keyText, 'key'));
      const claim = {
        hash: tree.hasher.family,
        root: root(),
        hKey: encodeHex(hKey),
        ...(engine && { engine }),
      };
      const index = order.get(hKey);
      if (index !== undefined) {
        const proof = { key, leafIndex: index, proof: path(index) };
        const { hValue } = list.get(index) as Leaf;
        verifyExistence({ ...claim, hValue: encodeHex(hValue), proof });
        return proof;
      }
      const left = leftOf(hKey);
      const right = (list.get(left) as Leaf).next;
      const proof = wireNonExistence(
        key,
        { index: left, proof: path(left) },
        { index: right, proof: path(right) },
      );
      verifyNonExistence({ ...claim, proof });
      return proof;
    },
    get root() {
      return root();
    },
    get subTreeRoot() {
      return encodeHex(top().subTreeRoot);
    },
    get nextFreeNode() {
      return BigInt(list.nextFreeNode);
    },
  };
}
