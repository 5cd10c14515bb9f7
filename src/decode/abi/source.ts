/** Reads the parts of an ABI of the caller's, within bounds. */
import type { Hex } from '../../bytes.js';
import { createReader, type ValueReader } from '../../foreign/reader.js';
import { DecodeError } from '../receipt/errors.js';

/** Most items, parameters or addresses of an ABI. */
const maxItems = 10_000;

/** Most characters of a declaration, a name or a type. */
export const maxAbiTextLength = 4096;

export const badAbi = (path: string, reason: string, options: ErrorOptions = {}): DecodeError =>
  new DecodeError('BAD_ABI', reason, { ...options, path });

const reader = createReader(badAbi);
export const { openObject, readMember } = reader;
export const readAbiAddress: ValueReader<Hex> = reader.asHex(20);

/** The elements of a list. @throws DecodeError */
export function readAbiList(value: unknown, at: string): [element: unknown, at: string][] {
  const source = reader.openArray(value, at);
  if (source.length > maxItems) throw badAbi(at, `expected at most ${maxItems} elements`);
  return Array.from({ length: source.length }, (_, i) => [readMember(source, i), `${at}[${i}]`]);
}
