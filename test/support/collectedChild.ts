/**
 * `node --expose-gc` of this: reads records of blocks in memory again and again. Says as JSON how many bytes of each read outlive
 * the collections of new objects, in rounds. A process of its own, whose heap holds nothing else.
 */
import { getHeapSpaceStatistics } from 'node:v8';
import { memoryStore, openStateTree } from '../../dist/tree/index.js';

const count = 20_000;

/** Bytes of objects that have outlived collections. */
const oldBytes = () => {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space');
  if (space === undefined) throw new Error('this engine has no old space');
  return space.space_used_size;
};

const { gc } = globalThis;
if (gc === undefined) throw new Error('needs --expose-gc');
const collect: () => void = gc;

/** How many more there are for each read, round by round. */
async function growth(read: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let tries = 0; tries < 6; tries++) {
    collect();
    const before = oldBytes();
    for (let i = 0; i < count; i++) await read();
    found.push(Math.round((oldBytes() - before) / count));
  }
  return found;
}

const tree = await openStateTree({ store: memoryStore() });
const address = `0x${'ab'.repeat(20)}` as const;
await tree.applyBlock({ number: 1, changes: [{ address, account: { nonce: 1, balance: 1n } }] });
await tree.finalize(1);
const newestBlock = await growth(() => tree.newestBlock(5));
const finalBlock = await growth(() => tree.finalBlock());
await tree.close();
console.log(JSON.stringify({ newestBlock, finalBlock }));
