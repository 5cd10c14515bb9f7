/** Addresses and hashes, for people. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** An address with the checksum of EIP-55. @param address 20 bytes */
export function checksummed(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(digits)));
  const marked = [...digits].map((digit, i) =>
    Number.parseInt(hash[i] as string, 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${marked.join('')}`;
}

/** The ends of a long hex text. */
export const shortened = (hex: string): string =>
  hex.length <= 20 ? hex : `${hex.slice(0, 10)}…${hex.slice(-8)}`;

/** How many bytes a hex text has. */
export const byteCount = (hex: string): number => (hex.length - 2) / 2;
