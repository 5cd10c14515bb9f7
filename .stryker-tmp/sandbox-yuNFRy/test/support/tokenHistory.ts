/** A random life of tokens and wallets on a real node, and what the node says that each wallet holds. */
// @ts-nocheck

import { decodeFunctionResult, encodeFunctionData, erc20Abi, parseAbi } from 'viem';
import type { Hex } from '../../src/bytes.js';
import type { Anvil, Transaction } from './anvil.js';
import { accounts } from './anvil.js';
import { randomOf } from './blocks.js';
import type { Contract } from './contracts/contract.js';
import { deployRebasing } from './contracts/rebasing.js';
import {
  deployErc20,
  deployErc721,
  deployErc1155,
  deployWrappedNative,
} from './contracts/tokens.js';

/** Wallets; the node must have been started with `--auto-impersonate`. */
export const wallets: readonly Hex[] = [
  ...accounts,
  ...Array.from({ length: 5 }, (_, i): Hex => `0x${(0xa1 + i).toString(16).repeat(20)}`),
] as readonly Hex[];

const goodsIds = [0n, 1n, 7n, 2n ** 255n + 3n] as const;

export interface TokenHistory {
  readonly gold: Contract;
  readonly rebasing: Contract;
  readonly wrapped: Contract;
  readonly deed: Contract;
  readonly goods: Contract;
  /** Mines blocks of random mints, transfers, burns, approvals, wraps and rebasings; some fail. */
  mine(blocks: number): Promise<void>;
  /** What the node says that all wallets hold at a block. */
  held(block: number): Promise<Held[]>;
}

/** Something that a wallet holds. */
export interface Held {
  readonly wallet: Hex;
  readonly standard: 'erc20' | 'erc721' | 'erc1155';
  readonly contract: Hex;
  /** Of ERC-721 and ERC-1155. */
  readonly id: bigint | undefined;
  readonly amount: bigint;
}

const hexOf = (block: number) => `0x${block.toString(16)}`;
const nftAbi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
]);

export async function startHistory(node: Anvil, seed: number): Promise<TokenHistory> {
  const random = randomOf(seed);
  for (const wallet of wallets) {
    await node.call('anvil_setBalance', wallet, '0x56bc75e2d63100000');
  }
  const gold = await deployErc20(node);
  const rebasing = await deployRebasing(node);
  const wrapped = await deployWrappedNative(node);
  const deed = await deployErc721(node);
  const goods = await deployErc1155(node);
  let deeds = 0;

  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const someDeed = () => BigInt(random(Math.max(deeds, 1)));
  const minter = accounts[0] as Hex;
  const steps: ((from: Hex, to: Hex) => Transaction)[] = [
    (_, to) => ({ ...gold.call('mint', to, BigInt(random(1000))), from: minter }),
    (from, to) => ({ ...gold.call('transfer', to, BigInt(random(500))), from }),
    (from) => ({ ...gold.call('burn', BigInt(random(300))), from }),
    (from, to) => ({ ...gold.call('approve', to, BigInt(random(3))), from }),
    (from, to) => ({ ...rebasing.call('mint', to, BigInt(random(10_000))), from }),
    (from, to) => ({ ...rebasing.call('transfer', to, BigInt(random(5000))), from }),
    (from) => ({ ...rebasing.call('rebase', BigInt(5 + random(20)) * 10n ** 17n), from }),
    (from) => ({ ...wrapped.call('deposit'), from, value: BigInt(random(1000)) }),
    (from) => ({ ...wrapped.call('withdraw', BigInt(random(500))), from }),
    (from, to) => ({ ...wrapped.call('transfer', to, BigInt(random(500))), from }),
    (_, to) => {
      deeds++;
      return { ...deed.call('mint', to), from: minter };
    },
    (from, to) => ({ ...deed.call('transferFrom', from, to, someDeed()), from }),
    (from, to) => ({ ...deed.call('transferFrom', from, to, someDeed()), from }),
    (from) => ({ ...deed.call('burn', someDeed()), from }),
    (from, to) => ({ ...deed.call('setApprovalForAll', to, random(2) === 1), from }),
    (_, to) => ({
      ...goods.call('mint', to, pick(goodsIds), BigInt(random(50)), '0x'),
      from: minter,
    }),
    (_, to) => ({
      ...goods.call(
        'mintBatch',
        to,
        goodsIds,
        goodsIds.map(() => BigInt(random(9))),
        '0x',
      ),
      from: minter,
    }),
    (from, to) => ({
      ...goods.call('safeTransferFrom', from, to, pick(goodsIds), BigInt(random(20)), '0x'),
      from,
    }),
    (from) => ({ ...goods.call('burn', from, pick(goodsIds), BigInt(random(20))), from }),
  ];

  async function answers(block: number, calls: readonly { to: Hex; data: Hex }[]) {
    const results: (Hex | undefined)[] = [];
    for (const call of calls) {
      results.push(await node.call('eth_call', call, hexOf(block)).catch(() => undefined));
    }
    return results;
  }

  return {
    gold,
    rebasing,
    wrapped,
    deed,
    goods,
    async mine(blocks) {
      for (let i = 0; i < blocks; i++) {
        const transactions = Array.from({ length: random(6) }, () => {
          const from = pick(wallets);
          return { ...pick(steps)(from, pick(wallets)) };
        });
        await node.mine(...transactions);
      }
    },
    async held(block) {
      const held: Held[] = [];
      const fungible = [gold, rebasing, wrapped].flatMap(({ address: contract }) =>
        wallets.map((wallet) => ({ wallet, contract })),
      );
      const amounts = await answers(
        block,
        fungible.map(({ wallet, contract }) => ({
          to: contract,
          data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] }),
        })),
      );
      for (const [i, { wallet, contract }] of fungible.entries()) {
        const amount = BigInt(
          amounts[i] === undefined || amounts[i] === '0x' ? 0 : (amounts[i] as Hex),
        );
        if (amount > 0n) held.push({ wallet, standard: 'erc20', contract, id: undefined, amount });
      }
      const ids = Array.from({ length: deeds }, (_, i) => BigInt(i));
      const owners = await answers(
        block,
        ids.map((id) => ({
          to: deed.address,
          data: encodeFunctionData({ abi: nftAbi, functionName: 'ownerOf', args: [id] }),
        })),
      );
      for (const [i, id] of ids.entries()) {
        const data = owners[i];
        if (data === undefined || data === '0x') continue;
        const owner = decodeFunctionResult({ abi: nftAbi, functionName: 'ownerOf', data });
        const wallet = owner.toLowerCase() as Hex;
        held.push({ wallet, standard: 'erc721', contract: deed.address, id, amount: 1n });
      }
      const pairs = wallets.flatMap((wallet) => goodsIds.map((id) => ({ wallet, id })));
      const goodsHeld = await answers(
        block,
        pairs.map(({ wallet, id }) => ({
          to: goods.address,
          data: encodeFunctionData({ abi: nftAbi, functionName: 'balanceOf', args: [wallet, id] }),
        })),
      );
      for (const [i, { wallet, id }] of pairs.entries()) {
        const data = goodsHeld[i];
        const amount = data === undefined || data === '0x' ? 0n : BigInt(data);
        if (amount === 0n) continue;
        held.push({ wallet, standard: 'erc1155', contract: goods.address, id, amount });
      }
      return held;
    },
  };
}
