import { describe, expect, test } from 'vitest';
import {
  blockLine,
  FollowError,
  genesisLines,
  loadStateFile,
  parseStateFile,
  type StateBlock,
  type StateFileBlock,
} from '../../../../src/follow/index.js';
import { type Hex, memoryStore, openStateTree } from '../../../../src/tree/index.js';

const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

const genesis = {
  number: 5,
  hash: word(0xa5),
  changes: [
    { address: address('a'), account: { nonce: 0n, balance: 10n ** 30n } },
    {
      address: address('b'),
      account: { nonce: 1n, balance: 0n, code: '0x6001' as Hex },
      storage: [
        { key: word(1), value: word(11) },
        { key: word(2), value: word(12) },
      ],
    },
  ],
};

const blocks: StateBlock[] = [
  {
    number: 6,
    hash: word(0xa6),
    final: false,
    changes: [
      { address: address('a'), account: null },
      {
        address: address('b'),
        account: { nonce: 2n, balance: 1n },
        storage: [
          { key: word(1), value: word(0) },
          { key: word(3), value: word(13) },
        ],
      },
    ],
  },
  {
    number: 7,
    changes: [
      {
        address: address('b'),
        account: { nonce: 1n, balance: 1n, code: '0x' },
        recreated: true,
        storage: [{ key: word(4), value: word(14) }],
      },
    ],
  },
  { number: 8, changes: [] },
];

const lines = [...genesisLines(genesis), ...blocks.map(blockLine)];

async function parse(text: Iterable<string>): Promise<StateFileBlock[]> {
  const parsed: StateFileBlock[] = [];
  for await (const block of parseStateFile(text)) parsed.push(block);
  return parsed;
}

describe('a state file', () => {
  test('says what was written to it, line by line', async () => {
    const parsed = await parse(lines);
    expect(parsed.map(({ block }) => block)).toEqual([genesis, ...blocks]);
    expect(parsed.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  test('holds a large allocation on many lines, each account once', async () => {
    const changes = Array.from({ length: 2500 }, (_, i) => ({
      address: `0x${i.toString(16).padStart(40, '0')}` as Hex,
      account: { nonce: 0n, balance: BigInt(i) },
    }));
    const text = [...genesisLines({ number: 0, changes })];
    expect(text.length).toBe(3);
    const parsed = await parse([...text, blockLine({ number: 1, changes: [] })]);
    expect(parsed.map(({ line }) => line)).toEqual([1, 4]);
    expect(parsed[0]?.block.changes).toEqual(changes);
    await expect(parse([...text, text[1] as string])).rejects.toMatchObject({
      code: 'BAD_FILE',
      line: 4,
    });
  });

  test('takes numbers in both forms, hex in both cases, and blank lines', async () => {
    const alloc = {
      [`0x${'AB'.repeat(20)}`]: { balance: 7, nonce: '0x00', storage: { [word(1)]: word(0) } },
    };
    const parsed = await parse(['', JSON.stringify({ genesis: { number: '0x0', alloc } }), ' ']);
    expect(parsed).toEqual([
      {
        line: 2,
        block: {
          number: 0,
          changes: [{ address: address('ab').slice(0, 42), account: { nonce: 0n, balance: 7n } }],
        },
      },
    ]);
  });

  const good = lines[0] as string;
  const change = (more: object) =>
    JSON.stringify({
      block: { number: 6, changes: [{ address: address('a'), account: null, ...more }] },
    });
  test.each([
    ['no genesis', [], undefined, /genesis/],
    ['a block first', [lines[1]], 1, /genesis/],
    ['a second genesis', [good, good], 2, /no other members than alloc, block/],
    ['an allocation after a block', [good, lines[1], '{"alloc":{}}'], 3, /no other members/],
    ['no JSON', [good, '{'], 2, /JSON/],
    ['an array', [good, '[]'], 2, /an object/],
    ['two things on one line', [good, '{"alloc":{},"block":{}}'], 2, /one of/],
    ['a block left out', [good, lines[2]], 2, /"block.number" expected 6/],
    ['a block twice', [good, lines[1], lines[1]], 3, /"block.number" expected 7/],
    ['a misspelt member', [good, change({ storge: {} })], 2, /no other members/],
    ['a short address', [good, change({ address: '0x12' })], 2, /changes\[0\].address/],
    ['no address', [good, change({ address: undefined })], 2, /changes\[0\].address/],
    ['no account', [good, change({ account: undefined })], 2, /changes\[0\].account/],
    ['storage of none', [good, change({ storage: { [word(1)]: word(1) } })], 2, /destroyed/],
    [
      'a balance out of range',
      [good, change({ account: { nonce: 0, balance: `0x1${'0'.repeat(64)}` } })],
      2,
      /balance/,
    ],
    ['a fraction', [good, change({ account: { nonce: 0.5, balance: 0 } })], 2, /nonce/],
    ['an unsafe number', [good, change({ account: { nonce: 2 ** 60, balance: 0 } })], 2, /nonce/],
    ['a negative number', [good, change({ account: { nonce: -1, balance: 0 } })], 2, /nonce/],
    ['decimal text', [good, change({ account: { nonce: '1', balance: 0 } })], 2, /nonce/],
    ['no balance', [good, change({ account: { nonce: 1 } })], 2, /balance/],
    ['odd code', [good, change({ account: { nonce: 1, balance: 0, code: '0x123' } })], 2, /code/],
    [
      'a short value',
      [good, change({ account: { nonce: 1, balance: 0 }, storage: { [word(1)]: '0x1' } })],
      2,
      /storage/,
    ],
    [
      'a short hash',
      [good, JSON.stringify({ block: { number: 6, hash: '0x12', changes: [] } })],
      2,
      /hash/,
    ],
    ['no changes', [good, '{"block":{"number":6}}'], 2, /changes/],
    [
      'an address in two cases',
      [
        JSON.stringify({
          genesis: { number: 0, alloc: { [address('a')]: {}, [`0x${'A'.repeat(40)}`]: {} } },
        }),
      ],
      1,
      /once/,
    ],
    [
      'a __proto__ member',
      [good, '{"block":{"number":6,"changes":[],"__proto__":{}}}'],
      2,
      /no other/,
    ],
  ])('with %s is refused, with the line', async (_, text, line, message) => {
    const error = await parse(text as string[]).catch((reason) => reason);
    expect(error).toBeInstanceOf(FollowError);
    expect(error).toMatchObject({ code: 'BAD_FILE', line });
    expect(error.message).toMatch(message);
    if (line !== undefined) expect(error.message).toContain(`line ${line}: `);
  });
});

describe('loading', () => {
  test('applies what the file says, as the tree does by itself', async () => {
    const tree = await openStateTree();
    const seen: unknown[] = [];
    const stages = new Set<string>();
    const loaded = await loadStateFile(tree, lines, {
      onProgress: ({ genesis, ...at }) => (genesis ? stages.add(genesis.stage) : seen.push(at)),
    });
    expect(loaded).toEqual({ block: 8, applied: 4 });
    expect(seen).toEqual([5, 6, 7, 8].map((block, i) => ({ block, line: i + 1 })));
    const plain = await openStateTree();
    for (const block of [genesis, ...blocks]) {
      const { stateRoot } = await plain.applyBlock(block);
      // Block 6 is not final: the next final one drops it.
      if (block.number !== 6) expect(await tree.stateRoot(block.number)).toBe(stateRoot);
    }
    await expect(tree.stateRoot(6)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
    expect([await tree.finalBlock(), await tree.oldestBlock()]).toEqual([8, 5]);
    expect(await tree.blockHash(5)).toBe(genesis.hash);
  });

  test('goes on where another load ended, and passes over what is there', async () => {
    const store = { ...memoryStore(), close: async () => {} };
    for (let count = 1; count <= lines.length; count++) {
      const tree = await openStateTree({ store });
      const { applied } = await loadStateFile(tree, lines.slice(0, count));
      expect(applied).toBe(1);
      await tree.close();
    }
    const tree = await openStateTree({ store });
    expect(await loadStateFile(tree, lines)).toEqual({ block: 8, applied: 0 });
    // Another file is told apart if both say what the block is.
    const other = [...genesisLines({ ...genesis, hash: word(1) })];
    await expect(loadStateFile(tree, other)).rejects.toMatchObject({ code: 'BAD_FILE', line: 1 });
    const later = genesisLines({ ...genesis, number: 20 });
    await expect(loadStateFile(tree, later)).rejects.toThrow(/does not follow/);
  });

  test('a block that was applied and not yet final is final after the next load', async () => {
    const tree = await openStateTree();
    await tree.applyBlock(genesis);
    expect(await tree.finalBlock()).toBeUndefined();
    await loadStateFile(tree, lines.slice(0, 1));
    expect(await tree.finalBlock()).toBe(5);
  });

  test("a root that is not the tree's takes its block back", async () => {
    const plain = await openStateTree();
    const roots: Hex[] = [];
    for (const block of [genesis, ...blocks]) roots.push((await plain.applyBlock(block)).stateRoot);
    const checked = blocks.map((block, i) => ({ ...block, stateRoot: roots[i + 1] as Hex }));
    const first = [...genesisLines({ ...genesis, stateRoot: roots[0] as Hex })];
    const right = [...first, ...checked.map(blockLine)];
    expect((await loadStateFile(await openStateTree(), right)).applied).toBe(4);

    const tree = await openStateTree();
    const wrong = { ...(checked[1] as StateBlock), stateRoot: word(1) };
    const text = [...right.slice(0, 2), blockLine(wrong)];
    await expect(loadStateFile(tree, text)).rejects.toMatchObject({
      code: 'ROOT_MISMATCH',
      line: 3,
    });
    expect(await tree.newestBlock()).toBe(6);
    expect((await loadStateFile(tree, right)).applied).toBe(2);
  });

  test('what only the tree refuses is told with its line', async () => {
    const tree = await openStateTree({ hash: 'mimc' });
    const balance = 2n ** 256n - 1n;
    const changes = [{ address: address('a'), account: { nonce: 0, balance } }];
    await expect(loadStateFile(tree, genesisLines({ number: 0, changes }))).rejects.toMatchObject({
      code: 'BAD_FILE',
      line: 1,
    });
    expect(await tree.newestBlock()).toBeUndefined();
    const good = [...genesisLines({ number: 0, changes: [] })];
    const block = blockLine({ number: 1, changes });
    await expect(loadStateFile(tree, [...good, block])).rejects.toMatchObject({
      code: 'BAD_FILE',
      line: good.length + 1,
    });
    expect(await tree.newestBlock()).toBe(0);
  });
});

test('a genesis is not written with an account that it destroys', () => {
  const changes = [{ address: address('a'), account: null }];
  const error = /^an account of a genesis cannot be null$/;
  expect(() => [...genesisLines({ number: 0, changes })]).toThrow(error);
});
