/** Values of headers, as answers have them. */
import type { Hex } from '../../bytes.js';
import type { BlockHeader } from '../../history/verify/types.js';

/** A quantity as a number. */
export const numberOf = (quantity: Hex): number => Number(BigInt(quantity));

/** The time of a block, ISO 8601. */
export const timeOf = ({ timestamp }: Pick<BlockHeader, 'timestamp'>): string =>
  new Date(1000 * numberOf(timestamp)).toISOString().replace('.000Z', 'Z');
