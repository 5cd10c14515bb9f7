/** Real blocks of Ethereum, beside this checkout: data of others, which are no part of the repository. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transaction } from 'ethers';
import type { Wire } from './runs.js';

export const realBlocks = '../shared/blocks';
export const hasRealBlocks: boolean = existsSync(realBlocks);

const readJson = (path: string): Wire => JSON.parse(readFileSync(join(realBlocks, path), 'utf8'));

/** Answers of an execution node: a block, and all its receipts. */
export const realAnswers = (): { block: Wire; receipts: Wire[] } => ({
  block: readJson('rpc/block.json'),
  receipts: readJson('rpc/receipts.json'),
});

const quantity = (value: bigint | number | string): string => `0x${BigInt(value).toString(16)}`;

/** A raw transaction as JSON-RPC would answer it, by ethers. */
export function transactionJson(raw: string): Wire {
  const read = Transaction.from(raw);
  const { signature } = read;
  if (signature === null) throw new Error('a transaction without a signature');
  const type = read.type ?? 0;
  const amounts = {
    nonce: read.nonce,
    gas: read.gasLimit,
    value: read.value,
    v:
      type === 0
        ? signature.legacyChainId === null
          ? signature.v
          : signature.networkV
        : signature.yParity,
    r: signature.r,
    s: signature.s,
    ...(type > 0 && { chainId: read.chainId, yParity: signature.yParity }),
    ...(type < 2 && { gasPrice: read.gasPrice }),
    ...(type >= 2 && {
      maxFeePerGas: read.maxFeePerGas,
      maxPriorityFeePerGas: read.maxPriorityFeePerGas,
    }),
    ...(type === 3 && { maxFeePerBlobGas: read.maxFeePerBlobGas }),
    type,
  };
  return {
    ...Object.fromEntries(
      Object.entries(amounts).map(([name, value]) => [name, quantity(value as bigint)]),
    ),
    hash: read.hash,
    from: read.from?.toLowerCase(),
    to: read.to === null ? null : read.to.toLowerCase(),
    input: read.data,
    ...(type > 0 && { accessList: read.accessList }),
    ...(type === 3 && { blobVersionedHashes: read.blobVersionedHashes }),
  };
}

/** Blocks of the consensus layer, with raw transactions: the payload, and the block as JSON-RPC would answer it. */
export const realPayloads = (): { name: string; raw: string[]; block: Wire }[] =>
  readdirSync(join(realBlocks, 'beacon')).map((name) => {
    const { message } = readJson(`beacon/${name}`).data;
    const payload = message.body.execution_payload;
    const zeros = (bytes: number) => `0x${'00'.repeat(bytes)}`;
    return {
      name,
      raw: payload.transactions,
      block: {
        hash: payload.block_hash,
        parentHash: payload.parent_hash,
        sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
        miner: payload.fee_recipient,
        stateRoot: payload.state_root,
        receiptsRoot: payload.receipts_root,
        logsBloom: payload.logs_bloom,
        difficulty: '0x0',
        number: quantity(payload.block_number),
        gasLimit: quantity(payload.gas_limit),
        gasUsed: quantity(payload.gas_used),
        timestamp: quantity(payload.timestamp),
        extraData: payload.extra_data,
        mixHash: payload.prev_randao,
        nonce: zeros(8),
        baseFeePerGas: quantity(payload.base_fee_per_gas),
        transactions: payload.transactions.map(transactionJson),
        uncles: [],
        withdrawals: payload.withdrawals.map((item: Wire) => ({
          index: quantity(item.index),
          validatorIndex: quantity(item.validator_index),
          address: item.address,
          amount: quantity(item.amount),
        })),
      },
    };
  });
