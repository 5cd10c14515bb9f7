/** Whether a long run holds on to memory. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { oneProof } from './cases.js';
import { slotWorld } from './slotTree.js';

interface Held {
  heapUsed: number;
  rss: number;
  arrayBuffers: number;
  external: number;
}

export interface StreamReport {
  count: number;
  seconds: number;
  before: Held;
  after: Held;
}

/** Verifies Poseidon2 answers, a few distinct ones by turns, in a process of its own. */
export function streamProofs(count: number): StreamReport {
  const answers = [oneProof.poseidon2, slotWorld('poseidon2', 1)(0), slotWorld('poseidon2', 2)(0)];
  const child = fileURLToPath(new URL('streamChild.mjs', import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', child, String(count)], {
      input: JSON.stringify(answers),
      encoding: 'utf8',
    }),
  );
}
