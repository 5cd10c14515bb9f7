/** Applies blocks to an index: a few of them as loose records, a long range as a segment. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Entry, Store } from '../../tree/index.js';
import { maxBlock } from '../../tree/store/numbers.js';
import type { Index, IndexedBlocks } from '../holdings/indexTypes.js';
import type { Changes } from '../layout/changes.js';
import { combineValues, isAdding } from '../layout/combine.js';
import { IndexError } from '../layout/errors.js';
import { blockBytes, encodeMark, keyOf } from '../layout/layout.js';
import { headEntries, readHead } from '../sealed/head.js';
import type { Numbers } from '../sealed/numbers.js';
import { LooseRecords } from '../segments/loose.js';
import type { PageWriter } from '../segments/pages.js';
import { type SegmentBatch, Segments } from '../segments/segments.js';
import type { Sizes } from '../segments/sizes.js';
import type { BlockEntries } from './blockEntries.js';
import { encodeUndo } from './undo.js';

interface ApplyParts {
  readonly blocks: BlockEntries;
  readonly contracts: Numbers;
  readonly topics: Numbers;
  readonly finalize: Index['finalize'];
  readonly sizes: Sizes;
}

export function createApply(
  store: Store,
  { blocks, contracts, topics, finalize, sizes }: ApplyParts,
): Index['apply'] {
  const segments = new Segments(store, sizes);
  const loose = new LooseRecords(store, segments, sizes);

  /** Merges segments and gathers loose records, if there are enough of them. */
  async function tidy(signal: AbortSignal | undefined): Promise<void> {
    while (await segments.mergeStep()) signal?.throwIfAborted();
    await loose.gatherMany((await readHead(store)).final);
  }

  /**
   * Entries of a long range's records. Loose records would hide them, so they are gathered first.
   *
   * @param writer has the memory of their pages
   */
  async function segmentOf(
    changes: Changes,
    newest: number,
    writer: PageWriter,
  ): Promise<SegmentBatch> {
    if (newest >= 0) {
      await finalize(newest);
      await loose.gather(newest);
    }
    for (const records of changes.byKind()) {
      await yieldToEventLoop();
      records.inOrder(writer);
    }
    return segments.add(await readHead(store), writer.pages());
  }

  /** Entries of a few records. To those that add, what stands there is added. */
  async function looseOf(changes: Changes): Promise<Entry[]> {
    const entries = changes.entries();
    const adding = entries.filter(({ key }) => isAdding(key[0] as number));
    const { values } = await store.read({ keys: adding.map(({ key }) => key), ranges: [] });
    const held = new Map(adding.map((entry, i) => [entry, values[i]]));
    return entries.map((entry) => {
      const older = held.get(entry);
      if (older === undefined) return entry;
      const { key, value } = entry;
      return { key, value: combineValues(key[0] as number, value, older) };
    });
  }

  async function undoOf(keys: readonly Uint8Array[]): Promise<Uint8Array> {
    const { values } = await store.read({ keys, ranges: [] });
    return encodeUndo(keys, values);
  }

  return async ({ to, mark, changes, isFinal }: IndexedBlocks, signal) => {
    const before = await readHead(store);
    const { newest } = before;
    if (to <= newest || to > maxBlock || (!isFinal && to !== newest + 1)) {
      throw new IndexError('BLOCK_ORDER', `block ${to} does not follow block ${newest}`);
    }
    await tidy(signal);
    const ofContracts = await contracts.number(changes.contracts, before.contracts);
    const ofTopics = await topics.number(changes.topics, before.topics);
    changes.number({ contracts: ofContracts.numbers, topics: ofTopics.numbers });
    const isSegment = isFinal && changes.size >= sizes.loose;
    const writer = segments.writer();
    const records = isSegment
      ? await segmentOf(changes, newest, writer)
      : { puts: await looseOf(changes), head: await readHead(store) };
    const puts = [...records.puts, ...ofContracts.puts, ...ofTopics.puts];
    const number = blockBytes(to);
    const deletes = isFinal ? await blocks.settledBy(to) : [];
    if (!isFinal) {
      const undo = await undoOf(puts.map(({ key }) => key));
      puts.push({ key: keyOf('undo', number), value: undo });
    }
    puts.push({ key: keyOf('block', number), value: encodeMark(mark) });
    const final = isFinal ? to : records.head.final;
    const counts = { contracts: ofContracts.count, topics: ofTopics.count };
    const head = { ...records.head, newest: to, final, ...counts };
    await store.write({ puts: [...puts, ...headEntries(head)], deletes });
    writer.release();
    ofContracts.keep();
    ofTopics.keep();
    if (!isSegment) loose.wrote(changes.size);
  };
}
