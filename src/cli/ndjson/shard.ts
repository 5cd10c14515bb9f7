/** A shard: one of several runs that share the lines of a file. */
import { UsageError } from '../exit/exit.js';
import type { LineRange } from '../input/lines.js';
import { quote } from '../print/print.js';

/** Part `index` of `count`, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** What `--shard` says, such as `3/16`. @throws UsageError */
export function readShard(text: string): Shard {
  const [, index, count] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  if (count === undefined || Number(index) > Number(count)) {
    const expected = '--shard expected K/N, such as 3/16: K from 1 to N, and N at most 9999';
    throw new UsageError(`${expected}; got ${quote(text)}`);
  }
  return { index: Number(index), count: Number(count) };
}

/**
 * The lines of a shard: those that begin in its share of the bytes. The shares of one file meet without gap or overlap, so
 * each line is in exactly one shard, and a shard exceeds its share by less than a line.
 *
 * @param size of the file, in bytes
 */
export function toByteRange({ index, count }: Shard, size: bigint): Omit<LineRange, 'after'> {
  const byteAt = (part: number) => Number((size * BigInt(part)) / BigInt(count));
  return { start: byteAt(index - 1), end: byteAt(index) };
}
