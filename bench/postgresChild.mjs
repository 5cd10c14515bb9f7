/** Makes proofs from a PostgreSQL for a while, some at a time, and prints how many a second. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { postgresStore } from '../dist/postgres/index.js';
import { openStateTree } from '../dist/tree/index.js';

const [url, accounts, atOnce] = process.argv.slice(2);
const store = await postgresStore({ connectionString: url, readOnly: true });
const tree = await openStateTree({ store });
const addressOf = (i) =>
  `0x${createHash('sha256').update(`account ${i}`).digest('hex').slice(0, 40)}`;
let count = 0;
async function prove(until) {
  while (performance.now() < until) {
    await tree.getProof(addressOf(Math.floor(Math.random() * Number(accounts))));
    count++;
  }
}
const together = (until) => Promise.all(Array.from({ length: Number(atOnce) }, () => prove(until)));
await together(performance.now() + 1000);
console.log('ready');
await once(process.stdin, 'data');
count = 0;
const start = performance.now();
await together(start + 4000);
console.log((1000 * count) / (performance.now() - start));
process.stdin.destroy();
await tree.close();
