/** What the proof of a key is made of. */
import type { Place } from '../history/places.js';
import type { TreePart } from './treePart.js';

/** The parts of the proof of a key. */
export interface KeyEvidence {
  /** 32 bytes, hashed from the key that is asked for. */
  readonly hKey: Uint8Array;
  readonly place: Place;
  readonly part: TreePart;
}
