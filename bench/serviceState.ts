/** The state that `bench/service.ts` serves: wallets, and behind them contracts of four slots. */
import { lmdbStore } from '../dist/lmdb/index.js';
import { memoryStore, openStateTree, type StateTree } from '../dist/tree/index.js';

const first = 0xabc000000;
export const wallets = 60_000;
export const contracts = 10_000;

/** The block that wrote all of it, and the newest one: each in between pays some wallets. */
export const oldBlock = 1;
export const head = 301;
const paid = 40;

export const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}` as const;
const address = (i: number) => `0x${(first + i).toString(16).padStart(40, '0')}` as const;

export const requestOf = (i: number, slots: readonly string[]): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: i,
    method: 'l2_getProof',
    params: [address(i), slots, 'latest'],
  });

/** Writes the state to a tree. */
async function fill(tree: StateTree): Promise<void> {
  const changes = Array.from({ length: wallets + contracts }, (_, i) => ({
    address: address(i),
    account: { nonce: 1n, balance: BigInt(i) },
    storage: (i < wallets ? [] : [1, 2, 3, 4]).map((k) => ({ key: word(k), value: word(k + i) })),
  }));
  await tree.applyBlock({ number: oldBlock, changes });
  await tree.finalize(oldBlock);
}

/** Writes the state to a store in LMDB, and the blocks on top of it. */
export async function writeBenchState(path: string): Promise<void> {
  const tree = await openStateTree({ store: lmdbStore({ path }), keepFinal: 2 * head });
  await fill(tree);
  for (let number = oldBlock + 1; number <= head; number++) {
    const changes = Array.from({ length: paid }, (_, k) => ({
      address: address((number * 7919 + k * 1013) % wallets),
      account: { nonce: BigInt(number), balance: BigInt(k) },
      storage: [],
    }));
    await tree.applyBlock({ number, changes });
    await tree.finalize(number);
  }
  await tree.close();
}

/** Opens the tree to serve. */
export async function openBenchState(kind: 'lmdb' | 'memory', path: string): Promise<StateTree> {
  if (kind === 'lmdb') return openStateTree({ store: lmdbStore({ path, readOnly: true }) });
  const tree = await openStateTree({ store: memoryStore() });
  await fill(tree);
  return tree;
}
