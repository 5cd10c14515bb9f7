/** What the page runs; `wallet.ts` calls it. */
import type { AnchoredRoot, Network } from '../../dist/anchor/index.js';
import { createDataClient } from '../../dist/data/index.js';

interface WalletQuestion {
  readonly url: string;
  readonly chain: string;
  readonly address: `0x${string}`;
  readonly anchor: AnchoredRoot;
  readonly network: Network;
}

/** Whose balances were verified, and what they are; or why they were not. */
async function readWallet({ url, chain, address, ...trust }: WalletQuestion) {
  const client = createDataClient({ url, chain, fork: 'prague', ...trust });
  const items: (readonly [contract: string, balance: string | null | undefined])[] = [];
  try {
    for await (const page of client.balances({ address, pageSize: 100 })) {
      for (const { contract_address: contract, balance, verified } of page.items) {
        if (!verified) throw new Error('an item is not verified');
        items.push([contract, balance]);
      }
    }
    return { items };
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    return { code: code ?? message, items };
  }
}

Object.assign(globalThis, { readWallet });
