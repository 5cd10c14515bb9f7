/** Laws of the state tree, against a state kept in another way. */
// @ts-nocheck

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HashFamily, type Hex, verifyProof } from '../../src/index.js';
import { openStateTree, type StateTree } from '../../src/tree/index.js';
import {
  addresses,
  block,
  blocks,
  changeOf,
  codeChain,
  hex,
  keys,
  slots,
} from '../support/changes.js';
import { ReferenceState } from '../support/referenceState.js';
import { families, patience, runsOf } from '../support/runs.js';

async function proofsOf(tree: StateTree, at?: number): Promise<object[]> {
  return Promise.all(addresses.map((address) => tree.getProof(hex(address), keys, at)));
}

describe.each(families)('a state of %s', (family: HashFamily) => {
  test(
    'has the root and gives the answers, byte for byte, of a state that is built anew for each',
    () =>
      fc.assert(
        fc.asyncProperty(blocks, async (run) => {
          const tree = await openStateTree({ hash: family });
          const reference = new ReferenceState(family);
          for (const [number, changes] of run.entries()) {
            const { stateRoot } = await tree.applyBlock({ number, changes: changes.map(changeOf) });
            expect(stateRoot).toBe(hex(reference.apply(changes)));
          }
          const expected = addresses.map((address) => reference.prove(address, slots));
          expect(JSON.stringify(await proofsOf(tree))).toBe(JSON.stringify(expected));
        }),
        runsOf(family),
      ),
    patience,
  );

  test(
    'has the root of the rules when code is set, taken away, set again, or lost with its account',
    () =>
      fc.assert(
        fc.asyncProperty(codeChain, async (run) => {
          const tree = await openStateTree({ hash: family });
          const reference = new ReferenceState(family);
          for (const [number, changes] of run.entries()) {
            const { stateRoot } = await tree.applyBlock({ number, changes: changes.map(changeOf) });
            expect(stateRoot, `block ${number}`).toBe(hex(reference.apply(changes)));
          }
        }),
        { numRuns: Math.ceil(runsOf(family).numRuns / 5) },
      ),
    patience,
  );

  test(
    'does not depend on the order of changes in a block, nor on cutting it between ascending accounts',
    () =>
      fc.assert(
        fc.asyncProperty(blocks, async (run) => {
          const [whole, turned, cut] = await Promise.all(
            [1, 2, 3].map(() => openStateTree({ hash: family })),
          );
          if (!whole || !turned || !cut) throw new Error('no trees');
          let number = 0;
          for (const changes of run) {
            number++;
            const list = changes.map(changeOf);
            const { stateRoot } = await whole.applyBlock({ number, changes: list });
            await turned.applyBlock({ number, changes: [...list].reverse() });
            expect(await turned.stateRoot()).toBe(stateRoot);
            const ascending = new ReferenceState(family).sorted(changes);
            for (const [i, one] of ascending.entries()) {
              await cut.applyBlock({ number: 10 * number + i, changes: [changeOf(one)] });
            }
            expect(await cut.stateRoot()).toBe(stateRoot);
          }
        }),
        runsOf(family),
      ),
    patience,
  );

  test(
    'keeps the proofs of every block that is final or newer, whatever is applied, named final or taken back',
    () => {
      const step = fc.oneof(
        { weight: 4, arbitrary: fc.record({ kind: fc.constant('apply' as const), block }) },
        fc.record({ kind: fc.constant('finalize' as const), back: fc.nat(3) }),
        fc.record({ kind: fc.constant('revert' as const), back: fc.nat(3) }),
      );
      return fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
          const keepFinal = 2;
          const tree = await openStateTree({ hash: family, keepFinal });
          let held: { number: number; root: Hex; proofs: string; isFinal: boolean }[] = [];
          let applied = 0;
          for (const next of steps) {
            if (next.kind === 'apply') {
              const number = ++applied;
              const { stateRoot } = await tree.applyBlock({
                number,
                changes: next.block.map(changeOf),
              });
              const proofs = JSON.stringify(await proofsOf(tree));
              held.push({ number, root: stateRoot, proofs, isFinal: false });
            } else {
              const target = held[held.length - 1 - next.back];
              const final = held.filter(({ isFinal }) => isFinal).at(-1)?.number ?? 0;
              if (target === undefined || target.number < final) continue;
              if (next.kind === 'finalize') {
                await tree.finalize(target.number);
                target.isFinal = true;
                held = held.filter(({ number, isFinal }) => isFinal || number > target.number);
                const finals = held.filter(({ isFinal }) => isFinal);
                held = held.filter((one) => !finals.slice(0, -keepFinal).includes(one));
              } else {
                await tree.revert(target.number);
                held = held.filter(({ number }) => number <= target.number);
              }
            }
          }
          for (let number = 0; number <= applied; number++) {
            const expected = held.find((one) => one.number === number);
            if (expected === undefined) {
              await expect(tree.stateRoot(number)).rejects.toMatchObject({ code: 'BLOCK_MISSING' });
              await expect(
                tree.getProof(hex(addresses[0] as string), [], number),
              ).rejects.toMatchObject({
                code: 'BLOCK_MISSING',
              });
              continue;
            }
            expect(await tree.stateRoot(number)).toBe(expected.root);
            expect(JSON.stringify(await proofsOf(tree, number))).toBe(expected.proofs);
          }
          const numbers = held.map(({ number }) => number);
          expect(await tree.newestBlock()).toBe(numbers.at(-1));
          expect(await tree.oldestBlock()).toBe(numbers[0]);
          expect(await tree.finalBlock()).toBe(
            held.filter(({ isFinal }) => isFinal).at(-1)?.number,
          );
        }),
        runsOf(family),
      );
    },
    patience,
  );

  test(
    'proves to any verifier what a plain map of the same blocks holds',
    () =>
      fc.assert(
        fc.asyncProperty(blocks, async (run) => {
          const tree = await openStateTree({ hash: family });
          const model = new Map<string, { nonce: bigint; slots: Map<bigint, bigint> }>();
          for (const [number, changes] of run.entries()) {
            await tree.applyBlock({ number, changes: changes.map(changeOf) });
            for (const { address, account, recreated, storage } of changes) {
              if (account === null || recreated) model.delete(address);
              if (account === null) continue;
              const slotsNow = model.get(address)?.slots ?? new Map();
              for (const [key, value] of storage) slotsNow.set(key, value);
              model.set(address, { nonce: account.nonce, slots: slotsNow });
            }
          }
          const stateRoot = await tree.stateRoot();
          for (const address of addresses) {
            const claim = { stateRoot, address: hex(address), storageKeys: keys, hash: family };
            const state = verifyProof(await tree.getProof(hex(address), keys), claim);
            const expected = model.get(address);
            expect(state.account?.nonce).toBe(expected?.nonce);
            expect(state.storage.map(({ value }) => BigInt(value))).toEqual(
              slots.map((slot) => expected?.slots.get(slot) ?? 0n),
            );
          }
        }),
        runsOf(family),
      ),
    patience,
  );
});
