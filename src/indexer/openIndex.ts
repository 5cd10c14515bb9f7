/** Opens an index: what a feeder writes, and what a service reads. */
import type { Hex } from '../bytes.js';
import type { Store } from '../tree/index.js';
import { BlockEntries } from './blockEntries.js';
import { ContractNumbers } from './contracts.js';
import { Draft } from './draft.js';
import { IndexError } from './errors.js';
import { eventOf, type Log } from './events.js';
import { openFormat } from './format.js';
import { createHoldings, type Holdings } from './holdings.js';
import {
  type BlockMark,
  blockDigits,
  blockText,
  bytesOf,
  digitsOf,
  encodeMark,
  kinds,
  maxBlock,
} from './layout.js';
import { encodeUndo, undoBatch } from './undo.js';
import { record } from './views.js';

/** Blocks that are applied together, and their logs. */
export interface BlockRange {
  /** The last one; the first is the one after the newest block. */
  readonly to: number;
  readonly mark: BlockMark;
  /** Of all the blocks, in order. */
  readonly logs: readonly Log[];
  /** True: nothing takes these blocks back. False: `to` alone is applied. */
  readonly isFinal: boolean;
}

/** An index of who may hold what. */
export interface Index extends Holdings {
  readonly chainId: number;
  /** Newest block applied; undefined before the first one. */
  newestBlock(): Promise<number | undefined>;
  finalBlock(): Promise<number | undefined>;
  /** Undefined if the block is not the newest final one, or one after it. */
  blockHash(block: number): Promise<Hex | undefined>;
  /** Seconds; undefined for a block without an indexed event. */
  blockTime(block: number): Promise<number | undefined>;
  /** Applies blocks, all or none of them. @throws IndexError `BLOCK_ORDER` */
  apply(range: BlockRange): Promise<void>;
  /** Names all blocks up to one final. @throws IndexError `BLOCK_ORDER` if it is not there */
  finalize(block: number): Promise<void>;
  /** Takes back all blocks after one. @throws IndexError `BLOCK_ORDER` if one of them is final */
  revert(block: number): Promise<void>;
  close(): Promise<void>;
}

export interface IndexOptions {
  /** One that `l2proof/lmdb` opens, or another of its contract. A reader's may be read only. */
  store: Store;
  /** The chain that is indexed; needed to begin an index, and compared with that of one which is there. */
  chainId?: number;
}

/** What the events of logs leave, and the times of their blocks. */
async function draftOf(logs: readonly Log[], numbers: ContractNumbers) {
  const draft = new Draft();
  const events = logs.flatMap((log) => {
    const event = eventOf(log);
    return event === undefined ? [] : [{ log, event }];
  });
  const numbering = await numbers.number(
    events.map(({ log }) => log.contract),
    draft,
  );
  let place = { number: -1, block: '', blockBytes: bytesOf('') };
  for (const { log, event } of events) {
    if (log.block !== place.number) {
      const block = blockText(log.block);
      place = { number: log.block, block, blockBytes: bytesOf(block) };
      if (log.time !== undefined) {
        draft.put(kinds.time + block, bytesOf(digitsOf(log.time, blockDigits)));
      }
    }
    record(draft, event, { ...place, contract: numbering.of(log.contract) });
  }
  return { draft, numbering };
}

/**
 * Opens an index of a chain in a store, or begins one in an empty store.
 *
 * @throws IndexError `WRONG_INDEX`, or what the store throws
 */
export async function openIndex({ store, chainId: expected }: IndexOptions): Promise<Index> {
  const chainId = await openFormat(store, expected);
  const blocks = new BlockEntries(store);
  const numbers = new ContractNumbers(store);

  async function apply({ to, mark, logs, isFinal }: BlockRange): Promise<void> {
    const newest = (await blocks.newest()) ?? -1;
    if (to <= newest || to > maxBlock || (!isFinal && to !== newest + 1)) {
      throw new IndexError('BLOCK_ORDER', `block ${to} does not follow block ${newest}`);
    }
    const { draft, numbering } = await draftOf(logs, numbers);
    const undo = isFinal ? undefined : await undoOf(draft);
    const { puts, deletes } = draft.toBatch();
    puts.push({ key: bytesOf(kinds.block + blockText(to)), value: encodeMark(mark) });
    if (undo) puts.push({ key: bytesOf(kinds.undo + blockText(to)), value: undo });
    if (isFinal) {
      puts.push({ key: bytesOf(kinds.final), value: bytesOf(blockText(to)) });
      deletes.push(...(await blocks.settledBy(to)));
    }
    await store.write({ puts, deletes });
    numbering.keep();
  }

  async function undoOf(draft: Draft): Promise<Uint8Array> {
    const keys = draft.keys();
    const { values } = await store.read({ keys, ranges: [] });
    return encodeUndo(keys, values);
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
    async finalize(block) {
      const final = (await blocks.final()) ?? -1;
      if (block <= final) return;
      if ((await blocks.mark(block)) === undefined) {
        throw new IndexError('BLOCK_ORDER', `block ${block} is not there to be named final`);
      }
      const puts = [{ key: bytesOf(kinds.final), value: bytesOf(blockText(block)) }];
      await store.write({ puts, deletes: await blocks.settledBy(block) });
    },
    async revert(block) {
      const final = (await blocks.final()) ?? -1;
      if (block < final) {
        throw new IndexError('BLOCK_ORDER', `block ${final} is final and cannot be taken back`);
      }
      const { undos, keys } = await blocks.after(block);
      const { puts, deletes } = undoBatch(undos);
      await store.write({ puts, deletes: [...deletes, ...keys] });
      numbers.clear();
    },
    close: () => store.close(),
  };
}
