/** Programs as people write them for viem and ethers: nothing in them knows of proofs. */
// @ts-nocheck

import type { Eip1193Provider, JsonRpcApiProvider } from 'ethers';
import { Wallet } from 'ethers';
import { createWalletClient, formatEther, type PublicClient, type Transport } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { anvil } from 'viem/chains';
import { type Hex, mappingSlot } from '../../src/index.js';

export type { Eip1193Provider };

/** Anvil's own key of its second account. */
export const secondKey = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

export interface Task {
  readonly owner: Hex;
  readonly token: Hex;
  readonly to: Hex;
}

/** What a program finds out before it sends. */
export interface Findings {
  readonly block: bigint;
  readonly chainId: number;
  readonly balance: string;
  readonly nonce: number;
  /** Of the token, read at its storage slot. */
  readonly tokens: bigint;
  readonly code: string | undefined;
}

export async function readWithViem(
  client: PublicClient,
  { owner, token }: Task,
): Promise<Findings> {
  const slot = mappingSlot(owner, 0n);
  const [block, chainId, balance, nonce, word, code] = await Promise.all([
    client.getBlockNumber(),
    client.getChainId(),
    client.getBalance({ address: owner }),
    client.getTransactionCount({ address: owner }),
    client.getStorageAt({ address: token, slot }),
    client.getCode({ address: token }),
  ]);
  const tokens = BigInt(word ?? 0);
  return { block, chainId, balance: formatEther(balance), nonce, tokens, code };
}

export async function readWithEthers(
  provider: JsonRpcApiProvider,
  { owner, token }: Task,
): Promise<Findings> {
  const slot = mappingSlot(owner, 0n);
  const [block, network, balance, nonce, word, code] = await Promise.all([
    provider.getBlockNumber(),
    provider.getNetwork(),
    provider.getBalance(owner),
    provider.getTransactionCount(owner),
    provider.getStorage(token, slot),
    provider.getCode(token),
  ]);
  return {
    block: BigInt(block),
    chainId: Number(network.chainId),
    balance: formatEther(balance),
    nonce,
    tokens: BigInt(word),
    code,
  };
}

/** @returns the hash of the transaction */
export function sendWithViem(transport: Transport, { to }: Task): Promise<Hex> {
  const account = privateKeyToAccount(secondKey);
  const wallet = createWalletClient({ account, chain: anvil, transport });
  return wallet.sendTransaction({ to, value: 7n });
}

/** @returns the hash of the transaction */
export async function sendWithEthers(provider: JsonRpcApiProvider, { to }: Task): Promise<Hex> {
  const wallet = new Wallet(secondKey, provider);
  const { hash } = await wallet.sendTransaction({ to, value: 7n });
  return hash as Hex;
}
