/** A block may say what stood before it: the tree refuses one that begins with another state, and keeps nothing of it. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { describe, expect, test } from 'vitest';
import {
  type AccountChange,
  type Hex,
  memoryStore,
  openStateTree,
} from '../../../src/tree/index.js';
import { fromHex, toHex } from '../../support/hex.js';
import { families } from '../../support/runs.js';

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const keccak = (code: string): Hex => toHex(keccak_256(fromHex(code as Hex))) as Hex;
const wallet: Hex = `0x${'a1'.repeat(20)}`;
const contract: Hex = `0x${'c2'.repeat(20)}`;
const empty: Hex = `0x${'e3'.repeat(20)}`;
const absent: Hex = `0x${'f4'.repeat(20)}`;

async function openWorld(hash: (typeof families)[number]) {
  const tree = await openStateTree({ hash });
  await tree.applyBlock({
    number: 1,
    changes: [
      { address: wallet, account: { nonce: 3, balance: 10 } },
      { address: empty, account: { nonce: 0, balance: 0 } },
      {
        address: contract,
        account: { nonce: 1, balance: 0, code: '0x6001' },
        storage: [{ key: word(1), value: word(11) }],
      },
    ],
  });
  return tree;
}

const inWallet = { nonce: 3, balance: 10, codeHash: keccak('0x') };
const inContract = { nonce: 1, balance: 0, codeHash: keccak('0x6001') };
const account = { nonce: 9, balance: 9 };

describe.each(families)('a state tree of %s', (family) => {
  test('applies a block that begins as it stands, to the same root', async () => {
    const changes: AccountChange[] = [
      { address: wallet, account, before: inWallet },
      {
        address: contract,
        account,
        before: inContract,
        storage: [
          { key: word(1), value: word(12), before: word(11) },
          { key: word(2), value: word(13), before: word(0) },
          { key: word(3), value: word(14) },
        ],
      },
      // EIP-161 does not tell an empty account from none.
      { address: empty, account, before: null },
      { address: absent, account, before: null },
    ];
    const [tree, bare] = [await openWorld(family), await openWorld(family)];
    const { stateRoot } = await tree.applyBlock({ number: 2, changes });
    const without = changes.map(({ before: _, ...change }) => change);
    expect(stateRoot).toBe((await bare.applyBlock({ number: 2, changes: without })).stateRoot);
  });

  test('writes nothing for an account that ends as it began', async () => {
    const tree = await openWorld(family);
    const before = await tree.stateRoot();
    const { stateRoot } = await tree.applyBlock({
      number: 2,
      changes: [
        { address: wallet, account: { nonce: 3, balance: 10 }, before: inWallet },
        {
          address: contract,
          account: { nonce: 1, balance: 0 },
          before: inContract,
          storage: [
            { key: word(1), value: word(11), before: word(11) },
            { key: word(2), value: word(0), before: word(0) },
          ],
        },
        { address: absent, account: null, before: null },
      ],
    });
    expect(stateRoot).toBe(before);
  });

  const slot = (key: number, before: number): AccountChange => ({
    address: contract,
    account,
    before: inContract,
    storage: [{ key: word(key), value: word(5), before: word(before) }],
  });
  test.each<[string, AccountChange, RegExp]>([
    ['nonce', { address: wallet, account, before: { ...inWallet, nonce: 4 } }, /nonce .* 3 .* 4 /],
    [
      'balance',
      { address: wallet, account, before: { ...inWallet, balance: 11 } },
      /balance .* 10 .* 11 /,
    ],
    [
      'code',
      { address: contract, account, before: { ...inContract, codeHash: keccak('0x') } },
      /code hash/,
    ],
    [
      'code',
      { address: wallet, account: null, before: { ...inWallet, codeHash: word(1) } },
      /code hash/,
    ],
    ['no account', { address: wallet, account, before: null }, /existence .* true .* false /],
    ['an account', { address: absent, account, before: inWallet }, /existence .* false .* true /],
    ['an account', { address: absent, account: null, before: inWallet }, /existence/],
    ['a reborn one', { address: wallet, account, recreated: true, before: inContract }, /nonce/],
    ['a slot', slot(1, 12), /slot 0x0*1 of .* is 0x0*b .* 0x0*c /],
    ['a slot', slot(1, 0), /slot 0x0*1 of .* is 0x0*b .* 0x0* /],
    ['a slot', slot(2, 7), /slot 0x0*2 of .* is 0 .* 0x0*7 /],
  ])('refuses a block that begins with another %s', async (_, change, message) => {
    const tree = await openWorld(family);
    const root = await tree.stateRoot();
    const error = await tree.applyBlock({ number: 2, changes: [change] }).catch((reason) => reason);
    expect(error).toMatchObject({ name: 'TreeError', code: 'STATE_MISMATCH' });
    expect(error.message).toMatch(message);
    expect(error.message).toContain(change.address);
    expect([await tree.newestBlock(), await tree.stateRoot()]).toEqual([1, root]);
  });

  test.each<[string, unknown, string]>([
    ['a short hash', { ...inWallet, codeHash: '0x12' }, 'changes[0].before.codeHash'],
    ['a negative nonce', { ...inWallet, nonce: -1 }, 'changes[0].before.nonce'],
    ['no balance', { nonce: 1 }, 'changes[0].before.balance'],
    ['a number', 7, 'changes[0].before'],
  ])('refuses %s as what stood before', async (_, before, name) => {
    const tree = await openWorld(family);
    const change = { address: wallet, account, before } as AccountChange;
    await expect(tree.applyBlock({ number: 2, changes: [change] })).rejects.toThrow(`"${name}"`);
  });
});

test("a block's other root is kept beside its hash, with or without it", async () => {
  const store = { ...memoryStore(), close: async () => {} };
  const first = await openStateTree({ store });
  await first.applyBlock({ number: 0, changes: [], headerRoot: word(7) });
  await first.applyBlock({ number: 1, changes: [], headerRoot: word(8), hash: word(9) });
  await first.applyBlock({ number: 2, changes: [], hash: word(9) });
  await first.applyBlock({ number: 3, changes: [] });
  await first.close();
  const tree = await openStateTree({ store });
  const kept = [0, 1, 2, 3].map(async (block) => [
    await tree.blockHash(block),
    await tree.headerRoot(block),
  ]);
  expect(await Promise.all(kept)).toEqual([
    [undefined, word(7)],
    [word(9), word(8)],
    [word(9), undefined],
    [undefined, undefined],
  ]);
  await expect(tree.headerRoot(4)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
  const wrong = { number: 4, changes: [], headerRoot: '0x12' as Hex };
  await expect(tree.applyBlock(wrong)).rejects.toThrow('"headerRoot"');
});
