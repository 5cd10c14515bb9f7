/** The entries that replace those of version 2. */
import { compareBytes } from '../../bytes.js';
import { readNewestBlock } from '../layout/blocks.js';
import { type Changed, diffEntries, emptyBytes } from '../layout/diffTable.js';
import { decodeTopEntry, isDroppedKey, packKey, topNodeKey, unstamp } from '../layout/layout.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { type PackPosition, packId, packOf } from '../nodes/packs.js';
import { TreeError } from '../store/errors.js';
import { maxBlock } from '../store/numbers.js';
import { type Reading, readValues } from '../store/reading.js';
import { endOf } from '../store/scan.js';
import type { Batch, Entry } from '../store/store.js';
import {
  decodeKeys,
  historyKey,
  historyPrefix,
  isNodeKey,
  nodeKey,
  oldNodeIn,
} from './oldLayout.js';
import { hasPack, nodesIn, packFrom } from './oldPacks.js';

/** How many packs are made at a time. */
export const packsPerTurn = 64;

/** Values from before the blocks of a diff. */
interface Before {
  readonly empty: EmptyTree;
  /** The block before the diff. */
  readonly block: number;
}

/** Values of entries of version 2 after an older block, each with its stamp. */
function* readBefore(
  block: number,
  keys: readonly Uint8Array[],
): Reading<(Uint8Array | undefined)[]> {
  const ranges = keys.map((key) => {
    const from = historyKey(key, block + 1);
    return { from, to: endOf(historyKey(key, maxBlock)), limit: 1, reverse: false };
  });
  const { values, ranges: nexts } = yield { keys, ranges };
  return values.map((now, i) => {
    // The next block that changes the entry overwrites the value that the older block left.
    const then = nexts[i]?.at(0)?.value ?? now;
    return then && then.length > 0 ? then : undefined;
  });
}

/** Content of packs before a diff. */
function* readOldPacks(
  { empty, block }: Before,
  tree: number,
  packs: readonly PackPosition[],
): Reading<Changed[]> {
  const [top] = yield* readBefore(block, [topNodeKey(tree)]);
  const nextFreeNode = top ? decodeTopEntry(unstamp(top)).nextFreeNode : 0;
  const changed: Changed[] = [];
  for (let start = 0; start < packs.length; start += packsPerTurn) {
    const some = packs.slice(start, start + packsPerTurn);
    const positions = some.map((pack) =>
      hasPack(pack, nextFreeNode) ? nodesIn(pack, nextFreeNode) : [],
    );
    const keys = positions.flat().map((position) => nodeKey(tree, position));
    const nodes = yield* readBefore(block, keys);
    let read = 0;
    for (const [i, pack] of some.entries()) {
      const count = positions[i]?.length as number;
      const own = nodes.slice(read, read + count);
      read += count;
      const old = count > 0 ? packFrom(empty, pack, { nextFreeNode, nodes: own }) : emptyBytes;
      changed.push({ key: packKey(tree, pack), old });
    }
  }
  return changed;
}

/** The packs of the nodes that a diff changes, by tree. */
function packsByTree(keys: readonly Uint8Array[]): Map<number, PackPosition[]> {
  const packs = new Map<number, Map<number, PackPosition>>();
  for (const key of keys) {
    const { tree, ...position } = oldNodeIn(key);
    const pack = packOf(position);
    const own = packs.get(tree) ?? new Map<number, PackPosition>();
    packs.set(tree, own.set(packId(pack), pack));
  }
  return new Map([...packs].map(([tree, own]) => [tree, [...own.values()]]));
}

/** The entries that make a diff of an undo list. */
export function* convertUndo(empty: EmptyTree, block: number, undo: Entry): Reading<Batch> {
  const before = { empty, block: (yield* readNewestBlock(block - 1)) ?? -1 };
  const named = decodeKeys(undo.value);
  const pasts = named.filter((key) => !isDroppedKey(key));
  const olds = yield* readValues(pasts);
  const changed: Changed[] = named.filter(isDroppedKey).map((key) => ({ key, old: emptyBytes }));
  const nodes: Uint8Array[] = [];
  for (const [i, past] of pasts.entries()) {
    const key = historyPrefix(past);
    const old = olds[i];
    if (old === undefined) {
      throw new TreeError('DAMAGED', 'the store has lost what a block overwrote');
    }
    if (isNodeKey(key)) nodes.push(key);
    else changed.push({ key, old });
  }
  for (const [tree, packs] of packsByTree(nodes)) {
    for (const one of yield* readOldPacks(before, tree, packs)) changed.push(one);
  }
  changed.sort((a, b) => compareBytes(a.key, b.key));
  return { puts: diffEntries(block, changed), deletes: [undo.key, ...pasts] };
}

/** Neighbouring packs of the current tree, and the nodes that they are made from. */
export function* convertPacks(
  empty: EmptyTree,
  { tree, nextFreeNode }: { tree: number; nextFreeNode: number },
  packs: readonly PackPosition[],
): Reading<{ puts: Entry[]; deletes: Uint8Array[] }> {
  const positions = packs.map((pack) => nodesIn(pack, nextFreeNode));
  const keys = positions.flat().map((position) => nodeKey(tree, position));
  const nodes = yield* readValues(keys);
  let read = 0;
  const puts = packs.map((pack, i) => {
    const count = positions[i]?.length as number;
    const own = nodes.slice(read, read + count);
    read += count;
    return { key: packKey(tree, pack), value: packFrom(empty, pack, { nextFreeNode, nodes: own }) };
  });
  return { puts, deletes: keys };
}
