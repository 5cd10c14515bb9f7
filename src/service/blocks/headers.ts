/** `l2_getHeaders`: the headers of blocks that follow one another, in RLP. */

import type { Hex } from '../../bytes.js';
import { entryBytes, LruCache } from '../../lru.js';
import type { NumberOrHash } from '../../rpc/nodeClient.js';
import { codes, HttpError } from '../http/httpError.js';
import { JsonText, type Method } from '../jsonrpc/method.js';
import { openParams } from '../jsonrpc/params.js';
import type { BlockNode, HeaderText } from './node.js';
import { readBlockName, readCount } from './params.js';

/** Most headers in an answer: 0.35 MB of JSON. */
const maxHeaders = 256;

/** Bytes of headers that are kept: those of 40,000 blocks or so. */
const maxBytes = 64 * 1024 * 1024;

interface HeadersCall {
  readonly block: NumberOrHash;
  readonly count: number;
}

const readLength = readCount(maxHeaders);

/** @throws HttpError */
function readParams(params: unknown): HeadersCall {
  const [block, count] = openParams(params, 'block', 'count');
  return { block: readBlockName(block, 'params[0]'), count: readLength(count, 'params[1]') };
}

/** All of it is kept under the hash of the block, so that no reorganisation makes it wrong. */
export function headersMethod(node: BlockNode): Method<HeadersCall> {
  const kept = new LruCache<Hex, HeaderText>(
    maxBytes,
    ({ encoded }) => encoded.length + 2 * entryBytes,
  );

  function keep(header: HeaderText): HeaderText {
    kept.set(header.hash, header);
    return header;
  }

  async function find(block: NumberOrHash, signal: AbortSignal): Promise<HeaderText | undefined> {
    const known = typeof block === 'number' ? undefined : kept.get(block.blockHash);
    if (known) return known;
    const header = await node.header(block, signal);
    return header && keep(header);
  }

  /** Those before a block that are kept, without a gap. */
  function findBefore(top: HeaderText, count: number): HeaderText[] {
    const headers = [top];
    let next = kept.get(top.parentHash);
    while (next && headers.length < count) {
      headers.push(next);
      next = kept.get(next.parentHash);
    }
    return headers;
  }

  return {
    name: 'l2_getHeaders',
    read: readParams,
    cost: ({ count }) => 1 + count,
    async run({ block, count }, { signal }) {
      const top = await find(block, signal());
      if (top === undefined) return { result: null };
      // Down to the first block of the chain.
      const headers = findBefore(top, Math.min(count, top.number + 1));
      const last = headers.at(-1) as HeaderText;
      const length = Math.min(count, top.number + 1) - headers.length;
      const numbers = Array.from({ length }, (_, i) => last.number - 1 - i);
      for (const header of await node.headers(numbers, signal())) {
        if (header.hash !== headers.at(-1)?.parentHash) {
          const text = 'the chain of the L2 node has changed meanwhile; ask again';
          throw new HttpError(codes.internalError, text);
        }
        headers.push(keep(header));
      }
      const texts = headers.map(({ encoded }) => `"${encoded}"`);
      return { result: new JsonText([`[${texts.join(',')}]`]), block: top.number };
    },
  };
}
