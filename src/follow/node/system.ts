/**
 * The writes of a block itself, before its transactions, which no trace shows: EIP-4788 (beacon roots, since Cancun)
 * and EIP-2935 (block hashes, since Prague). Both EIPs let a client store the values directly, and do nothing if the
 * contract has no code. We do not check that it is the EIP's own code.
 */
import type { Hex } from '../../bytes.js';
import { wrongRange, wrongType } from '../../errors.js';
import { ownMembers } from '../../foreign/argument.js';
import { type Fork, forks, isSince } from '../../forks.js';
import { FollowError } from './errors.js';

/** A fork that begins with the first block at or after a time, in seconds. */
export interface ForkTime {
  /** The fork that begins. */
  fork: Fork;
  /** Block time from which it holds, in seconds. */
  time: number;
}

/** The fork of a block. */
export function forkAt(schedule: Fork | readonly ForkTime[], time: number): Fork {
  if (typeof schedule === 'string') return schedule;
  return schedule.filter((entry) => entry.time <= time).at(-1)?.fork ?? 'london';
}

/** @throws TypeError or RangeError if it is no schedule */
export function checkSchedule(schedule: Fork | readonly ForkTime[]): void {
  const entries = typeof schedule === 'string' ? [{ fork: schedule, time: 0 }] : schedule;
  if (!Array.isArray(entries)) throw wrongType('fork', 'expected a fork or a list of them');
  for (const [i, entry] of entries.entries()) {
    const { fork, time } = ownMembers(entry, ['fork', 'time'], `fork[${i}]`);
    if (!forks.includes(fork)) throw wrongRange('fork', `expected one of ${forks.join(', ')}`);
    const earlier = entries[i - 1];
    const isLater = earlier === undefined || (isSince(fork, earlier.fork) && time > earlier.time);
    if (!Number.isSafeInteger(time) || time < 0 || !isLater) {
      throw wrongRange('fork', 'expected times in seconds, each later than the one before');
    }
  }
}

/** The parts of a block's header that are read. */
export interface NodeHeader {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Seconds. */
  readonly time: number;
  readonly beaconRoot: Hex | undefined;
  /** The Merkle-Patricia root of the state after the block; undefined if the node does not say it. */
  readonly stateRoot: Hex | undefined;
  /** Wei that its transactions burn for each gas that they use; 0 if the node does not say it. */
  readonly baseFee: bigint;
  /** Gas that its transactions use together; 0 if the node does not say it. */
  readonly gasUsed: bigint;
  /** Gas of blobs that they use together; 0 if the node does not say it. */
  readonly blobGasUsed: bigint;
  /** Those of {@link headerMarks} that the header has. */
  readonly marks: readonly HeaderMark[];
  /** 256 bytes; undefined if the node does not say it. */
  readonly logsBloom: Uint8Array | undefined;
  /** Hashes, in order. */
  readonly transactions: readonly Hex[];
}

/** Members that a fork brings to every header from then on, and the fork. Osaka brings none. */
export const headerMarks = {
  withdrawalsRoot: 'shanghai',
  blobGasUsed: 'cancun',
  excessBlobGas: 'cancun',
  parentBeaconBlockRoot: 'cancun',
  requestsHash: 'prague',
  blockAccessListHash: 'amsterdam',
  slotNumber: 'amsterdam',
} as const satisfies Record<string, Fork>;

export type HeaderMark = keyof typeof headerMarks;

/** @throws FollowError `UNSUPPORTED_BLOCK` if the header has what the fork does not bring, or lacks what it does */
export function checkFork(fork: Fork, { number, marks }: NodeHeader): void {
  for (const [mark, first] of Object.entries(headerMarks) as [HeaderMark, Fork][]) {
    const isThere = marks.includes(mark);
    if (isThere === isSince(fork, first)) continue;
    const shows = isThere ? `shows ${mark}` : `shows no ${mark}`;
    throw new FollowError(
      'UNSUPPORTED_BLOCK',
      `the configured fork of block ${number} is ${fork}, but its header ${shows}, which headers have since ${first}`,
    );
  }
}

/** A slot that the block writes. */
export interface SystemWrite {
  readonly address: Hex;
  readonly key: Hex;
  readonly value: Hex;
}

const beaconRoots: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
const blockHashes: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935';

/** Length of both ring buffers. */
const ringLength = 8191;

const wordOf = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;

/**
 * The writes of a block, whether or not the contracts are there.
 *
 * @throws FollowError `UNSUPPORTED_BLOCK` if the header lacks what the fork asks for
 */
export function systemWrites(fork: Fork, header: NodeHeader): SystemWrite[] {
  const { number, time, parentHash, beaconRoot } = header;
  const writes: SystemWrite[] = [];
  // The block that begins a chain writes nothing.
  if (number === 0) return writes;
  if (isSince(fork, 'cancun')) {
    if (beaconRoot === undefined) {
      throw new FollowError(
        'UNSUPPORTED_BLOCK',
        `block ${number} has no parent beacon block root, which a block of ${fork} has; is the configured fork the chain's?`,
      );
    }
    const index = time % ringLength;
    writes.push(
      { address: beaconRoots, key: wordOf(index), value: wordOf(time) },
      { address: beaconRoots, key: wordOf(index + ringLength), value: beaconRoot },
    );
  }
  if (isSince(fork, 'prague')) {
    const key = wordOf((number - 1) % ringLength);
    writes.push({ address: blockHashes, key, value: parentHash });
  }
  return writes;
}
