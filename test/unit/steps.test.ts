/** Answers of many slots are verified in pieces: the same is proven, and others have their turns in between. */
import { describe, expect, test, vi } from 'vitest';
import { slotWorld } from '../../bench/slotTree.js';
import type { AnchoredRoot } from '../../src/anchor/index.js';
import { compactProof } from '../../src/compact/index.js';
import { verifyCompactInTurns } from '../../src/compact/verify.js';
import { openPageState } from '../../src/data/proofs/pageState.js';
import { type Hex, verifyProof } from '../../src/index.js';
import type { StateClient } from '../../src/proven/index.js';
import { createLifetime } from '../../src/provider/state/lifetime.js';
import { createViews } from '../../src/provider/state/view.js';
import { openVerifier } from '../../src/verify/verifier.js';
import { toHex } from '../support/hex.js';
import { families } from '../support/runs.js';

const slots = 700;

function counter() {
  let ticks = 0;
  const tick = () => {
    ticks += 1;
    return undefined;
  };
  return { tick, count: () => ticks };
}

describe.each(families)('%s', (family) => {
  const { result, claim } = slotWorld(family, slots)(slots);
  const { stateRoot, address, storageKeys = [] } = claim;
  const expected = verifyProof(result, claim);
  const bytes = compactProof(result, claim);
  const anchor = { stateRoot, hash: family, l2BlockNumber: 7 } as AnchoredRoot;

  test('JSON gives what it gives at once, and turns for some slots each', async () => {
    const { tick, count } = counter();
    const { verifyInTurns } = openVerifier({ stateRoot, hash: family });
    expect(await verifyInTurns(result, { address, storageKeys }, tick)).toEqual(expected);
    // To parse 32 slots, and to verify 16.
    expect(count()).toBe(Math.floor(slots / 32) + Math.ceil(slots / 16));
  });

  test('compact bytes, too', async () => {
    const { tick, count } = counter();
    expect(await verifyCompactInTurns(bytes, claim, tick)).toEqual(expected);
    // Keys, values, openings, and the nodes of the four lowest heights, 32 at a time.
    expect(count()).toBe(22 + 22 + 22 + (11 + 6 + 3 + 2));
  });

  test('a refusal is the same, and a tick ends the work', async () => {
    const wrong = structuredClone(result) as { storageProofs: { proof: { value: Hex } }[] };
    const last = wrong.storageProofs[slots - 1]?.proof;
    if (last) last.value = `0x${'11'.repeat(32)}`;
    const { verifyInTurns } = openVerifier({ stateRoot, hash: family });
    const refused = verifyInTurns(wrong, { address, storageKeys }, () => undefined);
    await expect(refused).rejects.toMatchObject({
      path: expect.stringContaining(`[${slots - 1}]`),
    });
    const damaged = bytes.slice();
    damaged[bytes.length - 1] = (damaged[bytes.length - 1] as number) ^ 1;
    await expect(verifyCompactInTurns(damaged, claim, () => undefined)).rejects.toThrow();
    const enough = async () => {
      throw new Error('enough');
    };
    await expect(verifyInTurns(result, { address, storageKeys }, enough)).rejects.toThrow('enough');
    await expect(verifyCompactInTurns(bytes, claim, enough)).rejects.toThrow('enough');
  });

  test('a page of balances', async () => {
    const { tick, count } = counter();
    const accounts = [{ address, storageKeys, proof: toHex(bytes) }];
    const page = await openPageState({ block: 7, accounts, codes: [] }, anchor, { tick });
    expect((await page.open(address)).slots.size).toBe(slots);
    expect(count()).toBeGreaterThan(10);
  });

  test.each([
    ['JSON', result],
    ['bytes', bytes],
  ])('a view of a provider, from %s', async (_, answer) => {
    const client = { ask: async () => answer } satisfies StateClient;
    const json = { ask: async () => result } satisfies StateClient;
    const lifetime = createLifetime();
    const view = createViews({ client, json, lifetime, maxEntries: 10_000 })(anchor);
    const now = vi.spyOn(performance, 'now');
    try {
      const { values } = await view.read(address, storageKeys);
      expect(values).toEqual(expected.storage.map(({ value }) => value));
      expect(now.mock.calls.length).toBeGreaterThan(10);
      now.mockClear();
      expect((await view.proof(address, storageKeys)).result).toBe(result);
      expect(now.mock.calls.length).toBeGreaterThan(slots / 16);
    } finally {
      now.mockRestore();
    }
  });
});
