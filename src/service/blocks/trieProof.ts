/**
 * `eth_getProof`: proofs of the L2 node under the header of a block, for readers who have its hash from L1. They hold each against
 * that header, so nothing here vouches for them.
 */
import type { Hex } from '../../bytes.js';
import { entryBytes, LruCache } from '../../lru.js';
import type { NumberOrHash } from '../../rpc/nodeClient.js';
import { bodyLength } from '../http/http.js';
import { blockMissing } from '../http/httpError.js';
import { JsonText, type Method } from '../jsonrpc/method.js';
import { readProvenParams } from '../jsonrpc/params.js';
import type { BlockNode } from './node.js';
import { readBlockName } from './params.js';
import { toAscii } from './passed.js';

/** Bytes of answers that are kept. */
const maxBytes = 64 * 1024 * 1024;

interface TrieProofCall {
  readonly address: Hex;
  readonly storageKeys: readonly Hex[];
  readonly block: NumberOrHash;
}

/** @throws HttpError */
function readParams(params: unknown, maxKeys: number): TrieProofCall {
  const { block, ...account } = readProvenParams(params, maxKeys, 'block');
  return { ...account, block: readBlockName(block, 'params[2]') };
}

/** Answers are asked for and kept by the hash of their block, so that no reorganisation makes them wrong. */
export function trieProofMethod(node: BlockNode, maxKeys: number): Method<TrieProofCall> {
  // The question counts, too: the answer to a long one may be short, for an account that does not exist.
  const kept = new LruCache<string, JsonText>(
    maxBytes,
    ({ pieces }, key) => key.length + bodyLength(pieces) + entryBytes,
  );

  /** @throws HttpError if the node has no such block */
  async function hashOf(block: NumberOrHash, signal: AbortSignal): Promise<Hex> {
    if (typeof block === 'object') return block.blockHash;
    const header = await node.header(block, signal);
    if (header) return header.hash;
    throw blockMissing('block is missing');
  }

  return {
    name: 'eth_getProof',
    read: (params) => readParams(params, maxKeys),
    cost: ({ storageKeys }) => 1 + storageKeys.length,
    slots: ({ storageKeys }) => storageKeys.length,
    async run({ address, storageKeys, block }, { signal }) {
      const blockHash = await hashOf(block, signal());
      const key = `${blockHash} ${address} ${storageKeys.join()}`;
      const known = kept.get(key);
      if (known) return { result: known };
      const params = [address, storageKeys, { blockHash }];
      const answer = (await node.ask('eth_getProof', params, signal())) ?? null;
      const result = new JsonText([toAscii(answer)]);
      if (answer !== null) kept.set(key, result);
      return { result };
    },
  };
}
