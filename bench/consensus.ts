/**
 * `npm run bench -- consensus`: an update of mainnet, 512 keys, beside the bare operations of @noble/curves that it needs: with
 * a committee that is new, whose keys are read, and with a known one. Also the longest pause of the event loop. All in one
 * process, turn by turn; the ratios are of processor time. It reads ../shared/consensus.
 */
import { bls12_381 } from '@noble/curves/bls12-381.js';
import {
  applyUpdate,
  beaconNetworks,
  type LightClientStore,
  verifyBootstrap,
} from '../src/beacon/index.js';
import {
  mainnetBootstrap,
  mainnetCheckpoint,
  mainnetUpdates,
} from '../test/support/beacon/mainnet.js';
import { fromHex } from '../test/support/hex.js';
import { ratioOf, spreadOf } from './measure.js';
import { digits } from './report.js';

const network = beaconNetworks.mainnet;
const rounds = 15;
/** Most that either may take, as a ratio, and ms for which the event loop may be kept. */
const bars = { cold: 2.5, known: 1.5, pause: 50 };

const { longSignatures, G1 } = bls12_381;
const suite = 'BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_';
const bootstrap = mainnetBootstrap().data;
const { data: update } = mainnetUpdates()[0];
const context = { network, currentSlot: 7_109_432 };
const open = (): LightClientStore =>
  verifyBootstrap(bootstrap, { checkpoint: mainnetCheckpoint, network });

const keys: Uint8Array[] = bootstrap.current_sync_committee.pubkeys.map(fromHex);
const signature = fromHex(update.sync_aggregate.sync_committee_signature);
const bits = fromHex(update.sync_aggregate.sync_committee_bits);
const signers = keys.filter((_, i) => ((bits[i >> 3] as number) >> (i & 7)) & 1);
type Key = InstanceType<typeof G1.Point>;

const readKeys = (): Key[] => signers.map((key) => G1.Point.fromBytes(key));
/** The message is another one, which takes the same time. */
const verify = (points: Key[]) =>
  longSignatures.verify(
    signature,
    longSignatures.hash(new Uint8Array(32), suite),
    points.reduce((sum, point) => sum.add(point), G1.Point.ZERO),
  );

const points = readKeys();
const known = open();
const works = {
  coldBare: () => verify(readKeys()),
  cold: () => applyUpdate(open(), update, context),
  knownBare: () => verify(points),
  known: () => applyUpdate(known, update, context),
};
type Work = keyof typeof works;
const names = Object.keys(works) as Work[];
const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
  Work,
  number[]
>;

/** Ms of processor time of this process: the wall clock would count what else the machine does. */
function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Longest processor time between two turns, in ms, while something runs. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = processorTime();
  let isOver = false;
  const look = () => {
    const now = processorTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longest;
}

const first = await longestPause(works.cold);
for (let round = -2; round < rounds; round++) {
  for (const name of names) {
    const start = processorTime();
    await works[name]();
    if (round >= 0) samples[name].push(processorTime() - start);
  }
}
const pauses: number[] = [];
for (let i = 0; i < 5; i++) pauses.push(await longestPause(works.cold));

const ratios = {
  cold: ratioOf(samples.cold, samples.coldBare).median,
  known: ratioOf(samples.known, samples.knownBare).median,
};
for (const name of names) console.log(`${name}: ${digits(spreadOf(samples[name]).median)} ms`);
console.log(`a new committee: ${digits(ratios.cold)} of the bare operations, at most ${bars.cold}`);
console.log(`a known committee: ${digits(ratios.known)} of them, at most ${bars.known}`);
const pause = spreadOf(pauses).median;
console.log(
  `longest pause: ${digits(pause)} ms, the first time ${digits(first)}; at most ${bars.pause}`,
);
const isGood = ratios.cold <= bars.cold && ratios.known <= bars.known && pause <= bars.pause;
process.exitCode = isGood ? 0 : 1;
