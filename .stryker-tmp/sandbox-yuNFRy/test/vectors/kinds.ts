/** Vector files and the kinds of them. */
// @ts-nocheck

import type { TreeSpec } from '../../src/codec/spec.js';
import { shownWord } from '../../src/errors.js';
import type { Engine, HashFamily } from '../../src/index.js';
import type { JsonObject } from './members.js';

/** One JSON file of a vector folder. */
export interface VectorFile {
  /** File name without its folder. */
  name: string;
  json: JsonObject;
  /** Spec of the family that the file names. */
  spec: TreeSpec;
  /** The form of the hash that is run. */
  engine: Engine | undefined;
  /** Another file of the same folder. */
  sibling(name: string): VectorFile;
}

/** One thing that holds or does not; `run` throws, or rejects, if it does not. Cases of a file run in order. */
export interface Case {
  name: string;
  run(): void | Promise<void>;
}

/** The library's name of a family, from the name that vector files use. */
export function familyOf(hash: string): HashFamily {
  if (hash === 'poseidon2-koalabear') return 'poseidon2';
  if (hash === 'mimc-bls12-377') return 'mimc';
  throw new Error(`hash ${shownWord(hash)} is not known to this runner`);
}
