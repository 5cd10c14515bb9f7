/**
 * `npm run bench -- pool`: two workers against one thread on 1,000 independent proofs, in one process, turn by turn; the
 * ratio of the medians, per hash family. On a machine that others load too, two workers do not get two cores: the
 * second ratio is of processor time, and says what two free cores would come to.
 */
import { readFileSync } from 'node:fs';
import { type HashFamily, type ProofItem, type ProofOutcome, verifyProofs } from '../dist/index.js';
import { createPool } from '../dist/pool/index.js';

const count = 1000;
const rounds = 15;
const warmUps = { mimc: 2, poseidon2: 10 };

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

/** Wall clock and processor time of a call, all threads, in ms. */
async function timed(call: () => ProofOutcome[] | Promise<ProofOutcome[]>) {
  const [wall, cpu] = [performance.now(), process.cpuUsage()];
  if ((await call()).some(({ ok }) => !ok)) throw new Error('not verified');
  const { user, system } = process.cpuUsage(cpu);
  return { wall: performance.now() - wall, cpu: (user + system) / 1000 };
}

const pool = await createPool({ workers: 2 });
for (const family of ['mimc', 'poseidon2'] as const) {
  const items = itemsOf(family);
  const runs: { wall: number; cpu: number }[][] = [[], []];
  // The first rounds warm up: each thread compiles for itself.
  for (let round = -warmUps[family]; round < rounds; round++) {
    const one = await timed(() => verifyProofs(items));
    const two = await timed(() => pool.verifyProofs(items));
    if (round >= 0) {
      runs[0]?.push(one);
      runs[1]?.push(two);
    }
  }
  const [one, two] = runs.map((all) => median(all.map(({ wall }) => wall))) as [number, number];
  const [oneCpu, twoCpu] = runs.map((all) => median(all.map(({ cpu }) => cpu))) as [number, number];
  console.log(
    `${family}: one thread ${one.toFixed(1)} ms, two workers ${two.toFixed(1)} ms, ratio ${(one / two).toFixed(2)}`,
    `(by processor time ${((2 * oneCpu) / twoCpu).toFixed(2)})`,
  );
}
await pool.close();
