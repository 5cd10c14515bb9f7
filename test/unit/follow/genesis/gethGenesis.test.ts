/** geth's genesis.json, as a node was started from it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  configForks,
  createFollower,
  genesisLines,
  loadStateFile,
  parseStateFile,
} from '../../../../src/follow/index.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { type Hex, openStateTree } from '../../../../src/tree/index.js';
import { startAnvil, word } from '../../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../../support/chain.js';
import { newFolder } from '../../../support/folder.js';
import type { Wire } from '../../../support/runs.js';
import { patience } from '../../../support/runs.js';

const folder = newFolder();

const config = {
  chainId: 31337,
  homesteadBlock: 0,
  londonBlock: 0,
  terminalTotalDifficulty: 0,
  shanghaiTime: 0,
  cancunTime: 0,
  pragueTime: 0,
  blobSchedule: { cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3338477 } },
};
const header = {
  config,
  nonce: '0x0',
  timestamp: '0x65000000',
  extraData: '0x',
  gasLimit: '0x1c9c380',
  difficulty: '0x0',
  mixHash: `0x${word(0)}`,
  coinbase: `0x${'0'.repeat(40)}`,
};

/** Forms that geth writes and reads, one after the other. */
const alloc = {
  [`0x${'a1'.repeat(20)}`]: { balance: '0xde0b6b3a7640000' },
  ['b2'.repeat(20)]: { balance: '1000000000000000001', nonce: '7' },
  [`0x${'C3'.repeat(20)}`]: {
    balance: '0',
    nonce: '0x1',
    code: '0x6001',
    storage: { '0x01': '0x02', [word(3)]: `0x${word(4)}`, '0x0a': '00ff', '0x0b': '0x00' },
  },
};

async function parse(text: string) {
  const blocks = [];
  for await (const block of parseStateFile(text.split('\n'))) blocks.push(block);
  return blocks;
}

const changes = [
  { address: `0x${'a1'.repeat(20)}` as Hex, account: { nonce: 0n, balance: 10n ** 18n } },
  { address: `0x${'b2'.repeat(20)}` as Hex, account: { nonce: 7n, balance: 10n ** 18n + 1n } },
  {
    address: `0x${'c3'.repeat(20)}` as Hex,
    account: { nonce: 1n, balance: 0n, code: '0x6001' as Hex },
    storage: [
      { key: `0x${word(1)}` as Hex, value: `0x${word(2)}` as Hex },
      { key: `0x${word(3)}` as Hex, value: `0x${word(4)}` as Hex },
      { key: `0x${word(10)}` as Hex, value: `0x${word(255)}` as Hex },
    ],
  },
];

describe('a genesis.json', () => {
  test.each([
    ['on one line', undefined],
    ['on many lines', 2],
  ])('%s is block 0 with its allocation', async (_, indent) => {
    const text = JSON.stringify({ ...header, alloc }, null, indent);
    const [first, ...more] = await parse(`\n${text}\n`);
    expect(first).toEqual({ line: 2, block: { number: 0, changes }, config });
    expect(more).toEqual([]);
  });

  test('on one line may have blocks after it, as a state file has', async () => {
    const next = JSON.stringify({ block: { number: 1, changes: [] } });
    const blocks = await parse(`${JSON.stringify({ ...header, alloc })}\n${next}`);
    expect(blocks.map(({ block }) => block.number)).toEqual([0, 1]);
  });

  test(
    'that a node was started from has the root that the node proves',
    async () => {
      const file = join(folder, 'genesis.json');
      // Anvil adds accounts of its own to those of the file, all of which geth's form can say too.
      const prefixed = Object.fromEntries(
        Object.entries(alloc).map(([name, account]) => [
          name.startsWith('0x') ? name : `0x${name}`,
          { ...account, ...('storage' in account ? { storage: padded(account.storage) } : {}) },
        ]),
      );
      writeFileSync(
        file,
        JSON.stringify({
          ...header,
          number: '0x0',
          gasUsed: '0x0',
          parentHash: header.mixHash,
          alloc: prefixed,
        }),
      );
      const node = await startAnvil('--hardfork', 'prague', '--init', file);
      try {
        await node.mine();
        const own = await genesisOf(node, genesisAddresses);
        const whole = {
          ...alloc,
          ...Object.fromEntries(
            own.changes.map(({ address, account }) => [
              address.slice(2),
              {
                balance: String(account?.balance),
                nonce: String(account?.nonce),
                code: account?.code ?? '0x',
              },
            ]),
          ),
        };
        const l2 = createTransport({ url: node.url });
        const text = JSON.stringify({ ...header, alloc: whole }, null, 2);
        const tree = await openStateTree();
        await loadStateFile(tree, text.split('\n'), { l2 });
        const same = await openStateTree();
        const all = { number: 0, changes: [...changes, ...own.changes] };
        await loadStateFile(same, genesisLines(all), { l2 });
        expect(await tree.stateRoot()).toBe(await same.stateRoot());
        await createFollower({ tree, l2, fork: configForks(config) }).run({ once: true });
        expect(await tree.newestBlock()).toBe(1);

        const wrong = structuredClone(whole) as Wire;
        wrong[`0x${'C3'.repeat(20)}`].storage['0x0a'] = '0xfe';
        const loading = loadStateFile(
          await openStateTree(),
          [JSON.stringify({ ...header, alloc: wrong })],
          { l2 },
        );
        await expect(loading).rejects.toMatchObject({ code: 'ROOT_MISMATCH' });
      } finally {
        await node.close();
      }
    },
    patience,
  );

  const bad = `0x${'11'.repeat(20)}`;
  test.each<[string, object, RegExp]>([
    ['a later block', { number: '0x5', alloc }, /"genesis.number" expected 0/],
    ['a member that it does not have', { alloc, allocs: {} }, /"genesis" .* got "allocs"/],
    ['no allocation', { alloc: null }, /"genesis.alloc" expected an object/],
    ['a short address', { alloc: { '12': { balance: '1' } } }, /"genesis.alloc.12"/],
    [
      'an address in two forms',
      { alloc: { [bad]: { balance: '1' }, [bad.slice(2)]: { balance: '1' } } },
      /each key once/,
    ],
    ['no balance', { alloc: { [bad]: { nonce: '1' } } }, /1111.balance" expected a number/],
    ['a negative balance', { alloc: { [bad]: { balance: '-1' } } }, /balance/],
    ['a balance of 257 bits', { alloc: { [bad]: { balance: String(2n ** 256n) } } }, /balance/],
    ['a balance that lost digits', { alloc: { [bad]: { balance: 2 ** 60 } } }, /balance/],
    [
      'a nonce of 65 bits',
      { alloc: { [bad]: { balance: '0', nonce: String(2n ** 64n) } } },
      /nonce/,
    ],
    ['odd code', { alloc: { [bad]: { balance: '0', code: '0x123' } } }, /code/],
    ['a misspelt member', { alloc: { [bad]: { balance: '0', storge: {} } } }, /got "storge"/],
    [
      'a long word',
      { alloc: { [bad]: { balance: '0', storage: { '0x1': '0'.repeat(65) } } } },
      /storage.0x1" expected 1 to 64/,
    ],
    [
      'a slot in two forms',
      { alloc: { [bad]: { balance: '0', storage: { '0x1': '0x1', '0x01': '0x1' } } } },
      /each key once/,
    ],
  ])('with %s is refused, with the member', async (_, content, message) => {
    for (const indent of [0, 2]) {
      const error = await parse(JSON.stringify(content, null, indent)).catch((reason) => reason);
      expect(error).toMatchObject({ name: 'FollowError', code: 'BAD_FILE', line: 1 });
      expect(error.message).toMatch(message);
    }
  });

  test('that is cut short is no JSON', async () => {
    const text = JSON.stringify({ ...header, alloc }, null, 2).slice(0, -3);
    await expect(parse(text)).rejects.toMatchObject({ code: 'BAD_FILE', line: 1 });
  });
});

/** Anvil wants whole words, and keeps a slot of zero, which geth does not. */
function padded(storage: Record<string, string>): Record<string, string> {
  const whole = (text: string) => `0x${text.replace(/^0x/, '').padStart(64, '0')}`;
  return Object.fromEntries(
    Object.entries(storage)
      .filter(([, value]) => BigInt(whole(value)) !== 0n)
      .map(([key, value]) => [whole(key), whole(value)]),
  );
}

describe('the forks of a config', () => {
  const london = { fork: 'london', time: 0 };
  test.each<[object, object[]]>([
    [{ londonBlock: 0 }, [london]],
    [{ londonBlock: 0, shanghaiTime: null, amsterdamTime: null, bogotaTime: null }, [london]],
    [config, [{ fork: 'prague', time: 0 }]],
    [
      // The schedule of the live chain, as its public genesis has it, and a fork that it does not name yet.
      {
        londonBlock: 0,
        shanghaiTime: 1761213600,
        cancunTime: 1761645600,
        pragueTime: 1761646200,
        osakaTime: 1764798551,
        bpo1Time: 1764798551,
        amsterdamTime: 1899999999,
      },
      [
        london,
        { fork: 'shanghai', time: 1761213600 },
        { fork: 'cancun', time: 1761645600 },
        { fork: 'prague', time: 1761646200 },
        { fork: 'osaka', time: 1764798551 },
        { fork: 'amsterdam', time: 1899999999 },
      ],
    ],
  ])('%j', (members, schedule) => {
    expect(configForks(members)).toEqual(schedule);
  });

  test.each<[unknown, RegExp]>([
    [undefined, /"config" expected an object/],
    [{}, /"config.londonBlock" expected 0/],
    [{ londonBlock: 5 }, /"config.londonBlock" expected 0/],
    [{ londonBlock: 0, shanghaiTime: 'soon' }, /"config.shanghaiTime"/],
    [{ londonBlock: 0, cancunTime: 5 }, /"config.cancunTime" expected shanghaiTime before it/],
    [
      { londonBlock: 0, shanghaiTime: 9, cancunTime: 5 },
      /"config.cancunTime" expected a time from 9/,
    ],
    [{ londonBlock: 0, bogotaTime: 5 }, /"config.bogotaTime" expected no forks but/],
    [
      { londonBlock: 0, amsterdamTime: 5 },
      /"config.amsterdamTime" expected shanghaiTime before it/,
    ],
  ])('%j is refused', (members, message) => {
    expect(() => configForks(members)).toThrow(message);
    expect(() => configForks(members)).toThrow(/BAD_FILE/);
  });

  test("a caller's own error comes through as it is", () => {
    const own = new Error('of the caller');
    const ownKeys = () => {
      throw own;
    };
    expect(() => configForks(new Proxy({ londonBlock: 0 }, { ownKeys }))).toThrow(own);
  });
});
