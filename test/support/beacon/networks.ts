/** Networks for made-up chains: each fork has one epoch of 8 slots, and a period has 8 of them. */
import {
  type BeaconFork,
  type BeaconNetwork,
  defineBeaconNetwork,
} from '../../../src/beacon/index.js';
import { forkNames } from './cases.js';

/** A network that begins with a fork, and comes to the next one in the given epoch. */
export function networkFrom(
  first: BeaconFork,
  next?: readonly [BeaconFork, number],
  units: Partial<BeaconNetwork> = {},
): BeaconNetwork {
  const start = (fork: BeaconFork, epoch: number) => {
    const version = `0x0${forkNames.indexOf(fork) + 1}000001` as const;
    return [fork, { version, epoch }] as const;
  };
  const past = forkNames.slice(0, forkNames.indexOf(first) + 1).map((fork) => start(fork, 0));
  return defineBeaconNetwork({
    genesisTime: 1_600_000_000,
    genesisValidatorsRoot: `0x${'5a'.repeat(32)}`,
    forks: Object.fromEntries(next ? [...past, start(...next)] : past),
    secondsPerSlot: 6,
    slotsPerEpoch: 8,
    epochsPerPeriod: 8,
    committeeSize: 32,
    ...units,
  });
}
