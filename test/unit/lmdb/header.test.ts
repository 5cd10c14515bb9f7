/** Headers of a data file with which LMDB would end the process: they are told before it looks. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { openStateTree } from '../../../src/tree/index.js';
import { changesOf } from '../../support/blocks.js';
import { newFolder } from '../../support/folder.js';

const whole = join(newFolder(), 'store');

beforeAll(async () => {
  const tree = await openStateTree({ store: lmdbStore({ path: whole }) });
  for (const number of [0, 1]) await tree.applyBlock({ number, changes: changesOf(number) });
  await tree.close();
});

// Offsets of LMDB's `MDB_meta`: the upper byte of its modes, and the last page that was ever used.
test.each([
  [53, 0xff],
  [53, 0x20],
  [148, 0x80],
  [149, 0xff],
  [150, 0x01],
  [151, 0xff],
])('byte %i of either header turned by %i is DAMAGED', async (offset, flip) => {
  for (const readOnly of [true, false]) {
    for (const header of [0, 1]) {
      const path = join(newFolder(), 'store');
      cpSync(whole, path, { recursive: true });
      const file = join(path, 'data.mdb');
      const bytes = readFileSync(file);
      const at = header * bytes.readUInt32LE(48) + offset;
      bytes[at] = (bytes[at] as number) ^ flip;
      writeFileSync(file, bytes);
      expect(() => lmdbStore({ path, readOnly })).toThrow(
        expect.objectContaining({
          code: 'DAMAGED',
          message: expect.stringMatching(/has a damaged header; restore it from a copy/),
        }),
      );
      expect(readFileSync(file)).toEqual(bytes);
    }
  }
  const tree = await openStateTree({ store: lmdbStore({ path: whole, readOnly: true }) });
  expect(await tree.newestBlock()).toBe(1);
  await tree.close();
});
