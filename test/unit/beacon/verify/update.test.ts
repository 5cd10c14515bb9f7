/** Each law of an update, broken alone in a chain that is made up, and what an update moves. */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { describe, expect, test } from 'vitest';
import {
  applyUpdate,
  type BeaconFork,
  ConsensusError,
  type LightClientStore,
  verifyBootstrap,
} from '../../../../src/beacon/index.js';
import { type Chain, finalityOf, makeChain } from '../../../support/beacon/chain.js';
import { networkFrom } from '../../../support/beacon/networks.js';
import type { ApiObject } from '../../../support/beacon/ssz.js';
import { toHex } from '../../../support/hex.js';

const forks: readonly BeaconFork[] = ['capella', 'deneb', 'electra', 'fulu', 'gloas'];
const chains = new Map(forks.map((fork) => [fork, makeChain(networkFrom(fork))]));
const chain = chains.get('electra') as Chain;
const { network } = chain;
/** Slots of a period. */
const period = 64;

const open = (of: Chain, slot = 8): LightClientStore =>
  verifyBootstrap(of.bootstrap(slot), { checkpoint: of.root(slot), network: of.network });

const apply = (
  store: LightClientStore,
  update: ApiObject,
  { currentSlot = 10_000, of = chain } = {},
) => applyUpdate(store, update, { network: of.network, currentSlot });

async function codeOf(store: LightClientStore, update: ApiObject, context = {}): Promise<string> {
  const error = await apply(store, update, context).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConsensusError)) throw new Error('expected a refusal', { cause: error });
  return error.code;
}

/** A copy with one member replaced. */
function edit(update: ApiObject, path: string, change: (value: ApiObject) => ApiObject): ApiObject {
  const copy = structuredClone(update);
  const names = path.split('.');
  const last = names.pop() as string;
  const target = names.reduce((value, name) => value[name], copy);
  target[last] = change(target[last]);
  return copy;
}
const flip = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith('0') ? '1' : '0'}`;

describe.each(forks)('a chain of %s', (fork) => {
  const of = chains.get(fork) as Chain;

  test('is followed from a checkpoint over the periods to its newest final block', async () => {
    let store = open(of);
    expect(store.finalized.blockRoot).toBe(of.root(8));
    expect(store.finalized.executionBlockHash).toBe(of.blockAt(8).blockHash);
    for (const [attested, finalized] of [
      [40, 24],
      [104, 88],
    ] as const) {
      store = await apply(store, of.update({ attested, finalized }), { of });
      expect(store.finalized.blockRoot).toBe(of.root(finalized));
      expect(store.finalized.executionBlockHash).toBe(of.blockAt(finalized).blockHash);
      expect(store.finalized.signers).toBe(32);
    }
    const last = finalityOf(of.update({ attested: 120, finalized: 96, hasNext: false }));
    store = await apply(store, last, { of });
    expect(store.finalized.beacon.slot).toBe(96);
    expect(store.nextCommittee).toBeDefined();
  });
});

describe.each([
  ['capella', 'deneb'],
  ['deneb', 'electra'],
  ['fulu', 'gloas'],
  ['capella', 'gloas'],
] as const)('the way from %s to %s', (first, next) => {
  const of = makeChain(networkFrom(first, [next, 4]));

  test('an object of the new fork holds a final header of the old one', async () => {
    const store = await apply(open(of), of.update({ attested: 40, finalized: 24 }), { of });
    expect(store.finalized.blockRoot).toBe(of.root(24));
    expect(store.finalized.executionBlockHash).toBe(of.blockAt(24).blockHash);
  });

  test('and nothing in the place of what the old one lacks', async () => {
    const update = of.update({ attested: 40, finalized: 24 });
    const spare =
      next === 'gloas'
        ? edit(update, 'finalized_header.execution_branch.0', flip)
        : next === 'deneb'
          ? edit(update, 'finalized_header.execution.excess_blob_gas', () => '1')
          : edit(update, 'finalized_header.execution.gas_used', () => '1');
    expect(await codeOf(open(of), spare, { of })).toBe('BAD_EXECUTION');
  });

  test('the signature is of the fork of the slot before it', async () => {
    // The first block of the new fork is signed by those of the old one; the network says which version they sign.
    const update = of.update({ attested: 31, finalized: 16, signed: 32 });
    const store = await apply(open(of), update, { of });
    expect(store.finalized.beacon.slot).toBe(16);
  });
});

test('a final header from before Capella names no execution block', async () => {
  const of = makeChain(networkFrom('bellatrix', ['capella', 4]));
  const base = makeChain(networkFrom('capella'));
  // The chain of the same keys and headers that was Capella's all along gives the committee.
  const store = open(base, 8);
  const update = of.update({ attested: 40, finalized: 24 });
  const next = await apply(store, update, { of });
  expect(next.finalized.beacon.slot).toBe(24);
  expect(next.finalized.executionBlockHash).toBeUndefined();
  const named = edit(update, 'finalized_header.execution.gas_used', () => '1');
  expect(await codeOf(store, named, { of })).toBe('BAD_EXECUTION');
  const branch = edit(update, 'finalized_header.execution_branch.0', flip);
  expect(await codeOf(store, branch, { of })).toBe('BAD_EXECUTION');
  await expect(async () =>
    verifyBootstrap(of.bootstrap(8), { checkpoint: of.root(8), network: of.network }),
  ).rejects.toThrow(
    /"header.beacon.slot" expected a slot of Capella or later, got 8 \(BAD_ANSWER\)/,
  );
});

describe('a law that is broken', () => {
  const good = chain.update({ attested: 40, finalized: 24 });

  test('somebody must sign', async () => {
    const bits = 'sync_aggregate.sync_committee_bits';
    expect(
      await codeOf(
        open(chain),
        edit(good, bits, () => '0x00000000'),
      ),
    ).toBe('NO_SIGNERS');
  });

  test('the slots are in order', async () => {
    expect(await codeOf(open(chain), good, { currentSlot: 40 })).toBe('FUTURE_SLOT');
    expect((await apply(open(chain), good, { currentSlot: 41 })).finalized.beacon.slot).toBe(24);
    const early = edit(good, 'signature_slot', () => '40');
    expect(await codeOf(open(chain), early)).toBe('BAD_ORDER');
    const late = chain.update({ attested: 40, finalized: 41 });
    expect(await codeOf(open(chain), late)).toBe('BAD_ORDER');
    const same = chain.update({ attested: 40, finalized: undefined });
    expect(await apply(open(chain), same)).toEqual(open(chain));
  });

  test('the committee that signed is known', async () => {
    const skipped = chain.update({ attested: 104, finalized: 88 });
    expect(await codeOf(open(chain), skipped)).toBe('WRONG_PERIOD');
    const store = await apply(open(chain), good);
    expect((await apply(store, skipped)).finalized.beacon.slot).toBe(88);
    const further = chain.update({ attested: 168, finalized: 152 });
    expect(await codeOf(store, further)).toBe('WRONG_PERIOD');
    const past = await apply(store, skipped);
    expect(await codeOf(past, chain.update({ attested: 62, finalized: 48 }))).toBe('WRONG_PERIOD');
  });

  test('it is newer, or brings the next committee', async () => {
    const store = open(chain, 40);
    const old = chain.update({ attested: 32, finalized: 16 });
    const filled = await apply(store, old);
    expect(filled.finalized).toBe(store.finalized);
    expect(filled.nextCommittee).toBeDefined();
    expect(await codeOf(filled, old)).toBe('NOT_NEWER');
    const bare = chain.update({ attested: 32, finalized: 16, hasNext: false });
    expect(await codeOf(store, bare)).toBe('NOT_NEWER');
    expect(await codeOf(store, finalityOf(old))).toBe('NOT_NEWER');
    // Of the period before: its next committee is the current one of this store.
    const later = open(chain, 72);
    const before = chain.update({ attested: 63, finalized: 48, signed: 64 });
    expect(await codeOf(later, before)).toBe('NOT_NEWER');
  });

  test('the final header is in the attested state', async () => {
    const other = chain.update({ attested: 40, finalized: 32 });
    const swapped = { ...good, finalized_header: other.finalized_header };
    expect(await codeOf(open(chain), swapped)).toBe('BAD_FINALITY');
    const branch = edit(good, 'finality_branch.3', flip);
    expect(await codeOf(open(chain), branch)).toBe('BAD_FINALITY');
    const none = chain.update({ attested: 40 });
    const loose = { ...none, finalized_header: good.finalized_header };
    expect(await codeOf(open(chain), loose)).toBe('BAD_FINALITY');
    for (const [path, value] of [
      ['beacon.proposer_index', '1'],
      ['beacon.parent_root', `0x${'00'.repeat(31)}01`],
      ['execution.gas_used', '1'],
      ['execution.extra_data', '0x00'],
      ['execution_branch.2', `0x${'00'.repeat(31)}01`],
    ] as const) {
      const almost = edit(none, `finalized_header.${path}`, () => value);
      expect(await codeOf(open(chain), almost)).toBe('BAD_FINALITY');
    }
  });

  test('the execution block is in the body', async () => {
    for (const header of ['attested_header', 'finalized_header']) {
      for (const path of ['execution.block_hash', 'execution.logs_bloom', 'execution_branch.0']) {
        const edited = edit(good, `${header}.${path}`, flip);
        expect(await codeOf(open(chain), edited)).toBe('BAD_EXECUTION');
      }
    }
  });

  test('the next committee is in the attested state, and the one that is known', async () => {
    const keys = edit(good, 'next_sync_committee.pubkeys.31', flip);
    expect(await codeOf(open(chain), keys)).toBe('BAD_COMMITTEE');
    const sum = edit(good, 'next_sync_committee.aggregate_pubkey', flip);
    expect(await codeOf(open(chain), sum)).toBe('BAD_COMMITTEE');
    const bare = chain.update({ attested: 40, finalized: 24, hasNext: false });
    const loose = { ...bare, next_sync_committee: good.next_sync_committee };
    expect(await codeOf(open(chain), loose)).toBe('BAD_COMMITTEE');
    const almost = edit(bare, 'next_sync_committee.pubkeys.0', flip);
    expect(await codeOf(open(chain), almost)).toBe('BAD_COMMITTEE');
    // A state that names another committee, signed by the right one: of a chain that shares the first period alone.
    const store = await apply(open(chain), good);
    const known = { ...store, nextCommittee: store.currentCommittee };
    const later = chain.update({ attested: 48, finalized: 32 });
    expect(await codeOf(known, later)).toBe('BAD_COMMITTEE');
    expect((await apply(store, later)).nextCommittee).toBe(store.nextCommittee);
  });

  test('the committee signed', async () => {
    const signature = 'sync_aggregate.sync_committee_signature';
    expect(await codeOf(open(chain), edit(good, signature, flip))).toBe('BAD_SIGNATURE');
    const infinity = () => `0xc0${'00'.repeat(95)}`;
    expect(await codeOf(open(chain), edit(good, signature, infinity))).toBe('BAD_SIGNATURE');
    const fewer = edit(good, 'sync_aggregate.sync_committee_bits', () => '0xffffff7f');
    expect(await codeOf(open(chain), fewer)).toBe('BAD_SIGNATURE');
    // Signed for another network, or another fork.
    const stranger = { ...network, genesisValidatorsRoot: `0x${'5b'.repeat(32)}` } as const;
    const elsewhere = makeChain(stranger).update({ attested: 40, finalized: 24 });
    expect(await codeOf(open(chain), elsewhere)).toBe('BAD_SIGNATURE');
    // The committee of the next period did not sign this one.
    const store = await apply(open(chain), good);
    const swapped = { ...store, currentCommittee: store.nextCommittee as never };
    const later = chain.update({ attested: 48, finalized: 32 });
    expect(await codeOf(swapped, later)).toBe('BAD_SIGNATURE');
  });

  test('a signature has one encoding', async () => {
    const { Fp } = bls12_381.fields;
    // The second coordinate of x and the field's order more: the same point, if it were read modulo the order.
    let found = 0;
    for (let attested = 33; found === 0; attested++) {
      const update = chain.update({ attested, finalized: 24 });
      const text = update.sync_aggregate.sync_committee_signature as string;
      const low = BigInt(`0x${text.slice(98)}`) + Fp.ORDER;
      if (low >> 384n !== 0n) continue;
      found += 1;
      const same = `${text.slice(0, 98)}${low.toString(16).padStart(96, '0')}`;
      const path = 'sync_aggregate.sync_committee_signature';
      expect(
        await codeOf(
          open(chain),
          edit(update, path, () => same),
        ),
      ).toBe('BAD_SIGNATURE');
    }
  });

  test('each key that signed is one', async () => {
    const store = open(chain);
    const { pubkeys } = store.currentCommittee;
    // That of x = 0 is a point of order 3, of the curve but not of the subgroup; others are no points.
    const outside = Array.from({ length: 64 }, (_, x) => {
      const bytes = new Uint8Array(48);
      bytes[0] = 0x80;
      bytes[47] = x;
      return bytes;
    });
    const infinity = new Uint8Array(48);
    infinity[0] = 0xc0;
    for (const key of [infinity, new Uint8Array(48), ...outside.slice(0, 8)]) {
      const committee = { ...store.currentCommittee, pubkeys: [key, ...pubkeys.slice(1)] };
      expect(await codeOf({ ...store, currentCommittee: committee }, good)).toBe('BAD_SIGNATURE');
    }
    // Two that cancel out, alone: their sum would sign anything.
    const [first] = pubkeys as [Uint8Array];
    const negated = bls12_381.G1.Point.fromBytes(first).negate().toBytes();
    const committee = { ...store.currentCommittee, pubkeys: [first, negated, ...pubkeys.slice(2)] };
    const two = edit(good, 'sync_aggregate.sync_committee_bits', () => '0x03000000');
    const forged = edit(two, 'sync_aggregate.sync_committee_signature', () =>
      toHex(infinitySignature),
    );
    expect(await codeOf({ ...store, currentCommittee: committee }, forged)).toBe('BAD_SIGNATURE');
  });
});

const infinitySignature = Uint8Array.from({ length: 96 }, (_, i) => (i === 0 ? 0xc0 : 0));

describe('what an update moves', () => {
  test('less than two thirds of the committee move nothing', async () => {
    const store = open(chain);
    const few = chain.update({ attested: 40, finalized: 24, signers: 21 });
    expect(await apply(store, few)).toBe(store);
    const enough = chain.update({ attested: 40, finalized: 24, signers: 22 });
    const moved = await apply(store, enough);
    expect(moved.finalized.signers).toBe(22);
    expect(moved.finalized.beacon.slot).toBe(24);
  });

  test('an update without finality moves nothing', async () => {
    const store = open(chain);
    expect(await apply(store, chain.update({ attested: 40 }))).toBe(store);
  });

  test('the next committee is taken only if the final header is of its period', async () => {
    const store = open(chain, 72);
    // Attested in the period of the store, but final in the one before.
    const update = chain.update({ attested: 80, finalized: 56 });
    expect(await apply(store, update)).toBe(store);
    const later = await apply(store, chain.update({ attested: 88, finalized: 72 }));
    expect(later.finalized).toBe(store.finalized);
    expect(later.nextCommittee).toBeDefined();
  });

  test('a period is entered with its committee, and its own next one or none', async () => {
    const store = await apply(open(chain), chain.update({ attested: 40, finalized: 24 }));
    const bare = await apply(store, chain.update({ attested: 104, finalized: 88, hasNext: false }));
    expect(bare.currentCommittee).toBe(store.nextCommittee);
    expect(bare.nextCommittee).toBeUndefined();
    const early = await apply(store, chain.update({ attested: 80, finalized: 56 }));
    expect(early.currentCommittee).toBe(store.currentCommittee);
    expect(early.nextCommittee).toBe(store.nextCommittee);
    expect(early.finalized.beacon.slot).toBe(56);
    expect(period).toBe(network.slotsPerEpoch * network.epochsPerPeriod);
  });

  test('genesis is final without a header', async () => {
    const store = open(chain, 8);
    const named = chain.update({ attested: 12, finalized: 0 });
    const next = await apply(store, named);
    expect(next.finalized).toBe(store.finalized);
    expect(next.nextCommittee).toBeDefined();
    const withHeader = edit(named, 'finalized_header.beacon.proposer_index', () => '1');
    expect(await codeOf(store, withHeader)).toBe('BAD_FINALITY');
  });
});

test('the work ends with the signal, and gives others their turns', async () => {
  const store = open(chain);
  const reason = new Error('enough');
  const update = chain.update({ attested: 40, finalized: 24 });
  const context = { network, currentSlot: 100, signal: AbortSignal.abort(reason) };
  await expect(applyUpdate(store, update, context)).rejects.toBe(reason);
  const ender = new AbortController();
  const running = applyUpdate(store, update, { ...context, signal: ender.signal });
  ender.abort(reason);
  await expect(running).rejects.toBe(reason);
});
