/** A state of the reference as a snapshot is written: its leaves sorted here, and not by the library. */

import { hashAddress } from './reference.js';
import { type ListedTree, type ReferenceState } from './referenceState.js';
import type { WrittenAccount, WrittenLeaf, WrittenState, WrittenTree } from './snapshotWriter.js';

/** What an account without code and storage says of itself. */
export const plainAccount = {
  nonce: 0n,
  balance: 1n,
  kind: 0,
  snarkCodeHash: '',
  keccakCodeHash: '',
  codeSize: 0n,
  storage: undefined,
} as const;

type Content = { hKey: string; value: string };

function treeOf<L extends WrittenLeaf>(
  { leaves, nextFreeNode }: ListedTree,
  write: (leaf: WrittenLeaf, content: Content) => L,
): WrittenTree<L> {
  const sorted = [...leaves].sort(([, a], [, b]) => (a.hKey < b.hKey ? -1 : 1));
  const indexAt = (i: number) => (sorted[i] as [number, Content])[0];
  const written = sorted.flatMap(([index, content], i) => {
    if (index < 2) return [];
    const leaf = { index, prev: indexAt(i - 1), next: indexAt(i + 1), hKey: content.hKey };
    return [write(leaf, content)];
  });
  written.sort((a, b) => a.index - b.index);
  return { nextFreeNode, first: indexAt(1), last: indexAt(sorted.length - 2), leaves: written };
}

const noKeccak = 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

/** The account tree and all storage trees. */
export function accountsOf(state: ReferenceState): WrittenState['accounts'] {
  const owners = new Map(
    [...state.storage.keys()].map((address) => [hashAddress(state.family, address), address]),
  );
  return treeOf(state.accounts, (leaf, { hKey, value }): WrittenAccount => {
    const word = (i: number) => value.slice(64 * i, 64 * (i + 1));
    const storage = state.storage.get(owners.get(hKey) as string) as ListedTree;
    const hasCode = word(4) !== noKeccak;
    return {
      ...leaf,
      nonce: BigInt(`0x${word(0)}`),
      balance: BigInt(`0x${word(1)}`),
      kind: hasCode ? 2 : /^0+$/.test(word(3)) ? 1 : 0,
      snarkCodeHash: word(3),
      keccakCodeHash: word(4),
      codeSize: BigInt(`0x${word(5)}`),
      storage:
        storage.nextFreeNode > 2
          ? treeOf(storage, (slot, content) => ({ ...slot, value: BigInt(`0x${content.value}`) }))
          : undefined,
    };
  });
}
