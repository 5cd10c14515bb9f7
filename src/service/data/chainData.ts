/** The data interface of one chain: its index, and its node. */
import type { Index } from '../../indexer/index.js';
import { entryBytes, LruCache } from '../../lru.js';
import { createNodeAmounts } from '../chain/amounts.js';
import { NodeError } from '../chain/errors.js';
import type { ChainDecoder } from '../decoder/chainDecoder.js';
import { codes, HttpError } from '../http/httpError.js';
import type { ServiceLog } from '../http/log.js';
import type { ChainContext } from './balances.js';
import { type BlockRef, createIndexHead } from './indexHead.js';
import type { OwnState } from './ownState.js';

/** Works out the JSON of an answer at a block. @throws RpcError, NodeError, HttpError */
export type ChainWork = (access: ChainContext, at: BlockRef) => Promise<string>;

export interface ChainData {
  readonly name: string;
  readonly chainId: number;
  /** The answer of that name at the newest block, if it is remembered and needs no waiting. */
  peek(name: string): string | undefined;
  /** The same, worked out if it is not. @param name of all that decides the answer beside the block */
  answer(name: string, work: ChainWork): Promise<string>;
  /**
   * An answer with proofs, which is not remembered.
   *
   * @param block of the service's own state; undefined: the newest that is final
   * @throws HttpError if the service has no state of its own, or not that block
   */
  answerProven(block: number | undefined, work: ChainWork): Promise<string>;
}

interface ChainDataOptions {
  readonly name: string;
  readonly index: Index;
  readonly decoder: ChainDecoder;
  /** Undefined: the node is asked for amounts. */
  readonly state: OwnState | undefined;
  /** Ms for which a look at the newest block holds. */
  readonly recheck: number;
  readonly log: ServiceLog | undefined;
}

/** Bytes in memory of answers. */
const maxBytes = 64 * 2 ** 20;

/** Ms for which prices hold, on a chain that stands still. */
const priceTime = 60_000;

function keyOf(name: string, { number, hash }: BlockRef): string {
  const minute = Math.floor(Date.now() / priceTime);
  return `${number} ${hash} ${minute} ${name}`;
}

export function createChainData(options: ChainDataOptions): ChainData {
  const { name, index, decoder, state, recheck, log } = options;
  const head = createIndexHead({ index, state, recheck });
  const answers = new LruCache<string, string>(
    maxBytes,
    (text, key) => entryBytes + 2 * (text.length + key.length),
  );
  let opening: Promise<ChainContext> | undefined;

  /** @throws NodeError `WRONG_CHAIN` */
  async function openContext(): Promise<ChainContext> {
    const open = await decoder.open();
    if (open.chain.id !== index.chainId) {
      const text = `the L2 node of ${name} is of chain ${open.node.numberText(open.chain.id)}, its index of ${index.chainId}`;
      throw new NodeError('WRONG_CHAIN', text);
    }
    const other = createNodeAmounts(open.node);
    if (state === undefined) return { ...open, index, log, amounts: other, prover: undefined };
    const { createStateAmounts } = await import('./ownState.js');
    const { node } = open;
    const amounts = createStateAmounts({ state, chainId: index.chainId, node, other });
    return { ...open, index, log, amounts, prover: amounts.prover };
  }

  function opened(): Promise<ChainContext> {
    opening ??= openContext().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    name,
    chainId: index.chainId,
    peek: (name) => head.known && answers.get(keyOf(name, head.known)),
    async answer(name, work) {
      const access = await opened();
      const at = await head.newest(access.node);
      const key = keyOf(name, at);
      const remembered = answers.get(key);
      if (remembered !== undefined) return remembered;
      const text = await work(access, at);
      answers.set(key, text);
      return text;
    },
    async answerProven(block, work) {
      if (state === undefined) {
        const text = 'proofs need a state of the service, which it does not have for this chain';
        throw new HttpError(codes.invalidParams, text, { status: 400 });
      }
      const access = await opened();
      return work(access, await head.final(block, access.node));
    },
  };
}
