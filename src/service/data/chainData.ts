/** The data interface of one chain: its index, and its node. */
import type { Index } from '../../indexer/index.js';
import { entryBytes, LruCache } from '../../lru.js';
import { createNodeAmounts } from '../chain/amounts.js';
import { NodeError } from '../chain/errors.js';
import type { ChainDecoder } from '../decoder/chainDecoder.js';
import type { ServiceLog } from '../http/log.js';
import { type Access, findBalances, type Manner } from './balances.js';
import { type At, createIndexHead } from './indexHead.js';
import type { OwnState } from './ownState.js';
import { invalid } from './replies.js';
import type { BalancesQuestion } from './request.js';

export interface ChainData {
  readonly name: string;
  readonly chainId: number;
  /** JSON of the answer's data, if it is remembered and needs no waiting. */
  peek(question: BalancesQuestion): string | undefined;
  /** The same, found out if it is not. @throws RpcError, NodeError, Refusal */
  balances(question: BalancesQuestion, manner: Manner): Promise<string>;
}

export interface ChainDataOptions {
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

function keyOf(question: BalancesQuestion, { number, hash }: At): string {
  const { address, quoteCurrency, pageSize, pageNumber } = question;
  const minute = Math.floor(Date.now() / priceTime);
  return [number, hash, minute, address, quoteCurrency, pageSize, pageNumber].join(' ');
}

export function createChainData(options: ChainDataOptions): ChainData {
  const { name, index, decoder, state, recheck, log } = options;
  const head = createIndexHead({ index, state, recheck });
  const answers = new LruCache<string, string>(
    maxBytes,
    (text, key) => entryBytes + 2 * (text.length + key.length),
  );
  let opening: Promise<Access> | undefined;

  /** @throws NodeError `WRONG_CHAIN` */
  async function openAccess(): Promise<Access> {
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

  function opened(): Promise<Access> {
    opening ??= openAccess().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  return {
    name,
    chainId: index.chainId,
    peek(question) {
      // Proofs are large, and not kept.
      if (question.proofs) return undefined;
      return head.known && answers.get(keyOf(question, head.known));
    },
    async balances(question, manner) {
      if (question.proofs && state === undefined) {
        throw invalid('proofs need a state of the service, which it does not have for this chain');
      }
      const access = await opened();
      if (question.proofs) {
        const at = await head.final(question.block, access.node);
        return findBalances(question, access, { at, manner });
      }
      const at = await head.newest(access.node);
      const key = keyOf(question, at);
      const remembered = answers.get(key);
      if (remembered !== undefined) return remembered;
      const text = await findBalances(question, access, { at, manner });
      answers.set(key, text);
      return text;
    },
  };
}
