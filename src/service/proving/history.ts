/** Blocks with what proves them: the hash of each is in the state (EIP-2935), and its lists hang on the roots in its header. */
import type { Hex } from '../../bytes.js';
import { blockHashes, keptHashes, slotOfHash } from '../../history/verify/blockHashes.js';
import type { LogFilter } from '../../history/verify/filter.js';
import type { NodeClient } from '../../rpc/nodeClient.js';
import type { StateKind } from '../../verify/result.js';
import { loadBlocksPeer } from '../http/peers.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { KnownBlock } from './blockLists.js';
import type { Prover } from './prover.js';

/** What of which block an item rests on. */
export interface HistoryPlace {
  readonly block: number;
  /** Place of a transaction in the block. */
  readonly transaction?: number;
  /** Places of logs in the block. */
  readonly logs?: readonly number[];
}

/** Lists of a block that an item rests on. */
export type BlockPart = 'transactions' | 'receipts';

/** The blocks of a page, by their numbers: headers in RLP, and all items of a list in the bytes that its root covers. */
export interface PageHistory {
  readonly headers: Readonly<Record<number, Hex>>;
  readonly transactions: Readonly<Record<number, readonly Hex[]>>;
  readonly receipts: Readonly<Record<number, readonly Hex[]>>;
}

/** Blocks that follow one another, both ends included, and the logs in them that are asked for. */
export interface HistoryRange {
  readonly from: number;
  readonly to: number;
  readonly filter: LogFilter;
}

/** What an item rests on, as it names it. */
interface CitedPlace {
  /** Undefined: it cannot be proven. */
  readonly accounts: readonly Hex[] | undefined;
  readonly history?: HistoryPlace;
}

export interface HistoryProver {
  /** The newest block whose header can be proven. */
  readonly newest: number;
  /**
   * Cites a block, so that it is proven: its header, and those lists of it.
   *
   * @throws RpcError, NodeError, what the pause throws
   */
  cite(
    place: HistoryPlace,
    parts: readonly BlockPart[],
    context: AnswerContext,
  ): Promise<CitedPlace>;
  /**
   * Cites all blocks of a range, the last one by its hash in the state, each before by the hash that the one after it names; and
   * all receipts of those that may have such logs. So nobody can leave one out. It does nothing for a range that is too
   * long, or if that would be too much for a page.
   *
   * @throws as `cite`
   */
  citeRange(range: HistoryRange, context: AnswerContext): Promise<void>;
  /** Whether anything was cited: a page without items can rest on blocks, too. */
  readonly isUsed: boolean;
  /** All that was cited. */
  readonly history: PageHistory;
}

/** Characters of blocks that a page proves at most. Items beyond are not proven; a shorter page has fewer. */
const maxLength = 4 * 1024 * 1024;

/** Blocks of a range at most. */
const longestRange = 1000;

interface HistoryOptions {
  readonly prover: Prover;
  readonly node: NodeClient;
  /** The block whose state proves. */
  readonly block: number;
  readonly kind: StateKind;
}

const none: CitedPlace = { accounts: undefined };

// Loaded with the first such page: most services are asked for none.
const loadLists = () => loadBlocksPeer('@ethereumjs/rlp', import('./blockLists.js'));
const loadRanges = () => loadBlocksPeer('@ethereumjs/rlp', import('./blockRange.js'));

async function findList(
  part: BlockPart,
  block: KnownBlock,
  { node, context: { charge, pause } }: { node: NodeClient; context: AnswerContext },
) {
  await pause();
  charge(1);
  const { findTransactions, findReceipts } = await loadLists();
  return { transactions: findTransactions, receipts: findReceipts }[part](node, block, pause);
}

export function createHistoryProver(options: HistoryOptions): HistoryProver {
  const { prover, node, block: anchored, kind } = options;
  const newest = kind === 'header' ? anchored : anchored - 1;
  const headers: Record<number, Hex> = {};
  const lists = { transactions: {}, receipts: {} } as {
    readonly [Part in BlockPart]: Record<number, readonly Hex[]>;
  };
  /** Each is looked for once; undefined: it cannot be proven. */
  const blocks = new Map<number, KnownBlock | undefined>();
  /** The block whose hash in the state a block of a range hangs on. */
  const tops = new Map<number, number>();
  let length = 0;
  /** A page that was once too long is not read on for. */
  let isFull = false;
  let isUsed = false;

  async function findBlock(number: number): Promise<KnownBlock | undefined> {
    const { findBlock: find } = await loadLists();
    // Whoever trusts the header of that block has it.
    if (number === anchored) return find(node, number, undefined);
    const [hash] = await prover.slots(blockHashes, [slotOfHash(number)]);
    return hash === undefined || BigInt(hash) === 0n ? undefined : find(node, number, hash);
  }

  async function knownBlock(number: number, { charge, pause }: AnswerContext) {
    if (!blocks.has(number)) {
      await pause();
      charge(1);
      blocks.set(number, await findBlock(number));
    }
    return blocks.get(number);
  }

  /** The accounts that prove the hash of a block; undefined if the page has too many. */
  function citeHash(number: number): readonly Hex[] | undefined {
    const top = tops.get(number) ?? number;
    return top === anchored ? [] : prover.citeSlots(blockHashes, [slotOfHash(top)]);
  }

  const isHeld = (number: number) => number <= newest && number >= anchored - keptHashes;

  return {
    newest,
    history: { headers, ...lists },
    get isUsed() {
      return isUsed;
    },
    async cite(place, parts, context) {
      const { block: number } = place;
      if (!(isHeld(number) || tops.has(number)) || isFull) return none;
      const block = await knownBlock(number, context);
      if (block === undefined) return none;
      const isOwn = number === anchored;
      const added: [part: BlockPart, items: readonly Hex[]][] = [];
      for (const part of parts.filter((name) => !Object.hasOwn(lists[name], number))) {
        const items = await findList(part, block, { node, context });
        if (items === undefined) return none;
        added.push([part, items]);
      }
      const isNew = !isOwn && !Object.hasOwn(headers, number);
      const texts = [...(isNew ? [block.encoded] : []), ...added.flatMap(([, items]) => items)];
      const more = texts.reduce((sum, text) => sum + text.length, 0);
      isFull = length + more > maxLength;
      if (isFull) return none;
      const accounts = citeHash(number);
      if (accounts === undefined) return none;
      length += more;
      if (isNew) headers[number] = block.encoded;
      for (const [part, items] of added) lists[part][number] = items;
      isUsed = true;
      return { accounts, history: place };
    },
    async citeRange({ from, to, filter }, context) {
      if (!isHeld(to) || to - from >= longestRange) return;
      const top = await knownBlock(to, context);
      if (top === undefined) return;
      const { readBlockRange } = await loadRanges();
      const range = { top, from, filter, mostLength: maxLength - length };
      const read = await readBlockRange(node, range, context);
      if (read === undefined || citeHash(to) === undefined) return;
      length += read.length;
      for (const block of read.blocks) {
        const { number } = block;
        tops.set(number, to);
        blocks.set(number, block);
        if (number !== anchored) headers[number] = block.encoded;
      }
      Object.assign(lists.receipts, read.receipts);
      isUsed = true;
    },
  };
}
