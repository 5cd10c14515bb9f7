/** The parts of the proof of a key. */
import type { KeyPosition } from '../history/keyPositions.js';
import type { TreePart } from './treePart.js';

/** The parts of the proof of a key. */
export interface KeyProofData {
  /** As the proof shows it: 20 bytes of an address, 32 of a storage key. */
  readonly key: Uint8Array;
  /** 32 bytes, hashed from the key. */
  readonly hKey: Uint8Array;
  readonly position: KeyPosition;
  readonly part: TreePart;
}

/** Leaves that the proof of a key shows. */
export const leavesOf = ({ own, left, right }: KeyPosition): number[] =>
  own === undefined ? [left as number, right as number] : [own];
