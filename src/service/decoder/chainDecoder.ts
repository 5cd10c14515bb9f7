/** Decodes the transactions of one chain. */
import type { Hex } from '../../bytes.js';
import {
  type Abis,
  type Chain,
  type ChainContracts,
  DecodeError,
  decodeInPieces,
  describeChain,
  nativeAddress,
} from '../../decode/index.js';
import { ownMember } from '../../foreign/members.js';
import { parseQuantity } from '../../foreign/values.js';
import { createCache } from '../chain/cache.js';
import { chainIds } from '../chain/chains.js';
import { createContracts } from '../chain/contracts.js';
import { NodeError } from '../chain/errors.js';
import {
  type BlockId,
  createFinalizedHead,
  type FinalizedHead,
  newer,
} from '../chain/finalizedHead.js';
import { createDecoderNode, type DecoderNode, type NodeOptions } from '../chain/node.js';
import { askPrices, type PriceSource } from '../chain/prices.js';
import type { Records } from '../chain/records.js';
import { createTokenRegistry, type ListedTokens, type TokenRegistry } from '../chain/tokens.js';
import type { ServiceLog } from '../http/log.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import { createMetadataResolver, type MetadataResolver } from './learn.js';
import {
  createTransactionSources,
  type FoundSource,
  type TransactionSource,
  type TransactionSources,
} from './source.js';

/** A question about a transaction. */
interface DecodeQuestion {
  /** Lower case. */
  readonly txHash: Hex;
  readonly rawLogs: boolean;
  readonly unknown: boolean;
  readonly minUsd: number;
}

/** The parts that are set up once the node has said which chain it is of; the data interface uses them too. */
export interface OpenChain {
  readonly chain: Chain;
  readonly node: DecoderNode;
  readonly head: FinalizedHead;
  readonly sources: TransactionSources;
  readonly tokens: TokenRegistry;
  readonly metadata: MetadataResolver;
  readonly prices: PriceSource | undefined;
  readonly abis: Abis | undefined;
}

export interface ChainDecoder {
  readonly name: string;
  /** @throws RpcError if the node does not answer, NodeError if it is of another chain */
  open(): Promise<OpenChain>;
  /** JSON of the response, if it is remembered and needs no waiting. */
  peek(question: DecodeQuestion): string | undefined;
  /**
   * JSON of the response.
   *
   * @returns undefined if the chain has no such transaction
   * @throws RpcError, NodeError, DecodeError
   */
  decode(question: DecodeQuestion, context: AnswerContext): Promise<string | undefined>;
}

interface ChainDecoderOptions {
  readonly name: string;
  readonly node: NodeOptions;
  /** Beside those that are known by the chain's id. */
  readonly contracts: ChainContracts;
  readonly records: Records | undefined;
  /** Tokens of the operator's lists, by chain id. */
  readonly listed: ReadonlyMap<number, ListedTokens>;
  readonly prices: PriceSource | undefined;
  readonly abis: Abis | undefined;
  readonly recheck: number;
  readonly log: ServiceLog | undefined;
}

/** Bytes in memory of a chain's answers, transactions, what is known of these, and tokens. */
const maxBytes = {
  answers: 64 * 2 ** 20,
  sources: 64 * 2 ** 20,
  learnt: 16 * 2 ** 20,
  tokens: 16 * 2 ** 20,
};

/** Ms that an answer from the cache waits for the node to say that its block is still there. */
const patience = 1000;

const keyOf = ({ txHash, rawLogs, unknown, minUsd }: DecodeQuestion) =>
  `${txHash} ${rawLogs} ${unknown} ${minUsd}`;

function timeOf({ block }: TransactionSource): number | undefined {
  const time = parseQuantity(ownMember(block, 'timestamp'), 53);
  return time === undefined ? undefined : Number(time);
}

function countLogs({ receipt }: TransactionSource): number {
  const logs = ownMember(receipt, 'logs');
  return Array.isArray(logs) ? logs.length : 0;
}

interface ChainParts {
  readonly options: ChainDecoderOptions;
  readonly node: DecoderNode;
  readonly head: FinalizedHead;
}

/** A chain with more contracts than those that are known by its id. */
function withContracts(chain: Chain, more: ChainContracts): Chain {
  const contracts = { ...chain.contracts };
  for (const [name, list] of Object.entries(more)) {
    const role = name as keyof ChainContracts;
    contracts[role] = [...(chain.contracts[role] ?? []), ...list];
  }
  return { ...chain, contracts };
}

/** @throws NodeError `WRONG_CHAIN` */
function openChain(id: number, { options, node, head }: ChainParts): OpenChain {
  const { name, records, listed, abis } = options;
  const known = chainIds.get(name);
  if (known !== undefined && known !== id) {
    const text = `the L2 node of ${name} is of chain ${node.numberText(id)}, not ${known}`;
    throw new NodeError('WRONG_CHAIN', text);
  }
  const chain = withContracts(describeChain({ name, id }), options.contracts);
  const shared = { node, head, chainId: id, records };
  const book = createTokenRegistry({
    ...shared,
    contracts: createContracts(node),
    listed: listed.get(id) ?? new Map(),
    maxBytes: maxBytes.tokens,
  });
  return {
    chain,
    node,
    head,
    tokens: book,
    prices: options.prices,
    abis,
    sources: createTransactionSources({ ...shared, maxBytes: maxBytes.sources }),
    metadata: createMetadataResolver({ book, node, head, chain, abis, maxBytes: maxBytes.learnt }),
  };
}

export function createChainDecoder(options: ChainDecoderOptions): ChainDecoder {
  const { name, prices, abis, recheck, log } = options;
  const node = createDecoderNode(options.node);
  const onError = (err: unknown) => log?.warn({ err, chain: name }, 'the L2 node failed');
  const head = createFinalizedHead({ node, recheck, patience, onError });
  const answers = createCache<string>({
    head,
    node,
    maxBytes: maxBytes.answers,
    // Two bytes a character at most.
    sizeOf: (text) => 2 * text.length,
  });

  /** The chain that the node is of, once it has said so. */
  let opening: Promise<OpenChain> | undefined;
  function opened() {
    opening ??= node
      .chainId()
      .then((id) => openChain(id, { options, node, head }))
      .catch((error) => {
        opening = undefined;
        throw error;
      });
    return opening;
  }

  async function decodeAnew(
    question: DecodeQuestion,
    found: FoundSource,
    { pause, charge }: AnswerContext,
  ): Promise<string> {
    const { chain, metadata } = await opened();
    const { source } = found;
    const { rawLogs, unknown, minUsd } = question;
    const reorgCount = head.knownReorgCount;
    charge(countLogs(source));
    const recalled = await metadata.recall(question);
    await pause();
    const known = recalled ?? (await metadata.learn(question, found, pause));
    const addresses = [nativeAddress, ...known.prices];
    const asked = { chainName: name, chainId: chain.id, addresses, timestamp: timeOf(source) };
    const { prices: told, isWhole } = await askPrices(prices, asked, log);
    // Other servers had to be waited for, and the client may be gone by now.
    if (recalled === undefined || prices !== undefined) await pause();
    const { tokens, pools } = known;
    const input = { ...source, chain, tokens, pools, prices: told, abis, unknown, rawLogs, minUsd };
    const text = JSON.stringify(await decodeInPieces(input, pause));
    if (found.isFinal && known.isFinal && isWhole) {
      const block = newer(known.block, found.block) as BlockId;
      answers.set(keyOf(question), { value: text, block }, reorgCount);
    }
    return text;
  }

  return {
    name,
    open: opened,
    peek: (question) => answers.peek(keyOf(question)),
    async decode(question, context) {
      const remembered = await answers.get(keyOf(question));
      if (remembered !== undefined) return remembered.value;
      const { sources } = await opened();
      const found = await sources.find(question.txHash);
      if (found === undefined) return undefined;
      try {
        return await decodeAnew(question, found, context);
      } catch (error) {
        // What cannot be decoded must not stay.
        if (error instanceof DecodeError) sources.forget(question.txHash);
        throw error;
      }
    },
  };
}
