/** A storage slot as people write it. */

/** Slots that are read at once, at most. */
export const mostSlots = 1000;

/** @returns undefined if the text is neither a decimal number nor hex digits, or no word holds it */
export function parseSlot(text: string): bigint | undefined {
  const digits = text.trim();
  if (!/^(\d{1,78}|0x[0-9a-f]{1,64})$/i.test(digits)) return undefined;
  const slot = BigInt(digits);
  return slot >> 256n === 0n ? slot : undefined;
}
