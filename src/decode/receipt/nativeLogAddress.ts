/** Since Amsterdam, transfers of native value are logs. */
import type { Hex } from '../../bytes.js';

/** The contract that logs of native value name (EIP-7708). No contract can be there, and it is no token. */
export const nativeLogAddress: Hex = `0x${'f'.repeat(39)}e`;
