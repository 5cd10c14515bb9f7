/** NFTs that prove themselves: a real node, our follower, our service, and a client that trusts a root alone. */
import { type Abi, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { compactProof } from '../../../src/compact/index.js';
import { createDataClient, type DataClient, type ListPage } from '../../../src/data/index.js';
import { type Anvil, accounts } from '../../support/anvil.js';
import { deployBoth } from '../../support/contracts/approving.js';
import { type Contract, send } from '../../support/contracts/contract.js';
import { deployRuns } from '../../support/contracts/runs.js';
import { deployStrange, type StrangeNft } from '../../support/contracts/strangeNfts.js';
import { deployErc721, deployErc1155 } from '../../support/contracts/tokens.js';
import { chainName, serveData } from '../../support/data.js';
import { toHex } from '../../support/hex.js';
import { issuesOf } from '../../support/openApi.js';
import {
  lyingFetch,
  type ProvenChain,
  provenNetwork,
  startProvenChain,
} from '../../support/provenChain.js';
import { patience, type Wire } from '../../support/runs.js';
import { wallets } from '../../support/tokenHistory.js';

const owner = wallets[5] as Hex;
const other = wallets[6] as Hex;
const minter = accounts[0] as Hex;
const most = 2n ** 256n - 1n;

interface Made {
  readonly deed: Contract;
  readonly goods: Contract;
  readonly runs: Contract;
  readonly both: Hex;
  readonly strange: Readonly<Record<StrangeNft, Hex>>;
}

async function make(node: Anvil): Promise<Made> {
  const deed = await deployErc721(node);
  const goods = await deployErc1155(node);
  const runs = await deployRuns(node, owner, 5);
  const both = await deployBoth(node, { wallet: owner, spender: other });
  const strange = await deployStrange(node, owner);
  const calls: [from: Hex, call: { to: Hex; data: Hex }][] = [
    [minter, deed.call('mint', owner)],
    [minter, deed.call('mint', owner)],
    [minter, deed.call('mint', other)],
    [minter, deed.call('mint', owner)],
    [owner, deed.call('burn', 3n)],
    [minter, goods.call('mint', owner, 7n, 9n, '0x')],
    [minter, goods.call('mint', owner, most, 4n, '0x')],
    [owner, goods.call('safeTransferFrom', owner, other, 7n, 3n, '0x')],
    [owner, runs.call('transferFrom', owner, other, 2n)],
  ];
  for (const [from, call] of calls) await send(node, { from, ...call });
  return { deed, goods, runs, both, strange };
}

let chain: ProvenChain<Made>;
let anchor: AnchoredRoot;
beforeAll(async () => {
  chain = await startProvenChain({ make });
  anchor = await chain.anchorAt(chain.block);
}, patience);
afterAll(() => chain?.close());

const abi: Abi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function tokenURI(uint256) view returns (string)',
  'function balanceOf(address) view returns (uint256)',
]);
const manyAbi: Abi = parseAbi([
  'function balanceOf(address, uint256) view returns (uint256)',
  'function uri(uint256) view returns (string)',
]);

/** What the node says at the block. */
async function told(to: Hex, functionName: string, args: unknown[], by = abi): Promise<string> {
  const data = encodeFunctionData({ abi: by, functionName, args });
  const answer = await chain.node.call('eth_call', { to, data }, `0x${chain.block.toString(16)}`);
  return String(decodeFunctionResult({ abi: by, functionName, data: answer })).toLowerCase();
}

/** A token of ERC-721 as the node has it. @param url whether its URL can be proven */
const single = async (contract: Hex, id: bigint, url = true): Promise<Wire> => ({
  token_id: String(id),
  current_owner: await told(contract, 'ownerOf', [id]),
  ...(url && { token_url: await told(contract, 'tokenURI', [id]) }),
  external_data: null,
});

/** The same of ERC-1155. */
async function multiple(contract: Hex, id: bigint): Promise<Wire> {
  const link = await told(contract, 'uri', [id], manyAbi);
  const url = link.replaceAll('{id}', id.toString(16).padStart(64, '0'));
  return {
    ...{ token_id: String(id), current_owner: null, token_url: url, external_data: null },
  };
}

const amountOf = (contract: Hex, wallet: Hex, id: bigint) =>
  told(contract, 'balanceOf', [wallet, id], manyAbi);

const clientOf = (fetch?: typeof globalThis.fetch): DataClient =>
  createDataClient({ url: chain.served.url, chain: chainName, ...(fetch && { fetch }) });

interface Found {
  readonly items: readonly Wire[];
  readonly unproven: readonly Wire[];
  readonly assumed: readonly string[];
}

async function walk(pages: AsyncIterable<ListPage<object>>): Promise<Found> {
  const found = { items: [] as Wire[], unproven: [] as Wire[], assumed: [] as readonly string[] };
  for await (const { items, unproven, assumed } of pages) {
    found.items.push(...items);
    found.unproven.push(...unproven);
    found.assumed = assumed;
  }
  return found;
}

/** A single answer, as if it came in pages. */
const alone = (items: readonly Wire[]): Found => ({
  items: items.filter(({ verified }) => verified).map(({ assumed: _, ...item }) => item),
  unproven: items.filter(({ verified }) => !verified),
  assumed: items[0]?.assumed,
});

type More = Pick<Parameters<DataClient['balances']>[0], 'anchor' | 'network' | 'fork'>;

/** Each method, about what the chain holds. */
const methods = {
  nfts: (client, more) => walk(client.nfts({ address: owner, ...more })),
  walletTokens: (client, more) =>
    walk(client.walletTokens({ address: owner, contract: chain.made.deed.address, ...more })),
  'walletTokens of many': (client, more) =>
    walk(client.walletTokens({ address: owner, contract: chain.made.goods.address, ...more })),
  walletToken: async (client, more) => {
    const of = { address: owner, contract: chain.made.goods.address, tokenId: most };
    return alone(await client.walletToken({ ...of, ...more }));
  },
  nftTokens: (client, more) =>
    walk(client.nftTokens({ contract: chain.made.deed.address, ...more })),
  'nftTokens of many': (client, more) =>
    walk(client.nftTokens({ contract: chain.made.goods.address, ...more })),
  nftToken: async (client, more) => {
    const token = await client.nftToken({
      ...{ contract: chain.made.deed.address, tokenId: 2n },
      ...more,
    });
    return alone(token ? [token] : []);
  },
  nftOwners: (client, more) =>
    walk(client.nftOwners({ contract: chain.made.deed.address, tokenId: 2n, ...more })),
  'nftOwners of many': (client, more) =>
    walk(client.nftOwners({ contract: chain.made.goods.address, tokenId: 7n, ...more })),
} as const satisfies Record<string, (client: DataClient, more: More) => Promise<Found>>;

type Method = keyof typeof methods;
const names = Object.keys(methods) as Method[];

/** A contract of a wallet's as verified items have it, but for the server's own words. */
const heldOf = (contract: Hex, standard: string, balance: string, tokens: Wire[]) =>
  expect.objectContaining({
    ...{ contract_address: contract, supports_erc: [standard], balance },
    ...{ nft_data: tokens, verified: true },
  });

describe('verified items are as the node has them', () => {
  test(
    'what a wallet has, by contracts, in pages of any size, under a root and under a header',
    async () => {
      const { deed, goods, runs, both, strange } = chain.made;
      const balanceOf = (contract: Hex) => told(contract, 'balanceOf', [owner]);
      const { timedOwner, ...others } = strange;
      const expectedOf = async (proven: readonly StrangeNft[]) => [
        heldOf(deed.address, 'erc721', await balanceOf(deed.address), [
          await single(deed.address, 0n),
          await single(deed.address, 1n),
        ]),
        heldOf(
          ...([runs.address, 'erc721', await balanceOf(runs.address)] as const),
          await Promise.all([0n, 1n, 3n, 4n].map((id) => single(runs.address, id))),
        ),
        heldOf(both, 'erc721', '1', [await single(both, 9n, false)]),
        heldOf(goods.address, 'erc1155', '10', [
          await multiple(goods.address, 7n),
          await multiple(goods.address, most),
        ]),
        ...(await Promise.all(
          Object.entries(others).map(async ([name, address]) => {
            const tokens = [await single(address, 7n, proven.includes(name as StrangeNft))];
            return heldOf(address, 'erc721', await balanceOf(address), tokens);
          }),
        )),
      ];
      const sum = [7n, most].map((id) => amountOf(goods.address, owner, id));
      expect((await Promise.all(sum)).map(Number).reduce((a, b) => a + b)).toBe(10);
      const header = await chain.headerAt(chain.block);
      const under: [More, StrangeNft[]][] = [
        [{ anchor, fork: 'prague' }, ['honest']],
        // A header has the time of the block.
        [{ anchor: header, network: provenNetwork }, ['honest', 'timedUrl']],
      ];
      for (const [more, proven] of under) {
        const expected = await expectedOf(proven);
        for (const pageSize of [undefined, 3]) {
          const of = { address: owner, ...(pageSize && { pageSize }) };
          const found = await walk(clientOf().nfts({ ...of, ...more }));
          expect(new Set(found.items)).toEqual(new Set(expected));
          expect(found.unproven).toMatchObject([
            { contract_address: timedOwner, nft_data: [{ token_id: '7' }] },
          ]);
          expect(found.unproven[0].verified).toBeUndefined();
          expect(found.assumed).toEqual(['completeness', 'names', 'times', 'documents']);
        }
      }
      const plain = await walk(
        clientOf().nfts({ address: owner, withoutUrls: true, anchor, fork: 'prague' }),
      );
      expect(plain.items.length).toBe(4 + Object.keys(others).length);
      for (const token of plain.items.flatMap((item) => item.nft_data)) {
        expect(Object.keys(token)).not.toContain('token_url');
      }
    },
    patience,
  );

  test(
    'tokens of one contract, by wallets and by ids, up to 2^256 - 1',
    async () => {
      const { deed, goods, strange } = chain.made;
      const client = clientOf();
      const more = { anchor, fork: 'prague' } as const;
      const of = (contract: Hex, standard: string, balance: string, token: Wire) =>
        expect.objectContaining({
          ...{ contract_address: contract, token_id: token.token_id, supports_erc: [standard] },
          ...{ balance, nft_data: token, verified: true },
        });
      const last = of(
        ...([goods.address, 'erc1155', await amountOf(goods.address, owner, most)] as const),
        await multiple(goods.address, most),
      );
      for (const pageSize of [1, 100]) {
        const by = { address: owner, pageSize, ...more };
        const deeds = await walk(client.walletTokens({ ...by, contract: deed.address }));
        expect(deeds.items).toEqual([
          of(deed.address, 'erc721', '1', await single(deed.address, 0n)),
          of(deed.address, 'erc721', '1', await single(deed.address, 1n)),
        ]);
        const some = await walk(client.walletTokens({ ...by, contract: goods.address }));
        expect(some.items).toEqual([
          of(
            ...([goods.address, 'erc1155', await amountOf(goods.address, owner, 7n)] as const),
            await multiple(goods.address, 7n),
          ),
          last,
        ]);
      }
      const one = { address: owner, contract: goods.address, tokenId: most, ...more };
      const [token, ...others] = await client.walletToken(one);
      expect(others).toEqual([]);
      expect(token).toEqual(last);
      expect(token?.assumed).toEqual(['completeness', 'names', 'times', 'documents']);
      expect(await client.walletToken({ ...one, contract: deed.address, tokenId: 2n })).toEqual([]);
      const timed = { ...one, contract: strange.timedOwner, tokenId: 7n };
      const [unproven] = await client.walletToken(timed);
      expect(unproven).toMatchObject({ token_id: '7', assumed: ['everything'] });
      expect(unproven?.verified).toBeUndefined();
    },
    patience,
  );

  test(
    'tokens of a contract, whoever has them',
    async () => {
      const { deed, goods, strange } = chain.made;
      const client = clientOf();
      const more = { anchor, fork: 'prague' } as const;
      const of = (contract: Hex, token: Wire) =>
        expect.objectContaining({ contract_address: contract, nft_data: token, verified: true });
      for (const pageSize of [1, 100]) {
        const deeds = await walk(client.nftTokens({ contract: deed.address, pageSize, ...more }));
        expect(deeds.items).toEqual(
          await Promise.all(
            [0n, 1n, 2n].map(async (id) => of(deed.address, await single(deed.address, id))),
          ),
        );
        const some = await walk(client.nftTokens({ contract: goods.address, pageSize, ...more }));
        expect(some.items).toEqual([
          of(goods.address, await multiple(goods.address, 7n)),
          of(goods.address, await multiple(goods.address, most)),
        ]);
        expect(some.assumed).toEqual(['completeness', 'names', 'documents']);
      }
      // Of ERC-1155, a contract says nothing but the URL.
      const plain = await walk(
        client.nftTokens({ contract: goods.address, withoutUrls: true, ...more }),
      );
      expect([plain.items, plain.unproven.length]).toEqual([[], 2]);
      const third = { contract: deed.address, tokenId: 2n, ...more };
      const token = await client.nftToken(third);
      expect(token).toEqual(of(deed.address, await single(deed.address, 2n)));
      expect(token?.assumed).toEqual(['completeness', 'names', 'documents']);
      expect(await client.nftToken({ ...third, tokenId: 3n })).toBeUndefined();
      const timed = await client.nftToken({ ...third, contract: strange.timedOwner, tokenId: 7n });
      expect([timed?.verified, timed?.assumed]).toEqual([undefined, ['everything']]);
    },
    patience,
  );

  test(
    'who has a token',
    async () => {
      const { deed, goods, strange } = chain.made;
      const client = clientOf();
      const more = { anchor, fork: 'prague' } as const;
      const of = (contract: Hex, id: bigint, standard: string) => (address: Hex, balance: string) =>
        expect.objectContaining({
          ...{ contract_address: contract, token_id: String(id), supports_erc: [standard] },
          ...{ address, balance, verified: true },
        });
      const single = await walk(client.nftOwners({ contract: deed.address, tokenId: 2n, ...more }));
      const holder = (await told(deed.address, 'ownerOf', [2n])) as Hex;
      expect(single.items).toEqual([of(deed.address, 2n, 'erc721')(holder, '1')]);
      expect(single.assumed).toEqual(['completeness', 'names']);
      for (const id of [7n, most]) {
        const expected = [];
        for (const wallet of [owner, other]) {
          const balance = await amountOf(goods.address, wallet, id);
          if (balance !== '0') expected.push(of(goods.address, id, 'erc1155')(wallet, balance));
        }
        for (const pageSize of [1, 100]) {
          const asked = { contract: goods.address, tokenId: id, pageSize, ...more };
          const found = await walk(client.nftOwners(asked));
          expect(found.items).toEqual(expected);
        }
      }
      const timed = { contract: strange.timedOwner, tokenId: 7n, ...more };
      const { items, unproven } = await walk(client.nftOwners(timed));
      expect([items, unproven.map(({ address }) => address)]).toEqual([[], [owner]]);
    },
    patience,
  );
});

/** The answers that a method got, of which others are made. */
async function record(method: Method): Promise<Wire[]> {
  const answers: Wire[] = [];
  const fetch = lyingFetch((data) => answers.push(structuredClone(data)));
  await methods[method](clientOf(fetch), { anchor, fork: 'prague' });
  return answers;
}

/** What a client finds if an answer is another one. */
async function replay(method: Method, answers: Wire[], change: (data: Wire) => void) {
  const changed = structuredClone(answers);
  change(changed[0]);
  const all = changed[Symbol.iterator]();
  const fetch = async () =>
    Response.json({ data: all.next().value, error: false, error_message: null, error_code: null });
  return methods[method](clientOf(fetch), { anchor, fork: 'prague' }).catch((error) => error);
}

/** Members that are said to be proven: where they stand in an item, and what they are falsified to. */
const members: readonly [path: string, lie: (value: Wire) => unknown][] = [
  ['contract_address', () => `0x${'42'.repeat(20)}`],
  ['contract_address', () => chain.made.both],
  ['supports_erc', ([is]) => [is === 'erc721' ? 'erc1155' : 'erc721']],
  ['supports_erc', () => ['erc20']],
  ['supports_erc', ([is]) => [is, 'erc20']],
  ['supports_erc', () => null],
  ['balance', (value) => String(BigInt(value) + 1n)],
  ['balance', () => '0'],
  ['balance', () => null],
  ['token_id', (value) => String(BigInt(value) ^ 6n)],
  ['nft_data.token_id', (value) => String(BigInt(value) ^ 6n)],
  ['nft_data.0.token_id', () => '900'],
  ['nft_data.0.token_id', () => String(2n ** 256n)],
  ['nft_data.current_owner', () => `0x${'42'.repeat(20)}`],
  ['nft_data.0.current_owner', () => other],
  ['nft_data.token_url', () => 'https://evil.example/'],
  ['nft_data.0.token_url', () => 'https://evil.example/'],
  ['address', () => `0x${'42'.repeat(20)}`],
];

const placeOf = (item: Wire, path: string): [Wire, string] | undefined => {
  const parts = path.split('.');
  const last = parts.pop() as string;
  const place = parts.reduce((value, part) => value?.[part], item);
  return place && Object.hasOwn(place, last) ? [place, last] : undefined;
};

describe('a lying service', () => {
  test.each(names)(
    'is found out, whichever proven member it falsifies: %s',
    async (method) => {
      const { deed, goods, runs } = chain.made;
      const answers = await record(method);
      let lies = 0;
      // The others say of all tokens that they are the wallet's.
      const honest = [deed, goods, runs].map(({ address }) => address);
      for (const [i, item] of answers[0].items.entries()) {
        if (!honest.includes(item.contract_address)) continue;
        for (const [path, lie] of members) {
          const place = placeOf(item, path);
          if (place === undefined) continue;
          const [target, member] = place;
          const falsified = lie(target[member]);
          if (target[member] === null || target[member] === falsified) continue;
          lies++;
          const found = await replay(method, answers, (data) => {
            const [at, name] = placeOf(data.items[i], path) as [Wire, string];
            at[name] = falsified;
          });
          expect(found, `${i} ${path}`).toBeInstanceOf(Error);
          expect(['NOT_VERIFIED', 'BAD_ANSWER'], `${i} ${path} ${found}`).toContain(found.code);
        }
      }
      expect(lies).toBeGreaterThan(3);
    },
    patience,
  );

  test.each(names)(
    'gets no member that nobody checked into a verified item: %s',
    async (method) => {
      const answers = await record(method);
      const honest = await replay(method, answers, () => {});
      expect(honest.items.length).toBeGreaterThan(0);
      const found = await replay(method, answers, ({ items }) => {
        for (const item of items) {
          const tokens = [item.nft_data].flat().filter((one) => one);
          for (const place of [item, ...tokens]) {
            Object.assign(place, {
              ...{ invented: '42', verified: true, assumed: [], original_owner: other },
              ...{ balance_24h: '42', floor_price_quote: 42, token_balance: '42', owner: other },
            });
          }
        }
      });
      expect(found).toEqual(honest);
    },
    patience,
  );

  test.each(names)(
    'that withholds, doubles or exchanges something gets nothing verified that is false: %s',
    async (method) => {
      const answers = await record(method);
      const honest: Found = await replay(method, answers, () => {});
      const [wallet] = await record('nfts');
      const foreign = wallet.proofs.accounts.find(
        ({ address }: Wire) => address === chain.made.runs.address,
      );
      const changes: readonly [string, (data: Wire) => void][] = [
        ['no proofs', (data) => delete data.proofs],
        ['no accounts', (data) => data.proofs.accounts.splice(0)],
        ['no codes', (data) => data.proofs.codes.splice(0)],
        ['another block', (data) => data.block_height--],
        ['proofs of another block', (data) => data.proofs.block--],
        ['no slots', (data) => (data.proofs.accounts[0].storageKeys = [])],
        ['an item twice', (data) => data.items.push(data.items[0])],
        [
          'half a proof',
          ({ proofs: { accounts: all } }) => (all[0].proof = all[0].proof.slice(0, 100)),
        ],
        [
          'proofs exchanged',
          ({ proofs: { accounts: all } }) => {
            const last = all.length > 1 ? all.at(-1) : structuredClone(foreign);
            [all[0].proof, last.proof] = [last.proof, all[0].proof];
          },
        ],
        [
          'accounts exchanged',
          ({ proofs: { accounts: all } }) => {
            const last = all.length > 1 ? all.at(-1) : structuredClone(foreign);
            [all[0].proof, last.proof] = [last.proof, all[0].proof];
            [all[0].storageKeys, last.storageKeys] = [last.storageKeys, all[0].storageKeys];
          },
        ],
      ];
      for (const [name, change] of changes) {
        const found = await replay(method, answers, change);
        if (found instanceof Error) {
          expect(found, `${name}: ${found}`).toMatchObject({ code: 'NOT_VERIFIED' });
        } else {
          // What only the URL of an ERC-1155 token would prove is unproven without it.
          expect([name, method, found.items]).toEqual([name, 'nftTokens of many', []]);
        }
      }
      const fewer = await replay(method, answers, (data) => data.items.shift());
      expect(fewer.items).toEqual(honest.items.slice(1));
    },
    patience,
  );

  test(
    'cannot have what it could not prove verified, nor a URL that nobody proved',
    async () => {
      const answers = await record('nfts');
      const { strange } = chain.made;
      const address = strange.timedOwner;
      const stateRoot = await chain.tree.stateRoot(chain.block);
      const claim = { address, storageKeys: [], stateRoot, hash: chain.tree.hash };
      const proof = compactProof(await chain.tree.getProof(address, [], chain.block), claim);
      const code = await chain.node.call('eth_getCode', address, 'latest');
      const timed = await replay('nfts', answers, (data) => {
        data.proofs.accounts.push({ address, storageKeys: [], proof: toHex(proof) });
        data.proofs.codes.push(code);
        data.items.push(...data.unproven);
      });
      expect(timed).toMatchObject({ code: 'NOT_VERIFIED' });
      expect(String(timed)).toMatch(new RegExp(`${address}.*timestamp`, 'i'));
      const honest: Found = await replay('nfts', answers, () => {});
      const unsaid: StrangeNft[] = ['long', 'longer', 'padded', 'reverts', 'burnsGas'];
      for (const name of [...unsaid, 'timedUrl', 'word', 'notUtf8'] as const) {
        const found = await replay('nfts', answers, ({ items }) => {
          const item = items.find((one: Wire) => one.contract_address === strange[name]);
          item.nft_data[0].token_url = 'https://evil.example/';
        });
        expect(found.items, name).toEqual(honest.items);
      }
    },
    patience,
  );
});

test(
  'the service describes its answers, and says what it cannot prove',
  async () => {
    const { served, node, made } = chain;
    const { body: api } = await served.get('/openapi.json');
    const plain = await serveData(node.url);
    const base = '/v1/{chain_name}/';
    const routes: [path: string, values: Record<string, string>][] = [
      ['address/{address}/balances_nft/', {}],
      ['address/{address}/collection/{contract_address}/', {}],
      ['address/{address}/collection/{contract_address}/token/{token_id}/', { token_id: '7' }],
      ['nft/{contract_address}/metadata/', {}],
      ['nft/{contract_address}/metadata/{token_id}/', { token_id: '7' }],
      ['nft/{contract_address}/owners/{token_id}/', { token_id: '7' }],
    ];
    try {
      for (const [path, more] of routes) {
        const values: Record<string, string> = {
          ...{ chain_name: chainName, address: owner, contract_address: made.goods.address },
          ...more,
        };
        const asked = (base + path).replace(/\{(\w+)\}/g, (_, name) => values[name] as string);
        const { get } = api.paths[base + path];
        for (const kind of ['tree', 'header']) {
          const reply = await served.get(`${asked}?proofs=true&proof-kind=${kind}`);
          expect(reply.status, path).toBe(200);
          expect(issuesOf(api, get, reply), path).toEqual([]);
          const { items, proofs } = reply.body.data;
          expect(items.length, path).toBeGreaterThan(0);
          for (const { proof } of items) {
            expect([proof.block, proof.stateRoot]).toEqual([proofs.block, proofs.stateRoot]);
            const proven = proofs.accounts.map(({ address }: Wire) => address);
            expect(proven).toEqual(expect.arrayContaining(proof.accounts));
          }
          expect(JSON.stringify(reply.body)).not.toContain('verified');
        }
        expect((await served.get(asked)).body.data.proofs).toBeUndefined();
        expect((await served.get(`${asked}?block-height=1`)).status, path).toBe(400);
        const late = await served.get(`${asked}?proofs=true&block-height=${chain.block + 50}`);
        expect(late.status, path).toBe(404);
        const none = await plain.get(`${asked}?proofs=true`);
        expect([none.status, none.body.error_message]).toEqual([
          400,
          expect.stringContaining('state'),
        ]);
        if (/token\/|metadata\/\{/.test(path)) continue;
        expect((await served.get(`${asked}?proofs=true&page-size=101`)).status, path).toBe(400);
      }
    } finally {
      await plain.close();
    }
  },
  patience,
);

describe('what no proof can show', () => {
  const own = `0x${'5e'.repeat(20)}` as const;
  const at = { block_height: 5, block_hash: `0x${'ab'.repeat(32)}` };
  const day = { date: '2026-01-01', assumed: [] };
  const cases: readonly [string, object, (client: DataClient, more: More) => Promise<Wire>][] = [
    [
      'collections',
      { items: [{ contract_address: own }] },
      (client, more) => walk(client.collections(more)),
    ],
    [
      'traits',
      { items: [{ name: 'Eyes' }] },
      (client, more) => walk(client.traits({ contract: own, ...more })),
    ],
    [
      'traitAttributes',
      { items: [] },
      (client, more) => walk(client.traitAttributes({ contract: own, trait: 'Eyes', ...more })),
    ],
    [
      'traitsSummary',
      { items: [] },
      (client, more) => walk(client.traitsSummary({ contract: own, ...more })),
    ],
    ...(['floorPrices', 'volumes', 'saleCounts'] as const).map((name): (typeof cases)[number] => [
      name,
      { address: own, items: [{ ...day, sales_count: '1' }] },
      async (client, more) => (await client[name]({ contract: own, ...more }))[0],
    ]),
  ];

  test.each(cases)('is said in the answer if a root is trusted: %s', async (_, data, ask) => {
    const fetch = async () =>
      Response.json({ data: { ...at, ...data }, error: false, error_message: null });
    const trusted = { anchor, fork: 'prague' } as const;
    expect((await ask(clientOf(fetch), trusted)).assumed).toEqual(['everything']);
    const trusting = createDataClient({
      url: chain.served.url,
      chain: chainName,
      fetch,
      ...trusted,
    });
    expect((await ask(trusting, {})).assumed).toEqual(['everything']);
    expect((await ask(clientOf(fetch), {})).assumed ?? []).toEqual([]);
    await expect(ask(clientOf(fetch), { fork: 'prague' })).rejects.toThrow(/"anchor"/);
  });
});
