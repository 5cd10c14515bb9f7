/** Whole answers of `eth_getProof`, held against a header's root: of a real node, and of tries made by hand. */
import { createMerkleProof, MerklePatriciaTrie } from '@ethereumjs/mpt';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyAccountProof } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { type ProofError, slotKey } from '../../../src/index.js';
import { encodeRlp } from '../../../src/mpt/encode.js';
import { createStateClient, openStateVerifier, toRpcAnswer } from '../../../src/proven/index.js';
import type { NodeProof } from '../../support/answers.js';
import { type Anvil, accounts, create2, slotInit, startAnvil, store } from '../../support/anvil.js';
import { slots } from '../../support/chain.js';
import { fromHex, toHex } from '../../support/hex.js';
import { type Edit, edits, isHonest } from '../../support/nodeEdits.js';
import { patience } from '../../support/runs.js';
import { randomBytes, randomOf } from '../../support/trie.js';

const contract = slots(1);
const absent: Hex = `0x${'ab'.repeat(20)}`;
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const emptyCode = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470';

let node: Anvil;
let stateRoot: Hex;
beforeAll(async () => {
  node = await startAnvil();
  await node.mine(create2(1, slotInit));
  await node.mine(...Array.from({ length: 40 }, (_, i) => store(contract, i, 1000 + i)));
  for (let i = 0; i < 60; i++) {
    await node.call('anvil_setBalance', `0x${(7000 + i).toString(16).padStart(40, '0')}`, '0x5');
  }
  await node.mine();
  ({ stateRoot } = await node.call('eth_getBlockByNumber', 'latest', false));
}, patience);
afterAll(() => node.close());

const prove = (address: string, keys: readonly Hex[]): Promise<NodeProof> =>
  node.call('eth_getProof', address, keys, 'latest');

function refusal(result: unknown, claim: object): ProofError {
  try {
    verifyAccountProof(result, claim as never);
  } catch (error) {
    return error as ProofError;
  }
  throw new Error('it was accepted');
}

describe('of a real node', () => {
  const keys = [slotKey(3), slotKey(39), slotKey(77), slotKey(3)];

  test('an account with its slots, absent ones among them', async () => {
    const result = await prove(contract, keys);
    const state = verifyAccountProof(result, { stateRoot, address: contract, storageKeys: keys });
    expect(state).toEqual({
      stateRoot,
      address: contract,
      hash: undefined,
      account: {
        nonce: BigInt(result.nonce),
        balance: BigInt(result.balance),
        storageRoot: result.storageHash,
        keccakCodeHash: result.codeHash,
        snarkCodeHash: undefined,
        codeSize: undefined,
      },
      storage: [
        { key: keys[0], value: slotKey(1003), exists: true },
        { key: keys[1], value: slotKey(1039), exists: true },
        { key: keys[2], value: slotKey(0), exists: false },
        { key: keys[3], value: slotKey(1003), exists: true },
      ],
    });
    expect(Object.isFrozen(state) && Object.isFrozen(state.account)).toBe(true);
  });

  test('an account without code, and one that does not exist', async () => {
    const wallet = await prove(accounts[0], [slotKey(1)]);
    const claim = { stateRoot, address: accounts[0] as Hex, storageKeys: [slotKey(1)] };
    const { account, storage } = verifyAccountProof(wallet, claim);
    expect(account).toMatchObject({ keccakCodeHash: emptyCode, storageRoot: emptyRoot });
    expect(storage).toEqual([{ key: slotKey(1), value: slotKey(0), exists: false }]);
    const nobody = await prove(absent, [slotKey(1)]);
    const none = verifyAccountProof(nobody, { ...claim, address: absent });
    expect(none.account).toBeNull();
    expect(none.storage.map(({ exists }) => exists)).toEqual([false]);
    // A slot of nobody needs no node, in either form that servers give it.
    for (const proof of [[], ['0x80']]) {
      const given = { ...nobody, storageProof: [{ key: '0x1', value: '0x5', proof }] };
      expect(verifyAccountProof(given, { ...claim, address: absent }).storage[0]?.exists).toBe(
        false,
      );
    }
  });

  test('a header in place of its root; either, or both if they agree', async () => {
    const result = await prove(contract, []);
    const header = { stateRoot, number: '0x1' };
    const state = verifyAccountProof(result, { header, address: contract });
    expect(verifyAccountProof(result, { header, stateRoot, address: contract })).toEqual(state);
    const other = { header, stateRoot: slotKey(1), address: contract };
    expect(() => verifyAccountProof(result, other)).toThrow(
      '"header.stateRoot" expected "stateRoot"',
    );
    expect(() => verifyAccountProof(result, { address: contract })).toThrow(
      '"stateRoot" or "header" expected',
    );
    const zero = { stateRoot: slotKey(0), address: contract };
    expect(() => verifyAccountProof(result, zero)).toThrow('"stateRoot" is zero');
    expect(() => verifyAccountProof(result, { ...zero, root: 1 } as never)).toThrow(
      '"claim.root" is unknown',
    );
  });

  test('what the answer says beside its nodes is not read', async () => {
    const result = await prove(contract, [slotKey(3)]);
    const lie = { balance: '0xff', nonce: '0xff', codeHash: slotKey(1), storageHash: slotKey(1) };
    const [entry] = result.storageProof;
    const forged = { ...result, ...lie, storageProof: [{ ...entry, value: '0xff' }] };
    const claim = { stateRoot, address: contract, storageKeys: [slotKey(3)] };
    expect(verifyAccountProof(forged, claim)).toEqual(verifyAccountProof(result, claim));
  });

  test('entries that are not those asked for', async () => {
    const result = await prove(contract, keys.slice(0, 2));
    const claim = { stateRoot, address: contract, storageKeys: keys.slice(0, 2) };
    const [first, second] = result.storageProof as [object, object];
    const withEntries = (storageProof: unknown) => refusal({ ...result, storageProof }, claim);
    expect(withEntries([first])).toMatchObject({ code: 'SLOT_COUNT', path: 'storageProof' });
    expect(withEntries([first, second, second])).toMatchObject({ code: 'SLOT_COUNT' });
    expect(withEntries([second, second])).toMatchObject({ code: 'SLOT_COUNT' });
    expect(withEntries([])).toMatchObject({ code: 'SLOT_COUNT' });
    expect(withEntries([second, { ...first, key: slotKey(4) }])).toMatchObject({
      ...{ code: 'KEY_MISMATCH', path: 'storageProof[1].key' },
    });
    // A second entry for a key is held against the root, too.
    const twice = { ...claim, storageKeys: [...claim.storageKeys, claim.storageKeys[0]] };
    const forged = [first, second, { ...second, key: slotKey(3) }];
    expect(refusal({ ...result, storageProof: forged }, twice)).toMatchObject({
      ...{ code: 'NOT_ON_PATH', path: 'storageProof[2].proof[1]' },
    });
    // Another slot's path under the right label.
    const mixed = [{ ...second, key: slotKey(3) }, second];
    expect(withEntries(mixed)).toMatchObject({ code: 'NOT_ON_PATH' });
    for (const storageProof of [
      undefined,
      null,
      {},
      'x',
      [first, null],
      [first, { ...second, key: 1 }],
    ]) {
      expect(withEntries(storageProof).name).toBe('ShapeError');
    }
    // A key as a quantity is the same key.
    const short = [
      { ...first, key: '0x3' },
      { ...second, key: '0x27' },
    ];
    expect(verifyAccountProof({ ...result, storageProof: short }, claim).storage.length).toBe(2);
  });

  /** As Besu answers: sorted by key, each once; and none of an account that does not exist. */
  test('entries in the order of another node, each key once', async () => {
    const asked = [slotKey(39), slotKey(3), slotKey(77), slotKey(3)];
    const inOrder = await prove(contract, asked);
    const sorted = await prove(contract, [slotKey(3), slotKey(39), slotKey(77)]);
    const claim = { stateRoot, address: contract, storageKeys: asked };
    const state = verifyAccountProof(inOrder, claim);
    expect(verifyAccountProof(sorted, claim)).toEqual(state);
    expect(state.storage.map(({ value }) => BigInt(value))).toEqual([1039n, 1003n, 0n, 1003n]);
    const answer = toRpcAnswer(sorted, state);
    expect(answer).toEqual(toRpcAnswer(inOrder, state));
    expect(verifyAccountProof(answer, claim)).toEqual(state);
    const nobody = { ...(await prove(absent, asked)), storageProof: [] };
    const none = verifyAccountProof(nobody, { ...claim, address: absent });
    expect(none.storage).toEqual(asked.map((key) => ({ key, value: slotKey(0), exists: false })));
    expect(toRpcAnswer(nobody, none)).toMatchObject({
      ...{ balance: '0x0', nonce: '0x0', codeHash: emptyCode, storageHash: emptyRoot },
      storageProof: asked.map((key) => ({ key, value: '0x0', proof: [] })),
    });
  });

  test('each key is asked once, and digits may be of either case', async () => {
    const sent: unknown[] = [];
    const client = createStateClient({
      transport: {
        call: async (method, params) => {
          sent.push([method, params]);
          return node.call(method, ...(params as [string, Hex[]]).slice(0, 2), 'latest');
        },
      },
    });
    const question = { address: contract, storageKeys: [slotKey(3), slotKey(39), slotKey(3)] };
    const anchor = { kind: 'header', stateRoot, l2BlockNumber: 17 } as const;
    const result = (await client.ask(anchor, question, undefined)) as NodeProof;
    expect(sent).toEqual([['eth_getProof', [contract, [slotKey(3), slotKey(39)], '0x11']]]);
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}` as Hex;
    const loud = {
      accountProof: result.accountProof.map(upper),
      storageProof: result.storageProof.map(({ key, proof }) => ({
        key: upper(key),
        proof: proof.map(upper),
      })),
    };
    const claim = {
      ...{ stateRoot: upper(stateRoot), address: upper(contract) },
      storageKeys: question.storageKeys.map(upper),
    };
    expect(verifyAccountProof(loud, claim)).toEqual(
      verifyAccountProof(result, { stateRoot, ...question }),
    );
    const verify = openStateVerifier({ ...anchor, stateRoot: upper(stateRoot) });
    let turns = 0;
    const tick = async () => {
      turns++;
    };
    expect((await verify(loud, question, tick)).account?.keccakCodeHash).toBe(result.codeHash);
    expect(turns).toBeGreaterThan(0);
  });

  test('another account, another root, no answer at all', async () => {
    const result = await prove(contract, []);
    expect(refusal(result, { stateRoot, address: accounts[0] }).message).toMatch(/NOT_ON_PATH/);
    expect(refusal(result, { stateRoot: slotKey(9), address: contract })).toMatchObject({
      code: 'NOT_ON_PATH',
      path: 'accountProof[0]',
    });
    for (const rubbish of [null, undefined, 1, 'x', [], {}, { accountProof: 1 }]) {
      expect(refusal(rubbish, { stateRoot, address: contract }).name).toBe('ShapeError');
    }
  });
});

const isDeep = process.env.DEEP === '1';
const wanted = isDeep ? 100_000 : 4000;

/** An account's value in the trie. */
const accountValue = (storageRoot: Uint8Array) =>
  encodeRlp([Uint8Array.of(7), Uint8Array.of(1, 2), storageRoot, fromHex(emptyCode)]);

/**
 * A state of random accounts and slots by another implementation, and the answer about one of its accounts. Keys are hashed, so no
 * node is short enough to stand inside its parent: test/unit/mpt has those.
 */
async function worldOf(seed: number) {
  const random = randomOf(seed);
  const storage = new MerklePatriciaTrie({ useKeyHashing: true });
  const keys = Array.from({ length: 1 + random(12) }, () => toHex(randomBytes(random, 32)) as Hex);
  const values = new Map<Hex, Uint8Array>();
  for (const key of keys) {
    const value = randomBytes(random, 1 + random(3)).map((byte) => byte | 1);
    values.set(key, value);
    await storage.put(fromHex(key), encodeRlp(value));
  }
  const accounts = new MerklePatriciaTrie({ useKeyHashing: true });
  const address = toHex(randomBytes(random, 20)) as Hex;
  await accounts.put(fromHex(address), accountValue(storage.root()));
  for (let i = random(30); i > 0; i--) {
    await accounts.put(randomBytes(random, 20), accountValue(storage.root()));
  }
  const storageKeys = [...keys.slice(0, 3), toHex(randomBytes(random, 32)) as Hex];
  const proofOf = async (trie: MerklePatriciaTrie, key: Hex) =>
    (await createMerkleProof(trie, fromHex(key))).map(toHex);
  const storageProof = await Promise.all(
    storageKeys.map(async (key) => ({ key, proof: await proofOf(storage, key) })),
  );
  const result = { accountProof: await proofOf(accounts, address), storageProof };
  const claim = { stateRoot: toHex(accounts.root()) as Hex, address, storageKeys };
  return { result, claim, values };
}

/** An answer's lists of nodes, each with what makes an answer of it with another list. */
type World = Awaited<ReturnType<typeof worldOf>>;
const listsOf = ({ result }: World): [string[], (nodes: string[]) => unknown][] => [
  [result.accountProof, (accountProof) => ({ ...result, accountProof })],
  ...result.storageProof.map((entry, i): [string[], (nodes: string[]) => unknown] => [
    entry.proof,
    (proof) => ({
      ...result,
      storageProof: result.storageProof.map((one, at) => (at === i ? { ...entry, proof } : one)),
    }),
  ]),
];

test('true answers of another implementation hold', async () => {
  for (let seed = 1; seed <= 30; seed++) {
    const { result, claim, values } = await worldOf(seed);
    const { account, storage } = verifyAccountProof(result, claim);
    expect(account).toMatchObject({ nonce: 7n, balance: 258n });
    for (const { key, value, exists } of storage) {
      const known = values.get(key);
      expect(exists).toBe(known !== undefined);
      expect(BigInt(value)).toBe(known === undefined ? 0n : BigInt(toHex(known)));
    }
  }
});

test(
  `of ${wanted} edits of what is read none is accepted`,
  async () => {
    const worlds = await Promise.all(Array.from({ length: 20 }, (_, i) => worldOf(500 + i)));
    const names = Object.keys(edits);
    const refused = new Set<string>();
    for (let seed = 1, count = 0; count < wanted; seed++) {
      const random = randomOf(seed);
      const world = worlds[random(worlds.length)] as World;
      const lists = listsOf(world);
      const [nodes, put] = lists[random(lists.length)] as (typeof lists)[number];
      const [foreign] = lists[random(lists.length)] as (typeof lists)[number];
      const name = names[seed % names.length] as string;
      const edited = (edits[name] as Edit)([...nodes], random, foreign);
      if (isHonest(edited, nodes)) continue;
      const error = refusal(put(edited), world.claim);
      expect(['ShapeError', 'VerificationError'], `edit ${seed}, ${name}`).toContain(error.name);
      count++;
      refused.add(name);
    }
    expect([...refused].sort()).toEqual([...names].sort());
  },
  patience,
);

test('a value in the trie of a second form is refused', () => {
  const address = accounts[0] as Hex;
  const [zero, one] = [new Uint8Array(0), Uint8Array.of(1)];
  const hashes = [fromHex(emptyRoot), fromHex(emptyCode)];
  /** A trie of one leaf, whose hashes fit whatever it holds. */
  const leafOf = (value: Uint8Array) => {
    const path = Uint8Array.from([0x20, ...keccak_256(fromHex(address))]);
    const leaf = encodeRlp([path, value]);
    return { stateRoot: toHex(keccak_256(leaf)) as Hex, accountProof: [toHex(leaf)] };
  };
  const right = leafOf(encodeRlp([one, zero, ...hashes] as Uint8Array[]));
  const ask = ({ stateRoot: root, accountProof }: typeof right) =>
    verifyAccountProof({ accountProof, storageProof: [] }, { stateRoot: root, address });
  expect(ask(right).account).toMatchObject({ nonce: 1n, balance: 0n });
  for (const items of [
    [Uint8Array.of(0), zero, ...hashes],
    [one, Uint8Array.of(0, 1), ...hashes],
    [new Uint8Array(9).fill(1), zero, ...hashes],
    [one, new Uint8Array(33).fill(1), ...hashes],
    [one, zero, hashes[0], one],
    [one, zero, one, hashes[1]],
    [one, zero, ...hashes, zero],
    [one, zero, hashes[0]],
  ]) {
    expect(() => ask(leafOf(encodeRlp(items as Uint8Array[])))).toThrow(
      expect.objectContaining({ name: 'ShapeError' }),
    );
  }
});
