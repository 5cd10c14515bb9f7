/** What is asked about a message, and what is answered. */
import type { AnchoredRoot } from '../anchor/index.js';
import type { Hex } from '../bytes.js';
import type { Message } from './message.js';

/** How far a question is. It has several parts, each of which begins at zero. */
export interface MessageProgress {
  /**
   * `search` looks for the block of the message, `list` for the other messages of its finalization; `proof` reads the
   * same from proven logs.
   */
  readonly part: 'search' | 'list' | 'proof';
  /** L2 blocks that are done. */
  readonly checked: number;
  /** L2 blocks of this part at most. */
  readonly total: number;
}

/** Options of one question. */
export interface MessageQuestion {
  /** The first L2 block that the message may be in; default `maxBlocks` before the last. */
  readonly fromBlock?: number | undefined;
  /** The last one; default the newest. If both are given, it can be proven that there is no such message. */
  readonly toBlock?: number | undefined;
  /** Told of each piece that is done. */
  readonly onProgress?: ((progress: MessageProgress) => void) | undefined;
  /** Ends the question, which then fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a proof. */
export interface ProofQuestion extends MessageQuestion {
  /** Who gets the fee on L1, 20 bytes; default the one who claims. */
  readonly feeRecipient?: Hex | undefined;
}

/**
 * - `inclusion` that the message is in a block of L2, which is not finalized yet
 * - `transaction` that it was sent by the transaction which was named
 */
export type AssumedOfMessage = 'inclusion' | 'transaction';

/** The members of every answer. */
interface Answer {
  /** The last L2 block that is finalized, by the same proof. */
  readonly finalizedBlock: number;
  /** The L1 block that all of it was read at. */
  readonly l1: AnchoredRoot['l1'];
  /** Who is trusted with that L1 block, as in an anchor. */
  readonly how: AnchoredRoot['how'];
}

/** A message that L2 has sent. */
interface Found extends Answer {
  /** Hash of the message, 32 bytes. */
  readonly hash: Hex;
  /** The message itself, which hashes to it. */
  readonly message: Message;
  /** The L2 block of the message, by the word of the L2 node. */
  readonly l2BlockNumber: number;
  /** What rests on the word of the L2 node alone. */
  readonly assumed: readonly AssumedOfMessage[];
}

/** A message whose tree has its root on L1. */
interface Finalized extends Found {
  /** `claimed`: the call was made, and cannot be made again. `claimable`: it can be. */
  readonly status: 'claimed' | 'claimable';
  /** Root of the tree, 32 bytes. */
  readonly root: Hex;
  /** Height of the tree, as L1 has it. */
  readonly depth: number;
}

/** A message, as far as it is known. */
export type MessageStatus =
  | Finalized
  | (Found & {
      /** Its block is not finalized on L1 yet. */
      readonly status: 'pending';
    })
  | (Pick<Answer, 'l1' | 'how'> & {
      /** Proven: no block of those that the caller named has it. */
      readonly status: 'unknown';
      /** Hash of the message, 32 bytes. */
      readonly hash: Hex;
      /** Nothing: all logs of these blocks are proven. */
      readonly assumed: readonly never[];
      /** The blocks. */
      readonly blocks: {
        /** The first. */
        readonly from: number;
        /** The last. */
        readonly to: number;
      };
    });

/** A proof that a message is in a tree whose root is on L1. */
export interface MessageProof extends Finalized {
  /** The siblings on the way from the leaf to the root, the leaf's own first; `depth` of them, 32 bytes each. */
  readonly proof: readonly Hex[];
  /** Place of the leaf in its tree, from 0. */
  readonly leafIndex: number;
  /** Data of the call that claims it, `claimMessageWithProof`, to the rollup contract on L1. */
  readonly calldata: Hex;
}

/** The subject of a question: a message, the hash of one, or the transaction that has sent one. */
export type MessageSubject =
  | Message
  | Hex
  | {
      /** Hash of the transaction on L2, 32 bytes. */
      readonly transaction: Hex;
    };

/** Asks about messages from L2 to L1. */
export interface Messages {
  /**
   * The status of a message.
   *
   * @throws MessageError, AnchorError, HistoryError, RpcError, ShapeError, VerificationError if it cannot be known
   * @throws TypeError or RangeError for a wrong argument
   */
  status(message: MessageSubject, options?: MessageQuestion): Promise<MessageStatus>;
  /**
   * The proof by which a message is claimed. It is given for a claimed one, too: see its `status`.
   *
   * @throws as `status`; MessageError `NOT_FINALIZED` if it is too early
   */
  prove(message: MessageSubject, options?: ProofQuestion): Promise<MessageProof>;
}
