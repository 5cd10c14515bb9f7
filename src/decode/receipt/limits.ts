/** Bounds of what is decoded: far beyond what a block of any chain has room for, but no more. */

/** Most logs of a receipt, and most bytes of their data together. */
export const maxLogs = 16_384;
export const maxDataBytes = 4 << 20;

/** Most entries that one event shows of a list; how many more there are is said. */
export const maxListed = 100;

/** Most characters of a name or symbol, and of any other text that a contract's author wrote. */
export const maxNameLength = 64;
export const maxTextLength = 256;

/** Most bytes that are shown of a value of variable length; of a longer one, its length is. */
export const maxShownBytes = 64;

/** Most decimals of a token: 10 to the power of 77 is the last that fits 256 bits. */
export const maxDecimals = 77;
