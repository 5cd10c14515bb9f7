/** The inner work of a transaction, as answers have it. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import {
  findTraceChanges,
  findTransfers,
  type InternalTransfer,
  type StateChange,
} from '../../ledger/traces.js';
import { amount, count, hex } from '../common/schemas.js';

export const internalTransfer = z.object({
  from_address: hex(20),
  to_address: hex(20),
  value: amount,
  gas_limit: z.number(),
});

export const stateChange = z.object({
  address: hex(20),
  balance_before: amount,
  balance_after: amount,
  storage_changes: z.array(
    z.object({ storage_address: hex(32), value_before: hex(32), value_after: hex(32) }),
  ),
  nonce_before: count,
  nonce_after: count,
});

const toTransferItem = ({ from, to, value, gasLimit }: InternalTransfer) => ({
  from_address: from,
  to_address: to,
  value: String(value),
  gas_limit: gasLimit,
});

const toChangeItem = ({ address, before, after, slots }: StateChange) => ({
  address,
  balance_before: String(before.balance),
  balance_after: String(after.balance),
  storage_changes: slots.map((slot) => ({
    storage_address: slot.key,
    value_before: slot.before,
    value_after: slot.after,
  })),
  nonce_before: before.nonce,
  nonce_after: after.nonce,
});

/** Both are null unless they were asked for, and the service may ask for traces. */
export interface TracedItems {
  readonly internal: readonly ReturnType<typeof toTransferItem>[] | null;
  readonly state: readonly ReturnType<typeof toChangeItem>[] | null;
}

/** Units of cost of a trace: the node carries the transaction out once more. */
const traceCost = 10;

/** @throws RpcError, NodeError, HttpError, and any error of `pause` */
export async function findTraces(
  transaction: Hex,
  wanted: { readonly internal: boolean; readonly state: boolean },
  { access, context }: { access: ChainContext; context: AnswerContext },
): Promise<TracedItems> {
  const { node, trace } = access;
  async function find<T>(isWanted: boolean, ask: () => Promise<T>): Promise<T | null> {
    if (!trace || !isWanted) return null;
    context.charge(traceCost);
    await context.pause();
    return ask();
  }
  const transfers = await find(wanted.internal, () => findTransfers(node.client, transaction));
  const changes = await find(wanted.state, () => findTraceChanges(node.client, transaction));
  return {
    internal: transfers?.map(toTransferItem) ?? null,
    state: changes?.map(toChangeItem) ?? null,
  };
}
