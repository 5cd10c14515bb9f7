// @ts-nocheck
import { Buffer } from 'node:buffer';

/** Bytes of any even number of hex digits behind `0x`, read by Node rather than by the code under test. */
export const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text.slice(2), 'hex'));

/** Hex of bytes, written by Node. */
export const toHex = (bytes: Uint8Array): `0x${string}` =>
  `0x${Buffer.from(bytes).toString('hex')}`;
