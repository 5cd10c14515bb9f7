/** Since Amsterdam, transfers of native value are logs. */
import type { Hex } from '../../bytes.js';

/** What logs of native value name as their contract (EIP-7708). No contract can be there, and it is no token. */
export const nativeLogAddress: Hex = `0x${'f'.repeat(39)}e`;
