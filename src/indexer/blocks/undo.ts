/** The entries that a block has overwritten, kept as long as the block may be taken back. */
import { bytesToText } from '../../bytes.js';
import type { Entry } from '../../tree/index.js';
import { IndexError } from '../layout/errors.js';

/** Stands for a value's width if there was no entry. */
const absent = 255;

/** Encodes keys with their present values, each pair behind the widths of both in a byte each. */
export function encodeUndo(
  keys: readonly Uint8Array[],
  values: readonly (Uint8Array | undefined)[],
): Uint8Array {
  const widths = keys.map((key, i) => 2 + key.length + (values[i]?.length ?? 0));
  const bytes = new Uint8Array(widths.reduce((sum, width) => sum + width, 0));
  let offset = 0;
  for (const [i, key] of keys.entries()) {
    const value = values[i];
    bytes[offset] = key.length;
    bytes[offset + 1] = value?.length ?? absent;
    bytes.set(key, offset + 2);
    if (value) bytes.set(value, offset + 2 + key.length);
    offset += widths[i] as number;
  }
  return bytes;
}

/** Keys with what stood there. @throws IndexError `DAMAGED` */
export function decodeUndo(
  bytes: Uint8Array,
): { key: Uint8Array; value: Uint8Array | undefined }[] {
  const entries: { key: Uint8Array; value: Uint8Array | undefined }[] = [];
  let offset = 0;
  while (offset + 1 < bytes.length) {
    const [keyWidth, valueWidth] = bytes.subarray(offset, offset + 2) as unknown as [
      number,
      number,
    ];
    const from = offset + 2 + keyWidth;
    const isAbsent = valueWidth === absent;
    const end = isAbsent ? from : from + valueWidth;
    const value = isAbsent ? undefined : bytes.subarray(from, end);
    entries.push({ key: bytes.subarray(offset + 2, from), value });
    offset = end;
  }
  if (offset !== bytes.length) {
    throw new IndexError('DAMAGED', 'the index holds a malformed list of changes');
  }
  return entries;
}

/** The batch that takes back changes. @param undos the newest first */
export function undoBatch(undos: readonly Uint8Array[]): { puts: Entry[]; deletes: Uint8Array[] } {
  const last = new Map<string, { key: Uint8Array; value: Uint8Array | undefined }>();
  for (const undo of undos) {
    for (const entry of decodeUndo(undo)) last.set(bytesToText(entry.key), entry);
  }
  const puts: Entry[] = [];
  const deletes: Uint8Array[] = [];
  for (const { key, value } of last.values()) {
    if (value) puts.push({ key, value });
    else deletes.push(key);
  }
  return { puts, deletes };
}
