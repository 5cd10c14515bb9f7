/** A message from L2 to L1: what has become of it, and the call that claims it. */
import type { Hex } from '../../index.js';
import type { MessageProgress, MessageProof, MessageStatus } from '../../messages/index.js';
import { wholeText } from '../format/numbers.js';
import { codeOf } from './codeOf.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

const parts: Readonly<Record<MessageProgress['part'], string>> = {
  search: 'Looking for the block of the message',
  list: 'Reading the other messages of its finalization',
  proof: 'Proving the logs of the blocks',
};

interface Asked {
  /** Of the message. */
  readonly hash: Hex;
  /** The blocks that it may be in; if they are named, it can be proven that none has it. */
  readonly blocks?: { readonly from: number; readonly to: number } | undefined;
}

export interface MessageAnswer {
  readonly status: MessageStatus;
  /** The proof of one that can be claimed. */
  readonly proof: MessageProof | undefined;
  /** The contract on L1 that is called to claim it. */
  readonly rollup: Hex;
  readonly l1ChainId: number;
}

export async function answerMessage(
  { l1, l2, network, trusted }: Session,
  { hash, blocks }: Asked,
  { signal, say }: Means,
): Promise<MessageAnswer> {
  const { createMessages } = await import('../../messages/index.js');
  const messages = createMessages({ l1, l2, network, ...(trusted && { trusted }) });
  const question = {
    ...(blocks && { fromBlock: blocks.from, toBlock: blocks.to }),
    signal,
    onProgress({ part, checked, total }: MessageProgress) {
      say(`${parts[part]}: ${wholeText(checked)} of at most ${wholeText(total)} blocks`);
    },
  };
  const { rollup, l1ChainId } = network;
  say('Asking L1 for what is finalized');
  try {
    const proof = await messages.prove(hash, question);
    return { status: proof, proof, rollup, l1ChainId };
  } catch (error) {
    // Why there is no proof of it, its status says with what is known.
    const isKnown = codeOf(error) === 'NOT_FINALIZED' || (blocks && codeOf(error) === 'NOT_FOUND');
    if (!isKnown) throw error;
    const status = await messages.status(hash, question);
    return { status, proof: undefined, rollup, l1ChainId };
  }
}
