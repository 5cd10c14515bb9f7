/** Lines that fit a terminal. */

/** Digests and slot keys: what can be shortened without a loss to the eye. Addresses stay whole. */
const longHex = /0x[\da-f]{64}/g;

/** Least characters of a shortened digest: `0x`, four digits, dots, four digits. */
const shortest = 13;

/** Hex with its middle left out. */
const shortened = (hex: string, room: number): string =>
  hex.length <= room ? hex : `${hex.slice(0, room - 7)}...${hex.slice(-4)}`;

/** A line whose hex is shortened, evenly, until it fits. @param width columns */
export function fitLine(line: string, width: number): string {
  const found = line.match(longHex) ?? [];
  if (line.length <= width || found.length === 0) return line;
  const rest = line.length - found.reduce((sum, hex) => sum + hex.length, 0);
  const room = Math.max(shortest, Math.floor((width - rest) / found.length));
  return line.replaceAll(longHex, (hex) => shortened(hex, room));
}
