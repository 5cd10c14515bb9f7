/** What the page runs; `run.ts` calls it. */
// @ts-nocheck

import { type HashFamily, type ProofItem, verifyProof, verifyProofs } from '../../dist/index.js';
import { createPool } from '../../dist/pool/index.js';

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, member) => {
    if (typeof member === 'bigint') return String(member);
    if (!(member instanceof Error)) return member;
    const { name, message, code, path } = member as Error & { code?: string; path?: string };
    return { name, message, code, path };
  });

/** Whether the page may compile WebAssembly, as the verifier finds it. */
function hasWasm({ result, claim }: ProofItem): boolean {
  try {
    verifyProof(result, { ...claim, engine: 'wasm' });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Runs all items in the page and on the pool. */
async function run(items: ProofItem[]) {
  const pool = await createPool({ workers: 2 });
  const streamed = [];
  for await (const outcome of pool.verifyStream(items)) streamed.push(outcome);
  const pooled = await pool.verifyProofs(items);
  const frozen = pooled.every((outcome) => !outcome.ok || Object.isFrozen(outcome.state.storage));
  const running = pool.verifyProofs(items).catch((error) => error);
  await pool.close();
  const families: HashFamily[] = ['poseidon2', 'mimc'];
  return {
    wasm: families.map((family) =>
      hasWasm(items.find(({ claim }) => (claim.hash ?? 'poseidon2') === family) as ProofItem),
    ),
    single: jsonOf(verifyProofs(items)),
    pooled: jsonOf(pooled),
    streamed: jsonOf(streamed),
    frozen,
    closed: jsonOf(await running),
  };
}

/** A pool whose worker file is not there. */
async function runWithoutWorker(item: ProofItem): Promise<string> {
  const pool = await createPool({ workers: 1 });
  return jsonOf(await pool.verifyProofs([item]).catch((error) => error));
}

Object.assign(globalThis, { run, runWithoutWorker });
