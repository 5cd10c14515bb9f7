/** What a store says of its index, held against what a node says of its blocks. */
import { expect, test } from 'vitest';
import { createIndexer } from '../../../src/indexer/indexer.js';
import { openIndex } from '../../../src/indexer/openIndex.js';
import { readIndexStatus } from '../../../src/indexer/status.js';
import { createTransport } from '../../../src/rpc/index.js';
import { memoryStore } from '../../../src/tree/index.js';
import { startAnvil } from '../../support/anvil.js';

test('an index says its chain, and its newest and final block, beside its writer', async () => {
  const node = await startAnvil();
  try {
    const store = memoryStore();
    await expect(readIndexStatus(store)).rejects.toThrow('WRONG_INDEX');
    const index = await openIndex({ store, chainId: 31337 });
    const empty = { version: 4, chainId: 31337, newest: undefined, final: undefined };
    expect(await readIndexStatus(store)).toEqual(empty);
    expect(await readIndexStatus(store, './here')).toEqual(empty);
    await expect(readIndexStatus(memoryStore(), './here')).rejects.toMatchObject({
      code: 'WRONG_INDEX',
    });
    for (let i = 0; i < 5; i++) await node.mine();
    const l2 = createTransport({ url: node.url });
    await createIndexer({ index, l2 }).run({ once: true });
    const blockOf = async (number: number) => {
      const { hash } = await node.call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
      return { number, hash };
    };
    const status = await readIndexStatus(store);
    expect(status.newest).toEqual(await blockOf(5));
    const { number } = await node.call('eth_getBlockByNumber', 'finalized', false);
    expect(status.final).toEqual(await blockOf(Number(number)));
  } finally {
    await node.close();
  }
});
