/** Stores of version 2 that lost an entry or hold a wrong one: their conversion ends with what the damage is. */
import { cpSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { type Entry, memoryStore, migrateStore } from '../../../../src/tree/index.js';
import { historyKey } from '../../../../src/tree/migrate/oldLayout.js';
import { newFolder } from '../../../support/folder.js';
import { entriesOf } from '../../../support/stores.js';

/** The entries of a store that an earlier release wrote. */
async function entriesOfVersion2(): Promise<readonly Entry[]> {
  const path = newFolder();
  cpSync('test/fixtures/store-v2/poseidon2', path, { recursive: true });
  const store = lmdbStore({ path });
  const entries = await entriesOf(store);
  await store.close();
  return entries;
}

const entries = await entriesOfVersion2();

/** How the conversion of a store ends whose entries of a kind are others. @param harm gives null for one that is lost */
async function outcomeOf(kind: string, harm: (entry: Entry) => Uint8Array | null): Promise<string> {
  const isOfKind = ({ key }: Entry) => key[0] === kind.charCodeAt(0);
  expect(entries.some(isOfKind)).toBe(true);
  const puts = entries.flatMap((entry) => {
    const value = isOfKind(entry) ? harm(entry) : entry.value;
    return value ? [{ key: entry.key, value }] : [];
  });
  const store = memoryStore();
  await store.write({ puts, deletes: [] });
  return migrateStore(store).then(
    () => 'converted',
    (error: Error) => error.message,
  );
}

// The kinds of an entry, and of a key in a list of changes: src/tree/migrate/oldLayout.ts.
test.each<[string, string, (entry: Entry) => Uint8Array | null, RegExp]>([
  ['nothing', 'U', ({ value }) => value, /^converted$/],
  ['the top nodes', 'T', () => null, /^the store has lost a top node \(DAMAGED\)/],
  ['the old values', 'H', () => null, /^the store has lost what a block overwrote \(DAMAGED\)/],
  [
    'the nodes at height 2',
    'N',
    ({ key, value }) => (key[12] === 2 ? null : value),
    /^the store has lost a node \(DAMAGED\)/,
  ],
  [
    'a byte of each node',
    'N',
    ({ value }) => value.subarray(0, -1),
    /^the store has lost a node \(DAMAGED\)/,
  ],
  [
    'the end of each list of changes',
    'U',
    ({ value }) => value.subarray(0, -1),
    /^the store holds a malformed list of changes \(DAMAGED\)/,
  ],
  [
    'the kinds of the keys in each list',
    'U',
    ({ value }) => value.map((byte, i) => (i === 1 ? 0x4c : byte)),
    /^the store holds a malformed list of changes \(DAMAGED\)/,
  ],
])('one that has lost %s', async (_, kind, harm, message) => {
  expect(await outcomeOf(kind, harm)).toMatch(message);
});

test('an empty one', async () => {
  await expect(migrateStore(memoryStore())).rejects.toMatchObject({ code: 'WRONG_STORE' });
});

test('an old value lies behind the key of its entry and the block', () => {
  const key = historyKey(Uint8Array.of(1, 2), 0x0304);
  expect(Buffer.from(key).toString('hex')).toBe('480102000000000304');
});
