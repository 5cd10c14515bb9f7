/** How the load of a state file ends if something is wrong: which error, and what is kept. */

import { describe, expect, test } from 'vitest';
import {
  blockLine,
  FollowError,
  genesisLines,
  loadStateFile,
  type StateBlock,
} from '../../../../src/follow/index.js';
import { parseParts } from '../../../../src/follow/load/stateFile.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { type Hex, openStateTree, TreeError } from '../../../../src/tree/index.js';

const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const address = (digit: string): Hex => `0x${digit.repeat(40)}`;
const account = (digit: string) => ({
  address: address(digit),
  account: { nonce: 1n, balance: 2n },
});

const genesis: StateBlock = { number: 5, changes: [account('a'), account('b')] };
const next: StateBlock = { number: 6, changes: [account('c')] };
const lines = [...genesisLines(genesis), blockLine(next)];

/** What a load ends with. */
const failureOf = (loading: Promise<unknown>): Promise<FollowError> =>
  loading.then(
    () => undefined,
    (error) => error,
  );

describe('a genesis', () => {
  test('of another state root than the file names is refused with its line, and nothing of it is kept', async () => {
    const tree = await openStateTree();
    const wrong = genesisLines({ ...genesis, stateRoot: word(1) });
    const error = await failureOf(loadStateFile(tree, wrong));
    expect(error).toBeInstanceOf(FollowError);
    expect(error).toMatchObject({ code: 'ROOT_MISMATCH', line: 1 });
    expect(error.message).toMatch(/^line 1: block 5: the state root of the accounts is /);
    expect(await tree.newestBlock()).toBeUndefined();
  });

  test('with an address on two lines is refused with the line on which it begins', async () => {
    const tree = await openStateTree();
    const alloc = { [address('b')]: { balance: 3 } };
    const text = ['', ...genesisLines(genesis), JSON.stringify({ alloc })];
    const error = await failureOf(loadStateFile(tree, text));
    expect(error).toMatchObject({ name: 'FollowError', code: 'BAD_FILE', line: 2 });
    expect(error.message).toMatch(/^line 2: .* twice/);
    expect(error.message).toContain(address('b'));
    expect(await tree.newestBlock()).toBeUndefined();
  });

  test('with an address and a slot of it on two lines names the address', async () => {
    const tree = await openStateTree();
    const storage = { [word(1)]: word(2), [word(3)]: word(4) };
    const alloc = { [address('b')]: { storage } };
    const text = genesisLines({ number: 5, changes: [account('a')] });
    const error = await failureOf(
      loadStateFile(tree, [...text, JSON.stringify({ alloc }), JSON.stringify({ alloc })]),
    );
    expect(error).toMatchObject({ name: 'FollowError', code: 'BAD_FILE', line: 1 });
    expect(error.message).toContain(address('b'));
  });

  test("that is not the node's is refused without a line: all of the file may be as it should", async () => {
    const tree = await openStateTree();
    // No server answers there: the root is given.
    const l2 = createTransport({ url: 'http://127.0.0.1:1' });
    const error = await failureOf(loadStateFile(tree, lines, { l2, genesisRoot: word(7) }));
    expect(error).toMatchObject({ name: 'FollowError', code: 'ROOT_MISMATCH', line: undefined });
    expect(error.message).toMatch(/^the genesis is not that of the chain: /);
  });

  test('is named by its stages while it is built', async () => {
    const seen: unknown[] = [];
    await loadStateFile(await openStateTree(), genesisLines(genesis), {
      onProgress: ({ block, line, genesis }) => seen.push([block, line, genesis?.stage]),
    });
    const stages = new Set(seen.map((one) => JSON.stringify(one)));
    expect([...stages]).toEqual(['[5,1,null]', '[5,1,"root"]', '[5,1,"write"]']);
  });

  test("a caller's own reason ends its load as it is, whatever its code", async () => {
    const controller = new AbortController();
    const reason = Object.assign(new Error('enough'), { code: 'BAD_ANSWER' });
    const header = {
      ...{ number: '0x5', hash: word(5), parentHash: word(4) },
      ...{ timestamp: '0x1', transactions: [] },
    };
    const l2 = {
      async call(method: string) {
        if (method === 'eth_getBlockByNumber') return header;
        controller.abort(reason);
        throw reason;
      },
    };
    const warnings: string[] = [];
    const onWarning = (text: string) => warnings.push(text);
    const tree = await openStateTree();
    const options = { l2, signal: controller.signal, onWarning };
    expect(await failureOf(loadStateFile(tree, genesisLines(genesis), options))).toBe(reason);
    // Nor is it taken for a node that does not know the root.
    expect(warnings).toEqual([]);
    expect(await tree.newestBlock()).toBeUndefined();
  });
});

describe('a genesis of whose block the node knows no root', () => {
  const slot = { key: word(1), value: word(2) };
  const account = { nonce: 1n, balance: 2n, code: '0x6001' as Hex };
  const changes = [{ address: address('a'), account, storage: [slot] }];
  /** A node of that state, which has no proofs. */
  const said: Record<string, unknown> = {
    eth_getBlockByNumber: {
      ...{ number: '0x5', hash: word(5), parentHash: word(4) },
      ...{ timestamp: '0x1', transactions: [] },
    },
    ...{ eth_getProof: null, eth_getTransactionCount: '0x1', eth_getBalance: '0x2' },
    ...{ eth_getCode: '0x6001', eth_getStorageAt: word(2) },
  };
  async function load(changed: object) {
    const answers: Record<string, unknown> = { ...said, ...changed };
    const l2 = { call: async (method: string) => answers[method] };
    return loadStateFile(await openStateTree(), genesisLines({ number: 5, changes }), { l2 });
  }

  test('is loaded if its accounts are as the node says', async () => {
    expect(await load({})).toEqual({ block: 5, applied: 1 });
  });

  test.each([
    ['nonce', { eth_getTransactionCount: '0x7' }],
    ['balance', { eth_getBalance: '0x7' }],
    ['code', { eth_getCode: '0x6002' }],
    [`slot ${word(1)}`, { eth_getStorageAt: word(7) }],
  ])('is refused if the node has another %s', async (member, changed) => {
    expect(await failureOf(load(changed))).toMatchObject({
      code: 'STATE_MISMATCH',
      message: expect.stringContaining(`the ${member} of account ${address('a')} is `),
    });
  });
});

describe('an error of the tree is no fault of the file', () => {
  test('if another writer was faster', async () => {
    const tree = await openStateTree();
    async function* slowly() {
      yield* genesisLines(genesis);
      await tree.applyBlock({ number: 1, changes: [] });
    }
    const error = await failureOf(loadStateFile(tree, slowly()));
    expect(error).toBeInstanceOf(TreeError);
    expect(error).toMatchObject({ code: 'BLOCK_ORDER' });
  });

  test('if its state is found to be wrong between two blocks', async () => {
    const tree = await openStateTree();
    await loadStateFile(tree, genesisLines(genesis));
    async function* slowly() {
      yield* genesisLines(genesis);
      await tree.distrust('another root on L1');
      yield blockLine(next);
    }
    const error = await failureOf(loadStateFile(tree, slowly()));
    expect(error).toBeInstanceOf(TreeError);
    expect(error).toMatchObject({ code: 'DISTRUSTED' });
  });

  test('if its store has no room for the accounts', async () => {
    const full = new TreeError('STORE_FULL', 'no room');
    const real = await openStateTree();
    const tree = {
      ...real,
      async openLoad() {
        return { ...(await real.openLoad()), add: () => Promise.reject(full) };
      },
    };
    expect(await failureOf(loadStateFile(tree, lines))).toBe(full);
  });
});

describe('a store that holds blocks already', () => {
  test('is told a file of another chain by its roots', async () => {
    const tree = await openStateTree();
    await loadStateFile(tree, lines);
    const right = await tree.stateRoot(6);
    const with6 = (stateRoot: Hex) => [...genesisLines(genesis), blockLine({ ...next, stateRoot })];
    expect(await loadStateFile(tree, with6(right))).toEqual({ block: 6, applied: 0 });
    const error = await failureOf(loadStateFile(tree, with6(word(9))));
    expect(error).toMatchObject({ code: 'BAD_FILE', line: 2 });
    expect(error.message).toContain('block 6 is another than the one that the store holds');
  });

  test('takes no block that does not follow its own', async () => {
    const tree = await openStateTree();
    await tree.applyBlock({ number: 4, changes: [] });
    const error = await failureOf(loadStateFile(tree, lines));
    expect(error).toMatchObject({ name: 'FollowError', code: 'BAD_FILE', line: 2 });
    expect(error.message).toContain('block 6 does not follow block 4');
    expect(await tree.newestBlock()).toBe(4);
  });
});

describe('what is no line of a state file', () => {
  const good = lines[0] as string;
  test.each([
    [
      'JSON on many lines behind the first value',
      [good, '{"block":', '{"number":6,"changes":[]}}'],
      2,
      /"line" expected JSON/,
    ],
    ['an empty object', [good, '{}'], 2, /"line" expected one of alloc, block/],
    [
      'a word in place of true or false',
      [good, '{"block":{"number":6,"final":"no","changes":[]}}'],
      2,
      /"block.final" expected true or false/,
    ],
  ])('%s is refused', async (_, text, line, message) => {
    const error = await failureOf(loadStateFile(await openStateTree(), text));
    expect(error).toMatchObject({ name: 'FollowError', code: 'BAD_FILE', line });
    expect(error.message).toMatch(message);
  });

  test('a value of more than 2^28 characters on many lines is not read to its end', async () => {
    const long = ' '.repeat(2 ** 26 - 1);
    let read = 0;
    function* text() {
      yield '{';
      for (; read < 10; read++) yield `${long}x`;
    }
    const error = await failureOf(loadStateFile(await openStateTree(), text()));
    expect(error).toMatchObject({ name: 'FollowError', code: 'BAD_FILE', line: 1 });
    expect(error.message).toContain('too long for JSON on many lines');
    expect(read).toBe(4);
  });

  test('is not named if the reader of the lines itself has failed', async () => {
    const parts = parseParts(lines);
    await parts.next();
    const own = new Error('of the reader');
    expect(await failureOf(parts.throw(own))).toBe(own);
  });
});
