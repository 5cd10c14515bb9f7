/** What kinds of transactions pay for gas, block by block. */
import type { Hex } from '../../bytes.js';
import { LruCache } from '../../lru.js';
import type { Ledger } from './ledger.js';
import type { LedgerBlock, MinedPair } from './types.js';

/** Kinds of transactions whose gas is watched, by the names that requests have for them. */
export const gasKinds = ['erc20', 'nativetokens', 'uniswapv3'] as const;
export type GasKind = (typeof gasKinds)[number];

/** Sums over transactions. */
export interface GasUse {
  readonly count: bigint;
  readonly gasPrice: bigint;
  readonly gasUsed: bigint;
}

export const noGas: GasUse = { count: 0n, gasPrice: 0n, gasUsed: 0n };

export const addGas = (a: GasUse, b: GasUse): GasUse => ({
  count: a.count + b.count,
  gasPrice: a.gasPrice + b.gasPrice,
  gasUsed: a.gasUsed + b.gasUsed,
});

/** `transfer(address,uint256)` and its arguments. */
const transferCall = /^0xa9059cbb[0-9a-f]{128}$/;
/** `Transfer(address,address,uint256)`, whose amount is not indexed. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** `Swap(address,address,int256,int256,uint160,uint128,int24)` of Uniswap v3. */
const swapTopic = '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67';

/** Gas of a transaction that only moves the native token. */
const plainGas = 21_000;

const isOf: Record<GasKind, (pair: MinedPair) => boolean> = {
  erc20: ({ transaction, receipt: { logs } }) =>
    transferCall.test(transaction.input) &&
    logs.some(
      ({ address, topics }) =>
        address === transaction.to && topics[0] === transferTopic && topics.length === 3,
    ),
  nativetokens: ({ transaction, receipt }) =>
    transaction.input === '0x' && receipt.gasUsed === plainGas && transaction.value > 0n,
  uniswapv3: ({ receipt: { logs } }) =>
    logs.some(({ topics }) => topics[0] === swapTopic && topics.length === 3),
};

function useOf(pairs: readonly MinedPair[], kind: GasKind): GasUse {
  let use = noGas;
  for (const pair of pairs) {
    const { receipt, transaction } = pair;
    if (!receipt.isSuccessful || !isOf[kind](pair)) continue;
    const gasPrice = receipt.gasPrice ?? transaction.gasPrice ?? 0n;
    use = addGas(use, { count: 1n, gasPrice, gasUsed: BigInt(receipt.gasUsed) });
  }
  return use;
}

export interface GasWatch {
  /** The sums of a block, if they are known. */
  known(block: LedgerBlock): Readonly<Record<GasKind, GasUse>> | undefined;
  /** The sums of a block. @throws RpcError, NodeError, HttpError */
  of(block: LedgerBlock): Promise<Readonly<Record<GasKind, GasUse>>>;
}

/** Blocks whose sums are kept: of ten minutes there are at most as many, on any chain. */
const mostBlocks = 10_000;

export function createGasWatch(ledger: Ledger): GasWatch {
  const uses = new LruCache<Hex, Readonly<Record<GasKind, GasUse>>>(mostBlocks);
  return {
    known: ({ hash }) => uses.get(hash),
    async of(block) {
      const known = uses.get(block.hash);
      if (known !== undefined) return known;
      const pairs = await ledger.transactionsOf(block);
      const use = {
        erc20: useOf(pairs, 'erc20'),
        nativetokens: useOf(pairs, 'nativetokens'),
        uniswapv3: useOf(pairs, 'uniswapv3'),
      };
      uses.set(block.hash, use);
      return use;
    },
  };
}
