/** Opens an index: what a feeder writes, and what a service reads. */
import type { Hex } from '../bytes.js';
import { ownMembers } from '../foreign/argument.js';
import type { Entry, Store } from '../tree/index.js';
import { BlockEntries } from './blockEntries.js';
import type { Changes } from './changes.js';
import { ContractNumbers } from './contracts.js';
import { IndexError } from './errors.js';
import { openFormat } from './format.js';
import { createHoldings, type Holdings } from './holdings.js';
import { type BlockMark, blockBytes, encodeMark, keyOf, maxBlock } from './layout.js';
import { LooseRecords } from './loose.js';
import { PageWriter } from './pages.js';
import { Segments } from './segments.js';
import { defaultSizes, type Sizes } from './sizes.js';
import { encodeUndo, undoBatch } from './undo.js';

/** Blocks that are applied together, and their logs. */
export interface BlockRange {
  /** The last one; the first is the one after the newest block. */
  readonly to: number;
  readonly mark: BlockMark;
  /** The changes of all the blocks. Applying uses them up. */
  readonly changes: Changes;
  /** True: nothing takes these blocks back. False: `to` alone is applied. */
  readonly isFinal: boolean;
}

/** An index of which wallets may hold which tokens. */
export interface Index extends Holdings {
  /** Chain id of the chain that is indexed (EIP-155). */
  readonly chainId: number;
  /** Newest block applied; undefined before the first one. */
  newestBlock(): Promise<number | undefined>;
  /** The newest block that was named final; undefined if none was. */
  finalBlock(): Promise<number | undefined>;
  /** Undefined if the block is not the newest final one, or one after it. */
  blockHash(block: number): Promise<Hex | undefined>;
  /** Seconds; undefined for a block without an indexed event. */
  blockTime(block: number): Promise<number | undefined>;
  /**
   * Applies all of the blocks, or none if it fails. First gathers and merges records of earlier blocks, if they are many.
   *
   * @throws IndexError `BLOCK_ORDER`
   * @throws the signal's reason; then nothing was applied
   */
  apply(range: BlockRange, signal?: AbortSignal): Promise<void>;
  /** Names all blocks up to one final. @throws IndexError `BLOCK_ORDER` if it is not there */
  finalize(block: number): Promise<void>;
  /** Takes back all blocks after one. @throws IndexError `BLOCK_ORDER` if one of them is final */
  revert(block: number): Promise<void>;
  /** Closes the store. */
  close(): Promise<void>;
}

/** What {@link openIndex} takes. */
export interface IndexOptions {
  /** A store of `l2proof/lmdb`, or another that keeps the contract. To read the index, it may be read only. */
  store: Store;
  /** The chain that is indexed; needed to begin an index. An index that is there must be of this chain. */
  chainId?: number;
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
  const { store, chainId: expected } = ownMembers(options, ['store', 'chainId'], 'options', [
    'chainId',
  ]);
  const chainId = await openFormat(store, expected);
  const blocks = new BlockEntries(store);
  const contracts = new ContractNumbers(store);
  const segments = new Segments(store, sizes);
  const loose = new LooseRecords(store, segments, sizes);

  /** Merges segments and gathers loose records, if there are enough of them. */
  async function tidy(signal: AbortSignal | undefined): Promise<void> {
    while (await segments.mergeStep()) signal?.throwIfAborted();
    await loose.gatherMany((await blocks.final()) ?? -1);
  }

  /** Entries of a long range's records. Loose records would hide them, so they are gathered first. */
  async function segmentOf(changes: Changes, newest: number): Promise<Entry[]> {
    if (newest >= 0) {
      await finalize(newest);
      await loose.gather(newest);
    }
    const writer = new PageWriter(sizes.page);
    changes.inOrder((bytes, at) => writer.add(bytes, at));
    return segments.add(writer.pages());
  }

  async function undoOf(keys: readonly Uint8Array[]): Promise<Uint8Array> {
    const { values } = await store.read({ keys, ranges: [] });
    return encodeUndo(keys, values);
  }

  async function apply(
    { to, mark, changes, isFinal }: BlockRange,
    signal?: AbortSignal,
  ): Promise<void> {
    const newest = (await blocks.newest()) ?? -1;
    if (to <= newest || to > maxBlock || (!isFinal && to !== newest + 1)) {
      throw new IndexError('BLOCK_ORDER', `block ${to} does not follow block ${newest}`);
    }
    await tidy(signal);
    const { numbers, puts: named, keep } = await contracts.number(changes.contracts);
    changes.number(numbers);
    const isSegment = isFinal && changes.size >= sizes.loose;
    const records = isSegment ? await segmentOf(changes, newest) : changes.entries();
    const puts = [...records, ...named];
    const number = blockBytes(to);
    const deletes = isFinal ? await blocks.settledBy(to) : [];
    if (isFinal) puts.push({ key: keyOf('final'), value: number });
    else {
      const undo = await undoOf(puts.map(({ key }) => key));
      puts.push({ key: keyOf('undo', number), value: undo });
    }
    puts.push({ key: keyOf('block', number), value: encodeMark(mark) });
    await store.write({ puts, deletes });
    keep();
    if (!isSegment) loose.wrote(changes.size);
  }

  async function finalize(block: number): Promise<void> {
    const final = (await blocks.final()) ?? -1;
    if (block <= final) return;
    if ((await blocks.mark(block)) === undefined) {
      throw new IndexError(
        'BLOCK_ORDER',
        `block ${block} is not in the index, so it cannot become final`,
      );
    }
    const puts = [{ key: keyOf('final'), value: blockBytes(block) }];
    await store.write({ puts, deletes: await blocks.settledBy(block) });
  }

  return {
    chainId,
    ...createHoldings(store),
    newestBlock: () => blocks.newest(),
    finalBlock: () => blocks.final(),
    blockTime: (block) => blocks.time(block),
    async blockHash(block) {
      return (await blocks.mark(block))?.hash;
    },
    apply,
    finalize,
    async revert(block) {
      const final = (await blocks.final()) ?? -1;
      if (block < final) {
        throw new IndexError('BLOCK_ORDER', `block ${final} is final and cannot be taken back`);
      }
      const { undos, keys } = await blocks.after(block);
      const { puts, deletes } = undoBatch(undos);
      await store.write({ puts, deletes: [...deletes, ...keys] });
      contracts.clear();
    },
    close: () => store.close(),
  };
}
