/**
 * Closes pools, one after another, while their workers load; `exit` as the last argument: ends the process instead. Prints
 * how many were closed. The folder has the built package, whose workers `poolEnd.test.ts` has made slow to load.
 */
// @ts-nocheck

import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const [folder, vector, end] = process.argv.slice(2);
const { createPool } = await import(pathToFileURL(`${folder}/dist/pool/index.js`).href);
const { stateRoot, result } = JSON.parse(readFileSync(vector, 'utf8'));
const claim = { stateRoot, address: result.accountProof.key };

// How long they take depends on the machine and on what else it does.
const start = performance.now();
const first = await createPool({ workers: 2 });
const [outcome] = await first.verifyProofs([{ result, claim }]);
if (!outcome.ok) throw outcome.error;
const time = performance.now() - start;
await first.close();

let closed = 0;
for (const part of [0.3, 0.5, 0.6, 0.7, 0.8]) {
  const pool = await createPool({ workers: 2 });
  await setTimeout(part * time);
  closed++;
  if (end === 'exit' && part === 0.6) {
    console.log(closed);
    process.exit();
  }
  await pool.close();
}
console.log(closed);
