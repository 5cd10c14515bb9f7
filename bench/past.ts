/**
 * `npm run bench -- past`: proofs in LMDB at an older block of a contract out of which many slots had gone by then, and into
 * which as many came since; half of those went again. All of them lie in the way of each slot that is asked for. And of
 * one whose slots stay, but have all changed since, so that each entry that is read has a history. Of each: what is read,
 * the time, and how long others waited for their turn.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { lmdbStore } from '../dist/lmdb/index.js';
import { type Hex, openStateTree, type Store, type StoreReader } from '../dist/tree/index.js';

const { values } = parseArgs({ options: { slots: { type: 'string', default: '1000,20000' } } });

const contract: Hex = `0x${'77'.repeat(20)}`;
const account = { nonce: 1, balance: 1 };
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const write = (from: number, count: number, value: number) => [
  {
    address: contract,
    account,
    storage: Array.from({ length: count }, (_, i) => ({ key: word(from + i), value: word(value) })),
  },
];

/** Counts what is read of snapshots: keys, and the entries of ranges. */
function counted(store: Store): { store: Store; seen: { reads: number } } {
  const seen = { reads: 0 };
  const snapshot = async () => {
    const inner = await store.snapshot();
    const read: StoreReader['read'] = async (request, pause) => {
      const answer = await inner.read(request, pause);
      seen.reads += answer.values.length;
      for (const entries of answer.ranges) seen.reads += Math.max(1, entries.length);
      return answer;
    };
    return { read, release: () => inner.release() };
  };
  return { store: { ...store, snapshot }, seen };
}

/** Longest time between two turns of the event loop while a promise is on its way, in ms. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let isOver = false;
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work;
  isOver = true;
  turn();
  return longest;
}

type Changes = ReturnType<typeof write>;

/** The blocks of one contract; the second is asked for. */
const kinds: [string, (slots: number) => Changes[]][] = [
  [
    'gone and come',
    (slots) => [
      write(0, slots, 5),
      write(1, slots - 1, 0),
      write(slots, slots, 5),
      write(slots, slots / 2, 0),
    ],
  ],
  [
    'changed',
    (slots) => [write(0, slots / 2, 5), write(slots / 2, slots / 2, 5), write(0, slots, 6)],
  ],
];

let next = 1_000_000;
for (const slots of values.slots.split(',').map(Number)) {
  for (const [kind, blocksOf] of kinds) {
    const path = mkdtempSync(join(tmpdir(), 'l2proof-past-'));
    const { store, seen } = counted(lmdbStore({ path }));
    const tree = await openStateTree({ store });
    for (const [i, changes] of blocksOf(slots).entries()) {
      await tree.applyBlock({ number: i + 1, changes });
    }
    for (const block of [2, undefined]) {
      for (const asked of [1, 256]) {
        seen.reads = 0;
        const start = performance.now();
        // Absent ones, and others each time: what was verified is not verified again.
        const keys = Array.from({ length: asked }, () => word(next++));
        const longest = await longestTurn(tree.getProof(contract, keys, block));
        const time = performance.now() - start;
        const each = (1000 * time) / seen.reads;
        console.log(
          `${slots} ${kind}, ${block ? 'older' : 'newest'} block, ${asked} asked: ${seen.reads} reads, ${time.toFixed(0)} ms (${each.toFixed(1)} µs a read); longest turn ${longest.toFixed(0)} ms`,
        );
      }
    }
    await tree.close();
    rmSync(path, { recursive: true, force: true });
  }
}
