/** Traits from a service of ours before a real node, whose documents stand in their own URLs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createDataClient, type DataClient } from '../../../../src/data/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { deployWithUri } from '../../../support/contracts/onChain.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { patience } from '../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let client: DataClient;
let contract: Hex;

const owner = accounts[0] as Hex;
const attributes = [
  { trait_type: 'Eyes', value: 'blue' },
  { trait_type: 'Eyes', value: 'red' },
  { trait_type: 'a/b ü', value: '7' },
];

beforeAll(async () => {
  node = await startAnvil();
  const uri = `data:application/json,${JSON.stringify({ attributes })}`;
  contract = await deployWithUri(node, { owner, id: 3, uri });
  served = await serveData(node.url);
  client = createDataClient({ url: served.url, chain: chainName });
  await client.get(`/v1/${chainName}/nft/${contract}/metadata/`);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

async function all<T>(pages: AsyncIterable<{ readonly items: readonly T[] }>): Promise<T[]> {
  const found: T[] = [];
  for await (const { items } of pages) found.push(...items);
  return found;
}

test('names, to the end of their pages', async () => {
  const pages = client.traits({ contract, pageSize: 1 });
  expect(await all(pages)).toEqual([{ name: 'Eyes' }, { name: 'a/b ü' }]);
  const [first] = [await client.traits({ contract }).next()];
  expect(first.value).toMatchObject({
    ...{ total: 2, hasMore: false, blockNumber: Number(await node.call('eth_blockNumber')) },
  });
});

test('values of a trait, whatever its name', async () => {
  const values = await all(client.traitAttributes({ contract, trait: 'Eyes', pageSize: 1 }));
  expect(values).toEqual(
    ['blue', 'red'].map((value) => ({
      ...{ trait_type: 'Eyes', values: [{ value, count: 1 }], unique_values: 2 },
    })),
  );
  expect(await all(client.traitAttributes({ contract, trait: 'a/b ü' }))).toMatchObject([
    { trait_type: 'a/b ü', values: [{ value: '7' }] },
  ]);
  expect(await all(client.traitAttributes({ contract, trait: 'Hat' }))).toEqual([]);
  // No URL keeps such a segment.
  for (const trait of ['.', '..']) {
    await expect(client.traitAttributes({ contract, trait }).next()).rejects.toThrow('"trait"');
  }
  await expect(client.traitAttributes({ contract, trait: '' }).next()).rejects.toThrow('"trait"');
});

test('a summary', async () => {
  expect(await all(client.traitsSummary({ contract, pageSize: 1 }))).toMatchObject([
    { name: 'Eyes', value_string: { value: 'blue', token_count: 1, trait_percentage: 100 } },
    { name: 'a/b ü', value_numeric: { min: 7, max: 7 } },
  ]);
});

test('a collection of which no document was read is refused, with the means', async () => {
  const pages = client.traits({ contract: `0x${'77'.repeat(20)}` });
  await expect(pages.next()).rejects.toThrow('nftMetadata');
});
