/**
 * The store of `npm run bench -- blocks`: loads a state of a size into LMDB, then applies and finalizes blocks of several
 * sizes. Says on standard error how far it is, and prints what came of it as JSON.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { poseidon2 } from '../dist/hash/index.js';
import { lmdbStore } from '../dist/lmdb/index.js';
import { openStateTree } from '../dist/tree/index.js';

const [accounts, rounds] = process.argv.slice(2, 4).map(Number);
const [parent, sizes] = [process.argv[4], process.argv[5].split(',').map(Number)];
const folder = mkdtempSync(join(parent, 'l2proof-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Accounts that are given to a load at a time. */
const perPart = 1000;
/** Share of the changes of a block that are new accounts. */
const share = 0.1;

const digest = (text) => createHash('sha256').update(text).digest('hex');
const account = (i, nonce) => ({
  address: `0x${digest(`account ${i}`).slice(0, 40)}`,
  account: { nonce, balance: BigInt(`0x${digest(`balance ${i} ${nonce}`).slice(0, 20)}`) },
});

/** Bytes that the process has handed to the system to write, whatever becomes of them. */
const written = () => Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))[1]);

/** Blocks of 32 bytes that a batch was hashed from: keys and values of accounts, leaves, nodes, top nodes. */
function hashedBlocks({ puts, deletes }, changes) {
  const kind = (key) => String.fromCharCode(key[0]);
  const indices = [...puts.map(({ key }) => key), ...deletes]
    .filter((key) => kind(key) === 'L')
    .map((key) => Buffer.from(key).readUIntBE(7, 6));
  let nodes = 0;
  let level = new Set(indices);
  for (let height = 1; height <= 40; height++) {
    level = new Set([...level].map((index) => Math.floor(index / 2)));
    nodes += level.size;
  }
  // Under Poseidon2 a leaf has 6 blocks, a top node 3, the value of an account 10 and its address 2.
  return 2 * nodes + 6 * indices.length + 3 + (10 + 2) * changes;
}

/** The batch that was written last. */
let batch;

function openTree(path) {
  const store = lmdbStore({ path });
  const write = (given) => {
    batch = given;
    return store.write(given);
  };
  return openStateTree({ store: { ...store, write }, keepFinal: 4 });
}

const tree = await openTree(join(folder, 'state'));
const load = await tree.openLoad();
let newest = 0;
for (; newest < accounts; newest += perPart) {
  const count = Math.min(perPart, accounts - newest);
  await load.add(Array.from({ length: count }, (_, i) => account(newest + i, 1)));
  if (newest % 100_000 === 0) process.stderr.write(`${newest}\n`);
}
await load.finish({ number: 0 });
await load.close();
let number = 1;

/** Microseconds of processor time that one block of 32 bytes takes to hash, two at a time as in a node. */
function hashTime() {
  const node = new Uint8Array(64).fill(1);
  const count = 5000;
  for (let i = 0; i < count; i++) poseidon2(node);
  const start = process.cpuUsage();
  for (let i = 0; i < count; i++) poseidon2(node);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / (2 * count);
}

const reports = [];
for (const size of sizes) {
  const report = { size, time: 0, hashing: 0, bytes: 0, most: 0 };
  for (let round = -4; round < rounds; round++) {
    const fresh = Math.round(share * size);
    const chosen = new Set();
    while (chosen.size < size - fresh) chosen.add(Math.floor(Math.random() * newest));
    const changes = [...chosen].map((i) => account(i, number));
    for (let i = 0; i < fresh; i++) changes.push(account(newest + i, 1));
    const [start, before] = [process.cpuUsage(), written()];
    await tree.applyBlock({ number, changes, finalBlock: number });
    const { user, system } = process.cpuUsage(start);
    number++;
    newest += fresh;
    // The first ones are not counted: what is compiled by then stays so.
    if (round < 0) continue;
    const bytes = written() - before;
    report.bytes += bytes / rounds;
    report.most = Math.max(report.most, bytes);
    report.time += (user + system) / rounds;
    report.hashing += (hashedBlocks(batch, size) * hashTime()) / rounds;
  }
  reports.push(report);
}
await tree.close();
process.stdout.write(JSON.stringify(reports));
