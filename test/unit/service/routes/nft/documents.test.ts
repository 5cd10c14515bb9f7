/** Documents of NFTs on a real node: fetched from where its contracts say they are, and counted by their traits. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import {
  deployHostileUri,
  deployWithUri,
  hostileUris,
} from '../../../../support/contracts/onChain.js';
import { deployErc721, deployErc1155 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker, itemsOf } from '../../../../support/dataRoutes.js';
import { type DocumentHosts, startDocumentHosts } from '../../../../support/documentHosts.js';
import { patience, type Wire } from '../../../../support/runs.js';

let node: Anvil;
let hosts: DocumentHosts;
let served: ServedData;
let ask: DataAsker;
/** A service that fetches nothing. */
let plain: ServedData;
let askPlain: DataAsker;
let deed: Contract;
let goods: Contract;
let inside: Hex;

const [owner, buyer] = accounts as unknown as [Hex, Hex];
const byOwner = (call: { to: Hex; data: Hex }) => send(node, { from: owner, ...call });

/** Documents by the ids of deeds, as their server has them; of 4 it has none. */
const documents: Readonly<Record<string, object>> = {
  0: {
    name: 'Deed 0',
    attributes: [
      { trait_type: 'Soil', value: 'clay' },
      { trait_type: 'Size', value: 5 },
    ],
  },
  1: {
    name: 'Deed 1',
    attributes: [
      { trait_type: 'Soil', value: 'sand' },
      { trait_type: 'Size', value: '12.5' },
    ],
  },
  2: {
    name: 'Deed 2',
    attributes: [
      { trait_type: 'Soil', value: 'clay' },
      { trait_type: 'a/b c', value: 'x' },
    ],
  },
  3: { name: 'Deed 3', attributes: [{ trait_type: 'Soil', value: 'burnt' }] },
  5: { name: '\u202eDeed', description: '<b>5</b>', image: 'ipfs://bafy/5.png', attributes: [] },
};
const wordOf = (id: bigint): string => id.toString(16).padStart(64, '0');

/** Longer than other answers of contracts. */
const insideName = `Inside ${'i'.repeat(100)}`;
const insideUri = `data:application/json;base64,${btoa(
  JSON.stringify({
    name: insideName,
    image: `data:image/svg+xml;base64,${btoa('<svg/>'.repeat(1000))}`,
    attributes: [{ trait_type: 'Kind', value: 'inside' }],
  }),
)}`;

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  await placeMulticall(node);
  deed = await deployErc721(node);
  goods = await deployErc1155(node);
  for (let id = 0; id < 6; id++) await byOwner(deed.call('mint', owner));
  await byOwner(deed.call('transferFrom', owner, buyer, 1n));
  await byOwner(goods.call('mint', owner, 255n, 30n, '0x'));
  inside = await deployWithUri(node, { owner, id: 9, uri: insideUri });
  hosts = await startDocumentHosts(({ url = '', headers }, response) => {
    const document =
      headers.host === 'goods.example' ? { name: 'Good #{id}' } : documents[url.slice(1)];
    if (document === undefined) response.writeHead(404).end();
    else response.end(JSON.stringify(document));
  });
  const { resolve, connect } = hosts;
  const nftMetadata = {
    ...{ resolve, connect, ipfs: 'https://ipfs.example/ipfs/' },
    imageProxy: 'https://images.example/{size}/{url}',
  };
  served = await serveData(node.url, { data: { nftMetadata } });
  ask = await askData(served);
  plain = await serveData(node.url);
  askPlain = await askData(plain);
}, patience);
afterAll(async () => {
  await served?.close();
  await plain?.close();
  await hosts?.close();
  await node?.close();
});

const of = (contract: Hex, rest: string) => `${chainName}/nft/${contract}/${rest}`;
/** Names in the documents of tokens, by id. */
const namesOf = (items: readonly Wire[]) =>
  Object.fromEntries(
    items.map(({ nft_data: one }) => [one.token_id, one.external_data?.name ?? null]),
  );

describe('without a switch', () => {
  test('nothing is fetched, whatever is asked for', async () => {
    const { items } = await askPlain.data(of(deed.address, 'metadata/?with-uncached=true'));
    expect(namesOf(items)).toEqual({ 0: null, 1: null, 2: null, 3: null, 4: null, 5: null });
    for (const path of ['traits/', 'traits/Soil/attributes/', 'traits_summary/']) {
      const { status, message } = await askPlain.failure(of(deed.address, path));
      expect([status, message]).toEqual([501, expect.stringContaining('nftMetadata')]);
    }
    const filter = '?traits-filter=Soil&values-filter=clay';
    expect((await askPlain.failure(of(deed.address, `metadata/${filter}`))).status).toBe(501);
  });

  test('a document in its own URL is read, and counted then', async () => {
    expect((await askPlain.failure(of(inside, 'traits/'))).status).toBe(501);
    const { items } = await askPlain.data(of(inside, 'metadata/'));
    expect(namesOf(items)).toEqual({ 9: insideName });
    const image = `data:image/svg+xml;base64,${btoa('<svg/>'.repeat(1000))}`;
    expect(items[0].nft_data.external_data).toMatchObject({
      image,
      asset_mime_type: 'image/svg+xml',
    });
    const { items: traits } = await askPlain.data(of(inside, 'traits/'));
    expect(traits).toEqual([{ name: 'Kind' }]);
  });
});

describe('with it', () => {
  test('a document is fetched if a client asks for it, and then stands in all answers', async () => {
    const before = await ask.data(of(deed.address, 'metadata/'));
    expect(new Set(Object.values(namesOf(before.items)))).toEqual(new Set([null]));
    expect(hosts.connected).toEqual([]);
    expect((await ask.data(of(deed.address, 'traits/'))).items).toEqual([]);

    const { items } = await ask.data(of(deed.address, 'metadata/?with-uncached=true'));
    const names = { 0: 'Deed 0', 1: 'Deed 1', 2: 'Deed 2', 3: 'Deed 3', 4: null, 5: 'Deed' };
    expect(namesOf(items)).toEqual(names);
    // From where the contract says it is.
    const urls = await Promise.all([0n, 1n, 2n, 3n, 4n, 5n].map((id) => deed.read('tokenURI', id)));
    expect(hosts.asked.map((line) => `https://deeds.example${line.split(' ')[1]}`).sort()).toEqual(
      urls,
    );
    expect(new Set(hosts.connected.map(({ servername, port }) => `${servername} ${port}`))).toEqual(
      new Set(['deeds.example 443']),
    );

    const after = await ask.data(of(deed.address, 'metadata/'));
    expect(namesOf(after.items)).toEqual(names);
    const one = await ask.data(of(deed.address, 'metadata/5/?with-uncached=true'));
    const image = 'https://ipfs.example/ipfs/bafy/5.png';
    expect(one.items[0].nft_data.external_data).toEqual({
      ...{ name: 'Deed', description: '<b>5</b>', asset_url: 'ipfs://bafy/5.png', image },
      ...{ asset_file_extension: 'png', asset_mime_type: null, asset_size_bytes: null },
      image_256: `https://images.example/256/${encodeURIComponent(image)}`,
      image_512: `https://images.example/512/${encodeURIComponent(image)}`,
      image_1024: `https://images.example/1024/${encodeURIComponent(image)}`,
      ...{ animation_url: null, external_url: null, attributes: [] },
      thumbnails: {
        image256: `https://images.example/256/${encodeURIComponent(image)}`,
        image512: `https://images.example/512/${encodeURIComponent(image)}`,
        image1024: `https://images.example/1024/${encodeURIComponent(image)}`,
        ...{ image_opengraph_url: null, thumbhash: null },
      },
    });
    const without = await ask.data(of(deed.address, 'metadata/5/?no-metadata=true'));
    expect(without.items[0].nft_data).toMatchObject({ token_url: null, external_data: null });
    const ofWallet = await ask.data(`${chainName}/address/${owner}/collection/${deed.address}/`);
    expect(namesOf(ofWallet.items)).toEqual({
      0: 'Deed 0',
      2: 'Deed 2',
      3: 'Deed 3',
      4: null,
      5: 'Deed',
    });
    const all = await ask.data(`${chainName}/address/${owner}/balances_nft/`);
    expect(all.items[0].nft_data[0].external_data.name).toBe('Deed 0');
    // A failure is not tried again, and what is kept is not fetched again.
    expect(hosts.asked).toHaveLength(6);
  });

  test('the id of an ERC-1155 token stands in its URL as 64 digits', async () => {
    const { items } = await ask.data(of(goods.address, 'metadata/255/?with-uncached=true'));
    expect(namesOf(items)).toEqual({ 255: `Good #${wordOf(255n)}` });
    expect(hosts.asked.at(-1)).toContain(`GET /${wordOf(255n)} `);
  });

  test('traits are those of the documents of tokens that exist', async () => {
    await byOwner(deed.call('burn', 3n));
    await served.feed();
    const { items, pagination } = await ask.data(of(deed.address, 'traits/'));
    expect(items).toEqual([{ name: 'Size' }, { name: 'Soil' }, { name: 'a/b c' }]);
    expect(pagination).toEqual({
      has_more: false,
      page_number: 0,
      page_size: 1000,
      total_count: 3,
    });
    const second = await ask.data(of(deed.address, 'traits/?page-size=2&page-number=1'));
    expect(second.items).toEqual([{ name: 'a/b c' }]);
    expect((await ask.data(of(deed.address, 'traits/?page-size=2'))).pagination.has_more).toBe(
      true,
    );

    const soil = await ask.data(of(deed.address, 'traits/Soil/attributes/'));
    expect(soil.items).toEqual([
      {
        trait_type: 'Soil',
        values: [
          { value: 'clay', count: 2 },
          { value: 'sand', count: 1 },
        ],
        unique_values: 2,
      },
    ]);
    const sand = await ask.data(
      of(deed.address, 'traits/Soil/attributes/?page-size=1&page-number=1'),
    );
    expect(sand.items).toEqual([
      { trait_type: 'Soil', values: [{ value: 'sand', count: 1 }], unique_values: 2 },
    ]);
    const named = await ask.data(
      of(deed.address, `traits/${encodeURIComponent('a/b c')}/attributes/`),
    );
    expect(named.items).toMatchObject([{ values: [{ value: 'x', count: 1 }] }]);
    expect((await ask.data(of(deed.address, 'traits/Other/attributes/'))).items).toEqual([]);

    const summary = await ask.data(of(deed.address, 'traits_summary/'));
    expect(summary.items.map(({ attributes: _, ...one }: Wire) => one)).toEqual([
      {
        ...{ name: 'Size', value_type: 'numeric', value_string: null },
        value_numeric: { min: 5, max: 12.5 },
      },
      {
        ...{ name: 'Soil', value_type: 'string', value_numeric: null },
        // Of four documents: those of 0, 1, 2 and 5.
        value_string: { value: 'clay', token_count: 2, trait_percentage: 50 },
      },
      {
        ...{ name: 'a/b c', value_type: 'string', value_numeric: null },
        value_string: { value: 'x', token_count: 1, trait_percentage: 25 },
      },
    ]);
    expect(summary.items[1].attributes).toEqual(soil.items);
  });

  test('a filter leaves the tokens whose documents have a trait', async () => {
    const ids = async (path: string) =>
      (await itemsOf(ask, path)).map(({ nft_data: one }) => one.token_id);
    const filter = (trait: string, value: string) =>
      `?traits-filter=${encodeURIComponent(trait)}&values-filter=${encodeURIComponent(value)}`;
    const metadata = of(deed.address, 'metadata/');
    expect(await ids(metadata + filter('Soil', 'clay'))).toEqual(['0', '2']);
    expect(await ids(`${metadata}${filter('Soil', 'clay')}&page-size=1`)).toEqual(['0', '2']);
    expect(await ids(metadata + filter('Soil', 'clay,sand'))).toEqual(['0', '1', '2']);
    expect(await ids(metadata + filter('a/b c', 'x'))).toEqual(['2']);
    expect(await ids(metadata + filter('Soil', 'Clay'))).toEqual([]);
    expect(await ids(metadata + filter('Soil', 'burnt'))).toEqual([]);
    const collection = (wallet: Hex) =>
      `${chainName}/address/${wallet}/collection/${deed.address}/`;
    expect(await ids(collection(owner) + filter('Soil', 'clay'))).toEqual(['0', '2']);
    expect(await ids(collection(buyer) + filter('Soil', 'clay'))).toEqual([]);
    expect(await ids(`${collection(buyer)}${filter('Soil', 'sand')}&page-size=1`)).toEqual(['1']);
    expect((await ask.failure(`${metadata}?values-filter=clay`)).status).toBe(400);
  });

  test('after a reorg, tokens that were never made do not count', async () => {
    const snapshot = await node.call('evm_snapshot');
    await byOwner(deed.call('mint', owner));
    await byOwner(deed.call('transferFrom', owner, buyer, 0n));
    await served.feed();
    const found = documents as Record<string, object>;
    found[6] = { name: 'Deed 6', attributes: [{ trait_type: 'New', value: 'y' }] };
    await ask.data(of(deed.address, 'metadata/6/?with-uncached=true'));
    expect((await ask.data(of(deed.address, 'traits/'))).items).toContainEqual({ name: 'New' });
    await node.call('evm_revert', snapshot);
    for (let i = 0; i < 3; i++) await byOwner(goods.call('mint', owner, 1n, 1n, '0x'));
    await served.feed();
    expect((await ask.data(of(deed.address, 'traits/'))).items).not.toContainEqual({ name: 'New' });
    expect((await ask.data(of(deed.address, 'metadata/6/'))).items).toEqual([]);
    const filter = '?traits-filter=New&values-filter=y';
    expect((await ask.data(of(deed.address, `metadata/${filter}`))).items).toEqual([]);
  });
});

test(
  'hostile contracts break nothing, and lead nowhere private',
  async () => {
    const before = hosts.connected.length;
    const names = Object.keys(hostileUris) as (keyof typeof hostileUris)[];
    const contracts: Hex[] = [];
    for (const name of names) contracts.push(await deployHostileUri(node, name, { owner, id: 3 }));
    const uris = [
      ...['http://127.0.0.1/', 'https://127.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/a'],
      ...['https://user:pass@deeds.example/0', 'https://deeds.example:8545/', 'file:///etc/passwd'],
      ...['javascript:alert(1)', 'ipfs://../../admin', `https://a.example/${'a'.repeat(9000)}`],
      ...['data:application/json,[]', `data:application/json,${'['.repeat(9000)}`],
      `data:application/json,{"name":"${'n'.repeat(20_000)}"}`,
    ];
    for (const uri of uris) contracts.push(await deployWithUri(node, { owner, id: 3, uri }));
    await served.feed();
    const found: (string | null)[] = [];
    for (const contract of contracts) {
      const { items } = await ask.data(of(contract, 'metadata/?with-uncached=true'));
      expect(items).toHaveLength(1);
      found.push(items[0].nft_data.external_data?.name ?? null);
    }
    expect(found.slice(0, -1)).toEqual(new Array(contracts.length - 1).fill(null));
    expect(found.at(-1)).toMatch(/^n{255}…$/);
    expect(hosts.connected).toHaveLength(before);
  },
  patience,
);
