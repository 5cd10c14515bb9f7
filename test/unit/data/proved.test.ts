/** Balances that prove themselves: a real node, our follower, our service, and a client that trusts a root alone. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AnchoredRoot, Network } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { type BalancePage, createDataClient } from '../../../src/data/index.js';
import type { HeldEntry, HeldItem } from '../../support/answers.js';
import { accounts } from '../../support/anvil.js';
import { assemble, initOf } from '../../support/contracts/assemble.js';
import { contractAt, deployAnywhere } from '../../support/contracts/contract.js';
import { chainName, serveData } from '../../support/data.js';
import { toHex } from '../../support/hex.js';
import { issuesOf } from '../../support/openApi.js';
import {
  lyingFetch,
  provenNetwork as network,
  startProvenChain,
} from '../../support/provenChain.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';
import { startHistory, wallets } from '../../support/tokenHistory.js';

/** What no proof of a balance covers. */
const wordOfServer = ['completeness', 'names', 'quotes', 'times'];

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const wallet = wallets[5] as Hex;
const minter = accounts[0] as Hex;

/** Runs the code at the address of its slot 0x99, with its own storage. */
const proxyTo = (target: Hex) =>
  initOf(
    assemble(`
    CALLDATASIZE PUSH0 PUSH0 CALLDATACOPY
    PUSH0 PUSH0 CALLDATASIZE PUSH0 0x99 SLOAD GAS DELEGATECALL
    RETURNDATASIZE PUSH0 PUSH0 RETURNDATACOPY
    @done JUMPI
    RETURNDATASIZE PUSH0 REVERT
    done: RETURNDATASIZE PUSH0 RETURN`),
    `${target} 0x99 SSTORE`,
  );

/** A token whose balance is the time of the block. */
const clock = initOf(
  assemble(`
    0x04 CALLDATALOAD ISZERO @mint JUMPI
    TIMESTAMP PUSH0 MSTORE 0x20 PUSH0 RETURN
    mint: 0x2a PUSH0 MSTORE
    ${wallet} PUSH0 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
    0x20 PUSH0 LOG3 STOP`),
);

/** A token of ERC-721 that emits an event of ERC-20 too, as many vaults of NFTs do. */
const vault = initOf(
  assemble(`
    PUSH0 CALLDATALOAD 0xe0 SHR
    DUP1 0x6352211e EQ @owner JUMPI
    ISZERO @mint JUMPI
    0x01 PUSH0 MSTORE 0x20 PUSH0 RETURN
    owner: ${wallet} PUSH0 MSTORE 0x20 PUSH0 RETURN
    mint: 0x01 PUSH0 MSTORE
    ${wallet} 0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c
    0x20 PUSH0 LOG2
    0x07 ${wallet} PUSH0 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
    PUSH0 PUSH0 LOG4 STOP`),
);

const start = async () => {
  const { made, ...chain } = await startProvenChain({
    async make(node) {
      const history = await startHistory(node, 77);
      const { gold, rebasing, deed, goods } = history;
      const abi: never[] = [];
      const { address } = await deployAnywhere(node, { abi, bytecode: proxyTo(rebasing.address) });
      const behind = contractAt(node, rebasing.abi, address);
      const timed = await deployAnywhere(node, { abi, bytecode: clock });
      const both = await deployAnywhere(node, { abi, bytecode: vault });
      const calls = [
        gold.call('mint', wallet, 1234n),
        rebasing.call('mint', wallet, 1000n),
        rebasing.call('rebase', 3n * 10n ** 18n),
        behind.call('rebase', 10n ** 18n),
        behind.call('mint', wallet, 77n),
        deed.call('mint', wallet),
        deed.call('mint', wallet),
        goods.call('mint', wallet, 7n, 9n, '0x'),
        goods.call('mint', wallet, 2n ** 255n + 3n, 4n, '0x'),
        ...[timed, both].map(({ address: to }) => ({ to, data: '0x00000000' as Hex })),
      ];
      for (const call of calls) await node.mine({ ...call, from: minter });
      return { history, behind, timed, both };
    },
  });
  cleanups.push(chain.close);
  return { ...chain, ...made };
};

let setup: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  setup = await start();
}, patience);

async function ask(
  change: (data: Wire) => void = () => {},
  {
    anchor,
    ...more
  }: { anchor?: AnchoredRoot; pageSize?: number; fork?: 'prague'; network?: Network } = {},
): Promise<BalancePage[]> {
  const { served, anchorAt, block } = setup;
  const client = createDataClient({ url: served.url, chain: chainName, fetch: lyingFetch(change) });
  const pages: BalancePage[] = [];
  const trusted = anchor ?? (await anchorAt(block));
  for await (const page of client.balances({ address: wallet, anchor: trusted, ...more })) {
    pages.push(page);
  }
  return pages;
}

const itemOf = (data: Wire, address: string): Wire =>
  data.items.find((item: HeldItem) => item.contract_address === address);
const entryOf = (data: Wire, address: string): Wire =>
  data.proofs.accounts.find((entry: HeldEntry) => entry.address === address);

const raw = async (query: string): Promise<Wire> =>
  (await setup.served.balances(wallet, query)).body;

describe('a client that trusts a root alone', () => {
  test(
    'verifies native, ERC-20, ERC-721, ERC-1155, proxy and rebasing tokens as the node has them',
    async () => {
      const { node, history, behind, timed, both, block } = setup;
      const number = `0x${block.toString(16)}`;
      const native = BigInt(await node.call('eth_getBalance', wallet, number));
      const { gold, rebasing, deed, goods } = history;
      for (const pageSize of [undefined, 2]) {
        const pages = await ask(undefined, {
          fork: 'prague',
          ...(pageSize === undefined ? {} : { pageSize }),
        });
        expect(pages.length).toBe(pageSize === undefined ? 1 : 5);
        const items = pages.flatMap((page) => page.items);
        expect(items.every(({ verified }) => verified === true)).toBe(true);
        const amounts = new Map(items.map((item) => [item.contract_address, item.balance]));
        expect(amounts).toEqual(
          new Map([
            ['0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', String(native)],
            [gold.address, '1234'],
            [rebasing.address, '3000'],
            [behind.address, '77'],
            [deed.address, '2'],
            [both.address, '1'],
            [goods.address, '13'],
          ]),
        );
        const kinds = items.filter((item) => item.contract_address === both.address);
        expect(kinds.map((item) => item.supports_erc)).toEqual([['erc721']]);
        expect(pages.map(({ assumed }) => assumed)).toEqual(pages.map(() => wordOfServer));
        const unproven = pages.flatMap((page) => page.unproven);
        expect(unproven.map((item) => [item.contract_address, item.verified])).toEqual([
          [timed.address, undefined],
        ]);
      }
      const [page] = await ask();
      expect(page?.assumed).toEqual(['fork', ...wordOfServer]);
    },
    patience,
  );

  test(
    'names the balance that a server lies about, whichever it is',
    async () => {
      const { history, behind, timed, both } = setup;
      const { gold, rebasing, deed, goods } = history;
      for (const { address } of [gold, rebasing, behind, deed, goods]) {
        await expect(
          ask((data) => {
            itemOf(data, address).balance = '1235';
            itemOf(data, address).verified = true;
          }),
          address,
        ).rejects.toMatchObject({
          code: 'NOT_VERIFIED',
          message: expect.stringContaining(address),
        });
      }
      const lies: [RegExp, (data: Wire) => void][] = [
        [/native balance.* not 5/, (data) => (data.items[0].balance = '5')],
        [
          /token comes twice/,
          (data) =>
            itemOf(data, goods.address).nft_data.fill(itemOf(data, goods.address).nft_data[0]),
        ],
        [/not verified/, (data) => (itemOf(data, deed.address).nft_data[0].token_id = '900')],
        [/it comes twice/, (data) => data.items.push(itemOf(data, gold.address))],
        [
          /it comes twice/,
          (data) =>
            data.items.push({
              ...itemOf(data, both.address),
              supports_erc: ['erc20'],
              nft_data: null,
            }),
        ],
        [
          /the page takes 5\d\d\d calls/,
          (data) => data.items.push(...new Array(5000).fill(itemOf(data, gold.address))),
        ],
        [/standard/, (data) => (itemOf(data, gold.address).supports_erc = ['erc777'])],
        [/timestamp|TIMESTAMP|no proof/, (data) => data.items.push(...data.unproven)],
        [/no proofs/, (data) => delete data.proofs],
      ];
      for (const [message, change] of lies) {
        await expect(ask(change), String(message)).rejects.toMatchObject({
          code: 'NOT_VERIFIED',
          message: expect.stringMatching(message),
        });
      }
      expect(timed.address).toMatch(/^0x/);
    },
    patience,
  );

  test(
    'has under "verified" no amount, owner or count that nobody checked, whichever member names it',
    async () => {
      const { history, both } = setup;
      const { gold, deed, goods } = history;
      const [honest] = await ask();
      const all = [gold, deed, goods, both].map(({ address }) => address);
      for (const address of ['0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', ...all]) {
        const invented = { token_id: '4242', token_balance: '4242' };
        const members: [name: string, value: unknown][] = [
          ['balance', '4242'],
          ['nft_data', [invented]],
          ['supports_erc', ['erc4242']],
          ['native_token', !itemOf(honest, address).native_token],
          ['balance_24h', '4242'],
          ['token_balance', '4242'],
          ['owner', `0x${'42'.repeat(20)}`],
          ['invented', { token_balance: '4242', items: [invented] }],
          ['contract_decimals', 42],
        ];
        for (const [name, value] of members) {
          const pages = await ask((data) => {
            itemOf(data, address)[name] = value;
          }).catch((error) => {
            expect(error, `${address} ${name}`).toMatchObject({ code: 'NOT_VERIFIED' });
            return undefined;
          });
          if (name === 'balance' || name === 'nft_data') expect(pages).toBeUndefined();
          if (pages) expect(pages[0]?.items, `${address} ${name}`).toEqual(honest?.items);
        }
        for (const name of ['token_id', 'token_balance', 'owner', 'owner_address', 'count']) {
          if (!itemOf(honest, address).nft_data) continue;
          // That contract says of every token that it is the wallet's.
          if (address === both.address && name === 'token_id') continue;
          const pages = await ask((data) => {
            itemOf(data, address).nft_data[0][name] = '4242';
          }).catch((error) => error);
          if (name === 'count') expect(pages[0].items).toEqual(honest?.items);
          else expect(pages, `${address} ${name}`).toMatchObject({ code: 'NOT_VERIFIED' });
        }
      }
    },
    patience,
  );

  test(
    'has the decimals that the contract says, or none',
    async () => {
      const { history, behind } = setup;
      const { gold, deed } = history;
      for (const lie of [0, 255, null]) {
        const [page] = await ask((data) => {
          for (const item of data.items) item.contract_decimals = lie;
        });
        const decimals = (address: string) => itemOf(page, address).contract_decimals;
        expect(decimals('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee')).toBe(18);
        expect(decimals(gold.address)).toBe(18);
        expect(decimals(deed.address)).toBeNull();
        expect(decimals(behind.address)).toBe(
          itemOf((await ask())[0], behind.address).contract_decimals,
        );
      }
    },
    patience,
  );

  test(
    'refuses what is withheld, of another block, of another account or of another contract',
    async () => {
      const { node, tree, served, history, block, anchorAt, follow } = setup;
      const { gold, rebasing } = history;
      const withheld: [RegExp, (data: Wire) => void][] = [
        [
          /no proof of the account/,
          (data) => {
            data.proofs.accounts = data.proofs.accounts.filter(
              (entry: HeldEntry) => entry.address !== gold.address,
            );
          },
        ],
        [/not verified/, (data) => entryOf(data, gold.address).storageKeys.pop()],
        [
          /not verified/,
          (data) => {
            entryOf(data, gold.address).proof = entryOf(data, rebasing.address).proof;
          },
        ],
        [/code of .* did not come/, (data) => data.proofs.codes.fill(data.proofs.codes[0])],
        [
          /code of .* did not come/,
          (data) => {
            data.proofs.codes = data.proofs.codes.map((code: string) => `${code}00`);
          },
        ],
      ];
      for (const [message, change] of withheld) {
        await expect(ask(change), String(message)).rejects.toMatchObject({
          code: 'NOT_VERIFIED',
          message: expect.stringMatching(message),
        });
      }
      // What is no contract has nothing to say: an account without code, and one that does not exist.
      const { compactProof } = await import('../../../src/compact/index.js');
      const stateRoot = await tree.stateRoot(block);
      for (const address of [accounts[1], `0x${'77'.repeat(20)}`] as Hex[]) {
        const claim = { address, storageKeys: [], stateRoot, hash: tree.hash };
        const proof = compactProof(await tree.getProof(address, [], block), claim);
        const work = ask((data) => {
          data.proofs.accounts.push({ address, storageKeys: [], proof: toHex(proof) });
          data.items.push({ ...itemOf(data, gold.address), contract_address: address });
        });
        await expect(work, address).rejects.toMatchObject({
          code: 'NOT_VERIFIED',
          message: expect.stringContaining(
            `the balance of ${address} is not verified: the contract gives none`,
          ),
        });
      }
      // A slot without its key: the proof is made for the other keys.
      const { proof, storageKeys } = await new Promise<HeldEntry>((resolve, reject) => {
        ask((data) => resolve(entryOf(data, rebasing.address))).catch(reject);
      });
      expect(proof.length).toBeGreaterThan(100);
      const some = storageKeys.slice(1);
      const result = await tree.getProof(rebasing.address, some, block);
      const claim = { address: rebasing.address, storageKeys: some, stateRoot, hash: tree.hash };
      const bytes = compactProof(result, claim);
      await expect(
        ask((data) => {
          const entry = entryOf(data, rebasing.address);
          entry.storageKeys = some;
          entry.proof = toHex(bytes);
        }),
      ).rejects.toThrow(/balance of .* is not verified: no proof of the slot/);
      // Of another block: as such, and dressed up as the one that was asked for.
      const earlier = await anchorAt(block);
      await node.mine({ ...gold.call('mint', wallet, 1n), from: minter });
      for (let i = 0; i < 3; i++) await node.mine();
      await follow();
      await served.feed();
      const newest = (await tree.finalBlock()) as number;
      expect(newest).toBeGreaterThan(block);
      for (const [anchor, amount] of [
        [earlier, '1234'],
        [await anchorAt(newest), '1235'],
      ] as const) {
        const [page] = await ask(undefined, { anchor });
        expect(page?.more.block_height).toBe(anchor.l2BlockNumber);
        expect(itemOf(page, gold.address)).toMatchObject({ balance: amount, verified: true });
      }
      const dressed = { ...(await anchorAt(newest)), l2BlockNumber: block };
      await expect(ask(undefined, { anchor: dressed })).rejects.toMatchObject({
        code: 'NOT_VERIFIED',
      });
      await expect(
        ask((data) => {
          data.block_height = block - 1;
        }),
      ).rejects.toThrow(/of block/);
    },
    patience,
  );
});

test(
  'the server says that it proves nothing without a state of its own, and what it refuses',
  async () => {
    const { node, served, block } = setup;
    const plain = await serveData(node.url, { recheck: 600_000 });
    cleanups.push(() => plain.close());
    // An answer without proofs that is remembered takes nobody in.
    expect((await plain.balances(wallet, '?page-size=10')).status).toBe(200);
    const { status, body } = await plain.balances(wallet, '?page-size=10&proofs=true');
    expect([status, body.error, body.data]).toEqual([400, true, null]);
    expect(body.error_message).toContain('state');
    expect((await served.balances(wallet, '?block-height=1')).status).toBe(400);
    expect((await served.balances(wallet, '?proofs=perhaps')).status).toBe(400);
    expect((await served.balances(wallet, '?proofs=true&page-size=101')).status).toBe(400);
    const late = await served.balances(wallet, `?proofs=true&block-height=${block + 50}`);
    expect([late.status, late.body.error]).toEqual([404, true]);
    const answer = await served.balances(wallet, '?proofs=true');
    expect(JSON.stringify(answer.body)).not.toContain('verified');
    const { items, proofs } = answer.body.data;
    for (const { proof } of items) {
      expect([proof.block, proof.stateRoot]).toEqual([proofs.block, proofs.stateRoot]);
      for (const address of proof.accounts) expect(entryOf({ proofs }, address)).toBeDefined();
    }
    // The page is as the document says, down to its proofs.
    const { body: api } = await served.get('/openapi.json');
    const { get } = api.paths['/v1/{chain_name}/address/{address}/balances_v2/'];
    expect(answer.body.data.unproven.length).toBe(1);
    for (const reply of [answer, late, { status, body }]) {
      expect(issuesOf(api, get, reply), String(reply.status)).toEqual([]);
    }
    const odd = structuredClone(answer);
    odd.body.data.proofs.accounts[0].odd = true;
    expect(issuesOf(api, get, odd)).not.toEqual([]);
  },
  patience,
);

describe('a client that trusts a header', () => {
  test(
    'verifies the same amounts by what the node answers to eth_getProof',
    async () => {
      const { block, headerAt, timed, served, node, history } = setup;
      const anchor = await headerAt(block);
      const [under] = await ask();
      for (const pageSize of [undefined, 2]) {
        const pages = await ask(undefined, { anchor, network, ...(pageSize && { pageSize }) });
        const items = pages.flatMap((page) => page.items);
        expect(items).toEqual(under?.items);
        expect(items.every(({ verified }) => verified)).toBe(true);
        // The header has the time, and so the fork.
        for (const { assumed } of pages) expect(assumed).toEqual(wordOfServer);
        const unproven = pages.flatMap((page) => page.unproven);
        expect(unproven.map((item) => item.contract_address)).toEqual([timed.address]);
      }
      const answer = await served.balances(wallet, '?proofs=true&proof-kind=header');
      const { data } = answer.body;
      const header = await node.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false);
      expect(data).toMatchObject({
        block_hash: header.hash,
        proofs: { stateRoot: header.stateRoot },
      });
      const { address } = history.gold;
      const { storageKeys, proof } = entryOf(data, address);
      const known = await node.call('eth_getProof', address, storageKeys, header.number);
      expect(proof).toEqual(known);
      const { body: api } = await served.get('/openapi.json');
      const { get } = api.paths['/v1/{chain_name}/address/{address}/balances_v2/'];
      expect(issuesOf(api, get, answer)).toEqual([]);
    },
    patience,
  );

  test(
    'refuses what is withheld, changed, of the other kind, or of another account, slot or block',
    async () => {
      const { history, block, anchorAt, headerAt } = setup;
      const { gold, rebasing, deed } = history;
      const anchor = await headerAt(block);
      const other = entryOf((await raw(`?proofs=true&block-height=${block}`)).data, gold.address);
      const changes: [RegExp, (data: Wire) => void][] = [
        [/no proof of the account/, (data) => data.proofs.accounts.splice(0)],
        [/not verified/, (data) => entryOf(data, gold.address).proof.accountProof.pop()],
        [/not verified/, (data) => entryOf(data, gold.address).proof.storageProof.pop()],
        [/not verified/, (data) => entryOf(data, gold.address).storageKeys.pop()],
        [
          /not verified/,
          (data) => {
            entryOf(data, gold.address).proof = entryOf(data, rebasing.address).proof;
          },
        ],
        [
          /not verified/,
          (data) => {
            const [slot] = entryOf(data, gold.address).proof.storageProof;
            slot.proof[0] = slot.proof[0].replace(/.$/, (digit: string) =>
              digit === '1' ? '2' : '1',
            );
          },
        ],
        [
          /not verified/,
          (data) => {
            entryOf(data, gold.address).proof = other.proof;
          },
        ],
        [/code of .* did not come/, (data) => data.proofs.codes.splice(0)],
        [/balance of .* not verified/, (data) => (itemOf(data, deed.address).balance = '3')],
        [/native balance.* not 5/, (data) => (data.items[0].balance = '5')],
      ];
      for (const [message, change] of changes) {
        await expect(ask(change, { anchor, network }), String(message)).rejects.toMatchObject({
          code: 'NOT_VERIFIED',
          message: expect.stringMatching(message),
        });
      }
      const header = (await raw(`?proofs=true&proof-kind=header&block-height=${block}`)).data;
      await expect(
        ask((data) => (data.proofs = header.proofs), { anchor: await anchorAt(block) }),
      ).rejects.toMatchObject({ code: 'NOT_VERIFIED' });
      const earlier = { ...(await headerAt(block - 1)), l2BlockNumber: block };
      await expect(ask(undefined, { anchor: earlier, network })).rejects.toThrow(/anchor/);
    },
    patience,
  );
});
