/** The method that makes proofs, without a server. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactProof } from '../../../../src/compact/index.js';
import { wholeBody } from '../../../../src/service/http/http.js';
import { fixedFinality } from '../../../../src/service/index.js';
import type { JsonText } from '../../../../src/service/jsonrpc/method.js';
import { proofMethod } from '../../../../src/service/proofs/proof.js';
import type { StateTree } from '../../../../src/tree/index.js';
import { openWorld, world } from '../../../support/service.js';

const slots = Array.from(
  { length: 256 },
  (_, i) => `0x${(1000 + i).toString(16).padStart(64, '0')}` as const,
);

let tree: StateTree;
beforeAll(async () => {
  tree = await openWorld();
});
afterAll(() => tree.close());

/** Asks for all slots. @returns the result, and how many turns the others had */
async function prove(takesCompact: boolean) {
  const method = proofMethod('l2_getProof', tree, fixedFinality(10), {
    storageKeys: 256,
    reads: 1e6,
  });
  let turns = 0;
  const { result } = await method.run(method.read([world.contract, slots, '0xa']), {
    async pause() {
      turns += 1;
    },
    signal: () => new AbortController().signal,
    takesCompact,
  });
  return { result, turns };
}

test('a compact proof of many slots is made in pieces, as the proof itself is', async () => {
  // The first one verifies what the others find verified.
  await prove(false);
  const plain = await prove(false);
  const compact = await prove(true);
  const claim = {
    address: world.contract,
    storageKeys: slots,
    stateRoot: await tree.stateRoot(10),
    hash: tree.hash,
  };
  const { pieces } = plain.result as JsonText;
  expect(pieces.length).toBe(slots.length / 2 + 1);
  expect(compact.result).toEqual(
    compactProof(JSON.parse(new TextDecoder().decode(wholeBody(pieces))), claim),
  );
  expect(compact.turns - plain.turns).toBeGreaterThan(24);
});
