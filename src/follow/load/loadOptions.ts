/** How a file is loaded, and how far a load has come. */
import type { Hex } from '../../bytes.js';
import type { Transport } from '../../rpc/index.js';
import type { Patience } from '../node/patience.js';

/** How far a load has come. */
export interface LoadProgress {
  /** The block that is read or was applied. */
  readonly block: number;
  /** Line of the file, from 1. */
  readonly line: number;
  /** How far the genesis is once it was read. */
  readonly genesis?: {
    /** The phase of the work: first its Merkle-Patricia root, which a node then confirms, if one is given; the state; the store. */
    readonly stage: 'root' | 'compare' | 'build' | 'write';
    /** How much of the stage is done, from 0 to 1. */
    readonly share: number;
  };
}

/** Options of {@link loadStateFile} besides the tree and the lines. */
export interface LoadOptions {
  /** Told how far the load has come. */
  onProgress?: (progress: LoadProgress) => void;
  /**
   * The L2 node that a genesis is compared with before anything is kept. Without it the genesis is compared once a follower
   * begins with it.
   */
  l2?: Transport;
  /** Merkle-Patricia root of the genesis, in place of the one that the node reports. */
  genesisRoot?: Hex;
  /** Told of troubles that do not end the load. */
  onWarning?: (text: string) => void;
  /** Default 6 tries, 500 ms. */
  patience?: Patience;
  /** Aborts the load; applied blocks stay. */
  signal?: AbortSignal;
}
