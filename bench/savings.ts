/** What answers with several paths cost: paths share nodes, and empty sub-trees need no hash. */
import { oneProof, pair, threeSlots, withoutSlots } from './cases.js';
import { interleave, ratioOf, spreadOf, timed } from './measure.js';
import { plainWalk, whole } from './proofs.js';
import { slotWorld } from './slotTree.js';

/** An absent account, two paths, against one path without savings. */
export function againstOneProof() {
  const samples = interleave({
    plain: timed(plainWalk(oneProof.mimc)),
    pair: timed(whole(pair)),
    slots: timed(whole(threeSlots)),
    none: timed(whole(withoutSlots(threeSlots))),
  });
  const slots = samples.slots.map((sample, i) => sample - (samples.none[i] as number));
  return {
    samples,
    pair: ratioOf(samples.pair, samples.plain),
    // The difference of medians, not the median of differences: each term is steady, the difference is not.
    slots: {
      ...ratioOf(slots, samples.plain),
      median:
        (spreadOf(samples.slots).median - spreadOf(samples.none).median) /
        spreadOf(samples.plain).median,
    },
  };
}

/** Slots asked in one result. */
export const slotCounts = [1, 10, 100, 1000] as const;
type SlotCount = (typeof slotCounts)[number];

/** Time per slot, by how many are asked at once. */
export function manySlots() {
  const answer = slotWorld('poseidon2', 1000);
  const { none, ...samples } = interleave({
    none: timed(whole(answer(0))),
    1: timed(whole(answer(1))),
    10: timed(whole(answer(10))),
    100: timed(whole(answer(100))),
    1000: timed(whole(answer(1000))),
  });
  /** Each slot's share of the whole answer, the account's path included. */
  const share = (count: SlotCount) => samples[count].map((sample) => sample / count);
  /** The same without what the account alone takes. */
  const alone = (count: SlotCount) =>
    samples[count].map((sample, i) => (sample - (none[i] as number)) / count);
  return {
    perSlot: slotCounts.map((count) => ({ count, time: spreadOf(share(count)) })),
    whole: ratioOf(share(1000), share(1)),
    slotsAlone: ratioOf(alone(1000), alone(1)),
  };
}
