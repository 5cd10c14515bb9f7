/** Methods of a node that are passed on to the L2 node: what a client of history asks for beside headers. */

import type { ValueReader } from '../../foreign/reader.js';
import { toQuantity } from '../../foreign/values.js';
import { entryBytes, LruCache } from '../../lru.js';
import type { NumberOrHash } from '../../rpc/nodeClient.js';
import { bodyLength } from '../http/http.js';
import { JsonText, type Method } from '../jsonrpc/method.js';
import { openParams } from '../jsonrpc/params.js';
import type { BlockNode } from './node.js';
import { readBlockName, readHash, readIsWhole, readNumberParameter } from './params.js';

/** Bytes of answers that are kept. */
const maxBytes = 64 * 1024 * 1024;

/** Units of cost of a whole block or its receipts: some hundred are parsed and written again. */
const blockCost = 32;

/** A question to the node, read. */
interface Passed {
  /** As the node takes them. */
  readonly params: readonly unknown[];
  /** Whether the block is named by its hash, so that the answer stays true. */
  readonly isLasting: boolean;
  readonly cost: number;
}

const passed = (params: readonly unknown[], { isLasting = false, cost = 1 } = {}): Passed => ({
  params,
  isLasting,
  cost,
});

const inParams = (block: NumberOrHash): string =>
  typeof block === 'number' ? toQuantity(block) : block.blockHash;

const readBlock =
  (readName: ValueReader<NumberOrHash>) =>
  (params: unknown): Passed => {
    const [named, whole] = openParams(params, 'block', 'whether transactions are whole');
    const [block, isWhole] = [readName(named, 'params[0]'), readIsWhole(whole, 'params[1]')];
    return passed([inParams(block), isWhole], {
      isLasting: typeof block === 'object' && isWhole,
      cost: isWhole ? blockCost : 1,
    });
  };

const readTransaction = (params: unknown): Passed =>
  passed([readHash(openParams(params, 'hash')[0], 'params[0]')]);

/** Name of the method -> how its parameters are read. @throws HttpError */
const readers: Readonly<Record<string, (params: unknown) => Passed>> = {
  eth_getBlockReceipts(params) {
    const block = readBlockName(openParams(params, 'block')[0], 'params[0]');
    return passed([inParams(block)], { isLasting: typeof block === 'object', cost: blockCost });
  },
  eth_getBlockByHash: readBlock((value, at) => ({ blockHash: readHash(value, at) })),
  eth_getBlockByNumber: readBlock(readNumberParameter),
  eth_getTransactionByHash: readTransaction,
  eth_getTransactionReceipt: readTransaction,
};

/** JSON as ASCII: JSON.stringify has escaped what is below it. */
export const toAscii = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Answers are kept under the hash of their block alone, so that no reorganisation makes them wrong. */
export function passedMethods(node: BlockNode): Method<Passed>[] {
  const kept = new LruCache<string, JsonText>(
    maxBytes,
    ({ pieces }) => bodyLength(pieces) + entryBytes,
  );
  return Object.entries(readers).map(([name, read]) => ({
    name,
    read,
    cost: ({ cost }) => cost,
    async run({ params, isLasting }, { signal }) {
      const key = `${name} ${params[0]}`;
      const known = isLasting ? kept.get(key) : undefined;
      if (known) return { result: known };
      const answer = (await node.ask(name, params, signal())) ?? null;
      const result = new JsonText([toAscii(answer)]);
      if (isLasting && answer !== null) kept.set(key, result);
      return { result };
    },
  }));
}
