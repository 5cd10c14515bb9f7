/** Headers of blocks, remembered by hash; which hash stands at a height is asked again unless that height is final. */
import type { Hex } from '../../bytes.js';
import { entryBytes, LruCache } from '../../lru.js';
import { type NodeClient, unlessNull } from '../../rpc/nodeClient.js';
import type { FinalizedHead } from '../chain/finalizedHead.js';
import { nonsense } from '../chain/node.js';
import { readLedgerBlock } from './parse.js';
import type { LedgerBlock } from './types.js';

export interface Blocks {
  /** The block at a height; undefined if the chain does not reach it. @throws RpcError or NodeError */
  block(number: number): Promise<LedgerBlock | undefined>;
  /** The same, if it is known without asking the node. */
  knownBlock(number: number): LedgerBlock | undefined;
  /** The block of that hash; undefined if the chain has none, or has left it. @throws RpcError or NodeError */
  blockOf(hash: Hex): Promise<LedgerBlock | undefined>;
}

/** Bytes in memory of headers, and final heights whose hashes are kept. */
const maxBytes = 16 * 2 ** 20;
const mostHeights = 100_000;

/** Bytes in memory, roughly: texts, and the objects around them. */
const sizeOf = ({ transactions, extraData }: LedgerBlock): number =>
  entryBytes + 800 + 2 * extraData.length + 140 * transactions.length;

export function createBlocks(client: NodeClient, head: FinalizedHead): Blocks {
  const byHash = new LruCache<Hex, LedgerBlock>(maxBytes, sizeOf);
  /** Hashes of final blocks by number, of one count of reorgs. */
  const finalHashes = new LruCache<string, Hex>(mostHeights);
  const finalKey = (number: number) => `${head.knownReorgCount} ${number}`;

  function knownBlock(number: number): LedgerBlock | undefined {
    const hash = finalHashes.get(finalKey(number));
    return hash === undefined ? undefined : byHash.get(hash);
  }

  async function block(number: number): Promise<LedgerBlock | undefined> {
    await head.reorgCount();
    const known = knownBlock(number);
    if (known !== undefined) return known;
    const final = await head.newest();
    const key = finalKey(number);
    const found = await client.block(number, unlessNull(readLedgerBlock));
    if (found === undefined) return undefined;
    if (found.number !== number) throw nonsense('block.number', 'is another one');
    byHash.set(found.hash, found);
    if (final !== undefined && number <= final.number) finalHashes.set(key, found.hash);
    return found;
  }

  async function blockOf(hash: Hex): Promise<LedgerBlock | undefined> {
    const known =
      byHash.get(hash) ?? (await client.block({ blockHash: hash }, unlessNull(readLedgerBlock)));
    if (known === undefined) return undefined;
    if (known.hash !== hash) throw nonsense('block.hash', 'is another one');
    // Nodes also know blocks that the chain has left.
    const here = await block(known.number);
    return here?.hash === hash ? here : undefined;
  }

  return { block, knownBlock, blockOf };
}
