/** Verifies, makes a tree and opens a pool on whatever runs it. `run.ts` puts it beside the installed package. */
// @ts-nocheck

import { verifyProof } from 'l2proof';
import { createPool } from 'l2proof/pool';
import { createAccumulator } from 'l2proof/tree';
import { claim, result } from './data.js';

export async function answers() {
  const items = [
    { result, claim },
    { result: {}, claim },
    { result, claim: { ...claim, address: `0x${'11'.repeat(20)}` } },
  ];
  let pooled;
  try {
    const pool = await createPool({ workers: 2 });
    pooled = (await pool.verifyProofs(items)).map(({ ok }) => ok);
    await pool.close();
  } catch ({ name, code, message }) {
    pooled = { name, code, message };
  }
  return JSON.stringify({
    nonce: String(verifyProof(result, claim).account.nonce),
    root: createAccumulator({ hash: 'mimc' }).root,
    pooled,
  });
}
