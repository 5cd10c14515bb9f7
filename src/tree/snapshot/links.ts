/**
 * Checks the links of imported trees, and gives their leaves by key. All leaves are sorted by tree and hKey; each must
 * then name its neighbours. The root alone does not show this: it commits to the links as they are, right or wrong.
 */
import { compareBytes } from '../../bytes.js';
import type { TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import type { LeafLinks, TreeHead } from '../load/leafBatch.js';
import { RecordReader } from '../load/records.js';
import { Sorter } from '../load/sorter.js';
import { headIndex, tailIndex } from '../nodes/leaves.js';
import { numberWidth, readNumber, writeNumber } from '../store/numbers.js';
import type { Scratch } from '../store/scratch.js';
import { malformed } from './bodyReader.js';

/** Offsets in a record. */
const at = {
  tree: 0,
  hKey: numberWidth,
  index: numberWidth + blockWidth,
  prev: 2 * numberWidth + blockWidth,
  next: 3 * numberWidth + blockWidth,
};
const width = at.next + numberWidth;

/** A record as it is read; the hKey may be overwritten once the next one is. */
interface Link extends LeafLinks {
  readonly tree: number;
  readonly hKey: Uint8Array;
}

const linkIn = (record: Uint8Array): Link => ({
  tree: readNumber(record, at.tree),
  hKey: record.subarray(at.hKey, at.index),
  index: readNumber(record, at.index),
  prev: readNumber(record, at.prev),
  next: readNumber(record, at.next),
});

/** Takes the links of all leaves; all are added before they are checked. */
export class LinkCheck {
  readonly #sorter: Sorter;
  readonly #tail: Uint8Array;

  constructor(spec: TreeSpec, scratch: Scratch) {
    this.#sorter = new Sorter(scratch, { width, keyWidth: at.index });
    this.#tail = spec.tailHKey;
  }

  /** Adds head and tail of a tree. */
  addTree({ tree, first, last }: TreeHead): void {
    const head = { index: headIndex, prev: headIndex, next: first };
    this.addLeaf(tree, head, new Uint8Array(blockWidth));
    this.addLeaf(tree, { index: tailIndex, prev: last, next: tailIndex }, this.#tail);
  }

  addLeaf(tree: number, { index, prev, next }: LeafLinks, hKey: Uint8Array): void {
    const start = this.#sorter.reserve();
    const { bytes } = this.#sorter;
    writeNumber(bytes, start + at.tree, tree);
    bytes.set(hKey, start + at.hKey);
    writeNumber(bytes, start + at.index, index);
    writeNumber(bytes, start + at.prev, prev);
    writeNumber(bytes, start + at.next, next);
  }

  async drain(): Promise<void> {
    await this.#sorter.drain();
  }

  /**
   * Checks that the leaves of each tree are linked in the order of their hKeys, from head to tail.
   *
   * @param onKey is given the leaf index of each key, in order; waits if it likes
   * @throws TreeError `BAD_SNAPSHOT`
   */
  async check(
    onKey: (tree: number, hKey: Uint8Array, index: number) => Promise<void> | undefined,
  ): Promise<void> {
    const records = new RecordReader(this.#sorter.pages(), width);
    let before: Link | undefined;
    const hKeyBefore = new Uint8Array(blockWidth);
    while (records.isReady || (await records.fill())) {
      const link = linkIn(records.take());
      const isFirst = before === undefined || before.index === tailIndex;
      checkLink(link, isFirst ? undefined : (before as Link), hKeyBefore);
      before = link;
      hKeyBefore.set(link.hKey);
      if (link.index === headIndex || link.index === tailIndex) continue;
      const wait = onKey(link.tree, link.hKey, link.index);
      if (wait) await wait;
    }
  }
}

const unordered = ({ tree, index }: Link) =>
  malformed(`leaf ${index} of tree ${tree} is not linked in the order of keys`);

/** @param before undefined: the link begins a tree */
function checkLink(link: Link, before: Link | undefined, hKeyBefore: Uint8Array): void {
  const { tree, hKey, index, prev } = link;
  const isRight =
    before === undefined
      ? index === headIndex
      : tree === before.tree &&
        compareBytes(hKeyBefore, hKey) < 0 &&
        before.next === index &&
        prev === before.index;
  if (!isRight) throw unordered(link);
}
