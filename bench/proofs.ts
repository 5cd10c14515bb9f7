/** One warm proof against every other way to verify it. */
import type { HashFamily, Hex } from '../src/index.js';
import { type Case, oneProof } from './cases.js';
import { fullPath } from './fullPath.js';
import { mimc, openHasher, parseProof, poseidon2, verifyProof } from './library.js';
import { interleave, ratioOf, type Spread, spreadOf, timed } from './measure.js';
import { nativeMissing, nativeSampler } from './native.js';
import { blocksForm, blocksOf, bytesForm, bytesOf, textsOf, walk } from './walk.js';
import { mimcBig, mimcNoble, p2Big, p2Noble } from './yardsticks/js_bigint.mjs';

const bigDigests = {
  mimc: { tuned: mimcBig, noble: mimcNoble },
  poseidon2: { tuned: p2Big, noble: p2Noble },
};
const plainDigests = { mimc, poseidon2 };

export const whole =
  ({ result, claim }: Case) =>
  () =>
    verifyProof(result, claim);

/** A path hashed without savings by the library's plain hash, from its text on. */
export function plainWalk(example: Case): () => unknown {
  const form = bytesForm(plainDigests[example.claim.hash]);
  const { leafIndex } = example.result.accountProof;
  return () => walk(form, textsOf(example).map(bytesOf), leafIndex);
}

/** The same by a BigInt yardstick, which gets its blocks as numbers already. */
function bigWalk(example: Case, digest: (blocks: bigint[]) => bigint): () => unknown {
  const nodes = textsOf(example).map(blocksOf);
  const { leafIndex } = example.result.accountProof;
  const form = blocksForm(digest);
  const recover = () => (walk(form, nodes, leafIndex)[0] as bigint).toString(16).padStart(64, '0');
  if (`0x${recover()}` !== example.claim.stateRoot) throw new Error('yardstick: wrong root');
  return recover;
}

/** Against the native program. `full` is the proof in which nothing can be saved. */
export function againstNative(family: HashFamily) {
  if (nativeMissing()) return undefined;
  const real = oneProof[family];
  const full = fullPath(real);
  const samples = interleave({
    native: nativeSampler(real),
    wasm: timed(whole(real)),
    full: timed(whole(full)),
  });
  return {
    asShipped: ratioOf(samples.wasm, samples.native),
    withoutSavings: ratioOf(samples.full, samples.native),
    samples,
  };
}

/** Against the BigInt yardsticks. */
export function againstBigInt(family: HashFamily) {
  const real = oneProof[family];
  const { tuned, noble } = bigDigests[family];
  const samples = interleave({
    wasm: timed(whole(real)),
    full: timed(whole(fullPath(real))),
    tuned: timed(bigWalk(real, tuned)),
    noble: timed(bigWalk(real, noble)),
  });
  return {
    samples,
    tuned: ratioOf(samples.tuned, samples.wasm),
    noble: ratioOf(samples.noble, samples.wasm),
    withoutSavings: ratioOf(samples.tuned, samples.full),
  };
}

/**
 * The portable form against the kernel. To be run last: once both have run, the code around them is compiled for
 * either, and all that is timed later pays for it.
 */
export function againstPortable(family: HashFamily) {
  const real = oneProof[family];
  const portable: Case = { ...real, claim: { ...real.claim, engine: 'portable' } };
  const samples = interleave({
    wasm: timed(whole(real)),
    portable: timed(whole(portable)),
  });
  return { samples, portable: ratioOf(samples.portable, samples.wasm) };
}

/** What the stages of a warm proof take of the whole. */
export function stages(family: HashFamily) {
  const real = oneProof[family];
  const hasher = openHasher(family);
  const texts = textsOf(real);
  const siblingLeafWidth = bytesOf(texts[40] as Hex).length;
  const nodes = hasher.decodePath(texts, siblingLeafWidth) as Uint8Array;
  const leafIndex = BigInt(real.result.accountProof.leafIndex);
  const samples = interleave({
    whole: timed(whole(real)),
    decode: timed(() => hasher.decodePath(texts, siblingLeafWidth)),
    parse: timed(() => parseProof(real.result, { hash: family })),
    recoverRoot: timed(() => {
      hasher.remember(64);
      return hasher.recoverRoots([{ nodes, siblingLeafWidth, leafIndex }]);
    }),
  });
  const share = (name: 'decode' | 'parse' | 'recoverRoot'): Spread =>
    ratioOf(samples[name], samples.whole);
  return {
    decode: share('decode'),
    parse: share('parse'),
    recoverRoot: share('recoverRoot'),
    samples,
  };
}

/** Blocks in one call of {@link blockTimes}. */
const chain = 64;

/** Microseconds of one hash block, in plain hashing of many. */
export function blockTimes(): Readonly<Record<HashFamily, Spread>> {
  const bytes = new Uint8Array(32 * chain);
  const samples = interleave({
    mimc: timed(() => mimc(bytes)),
    poseidon2: timed(() => poseidon2(bytes)),
  });
  const perBlock = (family: HashFamily) =>
    spreadOf(samples[family].map((sample) => sample / chain));
  return { mimc: perBlock('mimc'), poseidon2: perBlock('poseidon2') };
}
