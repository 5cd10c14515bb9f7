/** The newest block of an index that its node has too: the one that balances are of. */
import type { Hex } from '../../bytes.js';
import type { Index } from '../../indexer/openIndex.js';
import type { DecoderNode } from '../decoder/node.js';
import { overloaded } from '../refusal.js';

/** The block that balances are of. */
export interface At {
  readonly number: number;
  readonly hash: Hex;
}

/** A look at which block that is. */
interface Look {
  readonly asked: Promise<At>;
  readonly askedAt: number;
  /** Once it is known. */
  at: At | undefined;
}

export interface IndexHead {
  /** @throws Refusal, RpcError, NodeError */
  newest(node: Pick<DecoderNode, 'hashAt'>): Promise<At>;
  /** The same, if it is known and fresh. */
  readonly known: At | undefined;
}

/** @param recheck ms for which a look holds */
export function createIndexHead(index: Index, recheck: number): IndexHead {
  let head: Look | undefined;

  /** The newest block of the index that the node has too. @throws Refusal */
  async function find(node: Pick<DecoderNode, 'hashAt'>): Promise<At> {
    const top = await index.newestBlock();
    if (top === undefined) throw overloaded('the index holds no block yet');
    for (const number of [top, await index.finalBlock()]) {
      const hash = number === undefined ? undefined : await index.blockHash(number);
      if (number !== undefined && hash !== undefined && (await node.hashAt(number)) === hash) {
        return { number, hash };
      }
    }
    throw overloaded('the index is not on the chain of the L2 node right now');
  }

  const isFresh = ({ askedAt }: Look) => performance.now() - askedAt < recheck;

  function newest(node: Pick<DecoderNode, 'hashAt'>): Promise<At> {
    if (head !== undefined && isFresh(head)) return head.asked;
    const look: Look = { asked: find(node), askedAt: performance.now(), at: undefined };
    head = look;
    look.asked.then(
      (at) => {
        look.at = at;
      },
      () => {
        if (head === look) head = undefined;
      },
    );
    return look.asked;
  }

  return {
    newest,
    get known() {
      return head && isFresh(head) ? head.at : undefined;
    },
  };
}
