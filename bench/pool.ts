/**
 * `npm run bench:pool`: two workers against one thread on 1,000 independent proofs, in one process, turn by turn; the
 * ratio of the medians, per hash family.
 */
import { readFileSync } from 'node:fs';
import { type HashFamily, type ProofItem, verifyProofs } from '../dist/index.js';
import { createPool } from '../dist/pool/index.js';

const count = 1000;
const rounds = 15;

/** Copies as JSON brings them, so that no two share a string. */
function itemsOf(family: HashFamily): ProofItem[] {
  const text = readFileSync(`vectors/getproof-${family}-synthetic-no-storage.json`, 'utf8');
  return Array.from({ length: count }, () => {
    const { result, stateRoot, expect } = JSON.parse(text);
    return { result, claim: { stateRoot, address: expect.account.address, hash: family } };
  });
}

const median = (times: number[]): number =>
  times.sort((a, b) => a - b)[Math.floor(times.length / 2)] as number;

const pool = await createPool({ workers: 2 });
for (const family of ['mimc', 'poseidon2'] as const) {
  const items = itemsOf(family);
  const times: [number[], number[]] = [[], []];
  for (let round = -2; round < rounds; round++) {
    const start = performance.now();
    if (verifyProofs(items).some(({ ok }) => !ok)) throw new Error('not verified');
    const middle = performance.now();
    if ((await pool.verifyProofs(items)).some(({ ok }) => !ok)) throw new Error('not verified');
    const end = performance.now();
    // The first two rounds warm up.
    if (round >= 0) {
      times[0].push(middle - start);
      times[1].push(end - middle);
    }
  }
  const [one, two] = times.map(median) as [number, number];
  console.log(
    `${family}: one thread ${one.toFixed(1)} ms, two workers ${two.toFixed(1)} ms, ratio ${(one / two).toFixed(2)}`,
  );
}
await pool.close();
