/** A transaction and its receipt; or the block that the hash is of. */
import type { BlockTransaction, Receipt } from '../../history/index.js';
import type { Hex } from '../../index.js';
import { codeOf } from './codeOf.js';
import { findRoot, grounded } from './ground.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

type Found =
  | {
      readonly kind: 'transaction';
      readonly transaction: BlockTransaction;
      readonly receipt: Receipt;
      /** The contract whose logs are messages to L1, if the network has one. */
      readonly messageService: Hex | undefined;
    }
  /** The hash is that of this block. */
  | { readonly kind: 'block'; readonly number: Hex };

/** Whether a server has no such thing, which nothing proves. */
const isAbsent = (error: unknown) => codeOf(error) === 'NOT_PROVEN';

/** The server names a block, and all transactions of that are proven. Its answer is false, whether or not there is such a one. */
class WrongBlock extends Error {
  override readonly name = 'WrongBlock';
  readonly code = 'BAD_ANSWER';
}

const namesBlock = (error: unknown) => /^the server names block/.test((error as Error).message);

export async function answerTransaction(session: Session, { hash }: { hash: Hex }, means: Means) {
  const { history, network } = session;
  const { signal, say } = means;
  await findRoot(session, means);
  say('Proving the transaction and its receipt: both rebuild a root in the header of its block');
  return grounded<Found>(session, signal, async () => {
    try {
      const transaction = await history.transaction(hash, { signal });
      const receipt = await history.receipt(hash, { signal });
      const { messageService } = network;
      return { kind: 'transaction', transaction, receipt, messageService };
    } catch (error) {
      if (!isAbsent(error)) throw error;
      if (namesBlock(error)) throw new WrongBlock((error as Error).message, { cause: error });
      // The absence stays unproven, whatever keeps the block from being found.
      const header = await history.header(hash, { signal }).catch(() => undefined);
      signal.throwIfAborted();
      if (header === undefined) throw error;
      return { kind: 'block', number: header.number };
    }
  });
}
