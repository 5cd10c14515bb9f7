/** A genesis that is not the chain's, and a node that leaves out or changes what its traces should show. */

import { afterEach, describe, expect, test } from 'vitest';
import {
  createFollower,
  type FollowerOptions,
  genesisLines,
  type LoadOptions,
  loadStateFile,
} from '../../../src/follow/index.js';
import { createTransport } from '../../../src/rpc/index.js';
import { createService, fixedFinality } from '../../../src/service/index.js';
import { type AccountChange, type Hex, openStateTree } from '../../../src/tree/index.js';
import {
  type Anvil,
  accounts,
  create2,
  factory,
  slotInit,
  startAnvil,
  store,
  word,
} from '../../support/anvil.js';
import { genesisAddresses, genesisOf, slots } from '../../support/chain.js';
import { type Forge, startForged } from '../../support/forged.js';
import type { TestServer } from '../../support/http.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';

const closing: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
});

async function start(hardfork = 'prague'): Promise<Anvil> {
  const node = await startAnvil('--hardfork', hardfork);
  closing.push(node);
  return node;
}

async function forged(node: Anvil, forge: Forge): Promise<TestServer> {
  const server = await startForged(node, forge);
  closing.push(server);
  return server;
}

const quick = { tries: 2, delay: 1 };
type Genesis = Awaited<ReturnType<typeof genesisOf>>;

async function load(genesis: Genesis, options: LoadOptions = {}) {
  const tree = await openStateTree();
  await loadStateFile(tree, genesisLines(genesis), { patience: quick, ...options });
  return tree;
}

async function follow(
  tree: Awaited<ReturnType<typeof load>>,
  { url }: { url: string },
  more: Partial<FollowerOptions> = {},
) {
  const l2 = createTransport({ url });
  const options = { tree, l2, fork: 'prague', patience: quick, ...more } as const;
  await createFollower(options).run({ once: true });
  return tree.newestBlock();
}

const bystander: Hex = `0x${'ee'.repeat(20)}`;

/** Ways in which a genesis is wrong; nothing that the chain does later touches the bystander or the second account. */
const wrongs: [string, (changes: AccountChange[]) => AccountChange[]][] = [
  ['nothing in it', () => []],
  ['a missing account that is used', (all) => all.filter(({ address }) => address !== accounts[0])],
  ['a missing account that is not', (all) => all.filter(({ address }) => address !== accounts[1])],
  [
    'an account too many',
    (all) => [...all, { address: bystander, account: { nonce: 0, balance: 1 } }],
  ],
  [
    'a wrong balance',
    (all) =>
      all.map((change) =>
        change.address === accounts[1] ? { ...change, account: { nonce: 0, balance: 1 } } : change,
      ),
  ],
  [
    'a wrong nonce',
    (all) =>
      all.map((change) =>
        change.address === accounts[1] && change.account !== null
          ? { ...change, account: { ...change.account, nonce: 1 } }
          : change,
      ),
  ],
  [
    'other code',
    (all) =>
      all.map((change) =>
        change.address === factory
          ? { ...change, account: { nonce: 1, balance: 0, code: '0x6001' as Hex } }
          : change,
      ),
  ],
  [
    'a slot too many',
    (all) =>
      all.map((change) =>
        change.address === factory
          ? { ...change, storage: [{ key: `0x${word(1)}`, value: `0x${word(1)}` }] as const }
          : change,
      ),
  ],
];

describe('a genesis', () => {
  test(
    'that is right is followed, and a wrong one is refused',
    async () => {
      const node = await start();
      await node.mine(create2(1, slotInit), { to: bystander, value: 5n });
      const l2 = createTransport({ url: node.url });
      const genesis = await genesisOf(node, genesisAddresses);
      expect(await follow(await load(genesis, { l2 }), node)).toBe(1);
      expect(await follow(await load(genesis), node)).toBe(1);

      for (const [name, edit] of wrongs) {
        const wrong = { ...genesis, changes: edit(genesis.changes) };
        const mismatch = { name: 'FollowError', code: 'ROOT_MISMATCH' };
        // With the node at hand nothing is kept of it.
        const tree = await openStateTree();
        const loading = loadStateFile(tree, genesisLines(wrong), { l2, patience: quick });
        await expect(loading, name).rejects.toMatchObject(mismatch);
        expect(await tree.newestBlock()).toBeUndefined();
        // What was loaded without it is refused when it is followed, and served by nobody from then on.
        const loaded = await load(wrong);
        const service = await createService({ tree: loaded, finality: fixedFinality(0) });
        await expect(follow(loaded, node), name).rejects.toMatchObject(mismatch);
        const ready = await service.fetch(new Request('http://localhost/ready'));
        expect(ready.status).toBe(503);
        await expect(loaded.stateRoot()).rejects.toMatchObject({ code: 'DISTRUSTED' });
      }
    },
    patience,
  );

  test(
    "is held against the header's root if that is not the empty one, and against the one given before all",
    async () => {
      const node = await start();
      await node.mine({ to: bystander, value: 5n });
      const genesis = await genesisOf(node, genesisAddresses);
      let asked = 0;
      const withRoot = (stateRoot: string) =>
        forged(node, (method, [tag], result) => {
          if (method === 'eth_getProof') asked++;
          return method === 'eth_getBlockByNumber' && tag === '0x0'
            ? { ...result, stateRoot }
            : result;
        });
      const tree = await load(genesis);
      const root = (await tree.headerRoot(0)) as Hex;
      expect(await follow(tree, await withRoot(root))).toBe(1);
      const other = await withRoot(`0x${word(7)}`);
      await expect(follow(await load(genesis), other)).rejects.toMatchObject({
        code: 'ROOT_MISMATCH',
        message: expect.stringContaining(
          `${root}, but that of block 0 is 0x${word(7)} by the node`,
        ),
      });
      expect(asked).toBe(0);
      expect(await follow(await load(genesis), other, { genesisRoot: root })).toBe(1);
      const given = follow(await load(genesis), node, { genesisRoot: `0x${word(8)}` });
      await expect(given).rejects.toMatchObject({ code: 'ROOT_MISMATCH' });
      const options = {
        l2: createTransport({ url: node.url }),
        genesisRoot: `0x${word(8)}` as Hex,
      };
      await expect(load(genesis, options)).rejects.toMatchObject({ code: 'ROOT_MISMATCH' });
      expect(() =>
        createFollower({ tree, l2: options.l2, fork: 'prague', genesisRoot: '0x12' }),
      ).toThrow(RangeError);
    },
    patience,
  );

  test(
    'of which the node knows no root is compared by a sample, with a warning',
    async () => {
      const node = await start();
      await node.mine();
      const rootless = await forged(node, (method, _, result) =>
        method === 'eth_getProof' ? undefined : result,
      );
      const l2 = createTransport({ url: rootless.url });
      const genesis = await genesisOf(node, genesisAddresses);
      const warnings: string[] = [];
      const onWarning = (text: string) => warnings.push(text);
      const tree = await load(genesis, { l2, onWarning });
      const count = genesis.changes.length;
      expect(warnings).toEqual([
        expect.stringContaining(`of the ${count} accounts of the genesis, ${count} were compared`),
      ]);
      expect(await follow(tree, rootless, { onWarning })).toBe(1);
      expect(warnings.slice(1)).toEqual([
        expect.stringContaining('no root has confirmed'),
        expect.stringContaining('the whole of the genesis could not be compared'),
      ]);
      for (const [name, edit] of wrongs) {
        const wrong = { ...genesis, changes: edit(genesis.changes) };
        // A sample cannot show what is missing.
        if (name.includes('missing') || name.includes('nothing')) continue;
        await expect(load(wrong, { l2, onWarning }), name).rejects.toMatchObject({
          code: 'STATE_MISMATCH',
        });
      }
    },
    patience,
  );
});

/** Leaves an account out of the traces of a block. */
const leavingOut =
  (address: string, block: number): Forge =>
  (method, [tag], result) => {
    if (method !== 'debug_traceBlockByNumber' || Number(tag) !== block) return result;
    for (const { result: diff } of result) {
      for (const side of [diff.pre, diff.post]) delete side[address];
    }
    return result;
  };

describe('a change that no trace shows is refused at the first block that does', () => {
  const mismatch = (block: number, ...parts: string[]) => ({
    name: 'FollowError',
    code: 'STATE_MISMATCH',
    message: expect.stringMatching(new RegExp([`block ${block} `, ...parts].join('.*'))),
  });

  test(
    'an account that the node leaves out',
    async () => {
      const node = await start();
      const genesis = await genesisOf(node, genesisAddresses);
      // Block 1 creates, block 2 pays, block 3 is about others, block 4 pays again.
      await node.mine(create2(1, slotInit));
      await node.mine({ to: bystander, value: 5n });
      await node.mine(store(slots(1), 1, 1));
      await node.mine({ to: bystander, value: 6n });
      const l2 = await forged(node, leavingOut(bystander, 2));
      const tree = await load(genesis);
      await expect(follow(tree, l2)).rejects.toMatchObject(
        mismatch(4, 'the existence', bystander, 'false'),
      );
      expect(await tree.newestBlock()).toBe(3);

      // It was there already: its balance shows.
      await node.mine({ to: bystander, value: 1n });
      const later = await forged(node, leavingOut(bystander, 4));
      await expect(follow(await load(genesis), later)).rejects.toMatchObject(
        mismatch(5, 'the balance', bystander, '5 .*11'),
      );
      // A creation that was left out shows as code, and as a slot.
      const created = await forged(node, leavingOut(slots(1), 1));
      await expect(follow(await load(genesis), created)).rejects.toMatchObject(
        mismatch(3, 'the existence', slots(1)),
      );
    },
    patience,
  );

  test(
    'a slot, a nonce, or code that the node leaves out or makes up',
    async () => {
      const node = await start();
      const genesis = await genesisOf(node, genesisAddresses);
      await node.mine(create2(1, slotInit));
      await node.mine(store(slots(1), 1, 1));
      await node.mine(store(slots(1), 1, 2));
      const inPre =
        (edit: (account: Wire) => void): Forge =>
        (method, [tag], result) => {
          if (method !== 'debug_traceBlockByNumber' || Number(tag) !== 3) return result;
          edit(result[0].result.pre[slots(1)]);
          return result;
        };
      const key = `0x${word(1)}`;
      const cases: [string[], Forge][] = [
        [
          [`slot ${key}`, slots(1), `${word(1)}.*${word(9)}`],
          inPre(({ storage }) => {
            storage[key] = `0x${word(9)}`;
          }),
        ],
        [
          ['the nonce', slots(1), '1 .*7'],
          inPre((account) => {
            account.nonce = 7;
          }),
        ],
        [
          ['the code hash', slots(1)],
          inPre((account) => {
            account.code = '0x6001';
          }),
        ],
        [
          ['the balance', slots(1), '0 .*3'],
          inPre((account) => {
            account.balance = '0x3';
          }),
        ],
      ];
      for (const [parts, forge] of cases) {
        const tree = await load(genesis);
        const l2 = await forged(node, forge);
        await expect(follow(tree, l2)).rejects.toMatchObject(mismatch(3, ...parts));
        // The node comes to its senses: what was applied is right.
        expect(await follow(tree, node)).toBe(3);
      }
    },
    patience,
  );

  test.each([
    ['balance', 'anvil_setBalance', ['0x77'], 'the balance'],
    ['nonce', 'anvil_setNonce', ['0x9'], 'the nonce'],
    ['code', 'anvil_setCode', ['0x00'], 'the (existence|code hash)'],
  ])(
    'a %s changed outside transactions',
    async (_, method, params, member) => {
      const node = await start();
      const genesis = await genesisOf(node, genesisAddresses);
      await node.mine({ to: bystander, value: 5n });
      await node.call(method, bystander, ...params);
      await node.mine();
      await node.mine({ to: bystander, value: 1n });
      const tree = await load(genesis);
      await expect(follow(tree, node)).rejects.toMatchObject(mismatch(3, member, bystander));
      expect(await tree.newestBlock()).toBe(2);
    },
    patience,
  );

  test(
    'a slot changed outside transactions',
    async () => {
      const node = await start();
      const genesis = await genesisOf(node, genesisAddresses);
      await node.mine(create2(1, slotInit));
      await node.call('anvil_setStorageAt', slots(1), `0x${word(4)}`, `0x${word(4)}`);
      await node.mine(store(slots(1), 3, 3));
      await node.mine(store(slots(1), 4, 5));
      await expect(follow(await load(genesis), node)).rejects.toMatchObject(
        mismatch(3, `slot 0x${word(4)}`, slots(1)),
      );
    },
    patience,
  );
});

describe("a fork that is not the chain's", () => {
  test.each([
    ['shanghai', 'paris', /fork of block 1 is paris, but its header shows withdrawalsRoot/],
    ['paris', 'shanghai', /is shanghai, but its header shows no withdrawalsRoot/],
    ['cancun', 'shanghai', /is shanghai, but its header shows blobGasUsed/],
    ['shanghai', 'cancun', /is cancun, but its header shows no blobGasUsed/],
    ['prague', 'cancun', /is cancun, but its header shows requestsHash/],
    ['cancun', 'prague', /is prague, but its header shows no requestsHash/],
  ] as const)('on %s, with %s configured, is refused', async (chain, fork, message) => {
    const node = await start(chain);
    const genesis = await genesisOf(node, genesisAddresses);
    await node.mine();
    const tree = await load(genesis);
    await expect(follow(tree, node, { fork })).rejects.toMatchObject({
      code: 'UNSUPPORTED_BLOCK',
      message: expect.stringMatching(message),
    });
    expect(await follow(tree, node, { fork: chain })).toBe(1);
  });
});
