// Processor time of answers as text, of one build: first and asked again, from LMDB, in microseconds.
// usage: node layersChild.mjs DIST FOLDER

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [dist, folder] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(dist, name)).href);
const { openStateTree } = await load('tree/index.js');
const { lmdbStore } = await load('lmdb/index.js');
const accounts = 20_000;
const asked = 4000;
// A service names the block; kept texts are only looked for then.
const newest = accounts / 5000 - 1;
const hex = (value, width) => `0x${value.toString(16).padStart(2 * width, '0')}`;
const store = lmdbStore({ path: folder });
const tree = await openStateTree({ store, hash: 'poseidon2' });
for (let first = 1, number = 0; first <= accounts; first += 5000, number++) {
  const changes = Array.from({ length: 5000 }, (_, i) => ({
    address: hex(first + i, 20),
    account: { nonce: 1n, balance: BigInt(i) },
  }));
  await tree.applyBlock({ number, changes });
}
async function timeOf(from, count, rounds) {
  const { user, system } = process.cpuUsage();
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < count; i++) {
      await tree.getProof(hex(1 + ((from + i * 7919) % accounts), 20), [], undefined, {
        asText: true,
      });
    }
  }
  const end = process.cpuUsage();
  return (end.user + end.system - user - system) / (count * rounds);
}
// Others than those that are timed: V8 compiles meanwhile.
await timeOf(asked * 7919, asked, 1);
const first = await timeOf(0, asked, 1);
// What is asked for once more is kept, and given again from then on.
await timeOf(0, 500, 2);
const again = await timeOf(0, 500, 16);
console.log(JSON.stringify({ first, again }));
await store.close?.();
process.exit();
