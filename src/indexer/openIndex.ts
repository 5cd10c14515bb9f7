/** Opens an index: what a feeder writes, and what a service reads. */
import { ownMembers } from '../foreign/argument.js';
import type { Store } from '../tree/index.js';
import { maxBlock } from '../tree/store/numbers.js';
import { BlockEntries } from './blocks/blockEntries.js';
import { createEnds } from './blocks/ends.js';
import { encodeUndo } from './blocks/undo.js';
import { ContractNumbers } from './holdings/contracts.js';
import { createHoldings } from './holdings/holdings.js';
import type { BlockRange, Index } from './holdings/indexTypes.js';
import { named, naming } from './holdings/naming.js';
import type { Changes } from './layout/changes.js';
import { IndexError } from './layout/errors.js';
import { blockBytes, encodeMark, keyOf } from './layout/layout.js';
import { openFormat } from './sealed/format.js';
import { headEntries, readHead } from './sealed/head.js';
import { sealed } from './sealed/sealedStore.js';
import { LooseRecords } from './segments/loose.js';
import { PageWriter } from './segments/pages.js';
import { type SegmentBatch, Segments } from './segments/segments.js';
import { defaultSizes, type Sizes } from './segments/sizes.js';

export type { BlockRange, Index } from './holdings/indexTypes.js';

/** What {@link openIndex} takes. */
export interface IndexOptions {
  /** A store of `l2proof/lmdb`, or another that keeps the contract. To read the index, it may be read only. */
  store: Store;
  /** The chain that is indexed; needed to begin an index. An index that is there must be of this chain. */
  chainId?: number;
  /** What messages about damage call the index, for example its folder. Default: `the index`. */
  name?: string;
}

/**
 * Opens an index of a chain in a store, or begins one in an empty store.
 *
 * @throws IndexError `WRONG_INDEX`, or what the store throws
 */
export const openIndex = (options: IndexOptions): Promise<Index> =>
  openSizedIndex(options, defaultSizes);

/** @param sizes others than the default in tests, whose chains are short */
export async function openSizedIndex(options: IndexOptions, sizes: Sizes): Promise<Index> {
  const given = ownMembers(options, ['store', 'chainId', 'name'], 'options', ['chainId']);
  const { name } = given;
  const chainId = await naming(name, () => openFormat(given.store, given.chainId));
  const store = sealed(given.store);
  const blocks = new BlockEntries(store);
  const contracts = new ContractNumbers(store);
  const segments = new Segments(store, sizes);
  const loose = new LooseRecords(store, segments, sizes);
  const { finalize, revert } = createEnds(store, blocks, contracts);

  /** Merges segments and gathers loose records, if there are enough of them. */
  async function tidy(signal: AbortSignal | undefined): Promise<void> {
    while (await segments.mergeStep()) signal?.throwIfAborted();
    await loose.gatherMany((await readHead(store)).final);
  }

  /** Entries of a long range's records. Loose records would hide them, so they are gathered first. */
  async function segmentOf(changes: Changes, newest: number): Promise<SegmentBatch> {
    if (newest >= 0) {
      await finalize(newest);
      await loose.gather(newest);
    }
    const writer = new PageWriter(sizes.page);
    changes.inOrder((bytes, at) => writer.add(bytes, at));
    return segments.add(await readHead(store), writer.pages());
  }

  async function undoOf(keys: readonly Uint8Array[]): Promise<Uint8Array> {
    const { values } = await store.read({ keys, ranges: [] });
    return encodeUndo(keys, values);
  }

  async function apply(
    { to, mark, changes, isFinal }: BlockRange,
    signal?: AbortSignal,
  ): Promise<void> {
    const { newest, contracts: count } = await readHead(store);
    if (to <= newest || to > maxBlock || (!isFinal && to !== newest + 1)) {
      throw new IndexError('BLOCK_ORDER', `block ${to} does not follow block ${newest}`);
    }
    await tidy(signal);
    const numbering = await contracts.number(changes.contracts, count);
    changes.number(numbering.numbers);
    const isSegment = isFinal && changes.size >= sizes.loose;
    const records = isSegment
      ? await segmentOf(changes, newest)
      : { puts: changes.entries(), head: await readHead(store) };
    const puts = [...records.puts, ...numbering.puts];
    const number = blockBytes(to);
    const deletes = isFinal ? await blocks.settledBy(to) : [];
    if (!isFinal) {
      const undo = await undoOf(puts.map(({ key }) => key));
      puts.push({ key: keyOf('undo', number), value: undo });
    }
    puts.push({ key: keyOf('block', number), value: encodeMark(mark) });
    const final = isFinal ? to : records.head.final;
    const head = { ...records.head, newest: to, final, contracts: numbering.count };
    await store.write({ puts: [...puts, ...headEntries(head)], deletes });
    numbering.keep();
    if (!isSegment) loose.wrote(changes.size);
  }

  const known = (block: number) => (block < 0 ? undefined : block);
  return named(name, {
    chainId,
    ...createHoldings(store),
    newestBlock: async () => known((await readHead(store)).newest),
    finalBlock: async () => known((await readHead(store)).final),
    blockTime: (block) => blocks.time(block),
    blockHash: async (block) => (await blocks.mark(block))?.hash,
    apply,
    finalize,
    revert,
    close: () => store.close(),
  });
}
