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
 * Checks the traces of a block. The node is asked for the gas of each transaction only if the block as a whole does not
 * come out even; if the node refuses, only the whole is held against what its gas burnt.
 *
 * @throws FollowError `BAD_TRACE`, or the node's
 */
export async function checkValue(
  node: Pick<Node, 'receipts'>,
  header: NodeHeader,
  diffs: readonly TransactionDiff[],
): Promise<void> {
  const losses = diffs.map(lossOf);
  checkEach(header, losses, undefined);
  const surplus = losses.reduce((sum, loss) => sum + loss, 0n) - header.baseFee * header.gasUsed;
  const burns = header.baseFee * header.gasUsed + header.blobGasUsed > 0n;
  if (surplus === 0n || !burns) return;
  checkEach(header, losses, await unlessRefused(node.receipts(header)));
  // No receipts, or not those of this block.
  if (surplus < 0n) {
    const text = `the traces of block ${header.number} make at least ${-surplus} wei: ${advice()}`;
    throw new FollowError('BAD_TRACE', text);
  }
}
