/** Stores that the releases before wrote: they are refused with the command that converts them. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { HashFamily } from '../../src/index.js';
import { lmdbStore } from '../../src/lmdb/index.js';
import { openStateTree } from '../../src/tree/index.js';
import { entriesOf } from '../support/stores.js';

const folder = mkdtempSync(join(tmpdir(), 'l2proof-version-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** A copy: whoever opens a store may change it. */
function copyOf(fixture: string): string {
  const path = join(folder, `store${++count}`);
  cpSync(join('test/fixtures', fixture), path, { recursive: true });
  return path;
}

async function open(path: string, hash: HashFamily, readOnly: boolean) {
  const store = lmdbStore({ path, readOnly });
  try {
    return await openStateTree({ store, hash });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Version in the mark of a store. */
async function versionOf(path: string): Promise<string | undefined> {
  const store = lmdbStore({ path, readOnly: true });
  const mark = (await entriesOf(store)).find(({ key }) => key[0] === 0x4d);
  await store.close();
  return /version \d+/.exec(Buffer.from(mark?.value ?? []).toString())?.[0];
}

describe.each([
  ['a writer', false],
  ['a reader', true],
])('%s', (_, readOnly) => {
  test.each([
    ['poseidon2', 'store-v2/poseidon2'],
    ['mimc', 'store-v2/mimc'],
  ] as const)('is refused a store of version 2 of %s', async (hash, fixture) => {
    const path = copyOf(fixture);
    const opened = open(path, hash, readOnly);
    await expect(opened).rejects.toMatchObject({ name: 'TreeError', code: 'WRONG_STORE' });
    await expect(opened).rejects.toThrow(/l2proof migrate --store DIR/);
    expect(await versionOf(path)).toBe('version 2');
  });

  test('is refused a store of version 1 with the commands that feed it again', async () => {
    const path = copyOf('store-v1');
    const opened = open(path, 'poseidon2', readOnly);
    await expect(opened).rejects.toMatchObject({ name: 'TreeError', code: 'WRONG_STORE' });
    await expect(opened).rejects.toThrow(/l2proof follow --store.*l2proof load --store/);
    await expect(opened).rejects.toThrow(/migrate --store DIR --keep-state/);
    expect(await versionOf(path)).toBe('version 1');
  });
});
