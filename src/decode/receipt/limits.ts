/** Bounds of decoding: far beyond the content of a block of any chain, so only made-up answers meet them. */

/** Most logs of a receipt, and most bytes of their data together. */
export const maxLogs = 16_384;
export const maxDataBytes = 4 << 20;

/** Most entries that one event shows of a list; it says how many more there are. */
export const maxListed = 100;

/** Most characters of a name or symbol, and of any other text that a contract's author wrote. */
export const maxNameLength = 64;
export const maxTextLength = 256;

/** Most bytes of a value of variable length that is shown; of a longer one, the length is shown. */
export const maxShownBytes = 64;

/** Most decimals of a token: 10 to the power of 77 is the greatest that fits 256 bits. */
export const maxDecimals = 77;
