/** How much of an index lies where. All of it can be read whatever they were when it was written. */
export interface Sizes {
  /** Records that are left loose before they are made a segment. */
  readonly loose: number;
  /** Bytes of a page at most. */
  readonly page: number;
  /** Segments of a level that are merged. */
  readonly fanIn: number;
  /** Records that a step of a merge moves, of each key the newest. */
  readonly step: number;
}

/** A page fills, with what LMDB adds, two of LMDB's own. */
export const defaultSizes: Sizes = { loose: 8192, page: 8000, fanIn: 16, step: 16_384 };
