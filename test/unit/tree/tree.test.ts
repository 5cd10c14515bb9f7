/** What trees refuse, their edges, and what upstream recorded of them. */
import { describe, expect, test } from 'vitest';
import { encodeHex } from '../../../src/bytes.js';
import { specOf } from '../../../src/codec/spec.js';
import { type Hex, verifyProof } from '../../../src/index.js';
import {
  type AccountChange,
  createAccumulator,
  memoryStore,
  openStateTree,
  type StateTree,
  type Store,
} from '../../../src/tree/index.js';
import {
  blockKey,
  encodeTopEntry,
  formatKey,
  packKey,
  stamp,
  topNodeKey,
} from '../../../src/tree/layout/layout.js';
import { createEmptyTree } from '../../../src/tree/nodes/emptyTree.js';
import { grownPack, lowestIn, packOf } from '../../../src/tree/nodes/packs.js';
import { siblingPositions } from '../../../src/tree/prove/wireProof.js';
import { fromHex, toHex } from '../../support/hex.js';
import { digits, hash } from '../../support/reference.js';
import { families } from '../../support/runs.js';
import { counted, entriesOf, withAnswers } from '../../support/stores.js';

const word = (value: bigint): Hex => `0x${digits(value)}`;
const address = (value: bigint): Hex => `0x${digits(value, 20)}`;
const plain = (value: bigint): AccountChange => ({
  address: address(value),
  account: { nonce: value, balance: 2n * value },
});

describe.each(families)('an accumulator of %s', (family) => {
  const hKey: Hex = `0x${hash(family, digits(7n))}`;
  const spec = specOf(family);

  test('refuses what its list does not allow, and is unchanged', () => {
    const tree = createAccumulator({ hash: family });
    tree.insert(hKey, word(1n));
    const { root } = tree;
    const other: Hex = `0x${hash(family, digits(8n))}`;
    const tail = encodeHex(spec.tailHKey);
    expect(() => tree.insert(hKey, word(2n))).toThrow(/update it instead \(KEY_EXISTS\)/);
    expect(() => tree.update(other, word(2n))).toThrow(/insert it first \(UNKNOWN_KEY\)/);
    expect(() => tree.delete(other)).toThrow(/UNKNOWN_KEY/);
    for (const end of [word(0n), tail]) {
      expect(() => tree.insert(end, word(2n))).toThrow(/HEAD_OR_TAIL/);
      expect(() => tree.update(end, word(2n))).toThrow(/HEAD_OR_TAIL/);
      expect(() => tree.delete(end)).toThrow(/HEAD_OR_TAIL/);
      expect(() => tree.read(end)).toThrow(/HEAD_OR_TAIL/);
      expect(() => tree.prove(end)).toThrow(/HEAD_OR_TAIL/);
    }
    expect(tree.root).toBe(root);
    expect(tree.nextFreeNode).toBe(3n);
  });

  test('refuses arguments that are no digests, by name', () => {
    const tree = createAccumulator({ hash: family });
    const high: Hex = `0x${'ff'.repeat(32)}`;
    expect(() => tree.insert(high, word(1n))).toThrow(/"hKey" expected a digest/);
    expect(() => tree.insert(hKey, high)).toThrow(/"hValue" expected a digest/);
    expect(() => tree.insert('0x12', word(1n))).toThrow(RangeError);
    expect(() => tree.insert(7 as never, word(1n))).toThrow(TypeError);
    expect(() => tree.insert(hKey, word(1n), '0x1234')).toThrow(/"value"/);
    expect(() => tree.prove(hKey, '0x1234')).toThrow(/"key"/);
    expect(() => createAccumulator({ hash: 'sha' as never })).toThrow(TypeError);
    expect(tree.root).toBe(encodeHex(spec.emptyRoot));
  });

  test('keeps to the options that it was opened with', () => {
    const options: { hash: typeof family; engine: 'portable' } = {
      hash: family,
      engine: 'portable',
    };
    const tree = createAccumulator(options);
    Object.assign(options, { hash: 'none', engine: 'none' });
    expect(tree.prove(hKey)).toMatchObject({ leftLeafIndex: 0, rightLeafIndex: 1 });
  });

  test('reads what was written', () => {
    const tree = createAccumulator({ hash: family });
    expect(tree.read(hKey)).toBe(null);
    tree.insert(hKey, word(1n));
    expect(tree.read(hKey)).toBe(word(1n));
    tree.update(hKey, word(2n));
    expect(tree.read(hKey)).toBe(word(2n));
    tree.delete(hKey);
    expect(tree.read(hKey)).toBe(null);
  });
});

describe('a state tree', () => {
  // Root and account of Shomei's WorldStateStateRootTest, testWorldStateWithAnAccount: nonce 65, balance 835.
  const upstream = {
    poseidon2: '0x6b5d2e111a55e55826396df03ac3d0055dc4a88671edbcc8274db3f0117e0f97',
    mimc: '0x04c3c6de7195a187bc89fb4f8b68e93c7d675f1eed585b00d0e1e6241a321f86',
  };

  test.each(families)(
    'of %s gives the root that upstream recorded for one account',
    async (family) => {
      const tree = await openStateTree({ hash: family });
      expect(await tree.stateRoot()).toBe(encodeHex(specOf(family).emptyRoot));
      const changes = [
        { address: `0x24${'00'.repeat(19)}` as Hex, account: { nonce: 65n, balance: 835n } },
      ];
      const answer = await tree.applyBlock({ number: 7n, changes });
      expect(answer).toEqual({ number: 7n, stateRoot: upstream[family] });
      expect(await tree.stateRoot(7)).toBe(upstream[family]);
    },
  );

  test('answers for an empty state, and withholds the storage of absent accounts and of pristine ones', async () => {
    const tree = await openStateTree();
    const ask = async (value: bigint) => {
      const storageKeys = [word(0n), word(1n)];
      const result = await tree.getProof(address(value), storageKeys);
      const claim = { stateRoot: await tree.stateRoot(), address: address(value), storageKeys };
      return { result, state: verifyProof(result, claim) };
    };
    const empty = await ask(1n);
    expect(empty.result.storageProofs).toEqual([]);
    expect(empty.state.account).toBe(null);
    const slot = { key: word(1n), value: word(5n) };
    await tree.applyBlock({ number: 0, changes: [plain(1n), { ...plain(2n), storage: [slot] }] });
    const pristine = await ask(1n);
    expect(pristine.result.storageProofs).toEqual([]);
    expect(pristine.state.account?.balance).toBe(2n);
    const written = await ask(2n);
    expect(written.state.storage.map(({ exists }) => exists)).toEqual([false, true]);
    const cleared = { ...slot, value: word(0n) };
    await tree.applyBlock({ number: 1, changes: [{ ...plain(2n), storage: [cleared] }] });
    // Emptied, not pristine: its next free node stays up, so its root tells, and its slots are answered.
    const emptied = await ask(2n);
    expect(emptied.result.storageProofs).toHaveLength(2);
    expect(emptied.state.storage.map(({ exists }) => exists)).toEqual([false, false]);
  });

  test('keeps code that is not given, drops it with the account, and hashes what is given', async () => {
    const tree = await openStateTree();
    const at = address(9n);
    const account = async () => {
      const stateRoot = await tree.stateRoot();
      return verifyProof(await tree.getProof(at), { stateRoot, address: at }).account;
    };
    const state = { nonce: 1, balance: 0 };
    await tree.applyBlock({
      number: 1,
      changes: [{ address: at, account: { ...state, code: '0x6001' } }],
    });
    const first = await account();
    expect(first?.codeSize).toBe(2n);
    await tree.applyBlock({
      number: 2,
      changes: [{ address: at, account: { ...state, nonce: 2 } }],
    });
    expect(await account()).toEqual({ ...first, nonce: 2n });
    await tree.applyBlock({
      number: 3,
      changes: [{ address: at, account: state, recreated: true }],
    });
    // Of an account whose code was taken away, and then of a new one: docs/protocol.md sections 2.6 and 8.1.
    const noCode = {
      codeSize: 0n,
      keccakCodeHash: '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    };
    const zeros = `0x${'00'.repeat(32)}`;
    expect(await account()).toMatchObject({ ...noCode, snarkCodeHash: zeros });
    await tree.applyBlock({ number: 4, changes: [{ address: at, account: null }] });
    await tree.applyBlock({ number: 5, changes: [{ address: at, account: state }] });
    expect(await account()).toMatchObject({
      ...noCode,
      snarkCodeHash: '0x0656ab853b3f52840362a8177e217b630c3f876b11e848365145aa24220647fc',
    });
  });

  const wrong: [string, AccountChange[] | unknown, RegExp][] = [
    ['an account twice', [plain(1n), plain(1n)], /"changes" names a key twice/],
    [
      'a slot twice',
      [
        {
          ...plain(1n),
          storage: [
            { key: word(1n), value: word(1n) },
            { key: word(1n), value: word(2n) },
          ],
        },
      ],
      /"changes\[0\].storage" names a key twice/,
    ],
    [
      'storage of a destroyed account',
      [{ address: address(1n), account: null, storage: [{ key: word(1n), value: word(1n) }] }],
      /"changes\[0\]" destroys/,
    ],
    ['a short address', [{ address: '0x12', account: null }], /"changes\[0\].address"/],
    [
      'a nonce of 2^64',
      [{ address: address(1n), account: { nonce: 1n << 64n, balance: 0n } }],
      /"changes\[0\].account.nonce"/,
    ],
    [
      'a negative balance',
      [{ address: address(1n), account: { nonce: 0n, balance: -1n } }],
      /"changes\[0\].account.balance"/,
    ],
    [
      'a balance of 2^256',
      [{ address: address(1n), account: { nonce: 0n, balance: 1n << 256n } }],
      /balance/,
    ],
    ['a fraction', [{ address: address(1n), account: { nonce: 0.5, balance: 0n } }], /nonce/],
    [
      'half a byte of code',
      [{ address: address(1n), account: { nonce: 0n, balance: 0n, code: '0x123' } }],
      /code/,
    ],
    ['a word', [{ ...plain(1n), recreated: 'false' }], /"changes\[0\].recreated"/],
    ['no list', 'changes', /"changes" expected an array/],
    ['a hole', new Array(1), /"changes\[0\]" expected an object .*got undefined/],
    [
      'a hole among slots',
      [{ ...plain(1n), storage: new Array(1) }],
      /"changes\[0\].storage\[0\]" expected an object .*got undefined/,
    ],
  ];
  test.each(wrong)('refuses %s and is unchanged', async (_, changes, message) => {
    const tree = await openStateTree();
    const attempt = tree.applyBlock({ number: 1, changes: changes as AccountChange[] });
    await expect(attempt).rejects.toThrow(message);
    expect(await tree.newestBlock()).toBe(undefined);
  });

  test("refuses a balance beyond MiMC's field, which would hash as another one", async () => {
    const tree = await openStateTree({ hash: 'mimc' });
    const balance = 8444461749428370424248824938781546531375899335154063827935233455917409239041n;
    const changes = [{ address: address(1n), account: { nonce: 0n, balance } }];
    await expect(tree.applyBlock({ number: 1, changes })).rejects.toThrow(
      new RangeError('"changes[0].account.balance" expected an element of MiMC over BLS12-377'),
    );
  });

  test('takes blocks in order only, one after the other however they are called', async () => {
    const tree = await openStateTree();
    const both = await Promise.all([
      tree.applyBlock({ number: 1, changes: [plain(1n)] }),
      tree.applyBlock({ number: 2, changes: [plain(2n)] }),
    ]);
    const single = await openStateTree();
    await single.applyBlock({ number: 1, changes: [plain(1n)] });
    expect(both[1]).toEqual(await single.applyBlock({ number: 2, changes: [plain(2n)] }));
    for (const number of [2, 1, 0]) {
      await expect(tree.applyBlock({ number, changes: [] })).rejects.toMatchObject({
        code: 'BLOCK_ORDER',
      });
    }
    for (const number of [-1, 0.5, 2 ** 48, NaN, '3' as never]) {
      await expect(tree.applyBlock({ number, changes: [] })).rejects.toThrow(RangeError);
    }
    await expect(tree.stateRoot(3)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
    await expect(tree.finalize(3)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
    await expect(tree.revert(0)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
    await tree.finalize(2);
    await tree.finalize(2);
    await tree.applyBlock({ number: 3, changes: [plain(3n)] });
    await tree.finalize(3);
    await expect(tree.finalize(2)).rejects.toMatchObject({ code: 'BLOCK_ORDER' });
    await expect(tree.revert(2)).rejects.toMatchObject({ code: 'BLOCK_ORDER' });
  });

  test('proves absence at an older block in few reads, however many keys came and went since', async () => {
    const { store, seen } = counted(memoryStore());
    const tree = await openStateTree({ store });
    const many = Array.from({ length: 3000 }, (_, i) => BigInt(i + 100));
    await tree.applyBlock({ number: 1, changes: [plain(1n), plain(2n)] });
    const absent = address(7n);
    const before = JSON.stringify(await tree.getProof(absent));
    await tree.applyBlock({ number: 2, changes: many.map(plain) });
    const gone = many.map((value) => ({ address: address(value), account: null }));
    await tree.applyBlock({ number: 3, changes: gone });
    seen.ranges = [];
    expect(JSON.stringify(await tree.getProof(absent, [], 1))).toBe(before);
    expect(seen.ranges.length).toBeLessThan(100);
  });

  test('answers nothing once it is marked as wrong, to anyone who opens its store', async () => {
    const store = memoryStore();
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [plain(1n)] });
    await tree.distrust('block 1 has another root on L1');
    const later = await openStateTree({ store });
    for (const call of [
      () => tree.getProof(address(1n)),
      () => later.getProof(address(1n), [], 1),
      () => later.stateRoot(1),
      () => later.newestBlock(),
      () => later.applyBlock({ number: 2, changes: [] }),
      () => later.revert(1),
    ]) {
      await expect(call()).rejects.toThrow(/block 1 has another root on L1 \(DISTRUSTED\)/);
    }
  });

  test('is of no use once it is closed', async () => {
    const tree = await openStateTree();
    const last = tree.applyBlock({ number: 1, changes: [plain(1n)] });
    await tree.close();
    await tree.close();
    expect((await last).number).toBe(1);
    for (const call of [
      () => tree.applyBlock({ number: 2, changes: [] }),
      () => tree.getProof(address(1n)),
      () => tree.stateRoot(),
      () => tree.newestBlock(),
      () => tree.finalize(1),
      () => tree.revert(1),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'CLOSED' });
    }
  });

  test('answers for the keys that were asked, whatever becomes of their array', async () => {
    const tree = await openStateTree();
    const storage = [1n, 2n].map((key) => ({ key: word(key), value: word(5n) }));
    await tree.applyBlock({ number: 1, changes: [{ ...plain(1n), storage }] });
    const keys = [word(1n)];
    const answer = tree.getProof(address(1n), keys);
    keys[0] = word(2n);
    expect((await answer).storageProofs).toMatchObject([{ key: word(1n) }]);
    await expect(tree.getProof('0x12', [], 7)).rejects.toThrow(RangeError);
  });

  /** A store that takes its time, and tells which calls came when they no longer may. */
  function slowStore() {
    const inner = memoryStore();
    const seen = { reads: 0, late: [] as string[], failingRead: 0, isClosed: false };
    const store: Store = {
      ...inner,
      async snapshot() {
        const snapshot = await inner.snapshot();
        let isReleased = false;
        const check = (name: string) => {
          if (isReleased || seen.isClosed) seen.late.push(name);
        };
        return {
          async read(request, pause) {
            check('read');
            const number = ++seen.reads;
            await new Promise((done) => setTimeout(done, number % 2));
            check('read');
            if (number === seen.failingRead) throw new Error('the disk is gone');
            return snapshot.read(request, pause);
          },
          release() {
            check('release');
            isReleased = true;
          },
        };
      },
      async close() {
        await new Promise((done) => setTimeout(done, 1));
        seen.isClosed = true;
        await inner.close();
      },
    };
    return { store, seen };
  }

  test('reads no snapshot that it has released, whichever read fails', async () => {
    const { store, seen } = slowStore();
    const tree = await openStateTree({ store });
    const keys = [1n, 2n, 3n, 4n].map(word);
    const storage = keys.slice(0, 2).map((key) => ({ key, value: word(5n) }));
    await tree.applyBlock({ number: 1, changes: [plain(1n)] });
    await tree.applyBlock({ number: 2, changes: [{ ...plain(1n), storage }, plain(2n)] });
    await tree.getProof(address(1n), keys, 2);
    const { reads } = seen;
    for (seen.failingRead = 1; seen.failingRead <= reads; seen.failingRead++) {
      seen.reads = 0;
      await expect(tree.getProof(address(1n), keys, 2)).rejects.toThrow('the disk is gone');
    }
    await new Promise((done) => setTimeout(done, 20));
    expect(seen.late).toEqual([]);
  });

  test('closes the store when all reads are done, however often it is asked to', async () => {
    const { store, seen } = slowStore();
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [plain(1n)] });
    const answer = tree.getProof(address(1n));
    const first = tree.close();
    await tree.close();
    expect(seen.isClosed).toBe(true);
    await first;
    expect((await answer).accountProof).toMatchObject({ leafIndex: 2 });
    expect(seen.late).toEqual([]);
  });

  test('looks at no history for the newest block, however many keys came and went', async () => {
    const { store, seen } = slowStore();
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [plain(1n)] });
    const many = Array.from({ length: 100 }, (_, i) => plain(BigInt(i + 10)));
    await tree.applyBlock({ number: 2, changes: many });
    const none = many.map(({ address }) => ({ address, account: null }));
    await tree.applyBlock({ number: 3, changes: none });
    for (const block of [undefined, 3]) {
      for (let value = 200n; value < 210n; value++) {
        seen.reads = 0;
        await tree.getProof(address(value), [], block);
        expect(seen.reads).toBeLessThan(20);
      }
    }
  });

  test('opens its own stores only', async () => {
    const store = memoryStore();
    const tree = await openStateTree({ store });
    const { stateRoot } = await tree.applyBlock({ number: 1, changes: [plain(1n)] });
    expect(await (await openStateTree({ store })).stateRoot()).toBe(stateRoot);
    await expect(openStateTree({ store, hash: 'mimc' })).rejects.toMatchObject({
      code: 'WRONG_STORE',
    });
    const foreign = memoryStore();
    await foreign.write({
      puts: [{ key: Uint8Array.of(1), value: Uint8Array.of(2) }],
      deletes: [],
    });
    await expect(openStateTree({ store: foreign })).rejects.toMatchObject({ code: 'WRONG_STORE' });
    for (const keepFinal of [0, 1.5, Number.NaN, 2 ** 53]) {
      await expect(openStateTree({ keepFinal })).rejects.toThrow(/"keepFinal" expected/);
    }
  });

  test('refuses to answer from a store whose data were changed below it', async () => {
    const store = memoryStore();
    const tree = await openStateTree({ store });
    await tree.applyBlock({ number: 1, changes: [plain(1n), plain(2n)] });
    const spoil = (value: Uint8Array | undefined) => value?.map((byte, i) => byte ^ Number(i > 60));
    const lossy = withAnswers(store, ({ keys }, { values, ranges }) => ({
      values: values.map((value, i) => (keys[i]?.[0] === 0x50 ? spoil(value) : value)),
      ranges,
    }));
    const spoilt = await openStateTree({ store: lossy });
    await expect(spoilt.getProof(address(1n))).rejects.toMatchObject({ code: 'DAMAGED' });
    expect((await tree.getProof(address(1n))).storageProofs).toEqual([]);
  });

  const harms: [string, (value: Uint8Array) => Uint8Array | null][] = [
    ['lost', () => null],
    ['cut short', (value) => value.subarray(0, -1)],
    ['all but lost', (value) => value.subarray(0, 3)],
    ['overwritten', (value) => value.map((byte) => byte ^ 0xff)],
    ['overwritten behind its stamp', (value) => value.map((byte, i) => (i < 6 ? byte : ~byte))],
  ];
  test.each(harms)('says that its store is damaged if an entry is %s', async (_, harm) => {
    const whole = memoryStore();
    const before = await openStateTree({ store: whole });
    const slot = { key: word(1n), value: word(5n) };
    const second = { ...plain(2n), storage: [slot] };
    await before.applyBlock({ number: 1, changes: [plain(1n), second] });
    await before.finalize(1);
    await before.applyBlock({ number: 2, changes: [{ address: address(1n), account: null }] });
    await before.applyBlock({ number: 3, changes: [{ ...second, recreated: true }, plain(3n)] });
    const entries = await entriesOf(whole);

    const changes: AccountChange[] = [{ address: address(2n), account: null }, plain(4n)];
    const compared: AccountChange = {
      ...second,
      before: { nonce: 2, balance: 4 },
      storage: [{ ...slot, before: slot.value }],
    };
    const comparing = [compared, { ...plain(9n), before: null }];
    const calls: [named: number, call: (tree: StateTree) => Promise<unknown>][] = [
      [1, (tree) => tree.getProof(address(2n), [word(1n), word(2n)], 1)],
      [3, (tree) => tree.getProof(address(9n), [], 3)],
      [1, (tree) => tree.revert(1)],
      [3, (tree) => tree.finalize(3)],
      [4, (tree) => tree.applyBlock({ number: 4, changes })],
      [4, (tree) => tree.applyBlock({ number: 4, changes: comparing })],
    ];
    let errors = 0;
    for (const harmed of entries.filter(({ key }) => key[0] !== formatKey[0])) {
      const value = harm(harmed.value);
      const rest = entries.filter((entry) => entry !== harmed);
      const puts = value === null ? rest : [...rest, { key: harmed.key, value }];
      for (const [i, [named, call]] of calls.entries()) {
        const store = memoryStore();
        await store.write({ puts, deletes: [] });
        const tree = await openStateTree({ store, engine: 'portable' });
        const code = await call(tree).then(
          () => undefined,
          (error) => error.code,
        );
        if (code === undefined) continue;
        errors++;
        // The last call compares `before` with what the store seems to hold: if that differs, it may end before it
        // meets a sign of the damage.
        if (i === calls.length - 1 && code === 'STATE_MISMATCH') continue;
        // Nothing but its own entry says that a block is held.
        const isGone = value === null && toHex(harmed.key) === toHex(blockKey(named));
        expect(code).toBe(isGone ? 'BLOCK_MISSING' : 'DAMAGED');
      }
    }
    expect(errors).toBeGreaterThan(0);
  });

  test.each(families)('of %s fills the last leaf index, and then no more', async (family) => {
    const store = memoryStore();
    const { topNode, roots } = createEmptyTree(specOf(family));
    const nextFreeNode = 2 ** 40 - 1;
    await openStateTree({ store, hash: family });
    // As if all indices but the last had been given out, and their leaves deleted.
    const top = { key: topNodeKey(0), value: encodeTopEntry({ ...topNode, nextFreeNode }) };
    const packs = [0, 1, nextFreeNode].flatMap((index) =>
      siblingPositions(index, nextFreeNode).map((sibling) => {
        const pack = packOf(sibling);
        const lowest = lowestIn(pack, nextFreeNode);
        const value = grownPack(undefined, { level: pack.level, lowest, roots });
        return { key: packKey(0, pack), value };
      }),
    );
    const puts = [top, ...packs].map(({ key, value }) => ({ key, value: stamp(0, value) }));
    await store.write({ puts, deletes: [] });
    const tree = await openStateTree({ store, hash: family });
    const { stateRoot } = await tree.applyBlock({ number: 1, changes: [plain(1n)] });
    const result = await tree.getProof(address(1n));
    expect(result.accountProof).toMatchObject({ leafIndex: nextFreeNode });
    const claim = { stateRoot, address: address(1n), hash: family };
    expect(verifyProof(result, claim).account?.nonce).toBe(1n);
    const full = tree.applyBlock({ number: 2, changes: [plain(2n)] });
    await expect(full).rejects.toMatchObject({ code: 'TREE_FULL' });
    expect(await tree.stateRoot()).toBe(stateRoot);
    // What is there can still be changed.
    await tree.applyBlock({ number: 2, changes: [{ address: address(1n), account: null }] });
    expect(fromHex(await tree.stateRoot())).toHaveLength(32);
  });
});
