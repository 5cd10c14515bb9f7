/** What a store holds, read without the library: root by root, up from the leaves, and nothing else of what is kept. */
import type { HashFamily, Hex } from '../../src/index.js';
import type { StoreReader } from '../../src/tree/index.js';
import { toHex } from './hex.js';
import { digits, digitsOf, hashAccount, hashWord } from './reference.js';
import { ListedTree } from './referenceState.js';
import { entriesOf } from './stores.js';

/** A number of six bytes. */
const numberAt = (bytes: Uint8Array, offset: number): number =>
  Number(toHex(bytes.subarray(offset, offset + 6)));

/** State root of all leaves; throws if a value's hash, or the storage root in an account, is not theirs. */
export async function rootOfLeaves(reader: StoreReader, family: HashFamily): Promise<Hex> {
  const trees = new Map<number, ListedTree>();
  const treeOf = (number: number) => {
    const tree = trees.get(number) ?? new ListedTree(family);
    trees.set(number, tree);
    return tree;
  };
  for (const { key, value } of await entriesOf(reader)) {
    const kind = String.fromCharCode(key[0] as number);
    if (kind === 'T') treeOf(numberAt(key, 1)).nextFreeNode = numberAt(value, 6);
    if (kind !== 'L') continue;
    // The block of its last change, prev, next: the order of keys says the same, and a wrong one another root.
    const [hKey, hValue, content] = [
      value.subarray(18, 50),
      value.subarray(50, 82),
      value.subarray(82),
    ].map(digitsOf) as [string, string, string];
    treeOf(numberAt(key, 1)).leaves.set(numberAt(key, 7), { hKey, hValue, value: content });
  }
  const accounts = treeOf(0);
  for (const [index, { hValue, value }] of accounts.leaves) {
    if (index < 2) continue;
    if (hashAccount(family, value) !== hValue) throw new Error(`the hash of account ${index}`);
    const storage = treeOf(index);
    if (storage.root !== value.slice(128, 192)) throw new Error(`the storage of account ${index}`);
    for (const [slot, leaf] of storage.leaves) {
      const isSlot =
        slot < 2 ? leaf.hValue === digits(0n) : leaf.hValue === hashWord(family, leaf.value);
      if (!isSlot) throw new Error(`the hash of slot ${slot} of account ${index}`);
    }
  }
  return `0x${accounts.root}`;
}
