/**
 * No transaction makes value: over the accounts of its trace, the balances after it and what it burnt are never more than
 * the balances before. If they are, the trace lacks an account that gave value away, as some tracers do with one that the
 * transaction creates and destroys.
 */
import { wordFor } from '../../errors.js';
import { FollowError } from '../node/errors.js';
import type { GasReceipt } from '../node/gasReceipt.js';
import type { Node } from '../node/node.js';
import { unlessRefused } from '../node/refusal.js';
import type { NodeHeader } from '../node/system.js';
import type { TransactionDiff } from '../node/transactionDiff.js';

/** Wei that the accounts of a trace have less after the transaction. */
function lossOf({ accounts }: TransactionDiff): bigint {
  let loss = 0n;
  for (const { pre, post } of accounts) {
    const before = pre?.balance ?? 0n;
    loss += before - (post === undefined ? 0n : (post.balance ?? before));
  }
  return loss;
}

const advice = () =>
  `the traces lack an account that gave it. Take another node or version; if transactions of this chain mint, or its base fees are not burnt, name it (${wordFor('mints', 'mints: true')})`;

function checkEach(
  { number, transactions, baseFee }: NodeHeader,
  losses: readonly bigint[],
  receipts: readonly GasReceipt[] | undefined,
): void {
  for (const [i, loss] of losses.entries()) {
    const { gasUsed = 0n, blobFee = 0n } = receipts?.[i] ?? {};
    const made = gasUsed * baseFee + blobFee - loss;
    if (made <= 0n) continue;
    throw new FollowError(
      'BAD_TRACE',
      `trace ${i} of block ${number}, of transaction ${transactions[i]}, makes at least ${made} wei: ${advice()}`,
    );
  }
}

/**
 * Blocks that come out even for which a node that refused the receipts of one is not asked again: a refusal may take all
 * tries of a patient client.
 */
const restAfterRefusal = 1000;

/** Checks the traces of a block. @throws FollowError `BAD_TRACE`, or the node's */
export type CheckValue = (header: NodeHeader, diffs: readonly TransactionDiff[]) => Promise<void>;

/**
 * The law for the blocks of a node. A trace that makes value may stand beside another that burns as much, so the node is
 * asked for the gas of each transaction, unless one that is alone in its block comes out even. If the node refuses, only
 * the whole block is held against what its gas burnt.
 */
export function createValueCheck(node: Pick<Node, 'receipts'>): CheckValue {
  let rest = 0;
  return async (header, diffs) => {
    const losses = diffs.map(lossOf);
    checkEach(header, losses, undefined);
    const surplus = losses.reduce((sum, loss) => sum + loss, 0n) - header.baseFee * header.gasUsed;
    if (header.baseFee * header.gasUsed + header.blobGasUsed === 0n) return;
    if (surplus === 0n && (losses.length < 2 || rest-- > 0)) return;
    const receipts = await unlessRefused(node.receipts(header));
    rest = receipts === undefined ? restAfterRefusal : 0;
    checkEach(header, losses, receipts);
    // No receipts, or not those of this block.
    if (surplus < 0n) {
      const text = `the traces of block ${header.number} make at least ${-surplus} wei: ${advice()}`;
      throw new FollowError('BAD_TRACE', text);
    }
  };
}
