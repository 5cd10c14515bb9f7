/** No edit of an object holds: of a member that is read, each bit is under a root or under the signature. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyUpdate,
  type BeaconFork,
  ConsensusError,
  verifyBootstrap,
} from '../../src/beacon/index.js';
import { makeChain } from '../support/beacon/chain.js';
import { networkFrom } from '../support/beacon/networks.js';
import type { ApiObject } from '../support/beacon/ssz.js';

type Path = readonly (string | number)[];

/** Paths of all texts of an object. */
function textsOf(json: ApiObject, path: Path = []): Path[] {
  if (typeof json === 'string') return [path];
  return Object.keys(json).flatMap((name) => textsOf(json[name], [...path, name]));
}

/** A copy with another text at a path: one bit of hex flipped, or a number changed by a power of two. */
function flipAt(json: ApiObject, path: Path, seed: number): ApiObject {
  const copy = structuredClone(json);
  const target = path.slice(0, -1).reduce((value, name) => value[name], copy);
  const last = path.at(-1) as string;
  const text = target[last] as string;
  if (!text.startsWith('0x')) {
    target[last] = String(BigInt(text) ^ (1n << BigInt(seed % 53)));
  } else if (text === '0x') {
    target[last] = '0x00';
  } else {
    const at = 2 + (Math.floor(seed / 4) % (text.length - 2));
    const digit = Number.parseInt(text[at] as string, 16) ^ (1 << (seed % 4));
    target[last] = text.slice(0, at) + digit.toString(16) + text.slice(at + 1);
  }
  return copy;
}

const runs = { numRuns: Number(process.env.FC_NUM_RUNS ?? 60) };

describe.each<[BeaconFork, BeaconFork]>([
  ['capella', 'deneb'],
  ['electra', 'fulu'],
  ['fulu', 'gloas'],
  ['gloas', 'gloas'],
])('a chain from %s to %s', (first, next) => {
  const chain = makeChain(networkFrom(first, first === next ? undefined : [next, 4]));
  const { network } = chain;
  const checkpoint = chain.root(8);
  const bootstrap = chain.bootstrap(8);
  const store = verifyBootstrap(bootstrap, { checkpoint, network });
  const update = chain.update({ attested: 40, finalized: 24, signers: 30 });
  const bare = chain.update({ attested: 40, hasNext: false });

  test('no edit of a bootstrap is accepted', () => {
    const paths = textsOf(bootstrap);
    fc.assert(
      fc.property(fc.constantFrom(...paths), fc.nat(), (path, seed) => {
        const edited = flipAt(bootstrap, path, seed);
        expect(() => verifyBootstrap(edited, { checkpoint, network })).toThrow(ConsensusError);
      }),
      runs,
    );
  });

  test.each([
    ['an update', update],
    ['an update without finality and committee', bare],
  ])('no edit of %s is accepted', async (_, good) => {
    // The slot of the signature is not signed: it says which committee signed, and lies before the current one.
    const context = { network, currentSlot: 41 };
    await applyUpdate(store, good, context);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...textsOf(good)), fc.nat(), async (path, seed) => {
        const applying = applyUpdate(store, flipAt(good, path, seed), context);
        await expect(applying).rejects.toThrow(ConsensusError);
      }),
      runs,
    );
  });
});
