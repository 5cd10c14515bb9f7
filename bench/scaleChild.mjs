/**
 * One size of `npm run bench -- scale`: `FOLDER ROOT BLOCKS` imports `made.snapshot`, then makes proofs and applies blocks.
 * Prints what came of it as JSON, and on standard error how far the import is.
 */
import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lmdbStore } from '../dist/lmdb/index.js';
import { importSnapshot, openStateTree } from '../dist/tree/index.js';
import { measured } from './bulkMeasured.mjs';

const [folder, stateRoot, blocksText] = process.argv.slice(2);
const path = join(folder, 'state');
const blocks = 30;
const perBlock = 100;
/** Of accounts of the blocks, each another: a service answers most of those that are asked for again from memory. */
const proofs = 1000;

const addressOf = (text) => `0x${createHash('sha256').update(text).digest('hex').slice(0, 40)}`;

const store = lmdbStore({ path });
const file = createReadStream(join(folder, 'made.snapshot'), { highWaterMark: 2 ** 20 });
const onProgress = ({ stage, done }) => stage === 'read' && process.stderr.write(`${done}\n`);
const load = await measured(path, Number(blocksText), () =>
  importSnapshot(file, { store, stateRoot, onProgress }),
);

const tree = await openStateTree({ store });
const first = (await tree.newestBlock()) + 1;
/** Ms by the clock and of processor time, of each round. */
async function timed(rounds, work) {
  const times = { clock: [], processor: [] };
  for (let round = 0; round < rounds; round++) {
    const [start, cpu] = [performance.now(), process.cpuUsage()];
    await work(round);
    const { user, system } = process.cpuUsage(cpu);
    times.clock.push(performance.now() - start);
    times.processor.push((user + system) / 1000);
  }
  return times;
}

// Each new account changes its neighbours in the list of keys, which lie anywhere in the tree.
const block = await timed(blocks, (round) =>
  tree.applyBlock({
    number: first + round,
    finalBlock: first + round,
    changes: Array.from({ length: perBlock }, (_, i) => ({
      address: addressOf(`${round} ${i}`),
      account: { nonce: 1, balance: BigInt(i) },
    })),
  }),
);
const proof = await timed(proofs, (i) =>
  tree.getProof(addressOf(`${i % blocks} ${Math.floor(i / blocks)}`)),
);
const absent = await timed(proofs, (i) => tree.getProof(addressOf(`absent ${i}`)));
await tree.close();
rmSync(path, { recursive: true, force: true });
console.log(JSON.stringify({ load, block, proof, absent }));
