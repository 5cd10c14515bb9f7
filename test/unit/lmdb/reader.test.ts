/** Ranges of several moments, read by turns without a pause: none is of another moment. */
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lmdbStore } from '../../../src/lmdb/index.js';
import type { Read, ReadRequest, StoreSnapshot } from '../../../src/tree/index.js';
import { newFolder } from '../../support/folder.js';

/** Too long for the log: LMDB itself gives them. */
const valueOf = (moment: number) => new Uint8Array(3000).fill(moment);
const keyOf = (index: number) => Uint8Array.of(7, index);

const ends = { from: keyOf(0), to: keyOf(9) };
const request: ReadRequest = {
  keys: [keyOf(3)],
  ranges: [
    { ...ends, limit: 2, reverse: false },
    { ...ends, limit: 1, reverse: true },
    { from: keyOf(2), to: undefined, limit: 1, reverse: false },
  ],
};

/** The moments whose values a snapshot gives, all read at once. */
function momentsIn({ read }: StoreSnapshot): number[] {
  const { values, ranges } = (read.now as NonNullable<Read['now']>)(request);
  const found = [...values, ...ranges.flat().map(({ value }) => value)];
  expect(found).toHaveLength(5);
  return [...new Set(found.map((value) => value?.[0] as number))];
}

test.each(['the writer', 'a reader'])('%s has the entries of each moment', async (who) => {
  const path = join(newFolder(), 'state');
  const writer = lmdbStore({ path });
  const store = who === 'the writer' ? writer : lmdbStore({ path, readOnly: true });
  const held: { moment: number; snapshot: StoreSnapshot }[] = [];
  /** There and back, so that each is read before and behind each other one. */
  const expectEach = () => {
    for (const { moment, snapshot } of [...held, ...[...held].reverse()]) {
      expect(momentsIn(snapshot)).toEqual([moment]);
    }
  };
  for (let moment = 1; moment <= 6; moment++) {
    const puts = Array.from({ length: 9 }, (_, i) => ({ key: keyOf(i), value: valueOf(moment) }));
    await writer.write({ puts, deletes: [] });
    held.push({ moment, snapshot: await store.snapshot() });
    if (moment % 2 === 0) held.push({ moment, snapshot: await store.snapshot() });
    expectEach();
    if (moment === 3) await setImmediate();
    if (moment === 4) await setTimeout(5);
    expectEach();
  }
  while (held.length > 0) {
    const [one] = held.splice(held.length >> 1, 1);
    one?.snapshot.release();
    expectEach();
    if (held.length % 3 === 0) await setTimeout(1);
  }
  if (store !== writer) await store.close();
  await writer.close();
});
