/** The newest block of an index that its node has too: the one that balances are of. */
import type { Hex } from '../../bytes.js';
import type { Index } from '../../indexer/index.js';
import { Poll } from '../../poll.js';
import type { DecoderNode } from '../chain/node.js';
import { codes, HttpError, indexOffChain, overloaded } from '../http/httpError.js';
import { chooseBlock, newestFinalized } from '../proofs/block.js';
import type { OwnState } from '../proving/ownState.js';

/** The block that balances are of. */
export interface BalanceBlock {
  readonly number: number;
  /** Undefined if the own state was fed without it. */
  readonly hash: Hex | undefined;
}

interface IndexHead {
  /** @throws HttpError, RpcError, NodeError */
  newest(node: Pick<DecoderNode, 'hashAt'>): Promise<BalanceBlock>;
  /**
   * A block of the own state that is final on L1.
   *
   * @param block undefined: the newest
   * @throws HttpError
   */
  final(block: number | undefined, node: Pick<DecoderNode, 'hashAt'>): Promise<BalanceBlock>;
  /** The newest, if it is known and fresh. */
  readonly known: BalanceBlock | undefined;
}

interface IndexHeadOptions {
  readonly index: Index;
  /** If given, the block is the newest final one of this state. */
  readonly state: OwnState | undefined;
  /** Ms for which a look holds. */
  readonly recheck: number;
}

/** The newest final block of the service's own state. @throws HttpError */
async function findOwn({ tree, finality }: OwnState, index: Index): Promise<BalanceBlock> {
  const number = await newestFinalized(tree, finality);
  if (number === undefined) throw overloaded('no finalized block is held');
  if (((await index.newestBlock()) ?? -1) < number) {
    throw overloaded('the index is behind the state');
  }
  return { number, hash: await tree.blockHash(number) };
}

/** A block of the service's own state. @throws HttpError */
async function findHeld(
  { tree, finality }: OwnState,
  index: Index,
  block: number,
): Promise<BalanceBlock> {
  let number: number;
  try {
    number = await chooseBlock(tree, finality, BigInt(block));
  } catch (error) {
    if (!(error instanceof HttpError) || error.code !== codes.invalidRequest) throw error;
    throw new HttpError(error.code, error.message, { status: 404 });
  }
  if (((await index.newestBlock()) ?? -1) < number) {
    throw overloaded('the index is behind the state');
  }
  return { number, hash: await tree.blockHash(number) };
}

export function createIndexHead({ index, state, recheck }: IndexHeadOptions): IndexHead {
  /** The newest block of the index that the node has too. @throws HttpError */
  async function find(node: Pick<DecoderNode, 'hashAt'>): Promise<BalanceBlock> {
    const top = await index.newestBlock();
    if (top === undefined) throw overloaded('the index holds no block yet');
    for (const number of [top, await index.finalBlock()]) {
      const hash = number === undefined ? undefined : await index.blockHash(number);
      if (number !== undefined && hash !== undefined && (await node.hashAt(number)) === hash) {
        return { number, hash };
      }
    }
    throw indexOffChain();
  }

  const head = new Poll(
    (node: Pick<DecoderNode, 'hashAt'>) =>
      state === undefined ? find(node) : findOwn(state, index),
    recheck,
  );

  return {
    newest: (node) => head.get(node),
    async final(block, node) {
      if (block === undefined || state === undefined) return head.get(node);
      return findHeld(state, index, block);
    },
    get known() {
      return head.isFresh ? head.last : undefined;
    },
  };
}
