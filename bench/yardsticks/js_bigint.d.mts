/** Digest of blocks as one number; the blocks are numbers below 2^256. */
type Digest = (blocks: bigint[]) => bigint;
export declare const mimcBig: Digest;
export declare const p2Big: Digest;
export declare const mimcNoble: Digest;
export declare const p2Noble: Digest;
