/** The parts of the proof of a key. */
import type { KeyPosition } from '../history/keyPositions.js';
import type { TreePart } from './treePart.js';

/** The parts of the proof of a key. */
export interface KeyProofData {
  /** 32 bytes, hashed from the key that is asked for. */
  readonly hKey: Uint8Array;
  readonly position: KeyPosition;
  readonly part: TreePart;
}
