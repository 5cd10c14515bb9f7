/** Sizes of the parts of an index. An index can be read whatever sizes it was written with. */
export interface Sizes {
  /** Records that are left loose before they are made a segment. */
  readonly loose: number;
  /** Bytes of a page at most. */
  readonly page: number;
  /** Segments of a level that are merged. */
  readonly fanIn: number;
  /** Records that a step of a merge moves, counting the newest of each key. */
  readonly step: number;
}

/** A page fills, with what LMDB adds, two of LMDB's own. */
export const defaultSizes: Sizes = { loose: 8192, page: 8000, fanIn: 16, step: 65_536 };
