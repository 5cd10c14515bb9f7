/** The state that `bench/service.ts` serves: wallets, and behind them contracts of four slots. */
export const first = 0xabc000000;
export const wallets = 60_000;
export const contracts = 10_000;
/** The block behind whose state the wallets did not change. */
export const oldBlock = 1;
/** Blocks behind it, which pay a thousand wallets each. */
export const laterBlocks = 300;

export const word = (value) => `0x${value.toString(16).padStart(64, '0')}`;
export const address = (i) => `0x${(first + i).toString(16).padStart(40, '0')}`;

/** Writes the state to a tree. */
async function fill(tree) {
  const changes = Array.from({ length: wallets + contracts }, (_, i) => ({
    address: address(i),
    account: { nonce: 1n, balance: BigInt(i) },
    storage: (i < wallets ? [] : [1, 2, 3, 4]).map((k) => ({ key: word(k), value: word(k + i) })),
  }));
  await tree.applyBlock({ number: oldBlock, changes });
  await tree.finalize(oldBlock);
}

/** Writes the state to a store in LMDB, and blocks on top of it. */
export async function writeBenchState(dist, path) {
  const { lmdbStore } = await import(`${dist}/lmdb/index.js`);
  const { openStateTree } = await import(`${dist}/tree/index.js`);
  const tree = await openStateTree({ store: lmdbStore({ path }), keepFinal: 2 * laterBlocks });
  await fill(tree);
  for (let number = oldBlock + 1; number <= oldBlock + laterBlocks; number++) {
    const changes = Array.from({ length: 40 }, (_, k) => ({
      address: address((number * 7919 + k * 1013) % wallets),
      account: { nonce: BigInt(number), balance: BigInt(k) },
      storage: [],
    }));
    await tree.applyBlock({ number, changes });
    await tree.finalize(number);
  }
  await tree.close();
}

/** Opens the tree to serve. @param kind lmdb or memory */
export async function openBenchState(dist, kind, path) {
  const { openStateTree, memoryStore } = await import(`${dist}/tree/index.js`);
  if (kind === 'memory') {
    const tree = await openStateTree({ store: memoryStore() });
    await fill(tree);
    return tree;
  }
  const { lmdbStore } = await import(`${dist}/lmdb/index.js`);
  return openStateTree({ store: lmdbStore({ path, readOnly: true }) });
}
