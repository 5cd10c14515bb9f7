/** What anchors say of L1: what a final block rests on, and times. */
import { encodeHex, type Hex } from '../../bytes.js';
import { checkHex, pickMembers } from '../../codec/argument.js';
import { wrongRange, wrongType } from '../../errors.js';
import { checkWhole } from './argument.js';

/** What a final block of L1 rests on, as the light client that names it says. */
export interface ConsensusEvidence {
  /** Root of the beacon block that everything began from, 32 bytes. */
  readonly checkpoint: Hex;
  /** Slot of the final beacon block. */
  readonly slot: number;
  /** How many members of the sync committee signed it; undefined if it is the checkpoint itself. */
  readonly signers?: number | undefined;
  /** Members of the sync committee. */
  readonly committeeSize: number;
}

const evidenceNames = ['checkpoint', 'slot', 'signers', 'committeeSize'] as const;

/** Reads each member once; there may be others. @returns a copy @throws TypeError or RangeError that names the member */
export function checkEvidence(given: unknown, name: string): ConsensusEvidence {
  const own = pickMembers(given as ConsensusEvidence, evidenceNames, name);
  const { checkpoint, slot, signers, committeeSize } = own;
  const evidence = {
    checkpoint: encodeHex(checkHex(checkpoint, 32, `${name}.checkpoint`)),
    slot: checkWhole(slot, `${name}.slot`),
    signers: signers === undefined ? undefined : checkWhole(signers, `${name}.signers`),
    committeeSize: checkWhole(committeeSize, `${name}.committeeSize`),
  };
  if (signers === undefined || signers <= committeeSize) return evidence;
  throw wrongRange(`${name}.signers`, 'expected no more than the members of the committee');
}

/** Seconds of a block's header. @throws TypeError or RangeError that names it */
export function checkTime(value: unknown, name: string): void {
  if (typeof value !== 'bigint') throw wrongType(name, 'expected seconds as a bigint');
  // A negative one stays negative, however far it is shifted.
  if (value >> 64n !== 0n) throw wrongRange(name, 'expected a whole number from 0 and below 2^64');
}
