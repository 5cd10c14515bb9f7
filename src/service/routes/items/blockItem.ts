/** A block as answers have it. */
import { z } from '@hono/zod-openapi';
import type { LedgerBlock } from '../../ledger/types.js';
import { toTime } from '../common/json.js';
import { bytes, count, hex, time } from '../common/schemas.js';

export const blockItem = z.object({
  block_hash: hex(32),
  signed_at: time,
  height: count,
  block_parent_hash: hex(32),
  extra_data: bytes,
  miner_address: hex(20),
  mining_cost: z.null().openapi({ description: 'Not known here' }),
  gas_used: count,
  gas_limit: count,
  transactions_link: z.string().openapi({ description: 'The first page of its transactions' }),
});

/** @param chain URL of the interface's routes about the chain */
export const toBlockItem = (block: LedgerBlock, chain: string) => ({
  block_hash: block.hash,
  signed_at: toTime(block.timestamp),
  height: block.number,
  block_parent_hash: block.parentHash,
  extra_data: block.extraData,
  miner_address: block.miner,
  mining_cost: null,
  gas_used: block.gasUsed,
  gas_limit: block.gasLimit,
  transactions_link: `${chain}/block/${block.number}/transactions_v3/page/0/`,
});
