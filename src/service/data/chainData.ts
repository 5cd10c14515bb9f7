/** The data interface of one chain: its index, and its node. */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex, type Hex } from '../../bytes.js';
import type { Index } from '../../indexer/index.js';
import { createNodeAmounts } from '../chain/amounts.js';
import { NodeError } from '../chain/errors.js';
import type { ChainDecoder } from '../decoder/chainDecoder.js';
import type { Documents } from '../documents/documents.js';
import type { NftMetadata } from '../documents/nftMetadata.js';
import { chainChanged, codes, HttpError } from '../http/httpError.js';
import type { ServiceLog } from '../http/log.js';
import type { AnswerContext, RouteAnswer } from '../jsonrpc/method.js';
import { SharedTurns } from '../jsonrpc/sharedTurns.js';
import { createGasWatch } from '../ledger/gasUse.js';
import { createLedger } from '../ledger/ledger.js';
import type { OwnState } from '../proving/ownState.js';
import { AnswerCache, toAnswer } from './answers.js';
import type { ChainContext } from './balances.js';
import { Bookmarks } from './bookmarks.js';
import { type BalanceBlock, createIndexHead } from './indexHead.js';
import { Rankings } from './rankings.js';

/** An answer that was worked out. */
export interface WorkedOut {
  readonly json: string;
  /** The hash of the newest block that it rests on, if that is final: the answer then never changes. */
  readonly final?: Hex | undefined;
  /** The block that it is of, if the index has moved on since the question was asked. */
  readonly of?: BalanceBlock;
}

/**
 * Works out the answer at a block.
 *
 * @param context of all requests that wait for it
 * @throws RpcError, NodeError, HttpError, and what the pause throws
 */
export type ChainWork = (
  access: ChainContext,
  at: BalanceBlock,
  context: AnswerContext,
) => Promise<WorkedOut>;

/** What is asked for, and the request that asks. */
export interface NamedAnswer {
  /** All that decides the answer beside the block: who asks for the same meanwhile, waits for the same work. */
  readonly name: string;
  readonly context: AnswerContext;
}

export interface ChainData {
  readonly name: string;
  readonly chainId: number;
  /** Part of the name of an answer that rests on documents of NFTs: it counts up when that may have become another one. */
  readonly documentsRevision: number;
  /** The answer of that name at the newest block, if it is remembered and needs no waiting. */
  peek(name: string): RouteAnswer | undefined;
  /** The same, worked out if it is not. */
  answer(asked: NamedAnswer, work: ChainWork): Promise<RouteAnswer>;
  /** The same at the newest block of the index, though the service's own state may not have come to it. */
  answerNewest(asked: NamedAnswer, work: ChainWork): Promise<RouteAnswer>;
  /**
   * An answer with proofs, which is not remembered, nor shared: so many bytes for all who ask at once would keep others waiting.
   *
   * @param block of the service's own state; undefined: the newest that is final
   * @throws HttpError if the service has no state of its own, or not that block
   */
  answerProven(
    asked: { readonly block: number | undefined; readonly context: AnswerContext },
    work: ChainWork,
  ): Promise<RouteAnswer>;
}

interface ChainDataOptions {
  readonly name: string;
  readonly index: Index;
  readonly decoder: ChainDecoder;
  /** Undefined: the node is asked for amounts. */
  readonly state: OwnState | undefined;
  /** Whether the node may be asked for traces. */
  readonly trace: boolean;
  /** How documents of NFTs are fetched. */
  readonly nftMetadata: NftMetadata;
  /** Ms for which a look at the newest block holds. */
  readonly recheck: number;
  readonly log: ServiceLog | undefined;
}

/**
 * Refuses an answer that may be of two chains: much is asked by number. As long as the node has the newest block of it, it
 * has had all blocks below as well.
 *
 * @throws HttpError, RpcError or NodeError
 */
async function checkStill({ node }: ChainContext, { number, hash }: BalanceBlock): Promise<void> {
  if ((await node.hashAt(number)) !== hash) {
    throw chainChanged();
  }
}

/** Digits of an entity tag: no two answers share one by chance. */
const tagLength = 32;

const toTag = (name: string, block: Hex): string =>
  encodeHex(sha256(new TextEncoder().encode(`${name} ${block}`))).slice(2, 2 + tagLength);

/** @throws NodeError `WRONG_CHAIN` */
async function openContext(options: ChainDataOptions, documents: Documents): Promise<ChainContext> {
  const { name, index, decoder, state, log, trace, nftMetadata } = options;
  const open = await decoder.open();
  if (open.chain.id !== index.chainId) {
    const text = `the L2 node of ${name} is of chain ${open.node.numberText(open.chain.id)}, its index of ${index.chainId}`;
    throw new NodeError('WRONG_CHAIN', text);
  }
  const { node, head: final } = open;
  const ledger = createLedger(node.client, final);
  const other = createNodeAmounts(node);
  // What fails in an old block may be right in the newest one: each remembers failures for itself.
  const past = createNodeAmounts(node);
  const shared = {
    ...open,
    index,
    log,
    ledger,
    gas: createGasWatch(ledger),
    bookmarks: new Bookmarks(),
    rankings: new Rankings(index),
    trace,
    ...{ nftMetadata, documents },
  };
  if (state === undefined) {
    return { ...shared, amounts: other, amountsAt: async () => past, prover: undefined };
  }
  const { createStateAmounts } = await import('../proving/ownState.js');
  const amounts = createStateAmounts({ state, chainId: index.chainId, node, other });
  const amountsAt = async (block: number) =>
    (await state.tree.newestBlock(block)) === block ? amounts : past;
  return { ...shared, amounts, amountsAt, prover: amounts.prover };
}

export function createChainData(options: ChainDataOptions): ChainData {
  const { name, index, state, recheck } = options;
  const documents = options.nftMetadata.openDocuments();
  const head = createIndexHead({ index, state, recheck });
  const newest = state ? createIndexHead({ index, state: undefined, recheck }) : head;
  const answers = new AnswerCache();
  /**
   * Answers that are worked out now. Each minute and each block, all who ask for a page would else make it, each for itself:
   * a large one would stand still for seconds.
   */
  const making = new SharedTurns<RouteAnswer>();
  let opening: Promise<ChainContext> | undefined;
  /** Undefined until the node has said which chain it is of. */
  let context: ChainContext | undefined;

  function opened(): Promise<ChainContext> {
    opening ??= openContext(options, documents)
      .then((open) => {
        context = open;
        return open;
      })
      .catch((error) => {
        opening = undefined;
        throw error;
      });
    return opening;
  }

  async function answerAt(
    of: typeof head,
    { name, context: own }: NamedAnswer,
    work: ChainWork,
  ): Promise<RouteAnswer> {
    const access = await opened();
    const at = await of.newest(access.node);
    const reorgCount = await access.head.reorgCount();
    const remembered = answers.get(name, { blocks: [at], reorgCount });
    if (remembered !== undefined) return remembered;
    const made = await making.run(`${name} ${at.number} ${at.hash}`, own, async (context) => {
      const { json, final, of: block = at } = await work(access, at, context);
      const answer = toAnswer(json, final && toTag(name, final));
      // The service's own state is final, whatever its node has.
      const mayChange = final === undefined && of === newest;
      if (mayChange) await checkStill(access, block);
      if (final === undefined) answers.set(name, answer, block);
      else answers.setFinal(name, answer, reorgCount);
      return answer;
    });
    // In a turn of its own: all who waited would else be answered at once, and everybody else wait for that.
    await own.pause();
    return made;
  }

  return {
    name,
    chainId: index.chainId,
    get documentsRevision() {
      return documents.revision;
    },
    peek(name) {
      // Answers of final blocks hold if the node was asked lately whether those stand.
      const reorgCount = context?.head.isFresh ? context.head.knownReorgCount : undefined;
      return answers.get(name, { blocks: [head.known, newest.known], reorgCount });
    },
    answer: (asked, work) => answerAt(head, asked, work),
    answerNewest: (asked, work) => answerAt(newest, asked, work),
    async answerProven({ block, context }, work) {
      if (state === undefined) {
        const text = 'proofs need a state of the service, which it does not have for this chain';
        throw new HttpError(codes.invalidParams, text, { status: 400 });
      }
      const access = await opened();
      const at = await head.final(block, access.node);
      return toAnswer((await work(access, at, context)).json);
    },
  };
}
