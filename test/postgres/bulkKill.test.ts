/** A process that is killed while it loads a state leaves nothing that opens as one, and the next load ends well. */
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { postgresStore } from '../../src/postgres/index.js';
import { checkKilledImports, checkKilledLoads, type Place } from '../support/bulkKills.js';
import { patience } from '../support/runs.js';
import { endLease, newDatabase } from './schemas.js';

async function newPlace(): Promise<Place> {
  const url = await newDatabase();
  return {
    name: url,
    async open() {
      await endLease('l2proof', url);
      return postgresStore({ connectionString: url });
    },
    openToRead: () => postgresStore({ connectionString: url, readOnly: true }),
    // Temporary files go with the process.
    checkRest() {
      const left = readdirSync(tmpdir()).filter((name) => /^l2proof-[0-9a-f]{8}-/.test(name));
      expect(left).toEqual([]);
    },
  };
}

test(
  'killed at any stage of a load, a store starts again',
  () => checkKilledLoads(newPlace),
  4 * patience,
);

test('killed at any stage of an import, too', () => checkKilledImports(newPlace), 4 * patience);
