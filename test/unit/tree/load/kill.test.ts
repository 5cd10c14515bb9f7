/** A process that is killed while it loads a state leaves nothing that opens as one, and the next load ends well. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lmdbStore } from '../../../../src/lmdb/index.js';
import { checkKilledImports, checkKilledLoads, type Place } from '../../../support/bulkKills.js';
import { newFolder } from '../../../support/folder.js';
import { patience } from '../../../support/runs.js';

async function newPlace(): Promise<Place> {
  const path = newFolder();
  return {
    name: path,
    open: async () => lmdbStore({ path }),
    async openToRead() {
      if (!existsSync(join(path, 'data.mdb'))) return undefined;
      try {
        return lmdbStore({ path, readOnly: true });
      } catch (error) {
        return void expect((error as { code: string }).code).toBe('WRONG_STORE');
      }
    },
    checkRest: () => expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']),
  };
}

test(
  'killed at any stage of a load, a store starts again',
  () => checkKilledLoads(newPlace),
  4 * patience,
);

test('killed at any stage of an import, too', () => checkKilledImports(newPlace), 4 * patience);
