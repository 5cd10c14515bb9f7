/** Networks of L1 as data: what a light client must know before it trusts anything. */
import { encodeHex, type Hex } from '../../bytes.js';
import { wrongRange, wrongType } from '../../errors.js';
import { checkHex, ownMembers } from '../../foreign/argument.js';
import { checkNumberWithin } from './argument.js';
import {
  type BeaconFork,
  beaconForks,
  type GeneralizedIndices,
  generalizedIndices,
} from './forks.js';

/** When a fork begins, and what signatures in it are bound to. */
export interface ForkStart {
  /** 4 bytes. */
  readonly version: Hex;
  /** Its first epoch. */
  readonly epoch: number;
}

/** A network of L1. Made by {@link defineBeaconNetwork}; frozen. */
export interface BeaconNetwork {
  /** For messages. */
  readonly name: string;
  /** Time of slot 0, in seconds. */
  readonly genesisTime: number;
  /** Root of the validators at genesis, 32 bytes: signatures are bound to it. */
  readonly genesisValidatorsRoot: Hex;
  /** The forks that the network has, or has a date for. */
  readonly forks: Readonly<Partial<Record<BeaconFork, ForkStart>>>;
  /** Seconds. */
  readonly secondsPerSlot: number;
  /** Slots of an epoch. */
  readonly slotsPerEpoch: number;
  /** Epochs for which a sync committee serves. */
  readonly epochsPerPeriod: number;
  /** Validators of a sync committee: a power of two, from 8. */
  readonly committeeSize: number;
}

/** Options of {@link defineBeaconNetwork}. */
export type BeaconNetworkOptions = Pick<
  BeaconNetwork,
  'genesisTime' | 'genesisValidatorsRoot' | 'forks'
> &
  Partial<BeaconNetwork>;

const optionNames = [
  'name',
  'genesisTime',
  'genesisValidatorsRoot',
  'forks',
  'secondsPerSlot',
  'slotsPerEpoch',
  'epochsPerPeriod',
  'committeeSize',
] as const;

/** Those that would make slots of a period, or times of slots, inexact are out of range. */
const mostUnits = 2 ** 16;

function checkForks(given: BeaconNetwork['forks']): BeaconNetwork['forks'] {
  const own = ownMembers(given, beaconForks, 'forks');
  let last = 0;
  const forks: [BeaconFork, ForkStart][] = [];
  for (const name of beaconForks) {
    const { [name]: start } = own;
    if (start === undefined) continue;
    const at = `forks.${name}`;
    const { version, epoch } = ownMembers(start, ['version', 'epoch'], at);
    checkNumberWithin(epoch, `${at}.epoch`, 0, 2 ** 32);
    if (epoch < last) throw wrongRange(`${at}.epoch`, 'expected one not before the earlier fork');
    last = epoch;
    const bytes = checkHex(version, 4, `${at}.version`);
    forks.push([name, Object.freeze({ version: encodeHex(bytes), epoch })]);
  }
  if (forks.length === 0) throw wrongRange('forks', 'expected one fork or more');
  return Object.freeze(Object.fromEntries(forks));
}

function checkCommitteeSize(size: number): number {
  checkNumberWithin(size, 'committeeSize', 8, mostUnits);
  if (!Number.isInteger(Math.log2(size))) {
    throw wrongRange('committeeSize', 'expected a power of two');
  }
  return size;
}

/**
 * Describes a network of your own, or one of {@link beaconNetworks} with changes. Plain JSON will do. The units are
 * those of Ethereum's mainnet unless they are given.
 *
 * @returns the network, frozen
 * @throws TypeError or RangeError that names the member that is wrong or unknown
 *
 * @example
 * ```ts
 * import { defineBeaconNetwork } from 'l2proof/consensus';
 *
 * const hoodi = defineBeaconNetwork({
 *   genesisTime: 1742213400,
 *   genesisValidatorsRoot: '0x212f13fc4df078b6cb7db228f1c8307566dcecf900867401a92023d7ba99cb5f',
 *   forks: {
 *     electra: { version: '0x60000910', epoch: 2048 },
 *     fulu: { version: '0x70000910', epoch: 50688 },
 *   },
 * });
 * console.log(hoodi.secondsPerSlot, hoodi.committeeSize); // 12 512
 * ```
 */
export function defineBeaconNetwork(options: BeaconNetworkOptions): BeaconNetwork {
  const given = ownMembers(options, optionNames, 'network');
  const { name = 'custom', secondsPerSlot = 12, slotsPerEpoch = 32, epochsPerPeriod = 256 } = given;
  if (typeof name !== 'string' || name === '') throw wrongType('name', 'expected text');
  const root = checkHex(given.genesisValidatorsRoot, 32, 'genesisValidatorsRoot');
  return Object.freeze({
    name,
    genesisTime: checkNumberWithin(given.genesisTime, 'genesisTime', 0, 2 ** 40),
    genesisValidatorsRoot: encodeHex(root),
    forks: checkForks(given.forks),
    secondsPerSlot: checkNumberWithin(secondsPerSlot, 'secondsPerSlot', 1, mostUnits),
    slotsPerEpoch: checkNumberWithin(slotsPerEpoch, 'slotsPerEpoch', 1, mostUnits),
    epochsPerPeriod: checkNumberWithin(epochsPerPeriod, 'epochsPerPeriod', 1, mostUnits),
    committeeSize: checkCommitteeSize(given.committeeSize ?? 512),
  });
}

/** Ethereum's public networks. */
export const beaconNetworks: {
  /** Ethereum's mainnet. */
  readonly mainnet: BeaconNetwork;
  /** The test network Sepolia. */
  readonly sepolia: BeaconNetwork;
} = Object.freeze({
  mainnet: defineBeaconNetwork({
    name: 'mainnet',
    genesisTime: 1606824023,
    genesisValidatorsRoot: '0x4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95',
    forks: {
      altair: { version: '0x01000000', epoch: 74240 },
      bellatrix: { version: '0x02000000', epoch: 144896 },
      capella: { version: '0x03000000', epoch: 194048 },
      deneb: { version: '0x04000000', epoch: 269568 },
      electra: { version: '0x05000000', epoch: 364032 },
      fulu: { version: '0x06000000', epoch: 411392 },
    },
  }),
  sepolia: defineBeaconNetwork({
    name: 'sepolia',
    genesisTime: 1655733600,
    genesisValidatorsRoot: '0xd8ea171f3c94aea21ebc42a1ed61052acf3f9209c00e4efbaaddac09ed9b8078',
    forks: {
      altair: { version: '0x90000070', epoch: 50 },
      bellatrix: { version: '0x90000071', epoch: 100 },
      capella: { version: '0x90000072', epoch: 56832 },
      deneb: { version: '0x90000073', epoch: 132608 },
      electra: { version: '0x90000074', epoch: 222464 },
      fulu: { version: '0x90000075', epoch: 272640 },
      gloas: { version: '0x90000076', epoch: 353024 },
    },
  }),
});

/** The fork of a slot; undefined before the first one of the network. */
function forkAt(network: BeaconNetwork, slot: number): BeaconFork | undefined {
  const epoch = Math.floor(slot / network.slotsPerEpoch);
  const begun = (fork: BeaconFork) => (network.forks[fork]?.epoch ?? Infinity) <= epoch;
  return beaconForks.filter(begun).at(-1);
}

/** Where the objects of a slot keep what is read. Before all forks it is the same as in the first one. */
export const indicesAt = (network: BeaconNetwork, slot: number): GeneralizedIndices =>
  generalizedIndices[forkAt(network, slot) ?? beaconForks[0]];

/** The version of the fork of a slot, 4 bytes; undefined before the first fork of the network. */
export function versionAt(network: BeaconNetwork, slot: number): Hex | undefined {
  const fork = forkAt(network, slot);
  return fork && network.forks[fork]?.version;
}

/** The period of a slot, for which one committee serves. */
export const periodAt = ({ slotsPerEpoch, epochsPerPeriod }: BeaconNetwork, slot: number): number =>
  Math.floor(slot / (slotsPerEpoch * epochsPerPeriod));

/** When a slot begins, in seconds. */
export const slotTime = ({ genesisTime, secondsPerSlot }: BeaconNetwork, slot: number): number =>
  genesisTime + slot * secondsPerSlot;

/** The slot of a time in ms; below 0 before genesis. */
export const slotAt = ({ genesisTime, secondsPerSlot }: BeaconNetwork, time: number): number =>
  Math.floor((time / 1000 - genesisTime) / secondsPerSlot);
